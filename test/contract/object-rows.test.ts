import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import page from '../../docs/budgets.md?raw';
import { flushEvery } from '../../src/access/request-log/recorder.ts';
import { moveClock, now } from '../../src/kernel/core/clock.ts';
import { ready, session } from '../checkout/samples.ts';
import { cartObject } from '../support/fixtures/selling/cart.ts';
import { TEST_FLUSH_INTERVAL_MS } from '../support/runtime/request-log.ts';
import { countObjectRows, type ObjectRows } from '../support/storage/object-rows.ts';
import { type World, world } from '../support/world.ts';

/** The rows that objects write, each of which the platform charges for, compared with docs/budgets.md. */

afterEach(() => {
  vi.restoreAllMocks();
  flushEvery(TEST_FLUSH_INTERVAL_MS);
});

/** Returns the documented number of rows of what a row of the table names. */
function documented(name: string): number {
  const cells = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return Number(cells.find((row) => row.length === 4 && row[1] === name)?.[2]);
}

/** Returns the log of a shop's calls. */
const logOf = ({ tenantId, applicationId }: World) =>
  env.REQUEST_LOG.getByName(`${tenantId}:${applicationId}`);

/** Makes a request under a lease of its own, and waits until its call is logged; only rows written since then count. */
async function anew(shop: World, rows: ObjectRows, request: () => Promise<unknown>): Promise<void> {
  moveClock(2_000);
  rows.reset();
  await request();
  await vi.waitFor(async () => expect(await rows.written(logOf(shop))).toBeGreaterThan(0), 30_000);
}

/** A shop whose limiter and request log have their tables and alarms. */
async function usedShop(): Promise<{ shop: World; rows: ObjectRows }> {
  const shop = await world();
  const rows = await countObjectRows();
  await anew(shop, rows, () => shop.get('/theme/options'));
  await vi.waitFor(async () => expect(await rows.written(logOf(shop), 'alarm')).toBeGreaterThan(0), 30_000);
  return { shop, rows };
}

it('a lease and the report of the one before write the limiter’s row', async () => {
  const { shop, rows } = await usedShop();
  await anew(shop, rows, () => shop.get('/theme/options'));
  const limiter = env.RATE_LIMITER.getByName(`${shop.tenantId}:${shop.applicationId}`);
  expect(await rows.written(limiter)).toBe(documented('lease, with the report of an earlier one'));
});

it('logged calls are added to a row, and counted in another', async () => {
  const { shop, rows } = await usedShop();
  await anew(shop, rows, () => shop.get('/theme/options'));
  expect(await rows.written(logOf(shop))).toBe(documented('calls, logged'));
});

it('a log of 1,000 calls deletes a row for about each hundredth call', async () => {
  const { shop, rows } = await usedShop();
  const log = logOf(shop);
  const count = { start: 0, calls: 1, clientErrors: 0, serverErrors: 0 };
  const record = { at: now(), method: 'GET', route: '/v1/products', status: 200, ms: 1, id: 'x' };
  const one = { calls: JSON.stringify([record]), size: 1, newest: now(), count };
  for (let n = 0; n < 1_100; n++) await log.append(shop, one);
  rows.reset();
  for (let n = 0; n < 300; n++) await log.append(shop, one);
  expect(await rows.written(log, 'batches')).toBeLessThanOrEqual(300 * 1.02);
});

it('counted calls that are written to the database set alarms', async () => {
  const { shop, rows } = await usedShop();
  await runDurableObjectAlarm(logOf(shop));
  await anew(shop, rows, () => shop.get('/theme/options'));
  await runDurableObjectAlarm(logOf(shop));
  expect(await rows.written(logOf(shop), 'alarm')).toBe(documented('counts of five minutes'));
});

it('a cart', async () => {
  const { shop, rows } = await usedShop();
  const { body: product } = await shop.post('/products', { name: 'Mug', type: 'simple', price: 5, stock: 9 });
  let token = '';
  const add = async () => {
    const edit = { product_id: product.id, quantity: 1, ...(token && { cart_token: token }) };
    token = (await shop.post('/cart/items', edit)).body.cart_token;
  };
  const written = () => rows.written(cartObject(shop, token));
  rows.reset();
  await add();
  expect(await written()).toBe(documented('cart, created with a line'));
  rows.reset();
  await add();
  expect(await written()).toBe(documented('cart, a line changed'));
  rows.reset();
  await shop.get(`/cart/${token}`);
  expect(await written()).toBe(documented('cart, read'));
});

it('an order', async () => {
  const { shop, rows } = await usedShop();
  const cart = await ready(shop);
  await shop.post('/orders', { session: await session(shop, cart) });
  const created = documented('cart, created with a line');
  const ordered = documented('cart, checked out and ordered');
  expect(await rows.written(cartObject(shop, cart))).toBe(created + ordered);
});

it('the stock that orders take', async () => {
  const { shop, rows } = await usedShop();
  const cart = await ready(shop);
  const tenant = env.TENANT.getByName(String(shop.tenantId));
  await runDurableObjectAlarm(tenant);
  rows.reset();
  await shop.post('/orders', { session: await session(shop, cart) });
  await vi.waitFor(async () => expect(await rows.written(tenant, 'alarm')).toBe(1), 30_000);
  await runDurableObjectAlarm(tenant);
  expect(await rows.written(tenant)).toBe(documented('stock changes of five seconds'));
});
