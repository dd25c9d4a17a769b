import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choosePromotions,
  type PricedLine,
  type PricingRules,
  type Promotion,
  promotionFor,
  rulesFor,
  traceTotals,
} from '../../src/pricing/index.ts';

// Any cart with any promotions: what must hold whatever the figures are. fast-check prints the seed of a failure.

const RUNS = { numRuns: 500 };
const minor = fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(100_000_000));

const line: fc.Arbitrary<PricedLine> = fc.record({
  productId: fc.integer({ min: 1, max: 4 }),
  categoryIds: fc.subarray([10, 20]),
  unitPrice: minor,
  quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 999 })),
  ships: fc.boolean(),
  taxClass: fc.constantFrom(null, 'books'),
});
const lines = fc.array(line, { maxLength: 8 });

const rate = fc.oneof(
  fc.constantFrom(5, 10, 33.333333, 50, 100),
  fc.integer({ min: 1, max: 100_000_000 }).map((n) => n / 1e6),
);
const conditions = {
  minimum_subtotal: fc.option(fc.nat(500), { freq: 1 }),
  minimum_quantity: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 1 }),
  product_ids: fc.subarray([1, 2, 3]),
  category_ids: fc.subarray([10]),
};
const unit = fc.integer({ min: 1, max: 3 });
const deduction = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), value: rate, ...conditions }),
  fc.record({ kind: fc.constant('fixed' as const), value: fc.nat(100), ...conditions }),
  fc.record({ kind: fc.constant('free_shipping' as const), value: fc.constant(0), ...conditions }),
);
const sets = fc.record({
  kind: fc.constant('buy_x_get_y' as const),
  value: rate,
  buy: unit,
  get: unit,
  ...conditions,
});

const some = (terms: fc.Arbitrary<Parameters<typeof promotionFor>[0]['terms']>) =>
  fc.array(fc.record({ terms, priority: fc.integer({ min: 0, max: 3 }), combinable: fc.boolean() }), {
    maxLength: 5,
  });

const shop = fc.record({
  currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
  mode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  rate_percent: fc.constantFrom(0, 7, 19, 8.875),
  flat: fc.nat(9),
});
type Shop = typeof shop extends fc.Arbitrary<infer T> ? T : never;

const rulesOf = ({ currency, mode, rate_percent, flat }: Shop): PricingRules => {
  const books = { rate_percent: 5 };
  return rulesFor(
    { tax: { mode, rate_percent, shipping_taxed: true, rates_by_class: { books } }, shipping: { flat } },
    currency,
    null,
  );
};
const promotionsOf = (
  given: readonly Omit<Parameters<typeof promotionFor>[0], 'id' | 'name' | 'code'>[],
  currency: string,
) =>
  given.flatMap((one, n) => promotionFor({ id: n + 1, name: `P${n}`, code: null, ...one }, currency) ?? []);

const cart = fc.record({ shop, lines, given: some(fc.oneof(deduction, sets)) });
type Cart = typeof cart extends fc.Arbitrary<infer T> ? T : never;

function priced(lines: readonly PricedLine[], rules: PricingRules, promotions: readonly Promotion[]) {
  return traceTotals(lines, rules, choosePromotions(lines, rules, promotions));
}
const pricedCart = ({ shop, lines, given }: Cart) =>
  priced(lines, rulesOf(shop), promotionsOf(given, shop.currency));

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
/** An order of as many things, and the things in it. */
const shuffled = <T>(things: readonly T[], seed: readonly number[]): T[] =>
  things
    .map((thing, n) => ({ thing, at: seed[n % Math.max(1, seed.length)] ?? 0, n }))
    .sort((a, b) => a.at - b.at || b.n - a.n)
    .map(({ thing }) => thing);

describe('any promotions', () => {
  it('sum to the discount, in total and on each line, and never exceed the goods', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { totals, applied } = pricedCart(given);
        expect(sum(applied.map(({ amounts }) => sum(amounts)))).toBe(totals.discount);
        expect(totals.discount).toBeLessThanOrEqual(totals.subtotal);
        totals.lines.forEach(({ discount, subtotal }, n) => {
          const parts = applied.map(({ amounts }) => amounts[n] ?? Number.NaN);
          expect(sum(parts)).toBe(discount);
          expect(parts.every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true);
          expect(discount).toBeLessThanOrEqual(subtotal);
        });
      }),
      RUNS,
    );
  });

  it('give the same totals in whatever order codes and lines were given', () => {
    fc.assert(
      fc.property(cart, fc.array(fc.nat(99), { minLength: 8, maxLength: 8 }), (given, seed) => {
        const { shop, lines } = given;
        const [rules, promotions] = [rulesOf(shop), promotionsOf(given.given, shop.currency)];
        const straight = priced(lines, rules, promotions);
        const byCodes = priced(lines, rules, shuffled(promotions, seed));
        expect(byCodes).toEqual(straight);
        const byLines = priced(shuffled(lines, seed), rules, promotions);
        const bill = ({ applied, totals: { lines: _, ...sums } }: typeof straight) => ({
          sums,
          amounts: applied.map(({ promotion, amounts }) => [promotion.id, sum(amounts)]),
        });
        expect(bill(byLines)).toEqual(bill(straight));
      }),
      RUNS,
    );
  });

  it('reduce the same one of two units at one price, whichever line comes first', () => {
    const [rules, sets] = [
      rulesOf({ currency: 'JPY', mode: 'exclusive', rate_percent: 0, flat: 0 }),
      { kind: 'buy_x_get_y' as const, value: 5, buy: 1, get: 1, product_ids: [], category_ids: [] },
    ];
    const terms = { ...sets, minimum_subtotal: null, minimum_quantity: null };
    const promotions = promotionsOf([{ terms, priority: 0, combinable: false }], 'JPY');
    const unit = { productId: 1, categoryIds: [], unitPrice: 1538, quantity: 1, ships: false };
    const [plain, book] = [
      { ...unit, taxClass: null },
      { ...unit, taxClass: 'books' },
    ];
    const [one, other] = [priced([plain, book], rules, promotions), priced([book, plain], rules, promotions)];
    expect(one.totals.discount).toBe(77);
    expect(one.totals.tax).toBe(other.totals.tax);
  });

  it('take the odd unit off the same one of two lines at one price, whichever comes first', () => {
    const rules = rulesOf({ currency: 'JPY', mode: 'exclusive', rate_percent: 0, flat: 0 });
    const half = { kind: 'percent' as const, value: 50, minimum_subtotal: null, minimum_quantity: null };
    const promotions = promotionsOf(
      [1, 2].map((id) => ({
        terms: { ...half, product_ids: [id], category_ids: [] },
        priority: 0,
        combinable: true,
      })),
      'JPY',
    );
    const mug = { productId: 2, categoryIds: [], unitPrice: 10, quantity: 1, ships: false, taxClass: null };
    const plain = { ...mug, productId: 1, unitPrice: 19 };
    const book = { ...plain, taxClass: 'books' };
    const [one, other] = [
      priced([plain, book, mug], rules, promotions),
      priced([book, plain, mug], rules, promotions),
    ];
    expect(one.totals.discount).toBe(24);
    expect(one.totals.tax).toBe(other.totals.tax);
  });

  it('take the odd unit of a single percentage off the same line, in whatever order the lines were added', () => {
    const rules = rulesOf({ currency: 'JPY', mode: 'exclusive', rate_percent: 19, flat: 0 });
    const terms = { kind: 'percent' as const, value: 10 };
    const promotions = promotionsOf([{ terms, priority: 0, combinable: false }], 'JPY');
    const pen = { productId: 1, categoryIds: [], unitPrice: 5, quantity: 1, ships: false, taxClass: null };
    const mug = { ...pen, productId: 2, unitPrice: 15 };
    const [one, other] = [priced([pen, mug], rules, promotions), priced([mug, pen], rules, promotions)];
    expect(one.totals.discount).toBe(2);
    expect(one.totals.lines.toReversed()).toEqual(other.totals.lines);
    expect(one.totals.grandTotal).toBe(other.totals.grandTotal);
  });

  it('are all that combine, or one alone', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { applied } = pricedCart(given);
        const alone = applied.filter(({ promotion }) => !promotion.combinable);
        expect(alone.length === 0 || applied.length === 1).toBe(true);
      }),
      RUNS,
    );
  });

  it('are the best choice: no single one, and not all that combine, would be cheaper', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { shop, lines } = given;
        const [rules, promotions] = [rulesOf(shop), promotionsOf(given.given, shop.currency)];
        const { totals, applied } = priced(lines, rules, promotions);
        fc.pre(applied.length > 0);
        const choices = [
          promotions.filter(({ combinable }) => combinable),
          ...promotions.filter(({ combinable }) => !combinable).map((one) => [one]),
        ];
        for (const choice of choices) {
          const other = traceTotals(lines, rules, choice);
          if (other.applied.length === 0) continue;
          expect(totals.grandTotal).toBeLessThanOrEqual(other.totals.grandTotal);
        }
      }),
      RUNS,
    );
  });
});

// Another item can move a fixed amount's share or the reduced unit of a set from one line to another, so that a line
// by itself can become dearer. What holds is that the goods together never cost more than the new item more: each step
// maps what is left of the lines to less, grows with each of them, and by no more than that one grew (for a percentage
// p: 1 − p; for a fixed amount F off a sum S: the shares 1 − F/S + F/S); minimums can only be met, not lost. Sets
// reorder the lines, so this holds where nothing comes after them. Each promotion rounds by a unit a line.
describe('another item', () => {
  const extra = fc.record({
    shop,
    lines: fc.array(line, { minLength: 1, maxLength: 7 }),
    more: line,
    steps: fc.array(fc.record({ terms: deduction, priority: fc.integer({ min: 0, max: 3 }) }), {
      maxLength: 4,
    }),
    last: fc.option(sets),
  });

  it('never adds more to the price of the goods than its own price', () => {
    fc.assert(
      fc.property(extra, ({ shop, lines, more, steps, last }) => {
        const given = [...steps, ...(last ? [{ terms: last, priority: 9 }] : [])];
        const promotions = promotionsOf(
          given.map((one) => ({ ...one, combinable: true })),
          shop.currency,
        );
        const goods = (all: readonly PricedLine[]): number => {
          const { totals } = traceTotals(all, rulesOf(shop), promotions);
          return totals.subtotal - totals.discount;
        };
        const rounding = promotions.length * (lines.length + 1);
        const limit = goods(lines) + more.unitPrice * more.quantity + rounding;
        expect(goods([...lines, more])).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never lowers what a single promotion deducts', () => {
    fc.assert(
      fc.property(shop, lines, line, fc.oneof(deduction, sets), (shop, before, more, terms) => {
        const promotions = promotionsOf([{ terms, priority: 0, combinable: true }], shop.currency);
        const discount = (all: readonly PricedLine[]): number =>
          traceTotals(all, rulesOf(shop), promotions).totals.discount;
        expect(discount([...before, more])).toBeGreaterThanOrEqual(discount(before));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never takes more than a unit off the share of another line in a percentage', () => {
    fc.assert(
      fc.property(shop, lines, line, rate, (shop, before, more, value) => {
        const promotions = promotionsOf(
          [{ terms: { kind: 'percent', value }, priority: 0, combinable: true }],
          shop.currency,
        );
        const shares = (all: readonly PricedLine[]) =>
          traceTotals(all, rulesOf(shop), promotions).totals.lines.map(({ discount }) => discount);
        const after = shares([...before, more]);
        shares(before).forEach((share, n) => {
          expect(after[n]).toBeGreaterThanOrEqual(share - 1);
        });
      }),
      RUNS,
    );
  });
});
