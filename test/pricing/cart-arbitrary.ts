import fc from 'fast-check';
import { toNumber } from '../../src/kernel/values/money.ts';
import type { PricedLine, PricingSettings, PromotionTerms } from '../../src/pricing/index.ts';

export const COUNTRIES = ['DE', 'TR', 'US', 'JP'];

const currency = fc.constantFrom('JPY', 'EUR', 'KWD');

const country = fc.constantFrom(null, ...COUNTRIES);

/** A percentage with up to six decimals, the usual ones first. */
const percent = (max: number) =>
  fc.oneof(
    fc.constantFrom(0, 1, 5, 7, 8.875, 9.975, 18, 19, 20, 100).filter((value) => value <= max),
    fc.nat(max * 1_000_000).map((millionths) => millionths / 1_000_000),
  );

/** A few units, where rounding shows, or anything up to the largest amount. */
const minor = fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(1_000_000_000));

const amount = (code: string) => minor.map((value) => toNumber(value, code));

const line: fc.Arbitrary<PricedLine> = fc.record({
  productId: fc.integer({ min: 1, max: 5 }),
  categoryIds: fc.subarray([10, 20, 30]),
  unitPrice: minor,
  quantity: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 9_999 })),
  ships: fc.boolean(),
  taxClass: fc.constantFrom(null, 'books', 'unheard-of'),
});

const byCountry = <T>(value: fc.Arbitrary<T>) => fc.dictionary(fc.constantFrom(...COUNTRIES), value);

const settingsIn = (code: string): fc.Arbitrary<PricingSettings> => {
  const rates = { rate_percent: percent(100), rates_by_country: byCountry(percent(100)) };
  const shipping = { flat: amount(code), free_over: fc.option(amount(code)) };
  return fc.record({
    tax: fc.record({
      mode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
      ...rates,
      shipping_taxed: fc.boolean(),
      rates_by_class: fc.record({ books: fc.record(rates) }),
    }),
    shipping: fc.record({ ...shipping, by_country: byCountry(fc.record(shipping)) }),
  });
};

/** The kinds that a coupon has. */
type Coupon = PromotionTerms & { readonly kind: 'percent' | 'fixed' | 'free_shipping' };

const couponIn = (code: string): fc.Arbitrary<Coupon> => {
  const limits = {
    minimum_subtotal: fc.option(amount(code), { freq: 1 }),
    product_ids: fc.subarray([1, 2, 3, 99], { maxLength: 2 }),
    category_ids: fc.subarray([10, 20]),
  };
  return fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), value: percent(100), ...limits }),
    fc.record({ kind: fc.constant('fixed' as const), value: amount(code), ...limits }),
    fc.record({ kind: fc.constant('free_shipping' as const), value: fc.constant(0), ...limits }),
  );
};

export const cart = currency.chain((code) =>
  fc.record({
    code: fc.constant(code),
    country,
    lines: fc.array(line, { maxLength: 100, size: 'medium' }),
    settings: settingsIn(code),
    terms: fc.option(couponIn(code)),
  }),
);

export type Cart = typeof cart extends fc.Arbitrary<infer T> ? T : never;
