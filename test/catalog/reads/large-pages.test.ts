import { beforeAll, expect, it } from 'vitest';
import { queue } from '../../search/index-queue.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import { buildIndex } from '../../support/fixtures/catalog/list-index.ts';
import { until } from '../../support/fixtures/webhooks.ts';
import { type Answer, type World, world } from '../../support/world.ts';

const PRODUCTS = 12;
/** The most characters of a page, whose last product may go beyond the 8 MiB that are counted. */
const MOST = 10_000_000;

interface Posters {
  readonly shop: World;
  readonly headers: Record<string, string>;
  readonly ids: readonly number[];
}

let indexed: Posters;
let small: Posters;

/** Creates a tenant with large products. */
async function posters(): Promise<Posters> {
  const shop = await world();
  const images = Array.from(
    { length: 250 },
    (_, n) => `https://shop.example.com/${n}-${'x'.repeat(1_800)}.jpg`,
  );
  const ids: number[] = [];
  for (let n = 0; n < PRODUCTS; n++) {
    const variants = [0, 1].map((v) => ({ sku: `P${n}-${v}`, price: 5, attributes: { size: `${v}` } }));
    const body = { name: `Poster ${n}`, type: 'configurable', price: 5, tags: ['red'], images, variants };
    const { status, body: made } = await shop.post('/products', body);
    expect(status).toBe(201);
    ids.unshift(made.id);
  }
  return { shop, ids, headers: { 'x-catalog-version': String(await catalogVersion(shop)) } };
}

beforeAll(async () => {
  [indexed, small] = [await posters(), await posters()];
  await buildIndex(indexed.shop);
  for (const { shop, headers } of [indexed, small]) {
    await queue('search-index', [{ body: { tenantId: shop.tenantId, catchUp: true } }]);
    const isIndexed = () => shop.get('/search?limit=1&q=poster', { headers });
    await until(async () => expect((await isIndexed()).status).toBe(200));
  }
});

async function read({ shop, headers }: Posters, path: string): Promise<Answer['body']> {
  const { status, body } = await shop.get(path, { headers });
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  expect(JSON.stringify(body).length).toBeLessThan(MOST);
  return body;
}

/** Returns the ids of each page of a list. */
async function pagesOf(of: Posters, path: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let cursor = '', more = true; more; ) {
    const { data, meta } = await read(of, `${path}${cursor}`);
    expect(meta).toMatchObject({ limit: 100, total: PRODUCTS });
    pages.push(data.map(({ id }: { id: number }) => id));
    more = meta.next_cursor !== null;
    cursor = `&cursor=${meta.next_cursor}`;
  }
  return pages;
}

const ascending = (a: number, b: number) => a - b;
const LISTS = [
  '/products?limit=100',
  '/products?limit=100&sort=price_asc&include=variants,categories',
  '/products?limit=100&tag=red&include=variants',
  '/products?limit=100&q=poster&facets=tag',
  '/search?limit=100&q=poster',
  '/search?limit=100&q=poster&include=variants',
  '/search?limit=100&q=poster&sort=name_desc',
];

it.each(LISTS)('ends a page of %s early where products are large', async (path) => {
  for (const of of [indexed, small]) await expectShortPages(of, path);
});

async function expectShortPages(of: Posters, path: string): Promise<void> {
  const pages = await pagesOf(of, path);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().toSorted(ascending)).toEqual(of.ids.toSorted(ascending));
}

it('refuses a list of ids that are too large together', async () => {
  const { shop, ids, headers } = small;
  const { status, body } = await shop.get(`/products?ids=${ids.join()}`, { headers });
  expect([status, body.errors]).toEqual([
    422,
    { ids: ['names products that are too large for one response'] },
  ]);
  expect((await read(small, `/products?ids=${ids.slice(0, 6).join()}`)).data).toHaveLength(6);
});

it('leaves related products out that would make the response too large', async () => {
  expect((await read(small, `/products/${small.ids[0]}/related?limit=8`)).data).toHaveLength(8);
  expect((await read(small, `/products/${small.ids[0]}/related?limit=24`)).data).toEqual([]);
});
