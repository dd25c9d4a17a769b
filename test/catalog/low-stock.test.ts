import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { lowItems } from '../../src/catalog/low-stock/read-low-stock.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { NEWEST } from '../support/fixtures/catalog/products.ts';
import { contextOf, db } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** What is about to run out, from an index that holds nothing else. */

const product = (shop: World, name: string, more: object = {}) =>
  shop.post('/products', { name, type: 'simple', price: 5, sku: name.toLowerCase(), ...more });

const low = async (shop: World, query = '') =>
  (await shop.get(`/inventory/low-stock${query}`)).body.data.map(
    (item: { sku: string; stock: number }) => `${item.sku} ${item.stock}`,
  );

it('lists counted stock of active products up to the threshold, the least first', async () => {
  const shop = await world();
  await product(shop, 'Plenty', { stock: 21 });
  await product(shop, 'Few', { stock: 5 });
  await product(shop, 'None', { stock: 0 });
  await product(shop, 'Some', { stock: 12 });
  await product(shop, 'Draft', { stock: 1, status: 'inactive' });
  await product(shop, 'Uncounted', { stock: 0, inventory_policy: 'untracked' });
  await product(shop, 'Gone', { stock: 1 }).then(({ body }) => shop.delete(`/products/${body.id}`));
  const variants = [2, 30].map((stock) => ({
    sku: `tee-${stock}`,
    price: 5,
    stock,
    attributes: { size: `${stock}` },
  }));
  const tee = (await product(shop, 'Tee', { type: 'configurable', stock: undefined, variants })).body;
  expect(await low(shop)).toEqual(['none 0', 'tee-2 2', 'few 5']);
  expect(await low(shop, '?threshold=20&limit=4')).toEqual(['none 0', 'tee-2 2', 'few 5', 'some 12']);
  expect(await low(shop, '?threshold=0')).toEqual(['none 0']);
  expect((await shop.get('/inventory/low-stock?threshold=2')).body.data[1]).toEqual({
    product_id: tee.id,
    variant_id: tee.variants[0].id,
    sku: 'tee-2',
    name: 'Tee',
    stock: 2,
  });
  await shop.post('/inventory/adjustments', { items: [{ sku: 'plenty', stock: 3 }] });
  expect(await low(shop)).toEqual(['none 0', 'tee-2 2', 'plenty 3', 'few 5']);
});

it("takes the tenant's threshold, in the list of products too", async () => {
  const shop = await world();
  await product(shop, 'Few', { stock: 5 });
  await product(shop, 'Many', { stock: 1_000 });
  await product(shop, 'Most', { stock: 1_001 });
  const listed = async () => {
    const { body } = await shop.get('/products?stock=low&sort=name_asc', NEWEST);
    return body.data.map(({ name }: { name: string }) => name);
  };
  const set = (low_stock_threshold: unknown) => shop.patch('/settings', { low_stock_threshold });
  expect(await listed()).toEqual(['Few']);
  expect((await set(1_000)).body.low_stock_threshold).toBe(1_000);
  expect([await low(shop), await listed()]).toEqual([
    ['few 5', 'many 1000'],
    ['Few', 'Many'],
  ]);
  await set(4);
  expect([await low(shop), await listed()]).toEqual([[], []]);
  for (const wrong of [-1, 1_001, 2.5, '7', null]) {
    const { status, body } = await set(wrong);
    expect([status, Object.keys(body.errors)], String(wrong)).toEqual([422, ['low_stock_threshold']]);
  }
});

it('has all of them on its pages, also while some change', async () => {
  const shop = await world();
  for (const [n, stock] of [3, 0, 2, 2, 2, 1].entries()) await product(shop, `Cup${n}`, { stock });
  const page = async (cursor: string | null) =>
    (await shop.get(`/inventory/low-stock?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)).body;
  const first = await page(null);
  expect(first.data.map(({ sku }: { sku: string }) => sku)).toEqual(['cup1', 'cup5']);
  await shop.post('/inventory/adjustments', { items: [{ sku: 'cup5', stock: 0 }] });
  const second = await page(first.meta.next_cursor);
  const last = await page(second.meta.next_cursor);
  expect([second, last].map(({ data }) => data.map(({ sku }: { sku: string }) => sku))).toEqual([
    ['cup2', 'cup3'],
    ['cup4', 'cup0'],
  ]);
  expect(last.meta).toEqual({ next_cursor: null });
  const { status, body } = await shop.get('/inventory/low-stock?cursor=x');
  expect([status, Object.keys(body.errors)]).toEqual([422, ['cursor']]);
});

it('shows a tenant nothing of another', async () => {
  await product(await world(), 'Few', { stock: 1 });
  expect(await low(await world())).toEqual([]);
});

it('rejects a threshold and a limit out of range', async () => {
  const shop = await world();
  for (const [query, field] of [
    ['threshold=1001', 'threshold'],
    ['threshold=-1', 'threshold'],
    ['threshold=few', 'threshold'],
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
  ]) {
    const { status, body } = await shop.get(`/inventory/low-stock?${query}`);
    expect([status, Object.keys(body.errors ?? {})], query).toEqual([422, [field]]);
  }
});

it('reads the index of low stock only, already in order', async () => {
  const shop = await world();
  for (const [threshold, after] of [
    [5, undefined],
    [undefined, undefined],
    [5, { stock: 2, id: 7 }],
  ] as const) {
    const query = lowItems(contextOf(shop), { threshold, limit: 10, after }).getQuery();
    const plan = await rows<{ detail: string }>(
      db(),
      sql.join([sql`EXPLAIN QUERY PLAN `, sql.raw(bound(query.sql, query.params))]),
    );
    const details = plan.map(({ detail }) => detail).join('; ');
    const bounds = after ? '<expr>>? AND <expr><?' : '<expr><?';
    expect(details).toContain(`USING INDEX inventory_low (tenant_id=? AND ${bounds})`);
    expect(details).not.toMatch(/SCAN (?!CONSTANT)|TEMP B-TREE/);
  }
});

/** The statement with its numbers in place of the parameters. */
const bound = (statement: string, params: readonly unknown[]): string => {
  let n = 0;
  return statement.replaceAll('?', () => String(params[n++]));
};
