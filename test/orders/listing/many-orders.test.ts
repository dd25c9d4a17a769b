/** What the lists of a shop with many orders read: as much as the page needs, however many there are. */
import { expect, it } from 'vitest';
import { markPaid } from '../../../src/orders/index.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { copyOrders } from '../../support/fixtures/selling/orders.ts';
import { promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { contextOf, storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import type { World } from '../../support/world.ts';
import { threeOrders } from './three-orders.ts';

const MANY = 1_000;

/** The rows that D1 reads for a list of orders. */
async function rowsOf(shop: World, query: string): Promise<number> {
  const { read } = await measureDatabase(async () => {
    expect((await shop.get(`/orders?${query}`)).status).toBe(200);
  });
  return read;
}

/** A shop with many orders, each placed at a time of its own. */
async function manyOrders(count = MANY) {
  const three = await threeOrders();
  await copyOrders(three.shop, count);
  await storeOf(three.shop)
    .prepare('UPDATE orders SET created_at = created_at + number WHERE tenant_id = ?')
    .bind(three.shop.tenantId)
    .run();
  return three;
}

it('tells how many orders have each state, as these change', async () => {
  const { shop, ids } = await threeOrders();
  const [ada = '', zoe = '', bob = ''] = ids;
  const changes = [
    () => shop.patch(`/orders/${ada}`, { archived: true }),
    () => shop.patch(`/orders/${ada}`, { archived: false }),
    () => markPaid(contextOf(shop), bob, { provider: 'sandbox', reference: bob }),
    () => shop.post(`/orders/${bob}/fulfilments`, {}),
    () => shop.post(`/orders/${bob}/refunds`, { amount: 1 }),
    () => shop.patch(`/orders/${bob}`, { archived: true }),
    () => shop.post(`/orders/${zoe}/cancel`),
  ];
  const states = [
    ...['', 'status=pending', 'status=paid', 'status=cancelled', 'payment_status=unpaid,paid'],
    ...['payment_status=partially_refunded', 'fulfilment_status=fulfilled'],
    ...['archived=true', 'archived=false', 'status=paid&archived=true', 'fulfilment_status=unfulfilled'],
  ];
  for (const change of [async () => null, ...changes]) {
    await change();
    for (const state of states) {
      const { data, meta } = (await shop.get(`/orders?${state}`)).body;
      expect([state, meta.total]).toEqual([state, data.length]);
    }
  }
  const { data } = (await shop.get('/orders')).body;
  const now = data.map((order: { status: string }) => order.status);
  expect(now.sort()).toEqual(['cancelled', 'paid', 'pending']);
});

it('counts orders without reading each of them', async () => {
  const { shop } = await manyOrders();
  expect((await shop.get('/orders?limit=1')).body.meta.total).toBe(MANY + 3);
  for (const query of ['', 'archived=false', 'payment_status=paid&archived=false'])
    expect(await rowsOf(shop, `limit=1&${query}`), query).toBeLessThan(100);
});

it.each(['email=ada@example.com', 'customer_id=7', 'payment_status=unpaid'])(
  'finds the few orders of %s in a period without reading all of that period',
  async (filter) => {
    const { shop } = await manyOrders();
    await storeOf(shop)
      .prepare('UPDATE orders SET email = number, customer_id = number WHERE tenant_id = ? AND number > 1003')
      .bind(shop.tenantId)
      .run();
    const period = 'from=2020-01-01T00:00:00Z&to=2090-01-01T00:00:00Z';
    expect(await rowsOf(shop, `${filter}&${period}`)).toBeLessThan(100);
    const { meta } = (await shop.get(`/orders?limit=1&${filter}&${period}`)).body;
    if (meta.next_cursor !== null)
      expect(await rowsOf(shop, `${filter}&${period}&cursor=${meta.next_cursor}`)).toBeLessThan(100);
  },
);

it("finds a shopper's few orders of a state without reading those of others", async () => {
  const { shop, ids } = await manyOrders();
  await storeOf(shop)
    .prepare('UPDATE orders SET email = number, customer_id = number WHERE tenant_id = ? AND number > 1001')
    .bind(shop.tenantId)
    .run();
  const states = 'payment_status=paid&fulfilment_status=unfulfilled';
  for (const shopper of ['email=ada@example.com', 'customer_id=7']) {
    for (const query of [`${shopper}&payment_status=paid`, `${shopper}&${states}`])
      expect(await rowsOf(shop, query), query).toBeLessThan(100);
  }
  const { data } = (await shop.get('/orders?email=ada@example.com&payment_status=unpaid')).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
});

it('finds the few pending orders without reading the others', async () => {
  const { shop, ids } = await manyOrders();
  for (const query of ['status=pending', 'status=pending&archived=false']) {
    const { data } = (await shop.get(`/orders?${query}`)).body;
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    expect(await rowsOf(shop, query), query).toBeLessThan(200);
  }
});

it('finds the few orders of a tag or a promotion without reading the others', async () => {
  const { shop, ids } = await manyOrders();
  const { id: promotion } = (await promoteByCode(shop, 'SAVE10')).body;
  expect((await shop.patch(`/orders/${ids[1]}`, { tags: ['gift'] })).status).toBe(200);
  await storeOf(shop)
    .prepare(
      'INSERT INTO promotion_redemptions (tenant_id, order_id, promotion_id, shoppers) VALUES (?, ?, ?, ?)',
    )
    .bind(shop.tenantId, ids[1], promotion, '[]')
    .run();
  for (const query of ['tag=gift', `promotion_id=${promotion}`, `tag=gift&promotion_id=${promotion}`]) {
    const { data, meta } = (await shop.get(`/orders?${query}`)).body;
    expect([query, data.map(({ id }: { id: string }) => id), meta.total]).toEqual([query, [ids[1]], 1]);
    expect(await rowsOf(shop, query), query).toBeLessThan(100);
  }
  for (const none of ['tag=none', 'promotion_id=1']) expect(await rowsOf(shop, none), none).toBeLessThan(100);
});

it('finds a page of the many orders of a tag without reading all of them', async () => {
  const { shop, ids } = await manyOrders();
  const { tenantId } = shop;
  await storeOf(shop)
    .prepare(
      `INSERT INTO order_terms (tenant_id, term, order_id, personal)
        SELECT tenant_id, '#gift', id, 0 FROM orders WHERE tenant_id = ? AND id <> ?`,
    )
    .bind(tenantId, ids[0])
    .run();
  const { data, meta } = (await shop.get('/orders?tag=gift&limit=2')).body;
  expect([data.length, meta.total]).toEqual([2, MANY + 2]);
  expect((await shop.get(`/orders?tag=gift&number=${data[0].number}`)).body.data).toEqual([data[0]]);
  expect((await shop.get('/orders?tag=gift&number=1001')).body.data).toEqual([]);
  // Once for the count and once for how frequent the tag is.
  expect(await rowsOf(shop, 'tag=gift&limit=2')).toBeLessThan(2.3 * MANY);
});

it('counts the few open orders of a frequent tag without its archived ones', async () => {
  const { shop } = await manyOrders(3_000);
  await storeOf(shop)
    .prepare(
      `INSERT INTO order_terms (tenant_id, term, order_id, personal)
        SELECT tenant_id, '#gift', id, 0 FROM orders WHERE tenant_id = ? AND number <> 1001`,
    )
    .bind(shop.tenantId)
    .run();
  await storeOf(shop)
    .prepare('UPDATE orders SET archived_at = 1 WHERE tenant_id = ? AND number > 1003')
    .bind(shop.tenantId)
    .run();
  const { data, meta } = (await shop.get('/orders?tag=gift&archived=false')).body;
  expect([data.map(({ number }: { number: number }) => number).sort(), meta.total]).toEqual([
    [1002, 1003],
    2,
  ]);
  expect(await rowsOf(shop, 'tag=gift&archived=false')).toBeLessThan(1_500);
});

it('looks through the newest orders once for a word that many orders have', async () => {
  const { shop } = await manyOrders(1_500);
  await storeOf(shop)
    .prepare(
      `INSERT OR IGNORE INTO order_terms (tenant_id, term, order_id, personal)
        SELECT tenant_id, 'smith', id, 1 FROM orders WHERE tenant_id = ?`,
    )
    .bind(shop.tenantId)
    .run();
  const { data, meta } = (await shop.get('/orders?q=smith&limit=8')).body;
  expect([data.length, meta.total]).toEqual([8, 1_503]);
  // Once to find the page and once to count, each with a look at the order and at its terms.
  expect(await rowsOf(shop, 'q=smith&limit=8')).toBeLessThan(20_000);
});

it.each(['newest', 'oldest', 'total_desc', 'total_asc', 'updated'])(
  'passes over the orders before a far page once, %s',
  async (sort) => {
    const { shop } = await manyOrders(1_500);
    const list = async (query: string) => (await shop.get(`/orders?sort=${sort}&limit=8&${query}`)).body;
    const far = await list('page=150');
    const before = await list('page=120');
    let { next_cursor: cursor } = before.meta;
    for (let page = 121; page < 150; page++) cursor = (await list(`cursor=${cursor}`)).meta.next_cursor;
    expect(far).toEqual(await list(`cursor=${cursor}`));
    expect(far.meta).toMatchObject({ page: 150, total: 1_503 });
    // An order before the page is read in an index and, for its number, in the table.
    expect(await rowsOf(shop, `sort=${sort}&limit=8&page=150`)).toBeLessThan(3_000);
    const behind = await list('page=1000');
    expect([behind.data, behind.meta.next_cursor]).toEqual([[], null]);
  },
);

/** A shop with many orders, of which each second has a tag, and each other is cancelled. */
async function manyTagged() {
  const { shop } = await manyOrders(3_000);
  await storeOf(shop)
    .prepare(
      `INSERT INTO order_terms (tenant_id, term, order_id, personal)
        SELECT tenant_id, '#gift', id, 0 FROM orders WHERE tenant_id = ? AND number % 2 = 1`,
    )
    .bind(shop.tenantId)
    .run();
  await storeOf(shop)
    .prepare(
      `UPDATE orders SET status = 'cancelled' WHERE tenant_id = ? AND number > 1003 AND number % 2 = 0`,
    )
    .bind(shop.tenantId)
    .run();
  return shop;
}

it.each([
  // Once to find that there are none; the count reads the tagged ones.
  ['tag=gift&status=cancelled', 14_000],
  ['tag=gift&limit=5', 6_000],
  ['created_from=2020-01-01T00:00:00Z&sort=total_desc&limit=5', 10_000],
  ['updated_since=2020-01-01T00:00:00Z&status=pending', 5_000],
])('passes over many orders once to find a page, %s', async (query, most) => {
  expect(await rowsOf(await manyTagged(), query)).toBeLessThan(most);
});

it('keeps the order of changes when one of a page changes between its round trips', async () => {
  const { shop } = await manyOrders(30);
  const query = 'updated_since=2020-01-01T00:00:00Z&archived=false&limit=3';
  const numbers = async (cursor = '') => {
    const { data, meta } = (await shop.get(`/orders?${query}${cursor && `&cursor=${cursor}`}`)).body;
    return { shown: data.map(({ number }: { number: number }) => number), next: meta.next_cursor };
  };
  const [first = 0, second = 0] = (await numbers()).shown;
  beforeBatch(/"order_lines"/, async () => {
    await storeOf(shop)
      .prepare('UPDATE orders SET updated_at = updated_at + 1000 WHERE tenant_id = ? AND number IN (?, ?)')
      .bind(shop.tenantId, first, second)
      .run();
  });
  const seen = new Set<number>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await numbers(cursor);
    for (const number of page.shown) seen.add(number);
    cursor = page.next;
  }
  expect(seen.size).toBe(33);
});
