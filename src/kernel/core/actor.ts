/** The kinds of {@link Actor}. `system` is the service itself: chores, and deadlines that pass. */
export const ACTOR_KINDS = ['shopper', 'application', 'panel', 'provider', 'system'] as const;

/** Who makes a change. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  /** The customer's or application's id, or the payment provider's name; absent if unknown. */
  readonly id?: string;
}

/** The service itself. */
export const SYSTEM: Actor = { kind: 'system' };
