import { beforeAll, expect, it } from 'vitest';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import { buildIndex } from '../../support/fixtures/catalog/list-index.ts';
import { type Answer, type World, world } from '../../support/world.ts';

const PRODUCTS = 12;
/** The most characters of a page, whose last product may go beyond the 8 MiB that are counted. */
const MOST = 10_000_000;

let shop: World;
let headers: Record<string, string>;
const ids: number[] = [];

beforeAll(async () => {
  shop = await world();
  const images = Array.from(
    { length: 250 },
    (_, n) => `https://shop.example.com/${n}-${'x'.repeat(1_800)}.jpg`,
  );
  const variants = Array.from({ length: 2 }, (_, n) => ({ sku: '', price: 5, attributes: { size: `${n}` } }));
  for (let n = 0; n < PRODUCTS; n++) {
    const own = variants.map((variant, v) => ({ ...variant, sku: `P${n}-${v}` }));
    const body = {
      name: `Poster ${n}`,
      type: 'configurable',
      price: 5,
      tags: ['red'],
      images,
      variants: own,
    };
    const { status, body: made } = await shop.post('/products', body);
    expect(status).toBe(201);
    ids.unshift(made.id);
  }
  await buildIndex(shop);
  headers = { 'x-catalog-version': String(await catalogVersion(shop)) };
}, 60_000);

async function read(path: string): Promise<Answer['body']> {
  const { status, body } = await shop.get(path, { headers });
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  expect(JSON.stringify(body).length).toBeLessThan(MOST);
  return body;
}

/** Returns the ids of each page of a list. */
async function pagesOf(path: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let cursor = '', more = true; more; ) {
    const { data, meta } = await read(`${path}${cursor}`);
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
  const pages = await pagesOf(path);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().toSorted(ascending)).toEqual(ids.toSorted(ascending));
});

it('refuses a list of ids that are too large together', async () => {
  const { status, body } = await shop.get(`/products?ids=${ids.join()}`, { headers });
  expect([status, body.errors]).toEqual([
    422,
    { ids: ['names products that are too large for one response'] },
  ]);
  expect((await read(`/products?ids=${ids.slice(0, 6).join()}`)).data).toHaveLength(6);
});

it('leaves related products out that would make the response too large', async () => {
  expect((await read(`/products/${ids[0]}/related?limit=8`)).data).toHaveLength(8);
  expect((await read(`/products/${ids[0]}/related?limit=24`)).data).toEqual([]);
});
