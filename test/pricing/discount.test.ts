import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prorate } from '../../src/pricing/discounts.ts';

const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0);

/** Weights that are not all zero, small ones (many ties) and ones whose products pass 2^53. */
const weights = fc
  .oneof(
    fc.array(fc.nat(9), { minLength: 1, maxLength: 20 }),
    fc.array(fc.nat(9_999_000_000_000), { minLength: 1, maxLength: 100 }),
  )
  .filter((values) => sum(values) > 0);
/** Weights, and a total that they can carry. */
const split = weights.chain((values) =>
  fc.record({ values: fc.constant(values), total: fc.nat(sum(values)) }),
);

describe('prorate', () => {
  it.each([
    { total: 1000, over: [1000, 1000, 1000], parts: [334, 333, 333] },
    { total: 100, over: [1, 1, 1, 1, 1, 1, 1], parts: [15, 15, 14, 14, 14, 14, 14] },
    { total: 10, over: [500, 300, 200], parts: [5, 3, 2] },
    { total: 1, over: [1, 98, 1], parts: [0, 1, 0] },
    { total: 7, over: [0, 7, 0], parts: [0, 7, 0] },
    { total: 0, over: [3, 4], parts: [0, 0] },
    { total: 0, over: [0, 0], parts: [0, 0] },
    { total: 0, over: [], parts: [] },
  ])('$total over $over → $parts', ({ total, over, parts }) => {
    expect(prorate(total, over)).toEqual(parts);
  });

  it('sums to the whole, each part its quota rounded down or up, at most its weight', () => {
    fc.assert(
      fc.property(split, ({ total, values }) => {
        const parts = prorate(total, values);
        expect(sum(parts)).toBe(total);
        for (const [index, weight] of values.entries()) {
          const part = parts[index] ?? Number.NaN;
          const down = (BigInt(total) * BigInt(weight)) / BigInt(sum(values));
          const exact = down * BigInt(sum(values)) === BigInt(total) * BigInt(weight);
          expect([Number(down), Number(down) + (exact ? 0 : 1)]).toContain(part);
          expect(part).toBeLessThanOrEqual(weight);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never gives less to a larger weight, and differs by at most one unit for equal weights', () => {
    fc.assert(
      fc.property(split, ({ total, values }) => {
        const parts = prorate(total, values);
        const pairs = values
          .map((weight, index) => ({ weight, part: parts[index] ?? Number.NaN }))
          .sort((a, b) => a.weight - b.weight || a.part - b.part);
        for (const [index, { weight, part }] of pairs.entries()) {
          const next = pairs[index + 1];
          if (next) expect(next.part).toBeGreaterThanOrEqual(part);
          if (next?.weight === weight) expect(next.part - part).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('splits a multiple exactly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1 }),
        fc.nat(1000),
        (values, times) => {
          expect(prorate(sum(values) * times, values)).toEqual(values.map((weight) => weight * times));
        },
      ),
    );
  });

  it('throws when the weights sum to zero', () => {
    expect(() => prorate(1, [0, 0])).toThrow(RangeError);
    expect(() => prorate(1, [])).toThrow(RangeError);
  });
});
