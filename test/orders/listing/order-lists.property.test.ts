/** Lists of orders, however they are filtered, sorted and paged, and their CSV, against a filter of all orders. */
import { afterEach, expect, inject, it, vi } from 'vitest';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { markPaid } from '../../../src/orders/index.ts';
import { ORDER_SORTS } from '../../../src/orders/schemas.ts';
import { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import { type Answer, type World, world } from '../../support/world.ts';

type Order = Answer['body'];

const ORDERS = 22;
const CHANGES = 50;
const QUESTIONS = 25;

const NAMES = ['Ada Lovelace', 'Adele Smith', 'Bob Ada'];
const SKUS = ['CUP', 'MUG', 'ADA'];
const TAGS = ['gift', 'Gift', 'late'];

async function place(shop: World, g: Generator, product: number): Promise<string> {
  const [who, price] = [g.below(NAMES.length), 100 * (1 + g.below(3))];
  const line = { id: 1, productId: product, variantId: null, sku: g.pick(SKUS), name: 'Cup', options: {} };
  const amounts = { unitPrice: price, subtotal: 2 * price, discount: 0, discounts: [], tax: 0, taxRate: 0 };
  const totals = { subtotal: 2 * price, discount: 0, shipping: 0, tax: 0, shippingTaxRate: 0 };
  const { row } = await placedOrder(shop, product, {
    quantity: 2,
    cartId: crypto.randomUUID(),
    customer: { customerId: null, name: NAMES[who] ?? '', email: `p${who}@example.com`, phone: null },
    lines: [{ ...line, ...amounts, quantity: 2, ships: true, links: [] }],
    totals: { ...totals, grandTotal: 2 * price, taxIncluded: false },
    expiresAt: now() + 100 * HOUR,
  });
  return row.id;
}

/** Changes an order in one of the ways in which the lists tell orders apart; some changes are refused. */
async function change(shop: World, g: Generator, id: string): Promise<unknown> {
  const pay = () => markPaid(contextOf(shop), id, { provider: 'sandbox', reference: id });
  return g.pick<() => Promise<unknown>>([
    pay,
    pay,
    pay,
    () => shop.post(`/orders/${id}/cancel`),
    () => shop.post(`/orders/${id}/refunds`, { amount: 0.5 }),
    () => shop.post(`/orders/${id}/refunds`, { items: [{ line_id: 1, quantity: 1 + g.below(2) }] }),
    () => shop.post(`/orders/${id}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] }),
    () => shop.post(`/orders/${id}/fulfilments`, {}),
    () => shop.patch(`/orders/${id}`, { archived: g.chance(0.7) }),
    () => shop.patch(`/orders/${id}`, { tags: g.some(TAGS, 2) }),
    async () => g.chance(0.3) && shop.delete(`/orders/${id}/personal-data`),
    async () => {
      const { fulfilments } = (await shop.get(`/orders/${id}`)).body;
      const [parcel] = fulfilments;
      if (parcel) await shop.patch(`/orders/${id}/fulfilments/${parcel.id}`, { status: 'cancelled' });
    },
  ])();
}

/** A filter: the parameters of the request, and which orders it lets through. */
type Filter = readonly [query: Record<string, string>, lets: (order: Order) => boolean];

const wordsOf = ({ number, customer, items }: Order): string[] =>
  [String(number), customer.email ?? '', ...(customer.name ?? '').split(' '), items[0].sku].map((word) =>
    word.toLowerCase(),
  );

function filtersOf(g: Generator, orders: readonly Order[]): Filter[] {
  const some = g.pick(orders);
  const payment = [g.pick(['unpaid', 'paid', 'partially_refunded', 'refunded']), ...g.some(['paid'], 1)];
  const [status, fulfilment] = [
    g.pick(['pending', 'paid', 'cancelled']),
    g.pick(['unfulfilled', 'partially_fulfilled', 'fulfilled']),
  ];
  const [archived, tag] = [g.chance(0.5), g.pick(TAGS)];
  const q = g.pick(['ad', 'ADA', 'cup', 'bob mug', 'p1', 'p1@example.com', 'nobody', String(some.number)]);
  const email = `p${g.below(4)}@example.com`;
  const all: Filter[] = [
    [{ status }, (one) => one.status === status],
    [{ payment_status: payment.join() }, (one) => payment.includes(one.payment_status)],
    [{ fulfilment_status: fulfilment }, (one) => one.fulfilment_status === fulfilment],
    [{ archived: String(archived) }, (one) => (one.archived_at !== null) === archived],
    [{ tag }, (one) => one.tags.includes(tag)],
    [
      { q },
      (one) => q.split(' ').every((word) => wordsOf(one).some((own) => own.startsWith(word.toLowerCase()))),
    ],
    [{ email }, (one) => one.customer.email === email],
    [{ number: String(some.number) }, (one) => one.number === some.number],
    [{ from: some.created_at }, (one) => one.created_at >= some.created_at],
    [{ to: some.created_at }, (one) => one.created_at < some.created_at],
    [{ updated_since: some.updated_at }, (one) => one.updated_at > some.updated_at],
  ];
  return all.filter(() => g.chance(0.2));
}

const ORDERINGS: Record<string, (a: Order, b: Order) => number> = {
  newest: (a, b) =>
    a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.number - a.number,
  oldest: (a, b) => ORDERINGS.newest?.(b, a) ?? 0,
  total_asc: (a, b) => a.totals.grand_total - b.totals.grand_total || a.number - b.number,
  total_desc: (a, b) => ORDERINGS.total_asc?.(b, a) ?? 0,
  updated: (a, b) =>
    a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.number - b.number,
};

async function ask(shop: World, g: Generator, orders: readonly Order[], seed: number): Promise<void> {
  const filters = filtersOf(g, orders);
  const sort = g.chance(0.7) ? g.pick(ORDER_SORTS) : undefined;
  const query = new URLSearchParams(Object.assign({}, ...filters.map(([one]) => one)));
  if (sort) query.set('sort', sort);
  const ordering = sort ?? (query.has('updated_since') ? 'updated' : 'newest');
  const expected = orders
    .filter((one) => filters.every(([, lets]) => lets(one)))
    .sort(ORDERINGS[ordering])
    .map(({ number }) => number);
  const asked = `seed ${seed}: ${query}`;
  const limit = 1 + g.below(9);
  const walked: number[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await shop.get(`/orders?${query}&limit=${limit}${cursor}`);
    expect(status, `${asked} ${JSON.stringify(body)}`).toBe(200);
    expect(body.meta.total, asked).toBe(expected.length);
    for (const one of body.data) {
      walked.push(one.number);
      expect(one, asked).toEqual(orders.find(({ number }) => number === one.number));
    }
    if (body.meta.next_cursor === null) break;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
  expect(walked, asked).toEqual(expected);
  const second = await shop.get(`/orders?${query}&limit=${limit}&page=2`);
  expect(
    second.body.data.map(({ number }: Order) => number),
    asked,
  ).toEqual(expected.slice(limit, 2 * limit));
  const csv = await shop.get(`/orders?${query}&limit=100`, { headers: { accept: 'text/csv' } });
  const rows = String(csv.body).trim().split('\r\n').slice(1);
  expect(
    rows.map((row) => Number(row.split(',')[0])),
    asked,
  ).toEqual(expected);
}

afterEach(() => vi.restoreAllMocks());

it('have the orders that a filter of all orders finds, in the same order, on pages, by cursor and as CSV', async () => {
  const seed = inject('seed');
  const g = new Generator(random(seed));
  const shop = await world({ plan: 'enterprise' });
  const { id: product } = (await createProduct(shop, { stock: 999 })).body;
  const ids: string[] = [];
  let at = Date.now();
  for (let n = 0; n < ORDERS; n++) {
    // Some are placed at the same instant.
    if (g.chance(0.7)) at += 1000 * g.below(5);
    stopClockAt(at);
    ids.push(await place(shop, g, product));
  }
  for (let n = 0; n < CHANGES; n++) {
    at += 1000;
    stopClockAt(at);
    await change(shop, g, g.pick(ids));
  }
  const orders = await Promise.all(ids.map(async (id) => (await shop.get(`/orders/${id}`)).body));
  for (let asked = 0; asked < QUESTIONS; asked++) await ask(shop, g, orders, seed);
}, 300_000);
