import { expect, it } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { type World, world } from '../../support/world.ts';

const variant = (sku: string) => ({ sku, price: 1, attributes: { size: sku } });
const refusal = async (asked: ReturnType<World['post']>) => {
  const { status, body } = await asked;
  return [status, body.code, body.details];
};

it('is refused with the product that has the SKU, itself or as a variant', async () => {
  const [shop, other] = [await world(), await world()];
  await createProduct(other, { name: 'Cup', sku: 'CUP' });
  const cup = await createProduct(shop, { name: 'Cup', sku: 'CUP' });
  const variants = ['S', 'M'].map(variant);
  const shirt = await createProduct(shop, { name: 'Shirt', type: 'configurable', variants });
  const simple = { name: 'Mug', type: 'simple', price: 1 };
  const taken = (of: typeof cup, sku: string) => [409, 'sku_taken', { product_id: of.body.id, sku }];
  expect(await refusal(shop.post('/products', { ...simple, sku: 'CUP' }))).toEqual(taken(cup, 'CUP'));
  expect(await refusal(shop.post('/products', { ...simple, sku: 'M' }))).toEqual(taken(shirt, 'M'));
  expect(await refusal(shop.patch(`/products/${cup.body.id}`, { sku: 'S' }))).toEqual(taken(shirt, 'S'));
  const more = { variants: [...variants, variant('CUP')] };
  expect(await refusal(shop.patch(`/products/${shirt.body.id}`, more))).toEqual(taken(cup, 'CUP'));
});

it('is refused without another product where the product itself has the SKU twice', async () => {
  const shop = await world();
  const shirt = { name: 'Shirt', type: 'configurable', price: 1, sku: 'S', variants: [variant('S')] };
  expect(await refusal(shop.post('/products', shirt))).toEqual([409, 'sku_taken', undefined]);
});
