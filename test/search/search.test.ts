import { describe, expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { fetchWith, recordedBindings } from '../support/faults/bindings.ts';
import { buildIndex } from '../support/fixtures/catalog/list-index.ts';
import { searchOf } from '../support/runtime/runtime.ts';
import { admin, type World, world } from '../support/world.ts';
import { eventually, found, queue, writeUnnoticed } from './index-queue.ts';

it('follows every write: creation, new name, sold out, other category, deletion', async () => {
  const shop = await world();
  const tops = (await shop.post('/categories', { name: 'Tops' })).body;
  const shirt = (
    await shop.post('/products', {
      name: 'Çay Shirt',
      type: 'simple',
      price: 9,
      stock: 1,
      category_ids: [tops.id],
    })
  ).body;
  await eventually(shop, 'cay shrit', ['Çay Shirt']);
  const found = (await shop.get('/search?q=shirt')).body;
  const { images: _, ...listed } = (await shop.get('/products')).body.data[0];
  expect(found.data[0]).toMatchObject(listed);
  expect(found.meta).toEqual({ page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null });

  await shop.patch(`/products/${shirt.id}`, { name: 'Tea Towel' });
  await eventually(shop, 'towel', ['Tea Towel']);
  await eventually(shop, 'shirt', ['Tea Towel']);
  await shop.post('/inventory/adjustments', { items: [{ sku: shirt.sku, stock: 0 }] });
  await shop.patch(`/categories/${tops.id}`, { name: 'Kitchen' });
  await eventually(shop, 'kitchen', ['Tea Towel']);
  await shop.delete(`/products/${shirt.id}`);
  await eventually(shop, 'kitchen', []);
});

it('finds nothing by the name of a hidden category or of one below it', async () => {
  const shop = await world();
  const staff = (await shop.post('/categories', { name: 'Staff', hidden: true })).body.id;
  const below = (await shop.post('/categories', { name: 'Clearance', parent_id: staff })).body.id;
  await shop.post('/products', { name: 'Cup', type: 'simple', price: 9, category_ids: [below] });
  await eventually(shop, 'cup', ['Cup']);
  for (const name of ['staff', 'clearance']) expect(await found(shop, name)).toEqual([]);
  await shop.patch(`/categories/${staff}`, { hidden: false });
  for (const name of ['staff', 'clearance']) await eventually(shop, name, ['Cup']);
  await shop.patch(`/categories/${staff}`, { hidden: true });
  for (const name of ['staff', 'clearance']) await eventually(shop, name, []);
});

it('pages through what it finds by cursor, each product once', async () => {
  const shop = await world();
  for (const name of ['Cup', 'Blue cup', 'Red tea cup'])
    await shop.post('/products', { name, type: 'simple', price: 9 });
  const all = ['Cup', 'Blue cup', 'Red tea cup'];
  await eventually(shop, 'cup', all);
  const listed = [];
  for (let next = ''; next !== null && listed.length < 9; ) {
    const { data, meta } = (await shop.get(`/search?q=cup&limit=1${next && `&cursor=${next}`}`)).body;
    listed.push(...data.map(({ name }: { name: string }) => name));
    next = meta.next_cursor;
  }
  expect(listed).toEqual(all);
});

it('is rebuilt by one command', async () => {
  const shop = await world();
  await shop.post('/products', { name: 'Cup', type: 'simple', price: 9 });
  await eventually(shop, 'cup', ['Cup']);
  await searchOf(shop).prepare('DELETE FROM search_documents WHERE tenant_id = ?').bind(shop.tenantId).run();
  expect(await found(shop, 'cups')).toEqual([]);
  expect((await admin('POST', `/tenants/${shop.slug}/search-rebuilds`)).status).toBe(202);
  await eventually(shop, 'cups', ['Cup']);
});

it.each(['', 'q=', `q=${'x'.repeat(101)}`, 'q=a&page=0', 'q=a&limit=101'])('rejects ?%s', async (query) => {
  const shop = await world();
  expect((await shop.get(`/search?${query}`)).status).toBe(422);
});

it('answers 304 to a client that has the response', async () => {
  const shop = await world();
  const first = await shop.get('/search?q=cup');
  const etag = first.headers.get('etag') ?? '';
  expect((await shop.get('/search?q=cup', { headers: { 'if-none-match': etag } })).status).toBe(304);
});

describe('a repeated search', () => {
  /** Returns the storage calls of a search, once the lease is at the version that the index has reached. */
  async function callsOf(shop: World, path: string): Promise<readonly string[]> {
    moveClock(2_000);
    await shop.get('/products?limit=1');
    const { env: bindings, calls } = recordedBindings();
    expect((await fetchWith(bindings, 'GET', `/v1${path}`, shop.token)).status).toBe(200);
    return calls.filter((call) => /^(DB|SHARD_\d\d|SEARCH_\d\d|CACHE)\.(batch|all|get)$/.test(call));
  }

  it.each(['/search?q=cups', '/search?q=cups&in_stock=true&facets=vendor'])(
    'reads nothing: %s',
    async (path) => {
      const shop = await world();
      await shop.post('/products', { name: 'Cup', type: 'simple', price: 9, stock: 1 });
      await eventually(shop, 'cup', ['Cup']);
      const first = await callsOf(shop, path);
      expect(first).not.toEqual([]);
      expect(await callsOf(shop, path)).toEqual([]);
      const { body } = await shop.get(path);
      expect(body.data).toHaveLength(1);
    },
  );

  it('finds what was written since', async () => {
    const shop = await world();
    const { id } = (await shop.post('/products', { name: 'Cup', type: 'simple', price: 9 })).body;
    await eventually(shop, 'cup', ['Cup']);
    await callsOf(shop, '/search?q=cup');
    const renamed = await shop.patch(`/products/${id}`, { name: 'Cup with saucer' });
    const version = renamed.headers.get('x-catalog-version') ?? '';
    expect(await found(shop, 'cup', { 'x-catalog-version': version })).toEqual(['Cup with saucer']);
    moveClock(2_000);
    expect(await found(shop, 'cup')).toEqual(['Cup with saucer']);
  });

  it('is read again while the index lags', async () => {
    const shop = await world();
    await shop.post('/products', { name: 'Cup', type: 'simple', price: 9 });
    await eventually(shop, 'cup', ['Cup']);
    await writeUnnoticed(shop, 'POST', '/products', { name: 'Cup and saucer', type: 'simple', price: 9 });
    await callsOf(shop, '/search?q=cup');
    expect(await callsOf(shop, '/search?q=cup')).toEqual([expect.stringMatching(/^SEARCH_\d\d\.batch$/)]);
    await queue('search-index', [{ body: { tenantId: shop.tenantId, catchUp: true } }]);
    expect(await found(shop, 'cup')).toEqual(['Cup', 'Cup and saucer']);
  });

  it('is read again while the dictionary of typos lags, also in a list of the list index', async () => {
    const shop = await world();
    await shop.post('/products', { name: 'Cup', type: 'simple', price: 9 });
    await eventually(shop, 'cup', ['Cup']);
    await buildIndex(shop);
    const path = '/search?q=kettel&facets=vendor';
    await writeUnnoticed(shop, 'POST', '/products', { name: 'Kettle', type: 'simple', price: 9 });
    await callsOf(shop, path);
    await queue('search-index', [{ body: { tenantId: shop.tenantId, catchUp: true } }]);
    expect((await shop.get(path)).body.data).toMatchObject([{ name: 'Kettle' }]);
    const body = { name: 'Kettles', type: 'simple', price: 9 };
    const { headers } = await writeUnnoticed(shop, 'POST', '/products', body);
    const newest = { 'x-catalog-version': headers.get('x-catalog-version') ?? '' };
    expect((await shop.get(path, { headers: newest })).body.meta.total).toBe(2);
  });
});
