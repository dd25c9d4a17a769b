/**
 * How fast guesses and registrations may come. Pure arithmetic; times are ms.
 */

/** So many wrong guesses at an account in a row cost no waiting. */
const FREE = 5;
/** The longest wait between two guesses at one account: it slows down, it never locks. */
const LONGEST = 15 * 60_000;

/**
 * Returns how long after the last of so many wrong guesses the next one may come: 1 s after the fifth, then
 * twice as long each time, at most a quarter of an hour: 14 guesses in ten minutes, 110 in a day.
 */
export const waitAfter = (wrong: number): number =>
  wrong < FREE ? 0 : Math.min(1_000 * 2 ** Math.min(wrong - FREE, 30), LONGEST);

/** A leaky bucket (ITU-T I.371's GCRA): so many at once, and one more in each interval. */
export interface Pace {
  readonly burst: number;
  readonly intervalMs: number;
}

/** Wrong guesses from one network, for all accounts of a tenant together. */
export const GUESSES: Pace = { burst: 20, intervalMs: 6_000 };
/** Registrations from one network with one tenant. */
export const REGISTRATIONS: Pace = { burst: 10, intervalMs: 30_000 };
/** Returns the pace of all registrations with one tenant, whose plan allows so many a minute. */
export const registrationsOf = (perMinute: number): Pace => ({
  burst: perMinute,
  intervalMs: 60_000 / perMinute,
});

/** Returns how long whoever's charges are worked off at `until` must wait before the next one. */
export const waitFor = ({ burst, intervalMs }: Pace, until: number, at: number): number =>
  Math.max(0, until + intervalMs - burst * intervalMs - at);

/** Returns when charges will be worked off after one more, and after one was given back. */
export const afterCharge = ({ intervalMs }: Pace, until: number, at: number): number =>
  Math.max(until, at) + intervalMs;
export const afterRefund = ({ intervalMs }: Pace, until: number): number => until - intervalMs;
