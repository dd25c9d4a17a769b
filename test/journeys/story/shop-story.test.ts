/** A shop sells, ships and refunds, while an accounting system that only pulls events keeps books that add up. */

import { expect, it } from 'vitest';
import type { EventType } from '../../../src/events/index.ts';
import type { Scope } from '../../../src/kernel/core/scopes.ts';
import { fieldsOfForm } from '../../support/fixtures/browser.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { seeingNow } from '../../support/fixtures/catalog/sales.ts';
import {
  accountInApi,
  add,
  Books,
  type Counts,
  expectStockToAddUp,
  Feed,
  keptOf,
  sum,
} from '../../support/fixtures/selling/accounting.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import {
  browse,
  checkoutPath,
  RETURN_URL,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { cartSeeing, promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import type { World } from '../../support/world.ts';

const HOME = {
  label: 'Home',
  first_name: 'Ada',
  last_name: 'Lovelace',
  country: 'DE',
  line1: 'Oranienstraße 25',
  city: 'Berlin',
  postal_code: '10999',
};
const METHODS = [
  {
    id: 'parcel',
    name: 'Parcel',
    min_days: 2,
    max_days: 4,
    tiers: [
      { from_subtotal: 0, price: 5.9 },
      { from_subtotal: 40, price: 3.9 },
    ],
  },
  { id: 'express', name: 'Express', price: 9.9, countries: ['DE'], max_days: 1 },
];

/** A shop with mugs and pots, two shipping methods and two promotions that combine. */
async function openShop() {
  const tax = { mode: 'inclusive', rate_percent: 19, shipping_taxed: true };
  const shop = await sandboxShop({ settings: { tax, shipping: { methods: METHODS } } });
  const mug = await createProduct(shop, { name: 'Mug', sku: 'MUG', price: 8.9, stock: 20 });
  const pot = await createProduct(shop, { name: 'Pot', sku: 'POT', price: 34.5, stock: 8 });
  await promote(shop, { name: 'Spring', combinable: true, priority: 1 });
  const effect = { kind: 'fixed', value: 5 };
  const seen = await promoteByCode(shop, 'FIVE', { name: 'Five off', effect, combinable: true });
  return { shop, mug, pot, seen };
}
type OpenShop = Awaited<ReturnType<typeof openShop>>;

/** Ada signs in, fills her cart, chooses Express, enters her code and pays with the address that she saved. */
async function sellToAda({ shop, mug, pot, seen }: OpenShop): Promise<string> {
  const ada = await registerCustomer(shop);
  const session = withSession(ada.token);
  const saved = await shop.post('/customers/me/addresses', HOME, session);
  expect([saved.status, saved.body.is_default]).toEqual([201, true]);
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  await shop.put('/customers/me/cart', { cart_token }, session);
  await addToCart(shop, pot, { cart_token });
  await cartSeeing(shop, cart_token, seen);
  const path = `/cart/${cart_token}`;
  await shop.put(`${path}/shipping-address`, { country: 'DE' });
  const { data } = (await shop.get(`${path}/shipping-methods`)).body;
  expect(data).toMatchObject([
    { id: 'parcel', price: 3.9, selected: true },
    { id: 'express', price: 9.9, selected: false },
  ]);
  await shop.put(`${path}/shipping-method`, { id: 'express' });
  const cart = await shop.post(`${path}/coupon`, { code: 'five' });
  // 61.20, less a tenth and 5.00, and 9.90 for Express.
  expect(cart.body.totals).toMatchObject({ discount: 11.12, shipping: 9.9, grand_total: 59.98 });
  const started = await shop.post('/checkout/seamless', { cart_token, return_url: RETURN_URL }, session);
  const page = new URL(started.body.redirect_url).pathname;
  // No field of this form has several values.
  const form = fieldsOfForm((await browse(page)).text, 'class="details"') as Record<string, string>;
  expect(form).toMatchObject({ shown_total: '5998', shipping_method: 'express' });
  const { order_id } = readReturn(await browse(page, { ...form, action: 'pay' }));
  const { label: _, ...address } = HOME;
  expect((await shop.get(`/orders/${order_id}`)).body).toMatchObject({
    status: 'paid',
    customer: { id: ada.id, email: ada.email },
    addresses: { shipping: address },
    coupon: 'FIVE',
    shipping_method: { id: 'express' },
  });
  return order_id;
}

/** A guest checks out some mugs, pressing these buttons of the page in turn; returns the order's id. */
async function sellToGuest({ shop, mug }: OpenShop, quantity: number, ...buttons: string[]): Promise<string> {
  const { cart_token } = (await addToCart(shop, mug, { quantity })).body;
  const path = await checkoutPath(shop, cart_token, { cancel_url: undefined });
  let order = '';
  for (const button of buttons) {
    const page = await submitCheckout(path, button);
    if (page.status === 303) order = readReturn(page).order_id;
  }
  return order;
}

/** Ships an order in two parcels: two mugs, then the rest, which gets its tracking later and is delivered. */
async function ship({ shop }: OpenShop, order: string): Promise<void> {
  const path = `/orders/${order}/fulfilments`;
  const first = await shop.post(path, { items: [{ line_id: 1, quantity: 2 }] });
  const second = await shop.post(path, {});
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.items).toEqual([
    { line_id: 1, quantity: 1 },
    { line_id: 2, quantity: 1 },
  ]);
  const tracked = await shop.patch(`${path}/${second.body.id}`, {
    tracking: { carrier: 'DHL', number: '0034' },
  });
  const delivered = await shop.patch(`${path}/${second.body.id}`, { status: 'delivered' });
  expect([tracked.status, delivered.status]).toEqual([200, 200]);
}

/** Returns every order as the API shows it. */
async function ordersOf(shop: World) {
  const { data } = (await shop.get('/orders?limit=100')).body;
  const orders = await Promise.all(data.map(({ id }: { id: string }) => shop.get(`/orders/${id}`)));
  return orders.map(({ body }) => body);
}

/** Asserts that the books match the API: orders, refunds, parcels, stock and promotion uses. */
async function expectSameInApi({ shop, mug, pot }: OpenShop, { accounts, stock }: Books): Promise<void> {
  const paid = (await ordersOf(shop)).filter((order) => order.payment_status !== 'unpaid');
  expect(accounts).toEqual(Object.fromEntries(paid.map((order) => [order.number, accountInApi(order)])));
  for (const { id, number } of paid) {
    const { data } = (await shop.get(`/orders/${id}/refunds`)).body;
    expect(data.map((refund: { id: string }) => refund.id)).toEqual(
      Object.keys(accounts[number]?.refunds ?? {}),
    );
  }
  for (const { body } of [mug, pot]) {
    const product = (await shop.get(`/products/${body.id}`, await seeingNow(shop))).body;
    expect([product.sku, product.stock]).toEqual([product.sku, stock[product.sku]?.left]);
  }
  const uses: Counts = {};
  for (const { discounts } of Object.values(accounts).filter(({ cancelled }) => !cancelled))
    for (const id of Object.keys(discounts)) add(uses, id, 1);
  const { data } = (await shop.get('/promotions')).body;
  expect(uses).toEqual(
    Object.fromEntries(data.map((one: { id: number; uses: number }) => [one.id, one.uses])),
  );
}

const MONEY: readonly EventType[] = [
  ...(['order.paid', 'order.cancelled', 'order.fulfilled', 'order.refunded'] as const),
  'order.tracking_changed',
];
const GOODS: readonly EventType[] = ['product.updated', 'stock.changed'];

/** An accounting system that may read orders and products, with a feed of each. */
async function accounting(shop: World) {
  const scopes: Scope[] = ['webhooks:read', 'orders:read', 'catalog:read'];
  const { token } = await shop.register({ kind: 'integration', scopes });
  const books = new Books();
  const [money, goods] = [new Feed(shop, token, MONEY), new Feed(shop, token, GOODS)];
  const pull = async (wait = 0) => {
    await money.pull(books, wait);
    await goods.pull(books);
  };
  /** Pulls while others work, waiting up to a second for what concerns money. */
  const pullDuring = async (...work: Promise<unknown>[]) => {
    let over = false;
    const done = Promise.all(work).finally(() => {
      over = true;
    });
    while (!over) await pull(1);
    await done;
    await pull();
  };
  return { books, money, goods, everything: new Feed(shop, token, null), pull, pullDuring };
}

it('lets an accounting system that only pulls events keep books that equal the orders and add up', async () => {
  const open = await openShop();
  const { shop } = open;
  const { books, money, goods, everything, pull, pullDuring } = await accounting(shop);
  await pull();
  expect(books.stock).toEqual({ MUG: { opening: 20, left: 20 }, POT: { opening: 8, left: 8 } });
  const order = await sellToAda(open);
  await pullDuring(
    ...[sellToGuest(open, 6, 'pay'), sellToGuest(open, 2, 'decline', 'cancel'), ship(open, order)],
  );
  const regretted = await sellToGuest(open, 1, 'pay');
  await pull();
  const backup = [money, goods].map(({ cursors }) => cursors.at(-1));
  expect((await shop.post(`/orders/${regretted}/cancel`)).body.status).toBe('cancelled');
  const refund = { items: [{ line_id: 1, quantity: 3, restock: true }], reason: 'Chipped' };
  expect((await shop.post(`/orders/${order}/refunds`, refund)).body.status).toBe('succeeded');
  await pull();

  // The system restores a backup of its cursors: the same events come again, and it books none twice.
  const before = structuredClone([books.accounts, books.stock]);
  for (const [n, feed] of [money, goods].entries()) {
    const { events } = await feed.after(backup[n]);
    expect(events.length).toBeGreaterThan(1);
    expect(events).toEqual(feed.received.slice(-events.length));
    for (const event of events) books.book(event);
  }
  expect([books.accounts, books.stock]).toEqual(before);

  await expectSameInApi(open, books);
  expectStockToAddUp(books);
  const totals = Object.values(books.accounts).map((one) => [one.paid, sum(one.refunds), keptOf(one)]);
  // Ada returned the mugs; the first guest kept theirs; the last order was cancelled.
  expect(totals).toEqual([
    [5998, 2185, 3813],
    [5196, 0, 5196],
    [1391, 1391, 0],
  ]);
  const [ada] = Object.values(books.accounts);
  expect(Object.values(ada?.parcels ?? {})).toEqual([
    { pieces: { MUG: 2 }, tracking: null, status: 'shipped' },
    { pieces: { MUG: 1, POT: 1 }, tracking: '0034', status: 'delivered' },
  ]);

  // Each event came once, whichever types were asked for.
  const all = (await everything.after(undefined)).events;
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const [types, { received }] of [
    [MONEY, money],
    [GOODS, goods],
  ] as const) {
    expect(received).toEqual(all.filter(({ type }) => types.includes(type)));
  }
  const counts: Counts = {};
  for (const { type } of money.received) add(counts, type, 1);
  expect(counts).toEqual({
    'order.paid': 3,
    'order.cancelled': 2,
    'order.fulfilled': 2,
    'order.refunded': 2,
    'order.tracking_changed': 1,
  });
});
