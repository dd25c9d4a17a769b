/** The jobs of the minute's cron are bounded, fair between tenants, and safe to repeat, lose and fail. */

import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { DAY, MINUTE, moveClock, now } from '../../src/kernel/core/clock.ts';
import { batch, rows, run } from '../../src/kernel/data/database.ts';
import type { MaintenanceMessage } from '../../src/maintenance/index.ts';
import { runCron } from '../support/cron.ts';
import { DATABASES, interceptBindings } from '../support/faults/bindings.ts';
import { failStatements, watchStatements } from '../support/faults/database.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { eventsOfType, placedOrder } from '../support/fixtures/selling/orders.ts';
import { databaseOf, db, onEveryShard } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

const logged: { event: string; chore?: string; id?: string; storage?: boolean; stack?: string[] }[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockImplementation((line) => logged.push(JSON.parse(String(line))));
});
afterEach(() => vi.restoreAllMocks());

const count = async (query: ReturnType<typeof sql>): Promise<number> =>
  (await onEveryShard<{ n: number }>(sql`SELECT count(*) AS n FROM ${query}`)).reduce(
    (sum, { n }) => sum + n,
    0,
  );

const NUMBERS = (n: number) =>
  sql`(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${n}) SELECT n FROM c WHERE n <= ${n})`;

/** So many reservations of one piece each, as as many checkouts would have made. */
async function held(shop: World, item: number, n: number, status = 'held'): Promise<void> {
  const lines = JSON.stringify([{ itemId: item, quantity: 1 }]);
  const at = now();
  await batch(databaseOf(shop), [
    run(
      databaseOf(shop),
      sql`INSERT INTO reservations (tenant_id, cart_id, cart_version, status, lines, expires_at, created_at)
      SELECT ${shop.tenantId}, ${status} || n, 1, ${status}, ${lines}, ${at} + n, ${at} FROM ${NUMBERS(n)}`,
    ),
    run(databaseOf(shop), sql`UPDATE inventory_items SET reserved = reserved + ${n} WHERE id = ${item}`),
  ]);
}

/** So many pending orders of one piece each, whose time is up in a minute. */
async function orders(shop: World, item: number, n: number): Promise<void> {
  const { row } = await placedOrder(shop, item, { expiresAt: now() + MINUTE });
  await held(shop, item, n - 1, 'ordered');
  const { id: _, number: _n, reservationId: _r, ...same } = row;
  const columns = await rows<{ name: string }>(db(), sql`SELECT name FROM pragma_table_info('orders')`);
  const kept = columns.map(({ name }) => name).filter((name) => !/^(id|number|reservation_id)$/.test(name));
  expect(kept).toHaveLength(Object.keys(same).length);
  const list = sql.raw(kept.map((name) => `o.${name}`).join(', '));
  await databaseOf(shop).run(sql`INSERT INTO orders (id, number, reservation_id, ${sql.raw(kept.join(', '))})
    SELECT o.id || r.id, o.number + r.id, r.id, ${list} FROM orders o JOIN reservations r
    ON r.tenant_id = o.tenant_id AND r.status = 'ordered' AND r.id <> o.reservation_id WHERE o.id = ${row.id}`);
}

const pending = ({ tenantId }: World) =>
  count(sql`orders WHERE tenant_id = ${tenantId} AND status = 'pending'`);

/** Runs the cron, and counts the statements that each message sends to a database. */
async function counted() {
  const statements: number[] = [];
  const bindings = interceptBindings(DATABASES, (name, call) => {
    if (name.endsWith('.prepare')) statements.push((statements.pop() ?? 0) + 1);
    return call();
  });
  const deliver = (one: MaintenanceMessage) => {
    statements.push(0);
    return [one];
  };
  const delivered = await runCron({ bindings, deliver });
  return { delivered, most: Math.max(...statements), all: statements.reduce((sum, n) => sum + n, 0) };
}

it('cancels every due order, one message each', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 100 })).body;
  await orders(shop, cup, 80);
  moveClock(2 * MINUTE);
  const { delivered, most } = await counted();
  expect(await pending(shop)).toBe(0);
  expect(await stockOf(cup)).toEqual({ on_hand: 100, reserved: 0 });
  expect(await eventsOfType(shop, 'order.cancelled')).toHaveLength(80);
  expect(delivered.filter(({ chore, id }) => chore === 'orders' && id !== undefined)).toHaveLength(80);
  expect(most).toBeLessThan(200);
});

it('releases five hundred expired reservations with few statements', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 1000 })).body;
  // What a minute costs without reservations depends on the number of shards.
  const quiet = await counted();
  await held(shop, cup, 500);
  moveClock(MINUTE);
  const { most, all } = await counted();
  expect(await stockOf(cup)).toEqual({ on_hand: 1000, reserved: 0 });
  expect(await count(sql`reservations WHERE tenant_id = ${shop.tenantId} AND status = 'held'`)).toBe(0);
  expect(most).toBeLessThan(60);
  expect(all - quiet.all).toBeLessThan(100);
  const reported = await eventsOfType(shop, 'stock.changed');
  expect(reported.map(({ old_stock, new_stock }) => new_stock - old_stock)).toEqual([
    100, 100, 100, 100, 100,
  ]);
  expect([reported[0].old_stock, reported.at(-1).new_stock, reported[0].reason]).toEqual([
    500,
    1000,
    'reservation_expired',
  ]);
  expect(await count(sql`outbox WHERE tenant_id = ${shop.tenantId} AND relayed_at IS NULL`)).toBe(0);
});

it("lets no tenant wait for another's due orders and reservations", async () => {
  const [many, few] = [await sandboxShop(), await sandboxShop()];
  const [cup, mug] = [
    (await createProduct(many, { name: 'Cup', stock: 500 })).body.id,
    (await createProduct(few, { name: 'Mug', stock: 5 })).body.id,
  ];
  await orders(many, cup, 150);
  await held(many, cup, 250);
  moveClock(1000);
  await orders(few, mug, 2);
  await held(few, mug, 1);
  moveClock(2 * MINUTE);
  const delivered = await runCron();
  // Another test leaves a reservation that no run can release.
  const lastOfFew = (chore: string) =>
    delivered
      .filter((one) => one.chore === chore && [many.tenantId, few.tenantId].includes(one.tenantId ?? 0))
      .findLastIndex(({ tenantId }) => tenantId === few.tenantId);
  expect(lastOfFew('orders')).toBeLessThan(100);
  expect(lastOfFew('reservations')).toBeLessThan(2);
  expect([await pending(many), await pending(few)]).toEqual([0, 0]);
});

it('runs every other chore when one fails', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 5 })).body;
  await held(shop, cup, 2);
  await orders(shop, cup, 1);
  moveClock(2 * MINUTE);
  const restore = failStatements(/"outbox"|slots/);
  const delivered = await runCron();
  restore();
  expect(delivered.length).toBeGreaterThan(15);
  expect(logged.filter(({ event }) => event === 'chore_failed').map(({ chore }) => chore)).toEqual(
    expect.arrayContaining(['events', 'slots']),
  );
  moveClock(3 * MINUTE);
  await runCron();
  expect([await stockOf(cup), await pending(shop)]).toEqual([{ on_hand: 5, reserved: 0 }, 0]);
});

it('releases all others when one reservation cannot be released', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 50 })).body;
  await held(shop, cup, 20);
  const broken = JSON.stringify([{ itemId: cup, quantity: 1000 }]);
  await databaseOf(shop).run(sql`UPDATE reservations SET lines = ${broken}
    WHERE tenant_id = ${shop.tenantId} AND cart_id = 'held7'`);
  moveClock(MINUTE);
  const { most } = await counted();
  expect(await stockOf(cup)).toEqual({ on_hand: 50, reserved: 1 });
  expect(most).toBeLessThan(300);
});

it.each([
  ['comes twice', 2],
  ['is lost the first time', 0],
])('has the same result when a message %s', async (_, times) => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 300 })).body;
  await orders(shop, cup, 3);
  await held(shop, cup, 210);
  moveClock(2 * MINUTE);
  await runCron({ deliver: (one) => (one.tenantId === undefined ? [one] : Array(times).fill(one)) });
  moveClock(3 * MINUTE);
  await runCron();
  expect(await stockOf(cup)).toEqual({ on_hand: 300, reserved: 0 });
  expect(await eventsOfType(shop, 'order.cancelled')).toHaveLength(3);
  const reported = await eventsOfType(shop, 'stock.changed');
  expect(reported.at(-1).new_stock).toBe(300);
  // The one order that was really placed took its piece with an event; the others were written as they are.
  expect(reported.reduce((sum, { old_stock, new_stock }) => sum + new_stock - old_stock, 0)).toBe(213 - 1);
});

it('is safe when several crons run at once', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 300 })).body;
  await orders(shop, cup, 5);
  await held(shop, cup, 150);
  moveClock(2 * MINUTE);
  await Promise.all([runCron(), runCron(), runCron()]);
  await runCron();
  expect(await stockOf(cup)).toEqual({ on_hand: 300, reserved: 0 });
  expect(await eventsOfType(shop, 'order.cancelled')).toHaveLength(5);
});

it('keeps an order whose deadline was extended after its message was sent', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 5 })).body;
  await orders(shop, cup, 1);
  moveClock(2 * MINUTE);
  const sent: MaintenanceMessage[] = [];
  await runCron({
    deliver: (one) => (one.tenantId === shop.tenantId && one.id && sent.push(one) ? [] : [one]),
  });
  expect(sent).toHaveLength(1);
  await databaseOf(shop).run(
    sql`UPDATE orders SET expires_at = ${now() + MINUTE} WHERE tenant_id = ${shop.tenantId}`,
  );
  await runCron({ deliver: (one) => (one.chore === 'orders' ? sent : [one]) });
  expect(await pending(shop)).toBe(1);
});

/** Writes 12,500 events that are a month old, the first of which was enqueued just now. */
async function oldEvents(shop: World): Promise<void> {
  const old = now() - 31 * DAY;
  await databaseOf(
    shop,
  ).run(sql`INSERT INTO outbox (id, tenant_id, type, resource, sequence, data, occurred_at, batch, relayed_at)
    SELECT 'evt_old_' || ${shop.tenantId} || '_' || n, ${shop.tenantId}, 'stock.changed', 'item:1', n, '{}', ${old}, 'b',
      CASE WHEN n = 1 THEN ${now()} ELSE ${old} END FROM ${NUMBERS(12_500)}`);
}

it('deletes old events, however fast new ones are written', async () => {
  const shop = await sandboxShop();
  await oldEvents(shop);
  const { most } = await counted();
  // One of them was enqueued late, and is kept as long after that.
  expect(await count(sql`outbox WHERE tenant_id = ${shop.tenantId}`)).toBe(1);
  expect(most).toBeLessThan(100);
});

it('deletes all checkouts that ended without an order, which a trigger counts', async () => {
  const shop = await sandboxShop();
  await databaseOf(
    shop,
  ).run(sql`INSERT INTO checkout_sessions (digest, tenant_id, order_id, cart_id, cart_version, reservation_id, status,
      provider, origin, return_url, snapshot, pricing, buyer, expires_at, created_at)
    SELECT 'digest_' || ${shop.tenantId} || '_' || n, ${shop.tenantId}, 'ord_' || n, 'cart_' || n, 1, n, 'open', 'sandbox',
      'https://api.example.com', 'https://shop.example', '{}', '{}', '{}', ${now() - DAY}, ${now() - DAY} FROM ${NUMBERS(250)}`);
  await runCron();
  expect(await count(sql`checkout_sessions WHERE tenant_id = ${shop.tenantId}`)).toBe(0);
});

it('leaves to the next run what it does not finish within its minute, so that runs never add up', async () => {
  const shop = await sandboxShop();
  await oldEvents(shop);
  const outbox = sql`outbox WHERE tenant_id = ${shop.tenantId}`;
  await runCron({ deliver: (one) => [{ ...one, until: now() }] });
  expect(await count(outbox)).toBeGreaterThan(1);
  await runCron();
  expect(await count(outbox)).toBe(1);
});

it('deletes what has expired of all tables in one batch for each database', async () => {
  await runCron();
  const deletions: string[] = [];
  const restore = watchStatements((text) => {
    if (/^\s*DELETE FROM "outbox"/.test(text)) deletions.push(text);
  });
  const delivered = await runCron();
  restore();
  const sweeps = delivered.filter(({ chore }) => chore === 'expired');
  expect(sweeps.map(({ id }) => id)).toEqual(sweeps.map(() => undefined));
  expect(deletions).toHaveLength(sweeps.length - 1);
});

it('deletes what else has expired when one table refuses', async () => {
  const shop = await sandboxShop();
  const guesses = sql`coupon_guesses WHERE tenant_id = ${shop.tenantId}`;
  await databaseOf(shop).run(
    sql`INSERT INTO coupon_guesses (tenant_id, address, wrong, since) VALUES (${shop.tenantId}, 'here', 1, 0)`,
  );
  const restore = failStatements(/DELETE FROM "outbox"/);
  await runCron();
  restore();
  expect(await count(guesses)).toBe(0);
  const failed = logged.filter(({ event }) => event === 'chore_failed');
  expect(failed.map(({ chore, id }) => [chore, id])).toEqual(failed.map(() => ['expired', 'oldEvents']));
  expect(failed.length).toBeGreaterThan(0);
  // An operator sees where it failed, and whether the database did.
  for (const { storage, stack } of failed) {
    expect(storage).toBe(true);
    expect(stack?.join()).toMatch(/deleteRows/);
  }
});

it('runs through the real queue', async () => {
  const shop = await sandboxShop();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 300 })).body;
  await orders(shop, cup, 2);
  await held(shop, cup, 120);
  moveClock(2 * MINUTE);
  await worker.scheduled({ scheduledTime: now(), cron: '* * * * *', noRetry: () => undefined }, env);
  await expect.poll(() => stockOf(cup), { timeout: 30_000 }).toEqual({ on_hand: 300, reserved: 0 });
  await expect.poll(() => pending(shop), { timeout: 30_000 }).toBe(0);
});
