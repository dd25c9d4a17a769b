import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { DAY, now } from '../../../src/kernel/core/clock.ts';
import { markPaid } from '../../../src/orders/index.ts';
import { searchOf } from '../../../src/orders/listing/search-orders.ts';
import { copyOrders } from '../../support/fixtures/selling/orders.ts';
import { lazy } from '../../support/lazy.ts';
import { contextOf, databaseOf, db } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { world } from '../../support/world.ts';
import { ADA, sell, threeOrders } from './three-orders.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

it('finds orders by number, e-mail, name and SKU, without case and accents', async () => {
  const { found } = await threeOrders();
  for (const [q, expected] of [
    ['1001', ['ada']],
    ['#1002', ['zoe']],
    ['ada@example.com', ['ada']],
    ['ADA@EXAMPLE', ['ada']],
    ['zoe.m@shop', ['zoe']],
    ['zoe', ['zoe']],
    ['ZOË', ['zoe']],
    ['muller', ['zoe']],
    ['Lüdensch', ['zoe']],
    ['lovelace', ['ada', 'bob']],
    ['lovelace ada', ['ada']],
    ['love red mug', ['bob']],
    ['CUP-RED', ['ada']],
    ['mug', ['bob', 'zoe']],
    ['nobody', []],
    ['lovelace nobody', []],
    ['%', []],
    ['100', ['ada', 'bob', 'zoe']],
  ] as const) {
    expect(await found(`q=${encodeURIComponent(q)}`), q).toEqual(expected);
  }
});

it('finds orders by a name and a number in the letters of another keyboard', async () => {
  const shop = await world();
  const [ali, fatima] = await sell(shop, [
    { name: 'علي', email: 'ali@example.com' },
    { name: 'فاطمة', email: 'fatima@example.com' },
  ]);
  for (const [q, expected] of [
    ['على', ali],
    ['فاطمه', fatima],
    ['١٠٠٢', fatima],
  ] as const) {
    const { body } = await shop.get(`/orders?q=${encodeURIComponent(q)}`);
    expect(
      body.data.map(({ id }: { id: string }) => id),
      q,
    ).toEqual([expected]);
  }
});

it('finds orders by the beginning of an e-mail address, also before its @', async () => {
  const shop = await world();
  const [smith, hara] = await sell(shop, [
    { name: 'Jane', email: 'J.Smith-Jones@example.com' },
    { name: 'Peter', email: "peter.o'hara@example.com", sku: 'CUP-J.SMITH' },
    { name: 'Jane', email: 'jane@smith.example' },
  ]);
  const found = async (q: string) => {
    const { body } = await shop.get(`/orders?q=${encodeURIComponent(q)}`);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: string }) => id);
  };
  expect(await found('j.smith-jo')).toEqual([smith]);
  expect(await found('jane J.Smith')).toEqual([smith]);
  expect(await found("peter.o'hara")).toEqual([hara]);
  expect(await found('j.smith')).toEqual([hara, smith]);
  expect(await found('smith.jones')).toEqual([]);
});

it('combines q with the other filters, page and cursor', async () => {
  const { shop, ids, found } = await threeOrders();
  await markPaid(contextOf(shop), ids[0] ?? '', { provider: 'sandbox', reference: 'a' });
  expect(await found('q=lovelace&payment_status=paid')).toEqual(['ada']);
  expect(await found('q=lovelace&payment_status=unpaid')).toEqual(['bob']);
  expect(await found('q=lovelace&payment_status=unpaid,paid')).toHaveLength(2);
  expect(await found(`payment_status=${Array(150).fill('paid').join()}`)).toEqual(['ada']);
  const unknown = await shop.get('/orders?payment_status=paid,settled,late');
  expect([unknown.status, unknown.body.errors]).toEqual([
    422,
    {
      payment_status: ['must be a comma-separated list of unpaid, paid, partially_refunded, refunded'],
    },
  ]);
  const first = (await shop.get('/orders?q=lovelace&limit=1')).body;
  expect(first.meta).toMatchObject({ total: 2, total_pages: 2 });
  const second = (await shop.get(`/orders?q=lovelace&limit=1&cursor=${first.meta.next_cursor}`)).body;
  expect([first.data[0].id, second.data[0].id, second.meta.next_cursor]).toEqual([ids[2], ids[0], null]);
});

it('filters by fulfilment status, e-mail and time', async () => {
  const { shop, ids, found } = await threeOrders();
  await markPaid(contextOf(shop), ids[0] ?? '', { provider: 'sandbox', reference: 'a' });
  await shop.post(`/orders/${ids[0]}/fulfilments`, {});
  expect(await found('fulfilment_status=fulfilled')).toEqual(['ada']);
  expect(await found('fulfilment_status=unfulfilled')).toEqual(['bob', 'zoe']);
  expect(await found('fulfilment_status=partially_fulfilled')).toEqual([]);
  expect(await found('email=BOB@example.com')).toEqual(['bob']);
  const at = (ms: number) => new Date(ms).toISOString();
  expect(await found(`from=${at(now() - DAY)}&to=${at(now() + DAY)}`)).toHaveLength(3);
  expect(await found(`from=${at(now() + DAY)}`)).toEqual([]);
  expect(await found(`to=${at(now() - DAY)}`)).toEqual([]);
  expect(await found(`created_from=${at(now() - DAY)}`)).toHaveLength(3);
});

it('sorts by time and total, page by page, and refuses the cursor of another sort', async () => {
  const { shop, ids } = await threeOrders();
  const [ada, zoe, bob] = ids;
  await databaseOf(shop).run(sql`UPDATE orders SET grand_total = grand_total + 500 WHERE id = ${zoe}`);
  for (const [sort, expected] of [
    ['newest', [bob, zoe, ada]],
    ['oldest', [ada, zoe, bob]],
    ['total_desc', [zoe, bob, ada]],
    ['total_asc', [ada, bob, zoe]],
  ] as const) {
    const seen = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const { data, meta } = (await shop.get(`/orders?limit=1&sort=${sort}${cursor}`)).body;
      seen.push(data[0].id);
      cursor = `&cursor=${meta.next_cursor}`;
    }
    expect(seen, sort).toEqual(expected);
  }
  const { meta } = (await shop.get('/orders?limit=1&sort=oldest')).body;
  const refused = await shop.get(`/orders?limit=1&cursor=${meta.next_cursor}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['cursor']]);
});

it('finds orders by a tag as it is now, and by no word of it', async () => {
  const { shop, ids, found } = await threeOrders();
  await shop.patch(`/orders/${ids[0]}`, { tags: ['VIP guest', 'gift'] });
  await shop.patch(`/orders/${ids[1]}`, { tags: ['gift'] });
  expect(await found('tag=gift')).toEqual(['ada', 'zoe']);
  expect(await found('tag=VIP%20guest')).toEqual(['ada']);
  expect(await found('tag=VIP%20guest&q=zoe')).toEqual([]);
  for (const none of ['tag=vip%20guest', 'tag=VIP', 'q=gift', 'q=%23gift']) {
    expect(await found(none), none).toEqual([]);
  }
  await shop.patch(`/orders/${ids[1]}`, { tags: ['gift', 'by@fair'] });
  expect(await found('q=%23by@fair')).toEqual([]);
  await shop.patch(`/orders/${ids[0]}`, { tags: [] });
  expect(await found('tag=gift')).toEqual(['zoe']);
  expect((await (await world()).get('/orders?tag=gift')).body.data).toEqual([]);
});

it.each([
  'sort=cheapest',
  'tag=',
  `tag=${'x'.repeat(65)}`,
  'q=',
  `q=${'x'.repeat(256)}`,
  'fulfilment_status=lost',
  'from=yesterday',
  'to=1',
  'email=ada',
])('refuses %s by name', async (query) => {
  const shop = await untouched();
  const refused = await shop.get(`/orders?${query}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [query.split('=')[0]]]);
});

it("finds nothing of another tenant's orders, and nothing of erased customers", async () => {
  const { shop, ids, found } = await threeOrders();
  const other = await world();
  expect((await other.get('/orders?q=lovelace')).body.data).toEqual([]);
  await databaseOf(
    shop,
  ).run(sql`DELETE FROM order_terms WHERE tenant_id = ${shop.tenantId} AND order_id = ${ids[0]}
    AND personal = 1`);
  expect(await found('q=lovelace')).toEqual(['bob']);
  expect(await found('q=cup-red')).toEqual(['ada']);
});

it('reads a bounded number of rows, however many orders there are', async () => {
  const shop = await world();
  await sell(shop, [ADA]);
  await copyOrders(shop, 4_000);
  const readBy = async (query: string) => {
    let total = -1;
    const usage = await measureDatabase(async () => {
      total = (await shop.get(`/orders?limit=1&${query}`)).body.meta.total;
    });
    return { total, read: usage.read };
  };
  const rare = await readBy('q=lovelace');
  expect(rare.total).toBe(1);
  expect(rare.read).toBeLessThan(200);
  // A word that the 4,000 share: the latest 2,000 orders are searched.
  const frequent = await readBy('q=bestseller');
  expect(frequent.total).toBeGreaterThan(1_900);
  expect(frequent.read).toBeLessThan(60_000);
  const both = await readBy('q=lovelace%20bestseller');
  expect(both.total).toBe(0);
  expect(both.read).toBeLessThan(1_200);
});

it('answers each filter from an index', async () => {
  const shop = await world();
  const { tenantId } = shop;
  const plan = async (where: ReturnType<typeof sql>) => {
    const steps = await db().all<{ detail: string }>(
      sql`EXPLAIN QUERY PLAN SELECT * FROM orders WHERE ${where} ORDER BY created_at DESC, number DESC LIMIT 21`,
    );
    return steps.map(({ detail }) => detail).join('\n');
  };
  const mine = sql`tenant_id = ${tenantId}`;
  const byTotal = await db().all<{ detail: string }>(
    sql`EXPLAIN QUERY PLAN SELECT * FROM orders WHERE ${mine} ORDER BY grand_total, number LIMIT 21`,
  );
  expect(byTotal.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX orders_total')]);
  expect(await plan(sql`${mine} AND email = 'a'`)).toContain('INDEX orders_email (tenant_id=? AND email=?)');
  expect(await plan(sql`${mine} AND payment_status = 'paid'`)).toContain('INDEX orders_payment');
  expect(
    await plan(sql`${mine} AND fulfilment_status = 'unfulfilled' AND payment_status = 'paid'`),
  ).toContain('INDEX orders_fulfilment (tenant_id=? AND fulfilment_status=? AND payment_status=?)');
  expect(await plan(sql`${mine} AND archived_at IS NULL`)).toContain('INDEX orders_open (tenant_id=?)');
  const searched = await plan(
    sql`+tenant_id = ${tenantId} AND ${(await searchOf(contextOf(shop), 'ada 1001')).condition}`,
  );
  expect(searched).toMatch(/SEARCH orders USING INDEX sqlite_autoindex_orders_1 \(id=\?\)/);
  expect(searched).not.toMatch(/SCAN (?!CONSTANT)/);
});
