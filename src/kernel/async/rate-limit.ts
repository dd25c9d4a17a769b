import { MAX_CLOCK_STEP_MS } from '../core/clock.ts';

/** A rate limit (GCRA, ITU-T I.371): `burst` at once, then one per interval (ms). */
export interface RateLimit {
  readonly burst: number;
  readonly intervalMs: number;
}

/**
 * Returns a stored GCRA state, or 0 for one further ahead than charges lead: a clock left it that was set back since, and
 * it would refuse everything until the clock is there again.
 */
export const storedState = ({ burst, intervalMs }: RateLimit, until: number, at: number): number =>
  until > at + burst * intervalMs + MAX_CLOCK_STEP_MS ? 0 : until;

/** Returns the wait (ms) before the next charge, given the GCRA state `until` (theoretical arrival time). */
export const delayBefore = ({ burst, intervalMs }: RateLimit, until: number, at: number): number =>
  Math.max(0, until + intervalMs - burst * intervalMs - at);

/** Returns the GCRA state after one more charge. */
export const afterCharge = ({ intervalMs }: RateLimit, until: number, at: number): number =>
  Math.max(until, at) + intervalMs;

/** Returns the GCRA state after the refund of a charge. */
export const afterRefund = ({ intervalMs }: RateLimit, until: number): number => until - intervalMs;
