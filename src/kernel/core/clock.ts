/** A minute, an hour and a day in milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

let offset = 0;

/** Returns milliseconds since the Unix epoch. The only source of time, so that tests can move the clock. */
export const now = (): number => Date.now() + offset;

/**
 * Returns whether an instant was less than `duration` before `at` (all ms). False for a later instant: the clock was
 * set back since, and what is stored with that instant must not count as recent until the clock reaches it again.
 */
export const isRecent = (instant: number, duration: number, at = now()): boolean =>
  instant <= at && at - instant < duration;

/** How far apart clocks may be (ms). What is stored with a later time was stored by a clock that was set back since. */
export const MAX_CLOCK_STEP_MS = MINUTE;

/** Returns how long (whole seconds) until the next day (UTC) begins. */
export const secondsToNextDay = (): number => Math.ceil((DAY - (now() % DAY)) / 1_000);

/** Formats a timestamp (ms) as an ISO 8601 string in UTC, as the API shows it. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** Formats a timestamp (ms) as {@link iso} does; returns `null` for `null`. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Moves this isolate's clock by `ms`. For tests only. */
export const moveClock = (ms: number): void => {
  offset += ms;
};

/** Sets this isolate's clock back to the platform's, to the millisecond. For tests only. */
export const resetClock = (): void => {
  offset = 0;
};
