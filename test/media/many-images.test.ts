/** What a shop with many images and products reads of them. */
import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';
import { gif, png, uploaded } from './images.ts';

const MANY = 1_000;
const numbers = JSON.stringify([...Array(MANY).keys()]);

/** Makes many products, by their ids alone, show the image with a hash. */
const show = ({ tenantId }: World, hash: string) =>
  storeOf({ tenantId })
    .prepare('INSERT INTO media_uses (tenant_id, product_id, hash) SELECT ?, -1 - value, ? FROM json_each(?)')
    .bind(tenantId, hash, numbers)
    .run();

/** Adds copies of a stored image. */
const copy = ({ tenantId }: World, id: string) =>
  storeOf({ tenantId })
    .prepare(
      `INSERT INTO media (id, tenant_id, hash, content_type, width, height, bytes, state, generation, touched_at, created_at)
        SELECT 'med_' || tenant_id || '_' || value, tenant_id, 'hash-' || value, content_type, width, height, bytes,
          state, generation, touched_at, created_at FROM media, json_each(?) WHERE tenant_id = ? AND media.id = ?`,
    )
    .bind(numbers, tenantId, id)
    .run();

/** The rows that D1 reads for a path. */
async function rowsOf(shop: World, path: string): Promise<number> {
  const { read } = await measureDatabase(() => shop.get(path));
  return read;
}

it('reads the first products of an image, however many products show it or others', async () => {
  const shop = await world();
  const logo = await uploaded(shop, png(3, 2));
  const picture = await uploaded(shop, gif(3, 2), 'image/gif');
  const cup = await createProduct(shop, { name: 'Cup', images: [{ url: picture.url }] });
  await show(shop, logo.url.split('/').at(-1) ?? '');
  expect((await shop.get(`/media/${picture.id}`)).body.product_ids).toEqual([cup.body.id]);
  expect(await rowsOf(shop, '/media')).toBeLessThan(100);
  expect(await rowsOf(shop, `/media/${logo.id}/products`)).toBeLessThan(200);
  const { read } = await measureDatabase(() => shop.delete(`/media/${picture.id}`));
  expect(read).toBeLessThan(100);
});

it('counts images without reading each of them', async () => {
  const shop = await world();
  const { id } = await uploaded(shop, png(3, 2));
  await copy(shop, id);
  expect((await shop.get('/media?limit=1')).body.meta.total).toBe(MANY + 1);
  expect(await rowsOf(shop, '/media?limit=1')).toBeLessThan(50);
});
