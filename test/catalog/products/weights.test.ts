import { expect, it } from 'vitest';
import { createProduct, seeing } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

/** Weights of products and variants, in grams. */

it('keeps the weight of a product until it is changed or removed, with an event', async () => {
  const shop = await world();
  const made = await createProduct(shop, { name: 'Mug', weight: 350 });
  expect(made.body.weight).toBe(350);
  const path = `/products/${made.body.id}`;
  expect((await shop.patch(path, { price: 11 })).body.weight).toBe(350);
  const heavier = await shop.patch(path, { weight: 400 });
  expect((await shop.get(path, seeing(heavier))).body.weight).toBe(400);
  const changes = await storeOf(shop)
    .prepare(
      "SELECT data ->> 'changed' AS changed FROM outbox WHERE tenant_id = ? AND type = 'product.updated' ORDER BY sequence",
    )
    .bind(shop.tenantId)
    .all<{ changed: string }>();
  expect(changes.results.at(-1)?.changed).toBe('["weight"]');
  expect((await shop.patch(path, { weight: null })).body.weight).toBeNull();
  expect((await createProduct(shop, { name: 'Voucher', type: 'virtual' })).body.weight).toBeNull();
});

it("keeps a variant's own weight beside the product's", async () => {
  const shop = await world();
  const sizes = [
    { sku: 'S', price: 5, weight: 180, attributes: { size: 'S' } },
    { sku: 'M', price: 5, attributes: { size: 'M' } },
  ];
  const made = await createProduct(shop, {
    name: 'Shirt',
    type: 'configurable',
    weight: 200,
    variants: sizes,
  });
  const weights = (body: { variants: { weight: number | null }[] }) =>
    body.variants.map(({ weight }) => weight);
  expect([made.body.weight, weights(made.body)]).toEqual([200, [180, null]]);
  const path = `/products/${made.body.id}`;
  const kept = sizes.map(({ weight: _, ...size }) => size);
  expect(weights((await shop.patch(path, { variants: kept })).body)).toEqual([180, null]);
  const swapped = [
    { ...kept[0], weight: null },
    { ...kept[1], weight: 0 },
  ];
  const changed = await shop.patch(path, { variants: swapped });
  expect(weights(changed.body)).toEqual([null, 0]);
  const listed = await shop.get('/products?include=variants', seeing(changed));
  expect(weights(listed.body.data[0])).toEqual([null, 0]);
});
