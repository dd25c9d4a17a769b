/** The kinds of {@link Actor}. `system` is the service itself: chores, and deadlines that pass. */
export const ACTOR_KINDS = ['shopper', 'application', 'panel', 'provider', 'system'] as const;

/** Who makes a change. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  /** The id of the customer, the application or the panel's user, or the payment provider's name; absent if unknown. */
  readonly id?: string;
}

/** The service itself. */
export const SYSTEM: Actor = { kind: 'system' };
