import { expect, it } from 'vitest';
import { NEWEST } from '../support/fixtures/catalog/products.ts';
import { feedShop, itemsOf, listed } from './feed-shop.ts';

it('names no hidden category, nor one below it', async () => {
  const shop = await feedShop();
  const category = async (body: object) => (await shop.post('/categories', body)).body.id;
  const staff = await category({ name: 'Staff only', hidden: true });
  const below = await category({ name: 'Clearance', parent_id: staff });
  const cups = await category({ name: 'Cups' });
  await listed(shop, { name: 'Both', category_ids: [below, staff, cups] });
  await listed(shop, { name: 'Hidden', category_ids: [staff] });
  const { body } = await shop.get('/marketplace/products', NEWEST);
  const paths = body.data.map((row: { category_path?: string }) => row.category_path);
  expect(paths).toEqual(['Cups', undefined]);
  expect((await itemsOf(shop)).map(({ product_type }) => product_type)).toEqual(['Cups', undefined]);
  await shop.patch(`/categories/${staff}`, { hidden: false });
  expect((await itemsOf(shop)).map(({ product_type }) => product_type)).toEqual([
    'Staff only > Clearance',
    'Staff only',
  ]);
});
