import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, expect, it, vi } from 'vitest';
import { abandonedStatement, callStatements } from '../../src/insights/index.ts';
import { dayOf, hourOf, windowOf } from '../../src/insights/period.ts';
import { DAY, HOUR, moveClock, now } from '../../src/kernel/core/clock.ts';
import { batch, rows } from '../../src/kernel/data/database.ts';
import { markPaid } from '../../src/orders/index.ts';
import { runCron } from '../support/cron.ts';
import { failStatements } from '../support/faults/database.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { contextOf, databaseOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** Sales, best sellers and calls of a period: what happened, corrected by what was taken back. */

afterEach(() => vi.restoreAllMocks());

/** Pays for cups of 10.00; returns the order's id. */
async function sell(shop: World, item: number, quantity: number, more: object = {}): Promise<string> {
  const {
    row: { id },
  } = await placedOrder(shop, item, { quantity, ...more });
  const paid = await markPaid(contextOf(shop), id, { provider: 'sandbox', reference: id });
  expect(paid.ok).toBe(true);
  return id;
}

const shopWithCups = async (options: object = {}) => {
  const shop = await world(options);
  return { shop, cup: (await createProduct(shop, { stock: 100 })).body.id as number };
};

const read = async (shop: World, period = '24h') => (await shop.get(`/insights?period=${period}`)).body;

it('counts what was paid, and nothing that was only ordered', async () => {
  const { shop, cup } = await shopWithCups();
  await placedOrder(shop, cup, { quantity: 5 });
  expect((await read(shop)).sales).toMatchObject([
    { currency: 'EUR', orders: 0, sales: 0, average_order: null },
  ]);
  await sell(shop, cup, 2);
  await sell(shop, cup, 1);
  const { sales, best_sellers, ...rest } = await read(shop);
  expect(sales).toMatchObject([{ currency: 'EUR', orders: 2, sales: 30, average_order: 15 }]);
  expect(best_sellers).toEqual([{ sku: 'cup', product_id: cup, name: 'Cup', units: 3 }]);
  expect(sales[0].parts).toHaveLength(24);
  expect(sales[0].parts.at(-1)).toEqual({
    from: new Date(hourOf(now())).toISOString(),
    orders: 2,
    sales: 30,
  });
  expect(Date.parse(rest.to) - Date.parse(rest.from)).toBeLessThanOrEqual(DAY);
});

it('names a best seller as at its latest sale, also after an earlier one was taken back', async () => {
  const { shop, cup } = await shopWithCups();
  const lineOf = (name: string, quantity: number) => ({
    id: 1,
    productId: cup,
    variantId: null,
    sku: 'cup',
    name,
    options: {},
    quantity,
    ships: true,
    unitPrice: 1000,
    subtotal: 1000 * quantity,
    discount: 0,
    tax: 0,
    links: [],
    discounts: [],
  });
  const earlier = await sell(shop, cup, 1, { lines: [lineOf('Cup', 1)] });
  await sell(shop, cup, 2, { lines: [lineOf('Blue cup', 2)] });
  expect((await shop.post(`/orders/${earlier}/refunds`, {})).status).toBe(201);
  const named = [{ sku: 'cup', product_id: cup, name: 'Blue cup', units: 2 }];
  expect((await read(shop)).best_sellers).toEqual(named);
  expect((await read(shop, '7d')).best_sellers).toEqual(named);
});

it('takes refunds and cancellations out of the hour of the sale', async () => {
  const { shop, cup } = await shopWithCups();
  const [kept, cancelled] = [await sell(shop, cup, 3), await sell(shop, cup, 2)];
  moveClock(2 * HOUR);
  const refund = await shop.post(`/orders/${kept}/refunds`, { items: [{ line_id: 1, quantity: 1 }] });
  expect([refund.status, refund.body.status]).toEqual([201, 'succeeded']);
  expect((await read(shop)).sales).toMatchObject([{ orders: 2, sales: 40, average_order: 20 }]);
  expect((await shop.post(`/orders/${cancelled}/cancel`)).status).toBe(200);
  const { sales, best_sellers } = await read(shop);
  expect(sales).toMatchObject([{ orders: 1, sales: 20 }]);
  expect(sales[0].parts.at(-1)).toMatchObject({ orders: 0, sales: 0 });
  expect(sales[0].parts.at(-3)).toMatchObject({ orders: 1, sales: 20 });
  expect(best_sellers).toMatchObject([{ units: 2 }]);
  // All that is left: the order is none any more.
  await shop.post(`/orders/${kept}/refunds`, {});
  const after = await read(shop, '7d');
  expect(after.sales).toMatchObject([{ orders: 0, sales: 0, average_order: null }]);
  expect(after.best_sellers).toEqual([]);
});

it('keeps currencies apart, the main one first', async () => {
  const { shop, cup } = await shopWithCups({ currency: 'USD', currencies: ['USD', 'CHF', 'EUR'] });
  await sell(shop, cup, 1, { currency: 'EUR' });
  await sell(shop, cup, 2, { currency: 'CHF' });
  const shown = (await read(shop)).sales.map((one: { currency: string; sales: number }) => [
    one.currency,
    one.sales,
  ]);
  expect(shown).toEqual([
    ['USD', 0],
    ['CHF', 20],
    ['EUR', 10],
  ]);
});

it('compares a period with the same time before', async () => {
  const { shop, cup } = await shopWithCups();
  await sell(shop, cup, 4);
  moveClock(DAY);
  await sell(shop, cup, 1);
  expect((await read(shop)).sales).toMatchObject([{ sales: 10, previous: { sales: 40, orders: 1 } }]);
  const week = await read(shop, '7d');
  expect(week.sales).toMatchObject([{ sales: 50, previous: { sales: 0 } }]);
  expect(week.sales[0].parts.map((part: { sales: number }) => part.sales)).toEqual([0, 0, 0, 0, 0, 40, 10]);
  expect(week.best_sellers).toMatchObject([{ units: 5 }]);
  expect((await read(shop)).best_sellers).toMatchObject([{ units: 1 }]);
  moveClock(30 * DAY);
  expect((await read(shop, '30d')).sales).toMatchObject([{ sales: 0, previous: { sales: 50, orders: 2 } }]);
});

it.each([
  ['24h', 24, HOUR],
  ['7d', 7, DAY],
  ['30d', 30, DAY],
] as const)('divides %s into %d parts that end with the current one', (period, parts, width) => {
  for (const at of [now(), dayOf(now()), dayOf(now()) - 1]) {
    const window = windowOf(period, at);
    expect(window).toMatchObject({ parts, width });
    expect(Math.floor((at - window.from) / width)).toBe(parts - 1);
    expect(window.shift).toBe(parts * width);
  }
});

it('counts abandoned carts', async () => {
  const shop = await world();
  await batch(databaseOf(shop), [
    abandonedStatement(contextOf(shop), 'EUR'),
    abandonedStatement(contextOf(shop), 'EUR'),
  ]);
  expect((await read(shop)).sales).toMatchObject([{ abandoned_carts: 2, previous: { abandoned_carts: 0 } }]);
});

it("counts an application's calls and errors, once however often they are written", async () => {
  const shop = await world();
  await shop.get('/theme/options');
  await shop.get('/products/999999999');
  await shop.get('/products/999999999');
  const log = env.REQUEST_LOG.getByName(`${shop.tenantId}:${shop.applicationId}`);
  await vi.waitFor(async () => expect((await log.find({}, { page: 1, limit: 9 })).total).toBe(3), 30_000);
  expect((await read(shop)).api.calls).toBe(0);
  await runDurableObjectAlarm(log);
  const mine = { application_id: shop.applicationId, calls: 3, client_errors: 2, server_errors: 0 };
  const { api } = await read(shop);
  expect(api).toMatchObject({ calls: 3, client_errors: 2, applications: [mine], previous: { calls: 0 } });
  expect(api.parts.at(-1)).toMatchObject({ calls: 3, client_errors: 2 });
  // The reads above are counted too; what was written before is not added again.
  await vi.waitFor(async () => expect((await log.find({}, { page: 1, limit: 9 })).total).toBe(5), 30_000);
  await runDurableObjectAlarm(log);
  await runDurableObjectAlarm(log);
  expect((await read(shop)).api).toMatchObject({ calls: 5, client_errors: 2 });
});

it('counts each call of a week once, for its application and for its week', async () => {
  const shop = await world();
  const { db, tenantId } = contextOf(shop);
  const count = (applicationId: number, at: number, calls: number) => {
    const hours = [{ start: hourOf(at), calls, clientErrors: 0, serverErrors: 0 }];
    return batch(db, callStatements(db, { tenantId, applicationId, hours }));
  };
  await count(1, now(), 4);
  // What is written late replaces no higher count.
  await count(1, now(), 3);
  await count(2, now(), 2);
  await count(2, now() - 7 * DAY, 8);
  expect((await read(shop, '7d')).api).toMatchObject({
    calls: 6,
    previous: { calls: 8 },
    applications: [
      { application_id: 1, calls: 4 },
      { application_id: 2, calls: 2 },
    ],
  });
});

it('writes the counts of calls later if the database fails', async () => {
  const shop = await world();
  await shop.get('/theme/options');
  const log = env.REQUEST_LOG.getByName(`${shop.tenantId}:${shop.applicationId}`);
  await vi.waitFor(async () => expect((await log.find({}, { page: 1, limit: 9 })).total).toBe(1), 30_000);
  const heal = failStatements(/./);
  await runDurableObjectAlarm(log).catch(() => undefined);
  heal();
  await shop.get('/theme/options');
  await vi.waitFor(async () => expect((await log.find({}, { page: 1, limit: 9 })).total).toBe(2), 30_000);
  await runDurableObjectAlarm(log);
  expect((await read(shop)).api.calls).toBe(2);
});

it('shows a tenant nothing of another', async () => {
  const { shop, cup } = await shopWithCups();
  await sell(shop, cup, 4);
  const other = await read(await world());
  expect(other.sales).toMatchObject([{ sales: 0, orders: 0 }]);
  expect(other.best_sellers).toEqual([]);
});

it('rejects an unknown period', async () => {
  const { status, body } = await (await world()).get('/insights?period=1y');
  expect([status, Object.keys(body.errors)]).toEqual([422, ['period']]);
});

it('deletes counts that no period shows any more', async () => {
  const { shop, cup } = await shopWithCups();
  await sell(shop, cup, 1);
  const { db, tenantId } = contextOf(shop);
  const hours = [{ start: hourOf(now()), calls: 1, clientErrors: 0, serverErrors: 0 }];
  await batch(db, callStatements(db, { tenantId, applicationId: shop.applicationId, hours }));
  const stored = async () => {
    const count = (table: string) =>
      sql`(SELECT count(*) FROM ${sql.raw(table)} WHERE tenant_id = ${tenantId}) AS ${sql.raw(table)}`;
    const counts = sql.join(['sales_hours', 'item_sales', 'call_hours', 'call_days'].map(count), sql`, `);
    return (await rows(db, sql`SELECT ${counts}`))[0];
  };
  expect(await stored()).toEqual({ sales_hours: 1, item_sales: 2, call_hours: 1, call_days: 1 });
  moveClock(26 * HOUR);
  await runCron();
  expect(await stored()).toEqual({ sales_hours: 1, item_sales: 1, call_hours: 1, call_days: 1 });
  moveClock(32 * DAY);
  await runCron();
  expect(await stored()).toEqual({ sales_hours: 1, item_sales: 0, call_hours: 0, call_days: 1 });
  moveClock(30 * DAY);
  await runCron();
  expect(await stored()).toEqual({ sales_hours: 0, item_sales: 0, call_hours: 0, call_days: 0 });
});
