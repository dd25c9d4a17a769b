import { describe, expect, it } from 'vitest';
import { type PromotionTerms, promotionRefusal } from '../../src/pricing/index.ts';
import { bill, couponFor, type Noted, noted, priced, SETTINGS } from './priced-cart.ts';

const MUG: Noted = { price: 10, productId: 1, categoryIds: [7, 3] };
const SHIRT: Noted = { price: 20, productId: 2, categoryIds: [8, 3], quantity: 2 };
const POSTER: Noted = { price: 9.99, productId: 3, categoryIds: [9] };
const lines = [MUG, SHIRT, POSTER];

const perLine = (coupon: PromotionTerms) =>
  priced({ lines, settings: SETTINGS, coupon }).lines.map(({ discount }) => discount);

describe('a percentage', () => {
  it('is deducted from the eligible sum, rounded half up, and split over the lines', () => {
    // 12.5 % of 59.99 = 7.49875 → 7.50
    expect(perLine({ kind: 'percent', value: 12.5 })).toEqual([125, 500, 125]);
    expect(bill({ lines, settings: SETTINGS, coupon: { kind: 'percent', value: 12.5 } })).toEqual({
      subtotal: 59.99,
      discount: 7.5,
      shipping: 0,
      tax: 9.45, // 8.75 → 1.575 → 1.58; 35.00 → 6.30; 8.74 → 1.5732 → 1.57
      grand_total: 61.94,
    });
  });

  it('of 100 leaves shipping to pay', () => {
    expect(bill({ lines, settings: SETTINGS, coupon: { kind: 'percent', value: 100 } })).toEqual({
      subtotal: 59.99,
      discount: 59.99,
      shipping: 4.9,
      tax: 0,
      grand_total: 4.9,
    });
  });
});

describe('a fixed amount', () => {
  it('is split in proportion, the odd cents to the largest remainders', () => {
    const thirds = [{ price: 10 }, { price: 10 }, { price: 10 }];
    const { lines: parts } = priced({
      lines: thirds,
      settings: SETTINGS,
      coupon: { kind: 'fixed', value: 10 },
    });
    expect(parts.map(({ discount }) => discount)).toEqual([334, 333, 333]);
  });

  it('deducts at most what the eligible lines cost', () => {
    expect(perLine({ kind: 'fixed', value: 1_000 })).toEqual([1000, 4000, 999]);
    expect(perLine({ kind: 'fixed', value: 15, product_ids: [1] })).toEqual([1000, 0, 0]);
  });

  it('may have a value per currency, and deducts nothing in others', () => {
    const terms: PromotionTerms = { kind: 'fixed', value: { EUR: 5, JPY: 800 } };
    expect(couponFor(terms, 'JPY')?.benefit).toEqual({ kind: 'fixed', amount: 800 });
    expect(couponFor(terms, 'KWD')).toBeNull();
  });
});

describe('a minimum per currency', () => {
  it('keeps the coupon from carts in other currencies', () => {
    const terms: PromotionTerms = { kind: 'percent', value: 10, minimum_subtotal: { EUR: 30 } };
    expect(couponFor(terms, 'EUR')?.minimumSubtotal).toBe(3_000);
    expect(couponFor(terms, 'USD')).toBeNull();
  });
});

describe('free shipping', () => {
  it('deducts the shipping and nothing else', () => {
    const coupon: PromotionTerms = { kind: 'free_shipping', value: 0 };
    expect(bill({ lines: [MUG], settings: SETTINGS })).toMatchObject({ shipping: 4.9, grand_total: 16.7 });
    expect(bill({ lines: [MUG], settings: SETTINGS, coupon })).toMatchObject({
      discount: 0,
      shipping: 0,
      grand_total: 11.8,
    });
  });
});

describe("a coupon's targets", () => {
  it.each([
    { only: {}, parts: [100, 400, 100] },
    { only: { product_ids: [], category_ids: [] }, parts: [100, 400, 100] },
    { only: { product_ids: [1] }, parts: [100, 0, 0] },
    { only: { category_ids: [3] }, parts: [100, 400, 0] },
    { only: { product_ids: [3], category_ids: [7] }, parts: [100, 0, 100] },
    { only: { product_ids: [99] }, parts: [0, 0, 0] },
  ])('$only', ({ only, parts }) => {
    expect(perLine({ kind: 'percent', value: 10, ...only })).toEqual(parts);
  });
});

describe("a coupon's conditions", () => {
  const refusal = (terms: Omit<PromotionTerms, 'value'>, cart: readonly Noted[] = lines) => {
    const coupon = couponFor({ value: 5, ...terms }, 'EUR');
    return (
      coupon &&
      promotionRefusal(
        coupon,
        cart.map((line) => noted(line, 'EUR')),
      )
    );
  };

  it('require an eligible line', () => {
    expect(refusal({ kind: 'fixed', product_ids: [99] })).toBe('no_eligible_line');
    expect(refusal({ kind: 'fixed' }, [])).toBe('no_eligible_line');
    expect(refusal({ kind: 'free_shipping', category_ids: [9] })).toBeNull();
  });

  it('compare the minimum with the whole subtotal, to the cent', () => {
    expect(refusal({ kind: 'percent', minimum_subtotal: 59.99, product_ids: [1] })).toBeNull();
    expect(refusal({ kind: 'percent', minimum_subtotal: 60 })).toBe('below_minimum_subtotal');
  });

  it('leave the totals unchanged if they fail', () => {
    const coupon: PromotionTerms = { kind: 'free_shipping', value: 0, minimum_subtotal: 100 };
    expect(priced({ lines: [MUG], settings: SETTINGS, coupon })).toEqual(
      priced({ lines: [MUG], settings: SETTINGS }),
    );
  });
});
