import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { changesForSearch, searchSourcesAfter } from '../../src/catalog/index.ts';
import { database } from '../../src/kernel/data/database.ts';
import { searchOf } from '../support/runtime/runtime.ts';
import { admin, world } from '../support/world.ts';
import { queue, writeUnnoticed } from './index-queue.ts';
import { Shop } from './indexed-tenant.ts';

it('follows changes of large products a few at a time, so that they fit into memory', async () => {
  const shop = await world();
  const { id } = (await shop.post('/categories', { name: 'Posters' })).body;
  const images = Array.from(
    { length: 250 },
    (_, n) => `https://img.example.com/${n}-${'x'.repeat(1_800)}.jpg`,
  );
  for (let n = 0; n < 12; n++) {
    const body = { name: `Poster ${n}`, type: 'simple', price: 5, images, category_ids: [id] };
    await writeUnnoticed(shop, 'POST', '/products', body);
  }
  const ctx = { db: database(env, shop.tenantId), tenantId: shop.tenantId };
  const seen: number[] = [];
  for (let [sequence, complete] = [0, false]; !complete; ) {
    const slice = await changesForSearch(ctx, sequence);
    expect(slice.documents.reduce((sum, { item }) => sum + item.length, 0)).toBeLessThan(10_000_000);
    seen.push(...slice.documents.map(({ productId }) => productId));
    ({ sequence, complete } = slice);
  }
  expect(new Set(seen).size).toBe(12);
  const catchUp = () => queue('search-index', [{ body: { tenantId: shop.tenantId, catchUp: true } }]);
  const total = async (q: string) => (await shop.get(`/search?q=${q}&limit=1`)).body.meta.total;
  await catchUp();
  expect(await total('poster')).toBe(12);
  await writeUnnoticed(shop, 'PATCH', `/categories/${id}`, { name: 'Pictures' });
  await catchUp();
  expect(await total('picture')).toBe(12);

  // A rebuild, too.
  await searchOf(shop).prepare('DELETE FROM search_documents WHERE tenant_id = ?').bind(shop.tenantId).run();
  expect(await searchSourcesAfter(ctx, 0, 100)).toBeNull();
  expect((await admin('POST', `/tenants/${shop.slug}/search-rebuilds`)).status).toBe(202);
  await vi.waitFor(async () => expect(await total('posters')).toBe(12), { timeout: 30_000 });
});

it('indexes the first 20,000 words of a product, which D1 takes as one parameter', async () => {
  const shop = new Shop();
  const attributes = Array.from({ length: 200_000 }, (_, n) => (36 ** 3 + n).toString(36));
  const bind = vi.spyOn(Object.getPrototypeOf(env.DB.prepare('SELECT 1')), 'bind');
  await shop.sell({ name: 'Dictionary', attributes });
  const parameters = bind.mock.calls.flat().filter((value) => typeof value === 'string');
  bind.mockRestore();
  expect(Math.max(...parameters.map(({ length }) => length))).toBeLessThan(2_000_000);
  expect(await shop.names('dictionary')).toEqual(['Dictionary']);
  expect(await shop.names(`dictionary ${attributes[19_000]}`)).toEqual(['Dictionary']);
});
