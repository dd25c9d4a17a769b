import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { admin, world } from '../support/world.ts';
import { eventually } from './index-queue.ts';

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
}, 60_000);

it('is rebuilt by one command', async () => {
  const shop = await world();
  await shop.post('/products', { name: 'Cup', type: 'simple', price: 9 });
  await eventually(shop, 'cup', ['Cup']);
  await env.SEARCH_01.prepare('DELETE FROM search_documents WHERE tenant_id = ?').bind(shop.tenantId).run();
  await eventually(shop, 'cup', []);
  expect((await admin('POST', `/tenants/${shop.slug}/search-rebuilds`)).status).toBe(202);
  await eventually(shop, 'cup', ['Cup']);
}, 30_000);

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
