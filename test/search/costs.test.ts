import { expect, it } from 'vitest';
import { changesForSearch } from '../../src/catalog/index.ts';
import { listHits, type SearchListQuery } from '../../src/catalog/reads/list-hits.ts';
import { fill } from '../catalog/list-index/filtered-list.ts';
import { contextOf, storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';
import { queue, writeUnnoticed } from './index-queue.ts';
import { Shop } from './indexed-tenant.ts';

/** Creates categories, one below the other, and returns the last one's id. */
async function branch(shop: World, names: readonly string[]): Promise<number> {
  let parent_id: number | null = null;
  for (const name of names) parent_id = (await shop.post('/categories', { name, parent_id })).body.id;
  return parent_id ?? 0;
}

/** Returns the rows read to index ten new products of a category. */
async function rowsReadFor(shop: World, category: number): Promise<number> {
  for (let n = 0; n < 10; n++) {
    const body = { name: `Cup ${n}`, type: 'simple', price: 10, category_ids: [category] };
    await writeUnnoticed(shop, 'POST', '/products', body);
  }
  const index = () => queue('search-index', [{ body: { tenantId: shop.tenantId, catchUp: true } }]);
  return (await measureDatabase(index)).read;
}

it('reads no more rows to index products when the tenant has more categories', async () => {
  const shop = await world();
  const category = await branch(shop, ['Kitchen', 'Cups']);
  const few = await rowsReadFor(shop, category);
  for (let n = 0; n < 15; n++) await branch(shop, [`Room ${n}`, `Shelf ${n}`]);
  // Events that are relayed meanwhile read some rows too; each of 30 categories read for each product would be 300.
  expect((await rowsReadFor(shop, category)) - few).toBeLessThan(100);
});

it('reads no more rows for the next products of a renamed category when it has more of them', async () => {
  const shop = await world();
  const category = await branch(shop, ['Cups']);
  const rename = async (name: string) => {
    await writeUnnoticed(shop, 'PATCH', `/categories/${category}`, { name });
    return (await measureDatabase(() => changesForSearch(contextOf(shop), Number.MAX_SAFE_INTEGER))).read;
  };
  await storeOf(shop)
    .prepare(
      `INSERT INTO product_categories (tenant_id, product_id, category_id, position)
        WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1000) SELECT ?, 1000000000 + id, ?, 0 FROM n`,
    )
    .bind(shop.tenantId, category)
    .run();
  // The ids of the next hundred products are read by a few queries.
  expect(await rename('Mugs')).toBeLessThan(1_000);
});

it('reads a bounded number of rows where a dictionary goes on with many letters after each beginning of a word', async () => {
  const shop = new Shop();
  const letters = Array.from({ length: 64 }, (_, n) => String.fromCodePoint(0x4e00 + n));
  const typed = ['typewriter', 'screwdriver'].map((word) => word.repeat(4));
  for (const word of typed) {
    const beginnings = Array.from(word, (_, n) => word.slice(0, n));
    const description = beginnings.flatMap((head) => letters.map((letter) => head + letter)).join(' ');
    await shop.sell({ name: 'Pen', description });
  }
  const { read } = await measureDatabase(() => shop.find(typed.join(' ')));
  expect(read).toBeLessThan(20_000);
  expect(await shop.names('tipewriter')).toEqual(['Pen']);
});

it('reads a page of hits with its includes without the products of all other hits', async () => {
  const shop = await world();
  await fill(shop, 400);
  const products = storeOf(shop).prepare('SELECT id FROM products WHERE tenant_id = ? ORDER BY name');
  const { results } = await products.bind(shop.tenantId).all<{ id: number }>();
  const hits = results.map(({ id }, place) => ({ tier: 0, place, productId: id }));
  const query: SearchListQuery = {
    q: 'p',
    sort: 'relevance',
    page: 2,
    limit: 20,
    include: ['variants', 'categories'],
    mainCurrency: 'EUR',
  };
  let ids: unknown;
  const { read } = await measureDatabase(async () => {
    const { answer } = await listHits(contextOf(shop), { ...query, hits });
    ids = answer.ok && answer.value.data.map(({ id }) => id);
  });
  expect(ids).toEqual(hits.slice(20, 40).map(({ productId }) => productId));
  // The total counts each hit: its place and its listing.
  expect(read).toBeLessThan(2 * hits.length + 1_000);
});
