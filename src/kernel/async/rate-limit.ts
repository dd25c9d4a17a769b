/** A rate limit (GCRA, ITU-T I.371): `burst` at once, then one per interval (ms). */
export interface RateLimit {
  readonly burst: number;
  readonly intervalMs: number;
}

/** Returns the wait (ms) before the next charge, given the GCRA state `until` (theoretical arrival time). */
export const delayBefore = ({ burst, intervalMs }: RateLimit, until: number, at: number): number =>
  Math.max(0, until + intervalMs - burst * intervalMs - at);

/** Returns the GCRA state after one more charge. */
export const afterCharge = ({ intervalMs }: RateLimit, until: number, at: number): number =>
  Math.max(until, at) + intervalMs;

/** Returns the GCRA state after the refund of a charge. */
export const afterRefund = ({ intervalMs }: RateLimit, until: number): number => until - intervalMs;
