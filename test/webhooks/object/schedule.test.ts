import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/kernel/core/clock.ts';
import {
  pauseReason,
  RETRY_DELAYS_MS,
  readRetryAfter,
  retryAt,
} from '../../../src/webhooks/object/schedule.ts';

/** The instants of all attempts of a delivery that always fails, counted from the first. */
function attempts(randoms: readonly number[]): number[] {
  const times = [0];
  for (;;) {
    const last = times.at(-1) ?? 0;
    const next = retryAt(
      { tries: times.length, at: last, retryAfter: null },
      randoms[times.length % randoms.length] ?? 0,
    );
    if (next === null) return times;
    times.push(next);
  }
}

describe('the retry schedule', () => {
  it('makes ten attempts over at least 75 hours, each 0 to 20 % later', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(random, { minLength: 1, maxLength: 10 }), (randoms) => {
        const times = attempts(randoms);
        expect(times).toHaveLength(10);
        expect(times.at(-1)).toBeGreaterThanOrEqual(75 * HOUR);
        expect(times.at(-1)).toBeLessThanOrEqual(75.6 * HOUR * 1.2);
        for (const [i, delay] of RETRY_DELAYS_MS.entries()) {
          const waited = (times[i] ?? 0) - (times[i - 1] ?? 0);
          expect(waited).toBeGreaterThanOrEqual(delay);
          expect(waited).toBeLessThanOrEqual(delay * 1.2);
        }
      }),
    );
  });

  it('has the documented steps', () => {
    const [first, ...rest] = attempts([0]).map((time, i, all) => time - (all[i - 1] ?? 0));
    expect(first).toBe(0);
    expect(rest.map((ms) => ms / 1000)).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
  });

  it('waits as long as the receiver asks, and never less than the schedule', () => {
    expect(retryAt({ tries: 1, at: 1_000, retryAfter: 61_000 }, 0)).toBe(61_000);
    expect(retryAt({ tries: 2, at: 1_000, retryAfter: 61_000 }, 0)).toBe(301_000);
    expect(retryAt({ tries: 10, at: 1_000, retryAfter: 61_000 }, 0)).toBeNull();
  });
});

describe('Retry-After', () => {
  const at = Date.UTC(2026, 10, 20, 12);
  it.each([
    ['120', at + 120_000],
    [' 0 ', at],
    ['999999999', at + DAY],
    ['Fri, 20 Nov 2026 12:10:00 GMT', at + 600_000],
    ['Friday, 20-Nov-26 12:10:00 GMT', at + 600_000],
    ['Fri Nov 20 12:10:00 2026', at + 600_000],
    ['Fri, 20 Nov 2020 12:10:00 GMT', at],
    ['Fri, 20 Nov 2099 12:10:00 GMT', at + DAY],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['', null],
    ['2026-11-20T12:10:00Z', null],
    [null, null],
  ])('reads %j', (value, expected) => {
    expect(readRetryAfter(value, at)).toBe(expected);
  });
});

it('pauses immediately after 410, and otherwise after five days of failures only', () => {
  expect(pauseReason(410, 0, 0)).toBe('gone');
  expect(pauseReason(500, 0, 5 * DAY - 1)).toBeNull();
  expect(pauseReason(500, 0, 5 * DAY)).toBe('failing');
  expect(pauseReason(null, 0, 5 * DAY)).toBe('failing');
});
