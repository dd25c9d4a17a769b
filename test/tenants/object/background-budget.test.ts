import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  BackgroundBudget,
  BURST_MS,
  backgroundShare,
  MAX_PAUSE_MS,
} from '../../../src/tenants/object/background-budget.ts';

it('lets small work run, and makes steady work pause for as long as it has worked', () => {
  const budget = new BackgroundBudget(0.5);
  expect(budget.charge(200, 10_000)).toBe(0);
  // 250 ms at a share of a half are the burst.
  expect(budget.charge(50, 10_000)).toBe(0);
  expect(budget.charge(100, 10_000)).toBe(200);
  expect(budget.charge(100, 10_200)).toBe(200);
  // Two works at once: the second one waits for both.
  expect(budget.charge(100, 10_400)).toBe(200);
  expect(budget.charge(100, 10_400)).toBe(400);
  // After a rest only the burst is free again.
  expect(budget.charge(300, 60_000)).toBe(100);
});

it('never makes anyone pause for longer than the bound', () => {
  const budget = new BackgroundBudget(0.1);
  expect(budget.charge(3_600_000, 0)).toBe(MAX_PAUSE_MS);
  expect(budget.charge(3_600_000, 1)).toBe(MAX_PAUSE_MS);
  expect(budget.charge(0, 1 + MAX_PAUSE_MS)).toBe(0);
});

it('has no pauses at a share of 1', () => {
  const budget = new BackgroundBudget(1);
  expect(budget.charge(3_600_000, 0)).toBe(0);
});

it('takes the default for a share that is none', () => {
  const shares = ['0.25', '1', '0', '-1', '2', 'much', ''].map((BACKGROUND_SHARE) =>
    backgroundShare({ BACKGROUND_SHARE }),
  );
  expect(shares).toEqual([0.25, 1, 0.5, 0.5, 0.5, 0.5, 0.5]);
  expect(backgroundShare({})).toBe(0.5);
});

// 1 to 8 works at once, shares of 10 to 90 %, 200 slices of 1 to 50 ms: no pause reaches its bound of 5 s.
it('keeps works that pause as told within their share, however many there are', () => {
  const cases = fc.record({
    works: fc.integer({ min: 1, max: 8 }),
    percent: fc.integer({ min: 10, max: 90 }),
    slices: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 200, maxLength: 200 }),
  });
  fc.assert(
    fc.property(cases, ({ works, percent, slices }) => {
      const share = percent / 100;
      const budget = new BackgroundBudget(share);
      /** When each work may go on (ms), and when the database is free: it runs one slice after the other. */
      const ready = Array.from({ length: works }, () => 0);
      let free = 0;
      let used = 0;
      for (const slice of slices) {
        const next = ready.indexOf(Math.min(...ready));
        free = Math.max(free, ready[next] ?? 0) + slice;
        used += slice;
        ready[next] = free + budget.charge(slice, free);
        expect(used).toBeLessThanOrEqual(share * (free + BURST_MS) + works * 50);
      }
    }),
  );
});
