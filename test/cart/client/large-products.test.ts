import { expect, it } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { cartWith, checkoutPath, sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { largestResponse } from '../../support/storage/database-usage.ts';

it('reads only the variants of a cart at checkout, however many its products have', async () => {
  const shop = await sandboxShop();
  const variants = Array.from({ length: 150 }, (_, n) => ({
    sku: `v-${n}`,
    price: n + 1,
    stock: 2,
    attributes: { size: `${n}`, pattern: `${n}${'x'.repeat(250)}`, shape: 'y'.repeat(250) },
  }));
  const product = await createProduct(shop, { name: 'Shirt', type: 'configurable', variants });
  const { id } = product.body.variants[149];
  const cart = await cartWith(shop, product, 1, { options: { variant_id: id } });
  const largest = await largestResponse(async () => {
    await checkoutPath(shop, cart);
  });
  expect(largest).toBeLessThan(25_000);
  const { body } = await shop.get(`/cart/${cart}`);
  expect(body.items).toMatchObject([{ variant_id: id, sku: 'v-149', unit_price: 150 }]);
});
