/** The states of a dispute: not decided yet, decided for the tenant, decided for the shopper. */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;

/** A dispute of a payment, as its provider reports it. */
export interface ProviderDispute {
  /** The provider's id of the dispute. */
  readonly reference: string;
  readonly status: (typeof DISPUTE_STATUSES)[number];
  /** The provider's code for what the shopper says, such as `fraudulent`. */
  readonly reason: string;
  /** In minor units of the payment's currency. */
  readonly amount: number;
  /** When it was opened (ms). */
  readonly openedAt: number;
}

/** A dispute as its order keeps it. */
export interface Dispute extends ProviderDispute {
  /** When its status last changed here (ms). */
  readonly updatedAt: number;
}
