import { DAY, HOUR, MINUTE } from '../../kernel/core/clock.ts';

const SECOND = 1_000;

/** How long after the attempt before it each attempt is made (ms): ten attempts over 75 hours or more. */
export const DELAYS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** After an attempt that never left the next one waits this long (ms), twice that the next time, … */
const UNSENT_DELAY_MS = 5 * SECOND;
/** … and at most this long. */
const MAX_UNSENT_DELAY_MS = 5 * MINUTE;

/** Returns how long to wait (ms) after an attempt never left, when `times` in a row before it did not either. */
export const unsentDelay = (times: number): number =>
  Math.min(UNSENT_DELAY_MS * 2 ** Math.min(times, 10), MAX_UNSENT_DELAY_MS);

/** A retry comes up to this part of its delay later, so that retries of many deliveries spread out. */
const JITTER = 0.2;
/** A receiver can ask for this much patience at most (ms). */
const MAX_RETRY_AFTER = DAY;
/** A webhook that has only failed for this long (ms) is paused. */
const FAILING_PAUSE_MS = 5 * DAY;

/**
 * When to try again after `tries` failed attempts, in ms since the epoch; `null` when there were enough.
 * @param at when the last attempt ended
 * @param random uniform in [0, 1)
 * @param retryAfter what the receiver asked for in its `Retry-After`: the retry comes no sooner
 */
export function retryAt(
  tries: number,
  at: number,
  random: number,
  retryAfter: number | null = null,
): number | null {
  const delay = DELAYS[tries];
  if (delay === undefined) return null;
  return Math.max(at + Math.round(delay * (1 + JITTER * random)), retryAfter ?? 0);
}

/**
 * The instant that a `Retry-After` names (RFC 9110, 10.2.3: seconds, or an HTTP date), in ms since the
 * epoch: not in the past, a day ahead at most. `null` when there is none or it can't be read.
 */
export function readRetryAfter(value: string | null, at: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  const instant = /^\d{1,10}$/.test(text) ? at + Number(text) * SECOND : httpDate(text);
  return instant === null ? null : Math.min(Math.max(instant, at), at + MAX_RETRY_AFTER);
}

function httpDate(text: string): number | null {
  const instant = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

/** Why a webhook is paused by itself after a failed attempt, or `null`: it said 410, or failed for five days. */
export function pauseReason(
  status: number | null,
  failingSince: number,
  at: number,
): 'gone' | 'failing' | null {
  if (status === 410) return 'gone';
  return at - failingSince >= FAILING_PAUSE_MS ? 'failing' : null;
}
