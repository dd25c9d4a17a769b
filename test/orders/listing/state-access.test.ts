import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { copyOrders } from '../../support/fixtures/selling/orders.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { ADA, sell } from './three-orders.ts';

const COPIES = 3_000;

/** A shop whose first order is the only one that is unfulfilled, cancelled and not archived. */
async function shopWithOneOpenOrder(): Promise<World> {
  const shop = await world();
  await sell(shop, [ADA]);
  await copyOrders(shop, COPIES);
  const { tenantId } = shop;
  await databaseOf(shop).run(sql`UPDATE orders SET created_at = created_at + number,
      status = iif(number = 1001, 'cancelled', 'paid'),
      fulfilment_status = iif(number = 1001, 'unfulfilled', 'fulfilled'),
      archived_at = iif(number = 1001, NULL, 1)
    WHERE tenant_id = ${tenantId}`);
  return shop;
}

it('finds the few orders in a rare state without reading the others, in each order of the list', async () => {
  const shop = await shopWithOneOpenOrder();
  for (const sort of ['newest', 'oldest', 'total_desc', 'updated']) {
    for (const [states, numbers] of [
      ['status=cancelled', [1001]],
      ['fulfilment_status=unfulfilled', [1001]],
      ['archived=false', [1001]],
      ['status=cancelled&archived=false&payment_status=unpaid,refunded', [1001]],
      ['fulfilment_status=unfulfilled&from=2020-01-01T00:00:00Z', [1001]],
      ['status=pending', []],
      ['fulfilment_status=partially_fulfilled', []],
      ['status=cancelled&archived=true', []],
    ] as const) {
      const query = `${states}&sort=${sort}`;
      const usage = await measureDatabase(async () => {
        const { body } = await shop.get(`/orders?${query}`);
        expect([body.data.map(({ number }: { number: number }) => number), body.meta.total], query).toEqual([
          numbers,
          numbers.length,
        ]);
      });
      expect(usage.read, query).toBeLessThan(200);
    }
  }
});

it('finds the few open orders among many that are paid and fulfilled', async () => {
  const shop = await shopWithOneOpenOrder();
  const { tenantId } = shop;
  await databaseOf(shop).run(sql`UPDATE orders SET archived_at = NULL, fulfilment_status = 'fulfilled'
    WHERE tenant_id = ${tenantId} AND number < 1020`);
  const usage = await measureDatabase(async () => {
    const { body } = await shop.get('/orders?archived=false&sort=total_desc&limit=5');
    expect([body.data.length, body.meta.total]).toEqual([5, 10]);
  });
  expect(usage.read).toBeLessThan(300);
});

it('walks the list where most orders are in the state', async () => {
  const shop = await shopWithOneOpenOrder();
  const usage = await measureDatabase(async () => {
    const { body } = await shop.get('/orders?fulfilment_status=fulfilled&limit=5');
    expect([body.data.length, body.meta.total]).toEqual([5, COPIES]);
  });
  expect(usage.read).toBeLessThan(300);
});

it.each([
  'fulfilment_status=partially_fulfilled',
  'fulfilment_status=partially_fulfilled&archived=true',
  'payment_status=paid,refunded&fulfilment_status=partially_fulfilled',
  'fulfilment_status=fulfilled&sort=oldest',
])('reads a page of many orders in a state without those before them, %s', async (query) => {
  const shop = await shopWithOneOpenOrder();
  await databaseOf(shop).run(sql`UPDATE orders SET status = 'paid', archived_at = 1,
      payment_status = iif(number % 2, 'paid', 'refunded'),
      fulfilment_status = iif(number < 2510, 'partially_fulfilled', 'fulfilled')
    WHERE tenant_id = ${shop.tenantId}`);
  const [first, step] = query.includes('oldest') ? [2510, 1] : [2509, -1];
  const list = async (page: string) => (await shop.get(`/orders?${query}&limit=3&${page}`)).body;
  const usage = await measureDatabase(async () => {
    const one = await list('');
    const [two, three] = [await list(`cursor=${one.meta.next_cursor}`), await list('page=3')];
    const shown = [one, two, three].flatMap(({ data }) =>
      data.map((order: { number: number }) => order.number),
    );
    expect(shown).toEqual(Array.from({ length: 9 }, (_, n) => first + n * step));
  });
  expect(usage.read).toBeLessThan(600);
});

it.each([
  ['page=1', 400],
  ['page=200', 6_000],
])('reads little more for a page of most orders than these, %s', async (page, most) => {
  const shop = await shopWithOneOpenOrder();
  await databaseOf(shop).run(sql`UPDATE orders SET archived_at = 1,
      status = iif(number % 5 < 2, 'cancelled', 'paid'),
      payment_status = iif(number % 5 < 2, 'unpaid', iif(number % 3, 'paid', 'refunded')),
      fulfilment_status = iif(number % 2, 'unfulfilled', 'fulfilled')
    WHERE tenant_id = ${shop.tenantId}`);
  const usage = await measureDatabase(async () => {
    const { body } = await shop.get(`/orders?status=paid&limit=8&${page}`);
    expect([body.data.length, body.meta.total]).toEqual([8, 1_800]);
  });
  expect(usage.read).toBeLessThan(most);
});

it('counts the open orders of a tag by the tag where more orders are open', async () => {
  const shop = await shopWithOneOpenOrder();
  const shard = databaseOf(shop);
  await shard.run(sql`UPDATE orders SET archived_at = NULL WHERE tenant_id = ${shop.tenantId}`);
  await shard.run(sql`INSERT INTO order_terms (tenant_id, term, order_id, personal)
    SELECT tenant_id, '#gift', id, 1 FROM orders WHERE tenant_id = ${shop.tenantId} AND number < 2111`);
  const usage = await measureDatabase(async () => {
    const { body } = await shop.get('/orders?tag=gift&archived=false&sort=oldest&limit=1');
    expect([body.data.length, body.meta.total]).toEqual([1, 1_101]);
  });
  // How frequent the tag is, twice, and three rows for each order with it.
  expect(usage.read).toBeLessThan(5.5 * 1_101);
});
