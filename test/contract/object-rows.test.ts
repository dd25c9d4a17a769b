import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import page from '../../docs/budgets.md?raw';
import { flushEvery } from '../../src/access/request-log/recorder.ts';
import { moveClock, now } from '../../src/kernel/core/clock.ts';
import { session } from '../checkout/samples.ts';
import { TEST_FLUSH_INTERVAL_MS } from '../support/runtime/request-log.ts';
import { countObjectRows, type ObjectRows } from '../support/storage/object-rows.ts';
import { type World, world } from '../support/world.ts';

/** The rows that objects write, each of which the platform charges for, compared with docs/budgets.md. */

const LIMITER = ['windows', 'seconds', 'grants'];
const LOG = ['batches', 'hours'];
const CART = ['parts', 'lines', 'history', 'answers', 'alarm'];

afterEach(() => {
  vi.restoreAllMocks();
  flushEvery(TEST_FLUSH_INTERVAL_MS);
});

/** Returns the documented number of rows of what a row of the table names. */
function documented(name: string): number {
  const cells = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return Number(cells.find((row) => row.length === 4 && row[1] === name)?.[2]);
}

/** Makes a request under a lease of its own; returns the rows that it wrote once its calls are logged. */
async function rowsOf(rows: ObjectRows, request: () => Promise<unknown>, tables: string[]): Promise<number> {
  moveClock(2_000);
  rows.reset();
  await request();
  await vi.waitFor(() => expect(rows.written(...LOG)).toBeGreaterThan(0));
  return rows.written(...tables);
}

/** A shop whose limiter and request log have their tables and alarms. */
async function usedShop(): Promise<{ shop: World; rows: ObjectRows }> {
  const shop = await world();
  const rows = await countObjectRows();
  await rowsOf(rows, () => shop.get('/theme/options'), LOG);
  await vi.waitFor(() => expect(rows.written('alarm')).toBeGreaterThan(0));
  rows.reset();
  return { shop, rows };
}

it('a lease and the report of the one before write the limiter’s row', async () => {
  const { shop, rows } = await usedShop();
  const written = await rowsOf(rows, () => shop.get('/theme/options'), LIMITER);
  expect(written).toBe(documented('lease, with the report of an earlier one'));
});

it('logged calls are added to a row, and counted in another', async () => {
  const { shop, rows } = await usedShop();
  expect(await rowsOf(rows, () => shop.get('/theme/options'), LOG)).toBe(documented('calls, logged'));
});

it('a log of 1,000 calls deletes a row for about each hundredth call', async () => {
  const { shop, rows } = await usedShop();
  const log = env.REQUEST_LOG.getByName(`${shop.tenantId}:${shop.applicationId}`);
  const count = { start: 0, calls: 1, clientErrors: 0, serverErrors: 0 };
  const record = { at: now(), method: 'GET', route: '/v1/products', status: 200, ms: 1, id: 'x' };
  const one = { calls: JSON.stringify([record]), size: 1, newest: now(), count };
  for (let n = 0; n < 1_100; n++) await log.append(shop, one);
  rows.reset();
  for (let n = 0; n < 300; n++) await log.append(shop, one);
  expect(rows.written('batches')).toBeLessThanOrEqual(300 * 1.02);
});

it('counted calls that are written to the database set alarms', async () => {
  const { shop, rows } = await usedShop();
  const log = env.REQUEST_LOG.getByName(`${shop.tenantId}:${shop.applicationId}`);
  await runDurableObjectAlarm(log);
  await rowsOf(rows, () => shop.get('/theme/options'), LOG);
  await runDurableObjectAlarm(log);
  expect(rows.written('alarm')).toBe(documented('counts of five minutes'));
});

it('a cart', async () => {
  const { shop, rows } = await usedShop();
  const { body: product } = await shop.post('/products', { name: 'Mug', type: 'simple', price: 5, stock: 9 });
  let token = '';
  const add = async () => {
    const edit = { product_id: product.id, quantity: 1, ...(token && { cart_token: token }) };
    token = (await shop.post('/cart/items', edit)).body.cart_token;
  };
  expect(await rowsOf(rows, add, CART)).toBe(documented('cart, created with a line'));
  expect(await rowsOf(rows, add, CART)).toBe(documented('cart, a line changed'));
  expect(await rowsOf(rows, () => shop.get(`/cart/${token}`), CART)).toBe(documented('cart, read'));
});

it('an order', async () => {
  const { shop, rows } = await usedShop();
  let id = '';
  const checkout = async () => {
    id = await session(shop);
  };
  const begun = await rowsOf(rows, checkout, CART);
  const placed = await rowsOf(rows, () => shop.post('/orders', { session: id }), CART);
  const created = documented('cart, created with a line');
  expect(begun + placed).toBe(created + documented('cart, checked out and ordered'));
});
