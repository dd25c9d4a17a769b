/** Any cart in any shop: what it costs is what is charged, what the order and its events say, and what goes back. */

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { stripeAmount } from '../../../../src/checkout/payments/stripe-amount.ts';
import { rows } from '../../../../src/kernel/data/database.ts';
import { toMinor } from '../../../../src/kernel/values/money.ts';
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  checkoutPath,
  readReturn,
  sandboxShop,
  shownTotal,
} from '../../../support/fixtures/selling/checkout.ts';
import { cartSeeing, promote } from '../../../support/fixtures/selling/promotions.ts';
import { refund, sendStripeEvent } from '../../../support/fixtures/selling/refunds.ts';
import { StripeStub } from '../../../support/fixtures/selling/stripe.ts';
import { sellThroughStripe } from '../../../support/fixtures/selling/stripe-shop.ts';
import { databaseOf } from '../../../support/runtime/runtime.ts';
import type { Answer, World } from '../../../support/world.ts';

type Body = Answer['body'];

const RUNS = { numRuns: 6 };

const COUNTRIES = ['DE', 'FR'] as const;
const METHODS = [
  { id: 'parcel', name: 'Parcel', price: { EUR: 4.9, JPY: 700, KWD: 1.37 }, free_over: { EUR: 150 } },
  {
    id: 'weight',
    name: 'By weight',
    countries: ['DE'],
    tiers: [
      { from_weight: 0, price: 3 },
      { from_weight: 900, price: 8 },
    ],
  },
];

/** Prices in cents; the other currencies' are drawn from them. */
const PRICES = [5, 15, 333, 999, 4_999, 12_345];
const GOODS = PRICES.map((cents, n) => ({
  name: `Good ${n}`,
  type: n === 2 ? 'virtual' : 'simple',
  price: cents / 100,
  prices: { JPY: cents, KWD: cents / 1000 },
  weight: 250 * n,
  stock: 100_000,
  ...(n % 2 && { tax_class: 'books' }),
}));

const combinable = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false));
const percent = fc.constantFrom(5, 10, 12.5, 33.333, 50);
const effect = fc.oneof(
  fc.record({ kind: fc.constant('percent'), value: percent }),
  fc.record({ kind: fc.constant('fixed'), value: fc.constantFrom(1, 7, 20) }),
  fc.record({
    kind: fc.constant('buy_x_get_y'),
    buy: fc.integer({ min: 1, max: 2 }),
    get: fc.constant(1),
    percent_off: percent,
  }),
  fc.record({ kind: fc.constant('free_shipping') }),
);
const promotion = fc.record({
  effect,
  combinable,
  priority: fc.nat(3),
  conditions: fc.record({ minimum_quantity: fc.constantFrom(null, 2) }),
});

interface Shop {
  readonly shop: World;
  readonly goods: readonly number[];
  readonly seen: Answer;
  readonly codes: readonly string[];
}

/** Opens a shop with random promotions: two automatic ones, and four with codes, of which one does not combine. */
async function open(mode: string, seed: number): Promise<Shop> {
  const tax = {
    mode,
    rate_percent: 19,
    rates_by_country: { FR: 20 },
    rates_by_class: { books: { rate_percent: 7 } },
    shipping_taxed: true,
  };
  const settings = { tax, shipping: { methods: METHODS } };
  const shop = await sandboxShop({ currencies: ['EUR', 'JPY', 'KWD'], settings });
  const goods: number[] = [];
  for (const good of GOODS) goods.push((await createProduct(shop, good)).body.id);
  const codes = ['ONE', 'TWO', 'THREE', 'ALONE'];
  let seen = await shop.get('/theme/options');
  for (const [n, drawn] of fc.sample(promotion, { numRuns: 6, seed }).entries()) {
    const code = codes[n - 2];
    const own = code === undefined ? {} : { trigger: 'code', code, combinable: code !== 'ALONE' };
    seen = await promote(shop, { ...drawn, ...own });
  }
  return { shop, goods, codes, seen };
}

let stripe: StripeStub;
beforeEach(() => {
  stripe = new StripeStub();
  stripe.install();
});
afterEach(() => vi.restoreAllMocks());

const purchase = (currencies: readonly string[]) =>
  fc.record({
    currency: fc.constantFrom(...currencies),
    country: fc.constantFrom(...COUNTRIES),
    lines: fc.uniqueArray(
      fc.record({ good: fc.nat(GOODS.length - 1), quantity: fc.integer({ min: 1, max: 9 }) }),
      { minLength: 1, maxLength: 4, selector: ({ good }) => good },
    ),
    codes: fc.subarray([0, 1, 2, 3], { maxLength: 3 }),
    addressFirst: fc.boolean(),
  });
type Purchase = ReturnType<typeof purchase> extends fc.Arbitrary<infer T> ? T : never;

/** Fills a cart in the order that is given; returns it as it is read then. */
async function fill({ shop, goods, codes: known, seen }: Shop, given: Purchase): Promise<Body> {
  const { currency, country, lines, codes, addressFirst } = given;
  const items = lines.map(({ good, quantity }) => ({ product_id: goods[good], quantity }));
  const { cart_token } = (await shop.post('/cart', { currency, items })).body;
  await cartSeeing(shop, cart_token, seen);
  const address = () => shop.put(`/cart/${cart_token}/shipping-address`, { country });
  if (addressFirst) await address();
  for (const n of codes) {
    const entered = await shop.post(`/cart/${cart_token}/coupon`, { code: known[n] });
    if (entered.status !== 200) expect(entered.body.code).toBe('coupon_not_applicable');
  }
  if (!addressFirst) await address();
  return (await shop.get(`/cart/${cart_token}`)).body;
}

/** Returns what a cart, an order or an event says that its goods cost, in whatever order they are listed. */
const billOf = ({ totals, applied_promotions, items }: Body) => ({
  totals,
  applied_promotions,
  items: items
    .map((item: Body) => [item.product_id, item.quantity, item.total, item.discounts])
    .sort(([a]: number[], [b]: number[]) => (a ?? 0) - (b ?? 0)),
});

const minor = (amount: number, currency: string): number => toMinor(amount, currency) ?? Number.NaN;

/** Asserts that what promotions deduct sums to the discount, in total and by item, and never exceeds the goods. */
function expectParts({ currency, totals, applied_promotions, items }: Body): void {
  const sum = (parts: readonly { amount: number }[]) =>
    parts.reduce((all, { amount }) => all + minor(amount, currency), 0);
  const discount = minor(totals.discount, currency);
  expect(sum(applied_promotions)).toBe(discount);
  expect(sum(items.flatMap((item: Body) => item.discounts))).toBe(discount);
  expect(totals.discount).toBeLessThanOrEqual(totals.subtotal);
}

/** Presses the checkout page's button, which shows the cart's total; returns where it leads. */
async function pressPay(shop: World, cart: Body, country: string) {
  const path = await checkoutPath(shop, cart.cart_token);
  const shown_total = shownTotal(await browse(path));
  expect(shown_total).toBe(String(minor(cart.totals.grand_total, cart.currency)));
  const sent = await browse(path, { ...ADDRESS, country, shown_total, action: 'pay' });
  expect(sent.status, sent.text).toBe(303);
  return sent;
}

/** Asserts that a refunded order and each of its events say what the cart cost, and that all of it went back. */
async function expectSameEverywhere(shop: World, id: string, cart: Body): Promise<void> {
  const bill = billOf(cart);
  const order = (await shop.get(`/orders/${id}`)).body;
  expect([order.payment_status, billOf(order)]).toEqual(['refunded', bill]);
  const types = ['order.created', 'order.paid', 'order.refunded'];
  const events: Body[] = [];
  for (let after = ''; ; ) {
    const { data, meta } = (await shop.get(`/events?types=${types}&limit=100${after}`)).body;
    if (data.length === 0) break;
    events.push(...data.filter((event: Body) => event.data.id === id));
    after = `&after=${meta.next_cursor}`;
  }
  expect(events.map(({ type }) => type)).toEqual(types);
  for (const { data } of events) expect(billOf(data)).toEqual(bill);
  expect(events[2]?.data.refund.amount).toBe(cart.totals.grand_total);
}

/** Fills a cart twice, in two orders; asserts that both cost the same, and returns the first. */
async function filled(open: Shop, given: Purchase): Promise<Body> {
  const cart = await fill(open, given);
  const { lines, codes, addressFirst } = given;
  const turned = { lines: lines.toReversed(), codes: codes.toReversed(), addressFirst: !addressFirst };
  expect(billOf(await fill(open, { ...given, ...turned }))).toEqual(billOf(cart));
  expectParts(cart);
  return cart;
}

it('costs at Stripe what the cart says', async () => {
  const sale = await open('exclusive', inject('seed'));
  const { shop } = sale;
  await sellThroughStripe(shop);
  await fc.assert(
    fc.asyncProperty(purchase(['EUR', 'JPY']), async (given) => {
      const cart = await filled(sale, given);
      // An order that is free does not go to Stripe.
      fc.pre(cart.totals.grand_total > 0);
      const session = stripe.sessionAt((await pressPay(shop, cart, given.country)).location);
      const charge = stripeAmount(minor(cart.totals.grand_total, given.currency), given.currency);
      expect([session.amount_total, session.currency]).toEqual([charge, given.currency.toLowerCase()]);
      stripe.finish(session);
      await sendStripeEvent(shop, 'checkout.session.completed', session);
      const id = session.metadata.order_id ?? '';
      expect((await refund({ shop, id })).body.status).toBe('succeeded');
      expect(stripe.refunds.at(-1)?.amount).toBe(charge);
      await expectSameEverywhere(shop, id, cart);
    }),
    RUNS,
  );
});

it('costs in the sandbox what the cart says, in currencies of 0, 2 and 3 decimals', async () => {
  const sale = await open('inclusive', inject('seed'));
  const { shop } = sale;
  await fc.assert(
    fc.asyncProperty(purchase(['EUR', 'JPY', 'KWD']), async (given) => {
      const cart = await filled(sale, given);
      const id = readReturn(await pressPay(shop, cart, given.country)).order_id;
      const paid = await rows(
        databaseOf(shop),
        sql`SELECT amount, currency FROM payments WHERE tenant_id = ${shop.tenantId} AND order_id = ${id}`,
      );
      const { currency } = given;
      expect(paid).toEqual([{ amount: minor(cart.totals.grand_total, currency), currency }]);
      expect((await refund({ shop, id })).body.status).toBe('succeeded');
      await expectSameEverywhere(shop, id, cart);
    }),
    RUNS,
  );
});
