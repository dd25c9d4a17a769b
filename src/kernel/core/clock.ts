/** Milliseconds of a minute, an hour, a day. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

let offset = 0;

/** Milliseconds since the Unix epoch, UTC. Everything that asks for the time asks here. */
export const now = (): number => Date.now() + offset;

/** An instant in ms as an ISO 8601 string in UTC, as the wire shows it. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** The same of an instant that may not be set. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Moves the clock of this isolate by `ms`: for tests that let hours pass. */
export const moveClock = (ms: number): void => {
  offset += ms;
};
