/** Product feeds of catalogues that are larger than a page of rows. */

import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { productRows, ROWS_PER_PAGE } from '../../src/feed/product-feeds/product-rows.ts';
import { Tenant } from '../../src/tenants/index.ts';
import { failStatements } from '../support/faults/database.ts';
import { insertProducts } from '../support/fixtures/catalog/products.ts';
import { db, storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import type { World } from '../support/world.ts';
import { createFeed, feedShop, fetchFile, IMAGE, textOf } from './feed-shop.ts';

afterEach(() => void vi.restoreAllMocks());

/** Gives products with ids below `end` descriptions of 20,000 times a letter. */
const describeAtLength = (shop: World, letter: string, end: number) =>
  storeOf(shop)
    .prepare(
      'UPDATE products SET description = replace(hex(zeroblob(10000)), 0, ?) WHERE tenant_id = ? AND id < ?',
    )
    .bind(letter, shop.tenantId, end)
    .run();

/** Watches how many pages of a feed are read at once, until the mocks are restored. */
function watchPages() {
  const statement: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare('SELECT 1'));
  const { all } = statement;
  const seen = { running: 0, most: 0 };
  vi.spyOn(statement, 'all').mockImplementation(async function <T>(this: D1PreparedStatement) {
    const ofPage = 'statement' in this && /least_file_price/.test(String(this.statement)) ? 1 : 0;
    seen.running += ofPage;
    seen.most = Math.max(seen.most, seen.running);
    try {
      return (await all.call(this)) as D1Result<T>; // `call` loses the type
    } finally {
      seen.running -= ofPage;
    }
  });
  return seen;
}

describe('a large catalogue', () => {
  const COUNT = 2 * ROWS_PER_PAGE + 345;

  /** Inserts products that Google would take, past the API. */
  async function large(shop: World): Promise<number> {
    const first = await insertProducts(shop, COUNT);
    await storeOf(shop).batch([
      storeOf(shop)
        .prepare(`UPDATE products SET description = 'Some text', images = '["${IMAGE}"]' WHERE tenant_id = ?`)
        .bind(shop.tenantId),
      storeOf(shop)
        .prepare(
          `INSERT INTO inventory_items (id, tenant_id, product_id, sku, on_hand, policy, derived, feed, updated_at)
         SELECT id, tenant_id, id, sku, 1, 'deny', 'none', 'live', id FROM products WHERE tenant_id = ?`,
        )
        .bind(shop.tenantId),
    ]);
    return first;
  }

  it('is streamed a page for each query, each product once while others are sold and created', async () => {
    const shop = await feedShop();
    const first = await large(shop);
    const { path } = await createFeed(shop);
    const usage = await measureDatabase(async () => {
      const { body } = await fetchFile(path);
      if (!body) throw new Error('There is no body');
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let n = 0; ; n++) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        if (n === 0) {
          await storeOf(shop)
            .prepare(
              'UPDATE inventory_items SET updated_at = updated_at + 1e9, on_hand = 2 WHERE tenant_id = ? AND id % 2 = 0',
            )
            .bind(shop.tenantId)
            .run();
          await storeOf(shop)
            .prepare("UPDATE inventory_items SET feed = 'gone' WHERE tenant_id = ? AND id = ?")
            .bind(shop.tenantId, first)
            .run();
        }
      }
      const ids = text.split('\n').flatMap((line) => (line ? [Number(JSON.parse(line).id)] : []));
      expect(ids).toEqual(Array.from({ length: COUNT }, (_, n) => first + n));
    });
    // The feed with its tenant (2), its counter, 3 pages, and the 2 changes above.
    expect(usage.statements).toBe(8);
  });

  it("takes its share of the database's time between its pages", async () => {
    const shop = await feedShop();
    const { path } = await createFeed(shop);
    const charge = vi.spyOn(Tenant.prototype, 'chargeBackground');
    await textOf(await fetchFile(path));
    expect(charge).not.toHaveBeenCalled();
    await large(shop);
    await textOf(await fetchFile(path));
    expect(charge).toHaveBeenCalledTimes(2);
  });

  it('finds its problems 5,000 SKUs a call at most', async () => {
    const shop = await feedShop();
    const first = await large(shop);
    await storeOf(shop)
      .prepare("UPDATE products SET images = '[]' WHERE tenant_id = ? AND id >= ?")
      .bind(shop.tenantId, first + COUNT - 3)
      .run();
    const { id } = await createFeed(shop);
    const page = (await shop.get(`/feeds/${id}/problems?limit=2`)).body;
    expect(page.data.map((one: { product_id: number }) => one.product_id)).toEqual([
      first + COUNT - 3,
      first + COUNT - 2,
    ]);
    const rest = (await shop.get(`/feeds/${id}/problems?limit=2&cursor=${page.meta.next_cursor}`)).body;
    expect(rest.data.map((one: { product_id: number }) => one.product_id)).toEqual([first + COUNT - 1]);
    expect(rest.meta.next_cursor).toBeNull();
  });

  it('is read in parts of a few MiB where descriptions are long, and is whole', async () => {
    const shop = await feedShop();
    const first = await large(shop);
    await describeAtLength(shop, '漢', first + 700);
    const rows = await productRows({ db: db(), tenantId: shop.tenantId }, 0);
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(9 * 1024 * 1024);
    const { path } = await createFeed(shop);
    const lines = (await textOf(await fetchFile(path))).trim().split('\n');
    expect(lines.map((line) => Number(JSON.parse(line).id))).toEqual(
      Array.from({ length: COUNT }, (_, n) => first + n),
    );
  });

  it('is read by several at once in turn where descriptions are long', async () => {
    const shop = await feedShop();
    const id = await large(shop);
    await describeAtLength(shop, 'x', id + 500);
    const { path } = await createFeed(shop);
    const fetched = async () => textOf(await fetchFile(path));
    const first = await fetched();
    const pages = watchPages();
    expect(new Set(await Promise.all([fetched(), fetched(), fetched()]))).toEqual(new Set([first]));
    expect(pages.most).toBe(1);
  });

  it('aborts when the database fails half-way, so that nobody takes the file for a complete one', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const shop = await feedShop();
    await large(shop);
    const { path } = await createFeed(shop);
    const response = await fetchFile(path);
    const reader = response.body?.getReader();
    await reader?.read();
    const restore = failStatements(/inventory_items/);
    const read = async () => {
      for (;;) if ((await reader?.read())?.done) return 'whole';
    };
    expect(await read().catch(() => 'broken')).toBe('broken');
    restore();
  });
});

it('reads a page through indexes alone', async () => {
  const queries: string[] = [];
  const { prepare } = env.DB;
  vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    queries.push(query);
    return prepare.call(env.DB, query);
  });
  await productRows({ db: db(), tenantId: 1 }, 0);
  vi.restoreAllMocks();
  const query = queries.find((one) => one.includes('inventory_items')) ?? '';
  const values = Array.from(query.matchAll(/\?/g), () => 1);
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  expect(plan.filter((step) => /^SCAN (?!json_each|f$|\(subquery|\d)/.test(step))).toEqual([]);
  expect(plan.join('; ')).toMatch(/inventory_items USING COVERING INDEX inventory_live/);
});
