import { expect, it } from 'vitest';
import { png, uploaded } from '../../media/images.ts';
import { world } from '../../support/world.ts';

it('names the products that show an image, with its text in each', async () => {
  const shop = await world();
  const picture = await uploaded(shop, png(4, 3));
  const path = `/media/${picture.id}/products`;
  expect((await shop.get(path)).body.data).toEqual([]);
  const product = async (body: object) =>
    (await shop.post('/products', { type: 'simple', price: 5, ...body })).body.id as number;
  const mug = await product({ name: 'Mug', images: [{ url: picture.url, alt: 'A blue mug' }] });
  const cup = await product({ name: 'Cup', images: [picture.url] });
  const variant = { sku: crypto.randomUUID(), price: 5, attributes: { size: 'M' }, image: picture.url };
  const tee = await product({ name: 'Tee', type: 'configurable', variants: [variant] });
  const gone = await product({ name: 'Gone', images: [picture.url] });
  await shop.delete(`/products/${gone}`);
  expect((await shop.get(path)).body.data).toEqual([
    { id: mug, name: 'Mug', in_images: true, alt: 'A blue mug' },
    { id: cup, name: 'Cup', in_images: true, alt: null },
    { id: tee, name: 'Tee', in_images: false, alt: null },
  ]);
});
