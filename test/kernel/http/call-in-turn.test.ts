/** Large responses at once: an isolate has 128 MiB of memory for everything. */
import { expect, it } from 'vitest';
import { png, uploaded } from '../../media/images.ts';
import { createPosters } from '../../support/fixtures/catalog/large-products.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { watchBatches } from '../../support/storage/watch-batches.ts';
import { type World, world } from '../../support/world.ts';

/** Watches how many lists of products are read at once. */
const watchLists = () => watchBatches(/product_listings/);

/** Reads twelve pages at once that nothing has cached. */
const pagesAtOnce = (shop: World, price: number, limit = 100) =>
  Promise.all(
    Array.from({ length: 12 }, (_, n) => shop.get(`/products?limit=${limit}&price_min=${price + n / 100}`)),
  );

const statusesOf = (answers: Awaited<ReturnType<typeof pagesAtOnce>>) => [
  ...new Set(answers.map(({ status }) => status)),
];

it('reads a few lists at once until their size is known, then all that are small', async () => {
  const shop = await world();
  await createProduct(shop, { price: 50 });
  const lists = watchLists();
  expect(statusesOf(await pagesAtOnce(shop, 1))).toEqual([200]);
  expect(lists.most).toBeLessThanOrEqual(4);
  lists.most = 0;
  expect(statusesOf(await pagesAtOnce(shop, 2))).toEqual([200]);
  expect(lists.most).toBeGreaterThan(4);
});

/**
 * A shop of 24 products, all of which are on a page of 1.2 million characters: of eight times 2^20 for a tenant. Stops
 * the clock, because a slow machine would need longer than a request waits for its turn.
 */
async function shopOfLargeProducts() {
  stopClock();
  const shop = await world();
  const description = 'Long. '.repeat(8_000);
  for (let n = 0; n < 24; n++) await createProduct(shop, { name: `Book ${n}`, price: 50, description });
  return shop;
}

it('reads large lists in turn, and responds to all', async () => {
  const shop = await shopOfLargeProducts();
  expect((await shop.get('/products?limit=100')).body.data).toHaveLength(24);
  const lists = watchLists();
  expect(statusesOf(await pagesAtOnce(shop, 1))).toEqual([200]);
  expect(lists.most).toBeLessThanOrEqual(7);
});

it('knows the size of a list however its parameters are spelled', async () => {
  const shop = await shopOfLargeProducts();
  const spelled = '/products?limit=0100&include=images,%20images';
  expect((await shop.get(`${spelled}&ids=999999999`)).body.data).toHaveLength(0);
  expect((await shop.get('/products?limit=100&include=images')).body.data).toHaveLength(24);
  const lists = watchLists();
  const pages = Array.from({ length: 12 }, (_, n) => shop.get(`${spelled}&price_min=${1 + n / 100}`));
  expect(statusesOf(await Promise.all(pages))).toEqual([200]);
  expect(lists.most).toBeLessThanOrEqual(7);
});

it('takes no list for small because of responses without it', async () => {
  const shop = await shopOfLargeProducts();
  const unchanged = await shop.get('/products?limit=90', { headers: { 'if-none-match': '*' } });
  const refused = await shop.get('/products?limit=91&cursor=of-another-list');
  expect([unchanged.status, refused.status]).toEqual([304, 422]);
  const lists = watchLists();
  for (const limit of [90, 91]) {
    expect(statusesOf(await pagesAtOnce(shop, 1, limit))).toEqual([200]);
    expect(lists.most).toBeLessThanOrEqual(7);
  }
});

it('deletes products at once, which has no response', async () => {
  const shop = await world();
  const made = await Promise.all(
    Array.from({ length: 13 }, (_, n) => createProduct(shop, { name: `Cup ${n}` })),
  );
  const [first, ...others] = made.map(({ body }) => `/products/${body.id}`);
  expect((await shop.delete(first ?? '')).status).toBe(204);
  const writes = watchBatches(/SET deleted_at = updated_at/);
  expect(statusesOf(await Promise.all(others.map((path) => shop.delete(path))))).toEqual([204]);
  expect(writes.most).toBeGreaterThan(4);
});

it('changes large products in turn', async () => {
  const shop = await world();
  const ids = await createPosters(shop, 12);
  const hide = (status: string) => shop.post('/products/bulk', { ids, change: { status } });
  expect((await hide('inactive')).status).toBe(200);
  const loads = watchBatches(/FROM products p[\s\S]*p\.id IN/);
  const changes = await Promise.all(Array.from({ length: 6 }, () => hide('inactive')));
  expect(statusesOf(changes)).toEqual([200]);
  // The search's index may read one of them meanwhile.
  expect(loads.most).toBeLessThanOrEqual(2);
});

it('searches long texts of images in turn', async () => {
  const shop = await world();
  const { url } = await uploaded(shop, png(9, 9));
  const images = Array.from({ length: 250 }, (_, n) => ({ url: `${url}#${n}`, alt: 'x'.repeat(500) }));
  for (let n = 0; n < 36; n++) expect((await createProduct(shop, { images })).status).toBe(201);
  expect((await shop.get('/media?q=xxx')).body.data).toHaveLength(1);
  const searches = watchBatches(/image_alts AS alts/);
  await Promise.all(Array.from({ length: 8 }, (_, n) => shop.get(`/media?q=x${n}`)));
  expect(searches.most).toBe(1);
});
