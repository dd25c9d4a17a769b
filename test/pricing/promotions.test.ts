import { describe, expect, it } from 'vitest';
import {
  choosePromotions,
  type PromotionSource,
  promotionFor,
  promotionShares,
  rulesFor,
  traceTotals,
} from '../../src/pricing/index.ts';
import { type Noted, noted, SETTINGS } from './priced-cart.ts';

type Given = Partial<Omit<PromotionSource, 'terms'>> & { readonly terms: PromotionSource['terms'] };

const promotion = ({ id = 1, terms, ...more }: Given): PromotionSource => ({
  id,
  name: `P${id}`,
  code: null,
  priority: 100,
  combinable: true,
  terms,
  ...more,
});

/** What a cart is charged with these promotions to choose from: the amounts by promotion, and by line. */
function charged(lines: readonly Noted[], given: readonly Given[], currency = 'EUR') {
  const cart = lines.map((line) => noted(line, currency));
  const rules = rulesFor(SETTINGS, currency, null);
  const all = given.flatMap((one) => promotionFor(promotion(one), currency) ?? []);
  const { totals, applied, shipping } = traceTotals(cart, rules, choosePromotions(cart, rules, all));
  return {
    amounts: promotionShares(applied).map(({ id, amount }) => [id, amount]),
    lines: totals.lines.map(({ discount }) => discount),
    discount: totals.discount,
    shipping: totals.shipping,
    shippingRule: shipping.rule,
  };
}

const percent = (value: number, more: object = {}) => ({ kind: 'percent' as const, value, ...more });
const fixed = (value: number, more: object = {}) => ({ kind: 'fixed' as const, value, ...more });
const sets = (buy: number, get: number, value = 100, more: object = {}) => ({
  kind: 'buy_x_get_y' as const,
  value,
  buy,
  get,
  ...more,
});

describe('promotions that combine', () => {
  const mug: Noted = { price: 10, productId: 1, quantity: 2 };

  it('apply in the order of their priority, each to what is left', () => {
    const half = { id: 1, priority: 2, terms: percent(50) };
    const five = { id: 2, priority: 1, terms: fixed(5) };
    expect(charged([mug], [half, five]).amounts).toEqual([
      [2, 500],
      [1, 750],
    ]);
    expect(charged([mug], [{ ...half, priority: 0 }, five]).amounts).toEqual([
      [1, 1000],
      [2, 500],
    ]);
  });

  it('apply by id if their priority is the same', () => {
    const [a, b] = [
      { id: 7, terms: percent(50) },
      { id: 3, terms: fixed(5) },
    ];
    expect(charged([mug], [a, b])).toEqual(charged([mug], [b, a]));
    expect(charged([mug], [a, b]).amounts.map(([id]) => id)).toEqual([3, 7]);
  });

  it('never exceed the goods; one that finds nothing left does not apply', () => {
    const all = [1, 2, 3].map((id) => ({ id, terms: fixed(15) }));
    expect(charged([mug], all)).toMatchObject({
      amounts: [
        [1, 1500],
        [2, 500],
      ],
      discount: 2000,
    });
  });

  it('make the shipping free beside a discount, with an amount of 0', () => {
    const free = { id: 2, terms: { kind: 'free_shipping' as const, value: 0 } };
    expect(charged([mug], [{ id: 1, terms: percent(10) }, free])).toMatchObject({
      amounts: [
        [1, 200],
        [2, 0],
      ],
      shipping: 0,
      shippingRule: 'free_shipping_promotion',
    });
    expect(charged([mug], [{ ...free, code: 'FREE' }]).shippingRule).toBe('free_shipping_coupon');
  });

  it('compare minimums with the full prices, whatever was deducted before', () => {
    const all = [
      { id: 1, priority: 1, terms: percent(50) },
      { id: 2, terms: fixed(1, { minimum_subtotal: 20 }) },
    ];
    expect(charged([mug], all).amounts.map(([id]) => id)).toEqual([1, 2]);
  });
});

describe('a promotion that does not combine', () => {
  const mug: Noted = { price: 10, productId: 1, quantity: 2 };
  const ten = { id: 1, terms: percent(10) };
  const alone = (id: number, value: number) => ({ id, combinable: false, terms: percent(value) });

  it('applies alone if it is better for the shopper', () => {
    expect(charged([mug], [ten, alone(2, 15)]).amounts).toEqual([[2, 300]]);
    expect(charged([mug], [ten, { id: 3, terms: percent(10) }, alone(2, 15)]).amounts).toEqual([
      [1, 200],
      [3, 180],
    ]);
  });

  it('leaves the others if it is no better', () => {
    expect(charged([mug], [ten, alone(2, 10)]).amounts).toEqual([[1, 200]]);
  });

  it('is the best of several, the first by id of equal ones', () => {
    expect(charged([mug], [alone(5, 20), alone(3, 20), alone(4, 10)]).amounts).toEqual([[3, 400]]);
  });

  it('does not apply where it costs the free shipping, and more than it takes off', () => {
    const lamp: Noted = { price: 51, productId: 2 };
    const five = { ...alone(2, 5), code: 'FIVE' };
    expect(charged([lamp], [five])).toMatchObject({ amounts: [], discount: 0, shipping: 0 });
    expect(charged([lamp], [five, alone(3, 4)]).amounts).toEqual([]);
    expect(charged([lamp], [five, alone(3, 20)]).amounts).toEqual([[3, 1020]]);
    expect(charged([{ ...lamp, price: 100 }], [five]).amounts).toEqual([[2, 500]]);
  });

  it('applies alone where it makes no difference', () => {
    const free = { id: 2, combinable: false, terms: { kind: 'free_shipping' as const, value: 0 } };
    expect(charged([{ price: 60, productId: 1 }], [free]).amounts).toEqual([[2, 0]]);
  });

  it('is compared with the shipping that it saves', () => {
    const free = { id: 2, combinable: false, terms: { kind: 'free_shipping' as const, value: 0 } };
    expect(charged([mug], [ten, free]).amounts).toEqual([[2, 0]]);
  });
});

describe('buy x get y', () => {
  const a: Noted = { price: 30, productId: 1 };
  const b: Noted = { price: 20, productId: 2 };
  const c: Noted = { price: 10, productId: 3 };

  it.each([
    { title: 'the cheapest of a set', lines: [a, b, c], terms: sets(2, 1), parts: [0, 0, 1000] },
    { title: 'nothing below a set', lines: [a, b], terms: sets(2, 1), parts: [0, 0] },
    { title: 'a part of its price', lines: [b, a], terms: sets(1, 1, 50), parts: [1000, 0] },
    {
      title: 'one of each set, from the dearest down',
      lines: [a, b, c, c],
      terms: sets(1, 1),
      parts: [0, 2000, 0, 1000],
    },
    { title: 'the units of a line', lines: [{ ...c, quantity: 7 }], terms: sets(2, 1), parts: [2000] },
    { title: 'several of a set', lines: [{ ...c, quantity: 5 }], terms: sets(2, 3), parts: [3000] },
    {
      title: 'those beyond buy of a set that is not full',
      lines: [{ ...c, quantity: 4 }],
      terms: sets(2, 3),
      parts: [2000],
    },
    {
      title: 'only eligible units',
      lines: [a, { ...b, quantity: 2 }, c],
      terms: sets(1, 1, 100, { product_ids: [2] }),
      parts: [0, 2000, 0],
    },
  ])('reduces $title', ({ lines, terms, parts }) => {
    expect(charged(lines, [{ terms }]).lines).toEqual(parts);
  });

  it('reduces what earlier promotions left', () => {
    const all = [
      { id: 1, priority: 1, terms: percent(50) },
      { id: 2, priority: 2, terms: sets(1, 1) },
    ];
    expect(charged([{ ...b, quantity: 2 }], all)).toMatchObject({ lines: [3000], discount: 3000 });
  });

  it('grows with dearer and with cheaper units', () => {
    const three = [{ ...c, quantity: 3 }];
    const before = charged(three, [{ terms: sets(2, 1) }]).discount;
    const crumbs: Noted = { price: 0.01, productId: 4, quantity: 3 };
    expect(charged([...three, crumbs], [{ terms: sets(2, 1) }]).discount).toBeGreaterThanOrEqual(before);
  });
});

describe("a promotion's minimum quantity", () => {
  it('counts eligible units', () => {
    const terms = percent(10, { minimum_quantity: 3, product_ids: [1] });
    const lines = (quantity: number): Noted[] => [
      { price: 10, productId: 1, quantity },
      { price: 10, productId: 2, quantity: 9 },
    ];
    expect(charged(lines(2), [{ terms }]).discount).toBe(0);
    expect(charged(lines(3), [{ terms }]).discount).toBe(300);
  });
});

it.each([
  { currency: 'JPY', price: 101, off: 50, parts: [17, 17, 16] },
  { currency: 'EUR', price: 1.01, off: 0.5, parts: [17, 17, 16] },
  { currency: 'KWD', price: 0.101, off: 0.05, parts: [17, 17, 16] },
])('is split exactly in $currency', ({ currency, price, off, parts }) => {
  const lines = [1, 2, 3].map((productId) => ({ price, productId }));
  expect(charged(lines, [{ terms: fixed(off) }], currency).lines).toEqual(parts);
});
