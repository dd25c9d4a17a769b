import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exponent, toNumber } from '../../src/kernel/values/money.ts';
import {
  choosePromotions,
  type PricedLine,
  type PricingSettings,
  type PromotionSource,
  promotionFor,
  rulesFor,
  traceTotals,
} from '../../src/pricing/index.ts';
import { type ModelLine, type ModelPromotion, type ModelShop, modelBill } from './model.ts';

// Any cart against a model that prices it by hand. fast-check prints the seed of a failure.

const minor = fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(1_000_000_000));
const percent = fc.oneof(
  fc.constantFrom(5, 7, 8.875, 10, 19, 33.333333, 50, 100),
  fc.integer({ min: 1, max: 100_000_000 }).map((n) => n / 1e6),
);

const line: fc.Arbitrary<ModelLine> = fc.record({
  product: fc.integer({ min: 1, max: 4 }),
  price: minor,
  quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
  ships: fc.boolean(),
  taxClass: fc.constantFrom(null, 'books'),
});
/** Lines in an order of their own, so that the place decides between equal shares. */
const lines = fc
  .uniqueArray(line, { maxLength: 8, selector: (one) => `${one.product} ${one.price} ${one.quantity}` })
  .map((all) =>
    all.toSorted((a, b) => a.product - b.product || a.price - b.price || a.quantity - b.quantity),
  );

const units = fc.integer({ min: 1, max: 3 });
const effect: fc.Arbitrary<ModelPromotion['effect']> = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), percent }),
  fc.record({ kind: fc.constant('fixed' as const), amount: minor }),
  fc.record({ kind: fc.constant('free_shipping' as const) }),
  fc.record({ kind: fc.constant('sets' as const), buy: units, get: units, percent }),
);
const promotions = fc
  .array(
    fc.record({
      priority: fc.integer({ min: 0, max: 3 }),
      combinable: fc.boolean(),
      effect,
      products: fc.subarray([1, 2, 3]),
      minimumSubtotal: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: minor }),
      minimumQuantity: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 5 },
  )
  .map((all) => all.map((one, n): ModelPromotion => ({ id: n + 1, ...one })));

const shop: fc.Arbitrary<ModelShop> = fc.record({
  included: fc.boolean(),
  standardRate: fc.oneof(fc.constant(0), percent),
  bookRate: fc.oneof(fc.constant(0), percent),
  shippingTaxed: fc.boolean(),
  tiers: fc
    .tuple(minor, fc.option(fc.record({ from: minor.map((from) => from + 1), price: minor })))
    .map(([price, more]) => [{ from: 0, price }, ...(more ? [more] : [])]),
  freeOver: fc.option(minor),
});

const KINDS = {
  percent: 'percent',
  fixed: 'fixed',
  free_shipping: 'free_shipping',
  sets: 'buy_x_get_y',
} as const;

/** Returns a promotion as a tenant writes it. */
function written({ effect: does, ...rest }: ModelPromotion, code: string): PromotionSource {
  const amount = does.kind === 'fixed' ? does.amount : 0;
  return {
    id: rest.id,
    name: `P${rest.id}`,
    code: null,
    priority: rest.priority,
    combinable: rest.combinable,
    terms: {
      kind: KINDS[does.kind],
      value: 'percent' in does ? does.percent : toNumber(amount, code),
      ...(does.kind === 'sets' && { buy: does.buy, get: does.get }),
      product_ids: rest.products,
      minimum_subtotal: toNumber(rest.minimumSubtotal, code),
      minimum_quantity: rest.minimumQuantity,
    },
  };
}

/** Returns a shop's settings as a tenant writes them. */
function settingsOf(given: ModelShop, code: string): PricingSettings {
  const money = (amount: number) => toNumber(amount, code);
  const free_over = given.freeOver === null ? null : money(given.freeOver);
  const tiers = given.tiers.map(({ from, price }) => ({ from_subtotal: money(from), price: money(price) }));
  return {
    tax: {
      mode: given.included ? 'inclusive' : 'exclusive',
      rate_percent: given.standardRate,
      shipping_taxed: given.shippingTaxed,
      rates_by_class: { books: { rate_percent: given.bookRate } },
    },
    shipping: { flat: 0, methods: [{ id: 'parcel', name: 'Parcel', active: true, tiers, free_over }] },
  };
}

const pricedLine = ({ product, price, ...rest }: ModelLine): PricedLine => ({
  ...rest,
  productId: product,
  unitPrice: price,
  categoryIds: [],
});

it('prices any cart as a model does by hand, in currencies of 0, 2, 3 and 4 decimals', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF'),
      shop,
      lines,
      promotions,
      (code, given, cart, all) => {
        expect(exponent(code)).toBe({ JPY: 0, EUR: 2, KWD: 3, CLF: 4 }[code]);
        const priced = cart.map(pricedLine);
        const rules = rulesFor(settingsOf(given, code), code, null);
        const candidates = all.flatMap((one) => promotionFor(written(one, code), code) ?? []);
        const { totals, applied } = traceTotals(priced, rules, choosePromotions(priced, rules, candidates));
        const { applied: ids, lines: expected, ...sums } = modelBill(given, cart, all);
        expect(totals).toMatchObject(sums);
        expect(totals.lines.map(({ discount, tax }) => ({ discount, tax }))).toEqual(expected);
        expect(applied.map(({ promotion }) => promotion.id)).toEqual(ids);
      },
    ),
    { numRuns: 2_000 },
  );
});
