import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import { buildIndex, indexOf } from '../../support/fixtures/catalog/list-index.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { fill } from '../list-index/filtered-list.ts';

/** A page may be far down a list, or behind its end: anybody with a storefront's token can ask for each. */

const PRODUCTS = 1_100;
const SORTS = ['newest', 'oldest', 'best_selling', 'price_asc', 'price_desc', 'name_asc', 'name_desc'];

let shop: World;

beforeAll(async () => {
  shop = await world();
  await fill(shop, PRODUCTS, 'Cups');
  // Neither index reads products while rows are counted: one isn't built yet, the other is up to date.
  await runInDurableObject(indexOf(shop), (index) => {
    index.minItems = PRODUCTS + 1;
  });
  const isSearched = async () => expect((await shop.get('/search?q=p', NEWEST)).status).toBe(200);
  await vi.waitFor(isSearched, { timeout: 120_000, interval: 100 });
});

/** Reads a page that no cache has; returns its body, and how many rows of the database that took. */
async function read(query: string) {
  const headers = { 'x-catalog-version': String(await catalogVersion(shop)) };
  await shop.get('/theme/options');
  let body: Awaited<ReturnType<World['get']>>['body'];
  const { read: rows } = await measureDatabase(async () => {
    ({ body } = await shop.get(`/products?${query}`, { headers }));
  });
  return { body, rows };
}

it.each(['', '&include=variants,categories', '&sort=name_asc'])(
  'reads few rows for a page behind the end of a list%s',
  async (more) => {
    for (const page of [PRODUCTS / 100 + 1, 10_000]) {
      const { body, rows } = await read(`limit=100&page=${page}${more}`);
      expect(body.data).toEqual([]);
      expect(body.meta).toMatchObject({ page, total: PRODUCTS, total_pages: 11, next_cursor: null });
      expect(rows).toBeLessThan(100);
    }
  },
);

it.each(['', '&category_id'])(
  'reads three rows for each product of a first page, in every order%s',
  async (filter) => {
    const [{ id }] = (await shop.get('/categories')).body.data;
    const limit = 20;
    for (const sort of SORTS) {
      const { body, rows } = await read(`limit=${limit}&sort=${sort}${filter && `${filter}=${id}`}`);
      expect([body.data.length, body.meta.total], sort).toEqual([limit, PRODUCTS]);
      expect(rows, sort).toBeLessThanOrEqual(3 * limit + 50);
    }
  },
);

it('reads few rows for a page far down a list', async () => {
  // The index counts the products again, and the isolate asks it again.
  moveClock(MINUTE);
  await buildIndex(shop);
  moveClock(MINUTE);
  for (const sort of ['oldest', 'price_desc']) {
    const last = await shop.get(`/products?limit=50&sort=${sort}&page=20`);
    const following = await shop.get(`/products?limit=50&sort=${sort}&cursor=${last.body.meta.next_cursor}`);
    const { body, rows } = await read(`limit=50&sort=${sort}&page=21`);
    expect(body).toEqual(following.body);
    expect(rows).toBeLessThan(PRODUCTS / 2);
  }
});
