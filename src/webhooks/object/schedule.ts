import { DAY, HOUR, MINUTE } from '../../kernel/core/clock.ts';

const SECOND_MS = 1_000;

/** Events older than this (ms) are not on their way any more: queues keep messages for four days. */
export const MAX_QUEUE_DELAY_MS = 5 * DAY;

/** The delay of each attempt after the previous one (ms): ten attempts over at least 75 hours. */
export const RETRY_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The first backoff after an unsent attempt; it doubles with each consecutive one. */
const UNSENT_DELAY_MS = 5 * SECOND_MS;
/** Upper bound of that backoff. */
const MAX_UNSENT_DELAY_MS = 5 * MINUTE;

/** Returns the backoff (ms) after an unsent attempt that follows `times` consecutive unsent ones. */
export const unsentDelay = (times: number): number =>
  Math.min(UNSENT_DELAY_MS * 2 ** Math.min(times, 10), MAX_UNSENT_DELAY_MS);

/** Maximum jitter, as a fraction of the delay, so that the retries of many deliveries spread out. */
const JITTER_FRACTION = 0.2;
/** Upper bound of a receiver's `Retry-After`. */
const MAX_RETRY_AFTER_MS = DAY;
/** A webhook that has only failed for this long is paused. */
const FAILING_PAUSE_MS = 5 * DAY;

/** The last of a delivery's failed attempts. */
interface FailedAttempt {
  /** The number of failed attempts, this one included. */
  readonly tries: number;
  /** When it ended (ms). */
  readonly at: number;
  /** The receiver's `Retry-After` as an instant (ms): the earliest retry. */
  readonly retryAfter: number | null;
}

/**
 * Returns when to retry a delivery, in ms since the epoch; `null` when no attempts are left.
 * @param random uniform in [0, 1)
 */
export function retryAt({ tries, at, retryAfter }: FailedAttempt, random: number): number | null {
  const delay = RETRY_DELAYS_MS[tries];
  if (delay === undefined) return null;
  return Math.max(at + Math.round(delay * (1 + JITTER_FRACTION * random)), retryAfter ?? 0);
}

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3: seconds, or an HTTP date) to ms since the epoch, between
 * `at` and one day later. Returns `null` if the header is missing or malformed.
 */
export function readRetryAfter(value: string | null, at: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  const instant = /^\d{1,10}$/.test(text) ? at + Number(text) * SECOND_MS : httpDate(text);
  return instant === null ? null : Math.min(Math.max(instant, at), at + MAX_RETRY_AFTER_MS);
}

function httpDate(text: string): number | null {
  const instant = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

/** Returns why a failed attempt pauses the webhook (410, or five days of failures), or `null`. */
export function pauseReason(
  status: number | null,
  failingSince: number,
  at: number,
): 'gone' | 'failing' | null {
  if (status === 410) return 'gone';
  return at - failingSince >= FAILING_PAUSE_MS ? 'failing' : null;
}
