import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { patchCategory } from '../../../src/catalog/categories/change-category.ts';
import { loadCategory } from '../../../src/catalog/categories/store.ts';
import { catalogContext } from '../../../src/catalog/context.ts';
import { resumeRelistings, writeNextChunk } from '../../../src/catalog/indexing/relisting.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { NEWEST, versionOf } from '../../support/fixtures/catalog/products.ts';
import { choreContext, storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

/** A CSV of so many products, each of the type that `type` gives it. */
const csv = (count: number, type: (n: number) => string) =>
  `Handle,Title,Price,Type\n${Array.from({ length: count }, (_, n) => `p-${n},P ${n},1,${type(n)}\n`).join('')}`;

/** What grows with the square of the file would exceed 24 rows a category from fifty categories on. */
const PRODUCTS = 300;

it('writes rows in proportion to a file, however many categories it creates', async () => {
  const written = async (type: (n: number) => string) => {
    const shop = await world();
    return measureDatabase(async () => {
      const done = await importFile(shop, csv(PRODUCTS, type));
      expect(done).toMatchObject({ status: 'done', created: PRODUCTS, failed: 0 });
    });
  };
  const same = await written(() => 'Mugs');
  const each = await written((n) => `Type ${n}`);
  // A category, its path to the root, the count of its list, its event, and what the list index follows.
  expect(each.written - same.written).toBeLessThan(PRODUCTS * 24);
});

/** Gives a shop so many categories at the top, past the API: it would take minutes. */
async function fill(shop: World, count: number): Promise<void> {
  const first = 10_000_000 + shop.tenantId * 100_000;
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  await storeOf(shop).batch([
    storeOf(shop)
      .prepare(`${numbers} INSERT INTO categories (id, tenant_id, parent_id, name, slug)
      SELECT ${first} + i, ${shop.tenantId}, NULL, 'Category ' || i, 'category-' || i FROM n`)
      .bind(),
    storeOf(shop)
      .prepare(`${numbers} INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
      SELECT ${shop.tenantId}, ${first} + i, ${first} + i, 0 FROM n`)
      .bind(),
  ]);
}

it('creates a category beside 5,000 others with few rows written', async () => {
  const shop = await world({ plan: 'enterprise' });
  await fill(shop, 5_000);
  const made = await measureDatabase(async () => {
    expect((await shop.post('/categories', { name: 'One more' })).status).toBe(201);
  });
  expect(made.written).toBeLessThan(50);
  expect(made.read).toBeLessThan(100);
});

/** Puts so many products into a category past the API, listed as the API would list them. */
async function stockUp(shop: World, category: number, count: number): Promise<void> {
  const first = 10_000_000 + shop.tenantId * 100_000;
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  const [id, tenant] = [`${first} + i`, shop.tenantId];
  await storeOf(shop).batch(
    [
      `INSERT INTO products (id, tenant_id, sku, name, sort_name, slug, type, status, prices, images, tags,
          details, created_at, updated_at)
        SELECT ${id}, ${tenant}, 'S-' || i, 'Mug ' || i, 'mug ' || i, 'mug-' || i, 'simple', 'active',
          json_object('EUR', 100 + i), '[]', '[]', '{}', 1, 1 FROM n`,
      `INSERT INTO inventory_items (id, tenant_id, product_id, sku, on_hand, policy, derived, feed, updated_at)
        SELECT ${id}, ${tenant}, ${id}, 'S-' || i, 1, 'deny', 'none', 'live', i FROM n`,
      `INSERT INTO product_categories (tenant_id, product_id, category_id, position)
        SELECT ${tenant}, ${id}, ${category}, 0 FROM n`,
      `INSERT INTO product_listings (tenant_id, currency, category_id, status, product_id, price, name)
        SELECT ${tenant}, 'EUR', shelf, 'active', ${id}, 100 + i, 'mug ' || i FROM n, (
          SELECT 0 AS shelf UNION
          SELECT ancestor_id FROM category_ancestors WHERE tenant_id = ${tenant} AND category_id = ${category})`,
    ].map((statement) => storeOf(shop).prepare(`${numbers} ${statement}`)),
  );
}

/** Creates a category; returns its id. */
const make = async (shop: World, name: string, parent_id: number | null = null): Promise<number> =>
  (await shop.post('/categories', { name, parent_id })).body.id;

it('moves and deletes a category of many products in small batches', async () => {
  const shop = await world();
  const [a, b] = [await make(shop, 'A'), await make(shop, 'B')];
  const inner = await make(shop, 'Inner', a);
  const leaf = await make(shop, 'Leaf', inner);
  await stockUp(shop, leaf, 2_000);
  const total = async (category: number) =>
    (await shop.get(`/products?category_id=${category}&limit=1`, NEWEST)).body.meta.total;
  expect([await total(a), await total(b), await total(inner)]).toEqual([2_000, 0, 2_000]);

  const moved = await measureDatabase(async () => {
    expect((await shop.patch(`/categories/${inner}`, { parent_id: b })).status).toBe(200);
    expect([await total(a), await total(b), await total(inner)]).toEqual([0, 2_000, 2_000]);
    await settled(shop);
  });
  expect([await total(a), await total(b), await total(inner)]).toEqual([0, 2_000, 2_000]);

  const removed = await measureDatabase(async () => {
    expect((await shop.delete(`/categories/${leaf}`)).status).toBe(204);
    expect([await total(b), await total(inner), await total(leaf)]).toEqual([0, 0, 0]);
    await settled(shop);
  });
  // Each product leaves one list and enters one; then it leaves three and its category, and is indexed anew.
  // Tests gather search messages only briefly, so some products are indexed twice.
  for (const { written, mostWritten } of [moved, removed]) {
    expect(written).toBeLessThan(2_000 * 14);
    expect(mostWritten).toBeLessThan(3_000);
  }
  expect(await count(shop, 'SELECT count(*) AS n FROM product_categories WHERE tenant_id = ?')).toBe(0);
  expect(await count(shop, 'SELECT count(*) AS n FROM product_listings WHERE tenant_id = ?')).toBe(2_000);
});

it('shows the moved products in the counts of categories once they are listed', async () => {
  const shop = await world();
  const [a, b] = [await make(shop, 'A'), await make(shop, 'B')];
  const inner = await make(shop, 'Inner', a);
  await stockUp(shop, inner, 2_000);
  const moved = await shop.patch(`/categories/${inner}`, { parent_id: b });
  const counts = async () => {
    const { body } = await shop.get('/categories', {
      headers: { 'x-catalog-version': `${versionOf(moved)}` },
    });
    return body.data.map(({ product_count }: { product_count: number }) => product_count);
  };
  // What this reads is kept.
  await counts();
  await settled(shop);
  await expect.poll(counts).toEqual([0, 2_000]);
});

it('resumes relisting whose message was lost, beside other runs', async () => {
  const shop = await world();
  const [a, b] = [await make(shop, 'A'), await make(shop, 'B')];
  const inner = await make(shop, 'Inner', a);
  await stockUp(shop, inner, 500);
  const lists = () =>
    count(shop, `SELECT count(*) AS n FROM product_listings WHERE tenant_id = ? AND category_id = ${b}`);
  const runtime = { env, ctx: createExecutionContext() };
  const eur = catalogContext(runtime, { tenantId: shop.tenantId, currency: 'EUR', currencies: ['EUR'] });
  const before = await loadCategory(eur, inner);
  if (!before) throw new Error('There is no such category');
  expect((await patchCategory(eur, before, { patch: { parent_id: b }, chunk: 10 })).ok).toBe(true);
  await Promise.all([writeNextChunk(eur, 10), writeNextChunk(eur, 10)]);
  expect(await lists()).toBe(30);
  await resumeRelistings(await choreContext(shop), {});
  expect(await lists()).toBe(30);
  try {
    moveClock(3 * 60_000);
    await resumeRelistings(await choreContext(shop), {});
    await settled(shop);
  } finally {
    moveClock(-3 * 60_000);
  }
  expect(await lists()).toBe(500);
});

const count = async ({ tenantId }: World, query: string): Promise<number> =>
  (await storeOf({ tenantId }).prepare(query).bind(tenantId).first<number>('n')) ?? 0;

/** Waits until the queue has brought all lists up to date. */
async function settled(shop: World): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    if ((await count(shop, 'SELECT count(*) AS n FROM relistings WHERE tenant_id = ?')) === 0) return;
    await scheduler.wait(20);
  }
  throw new Error('The lists do not come to rest');
}
