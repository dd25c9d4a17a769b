/**
 * How fast guesses may come. Pure arithmetic; times are ms.
 */

/** So many wrong guesses at an account in a row cost no waiting. */
const FREE = 5;
/** The longest wait between two guesses at one account: it slows down, it never locks. */
const LONGEST = 15 * 60_000;

/**
 * How long after the last of so many wrong guesses the next one may come: 1 s after the fifth, then twice as
 * long each time, at most a quarter of an hour. That lets 14 guesses be tried in ten minutes, 110 in a day.
 */
export const waitAfter = (wrong: number): number =>
  wrong < FREE ? 0 : Math.min(1_000 * 2 ** Math.min(wrong - FREE, 30), LONGEST);

/** One address has so many wrong guesses at once, for all accounts together, and one more in each interval. */
const BURST = 20;
const INTERVAL = 6_000;

/** How long an address must wait whose guesses are worked off at `until` (a leaky bucket, ITU-T I.371's GCRA). */
export const addressWait = (until: number, at: number): number =>
  Math.max(0, until + INTERVAL - BURST * INTERVAL - at);

/** When they will be worked off after one more guess, and when that one turned out right. */
export const afterGuess = (until: number, at: number): number => Math.max(until, at) + INTERVAL;
export const afterRight = (until: number): number => until - INTERVAL;
