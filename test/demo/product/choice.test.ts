import { expect, it } from 'vitest';
import { chooseVariant } from '../../../src/demo/product/choice.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const OPTIONS = 20;
const VARIANTS = 60;

/** A product whose variants have a value of their own in each of many options. */
async function manyValues() {
  const shop = await world();
  const variants = Array.from({ length: VARIANTS }, (_, n) => ({
    sku: `many-${n}`,
    price: 10,
    stock: n % 2,
    attributes: Object.fromEntries(
      Array.from({ length: OPTIONS }, (_, option) => [`o${option}`, option > 0 && n < 2 ? 'same' : `v${n}`]),
    ),
  }));
  const made = await createProduct(shop, { name: 'Many', type: 'configurable', variants });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return (await shop.get(`/products/${made.body.id}`)).body;
}

it('compares the variants of a product once, however many values its options have', async () => {
  const product = await manyValues();
  let compared = 0;
  for (const variant of product.variants) {
    const { attributes } = variant;
    Object.defineProperty(variant, 'attributes', {
      get: () => {
        compared += 1;
        return attributes;
      },
    });
  }
  const { options, variant } = chooseVariant(product, {});
  expect(variant?.sku).toBe('many-1');
  const [first, second] = options.map(({ values }) => values.slice(0, 3).map(({ state }) => state));
  expect([first, second]).toEqual([
    ['sold_out', 'available', 'missing'],
    ['available', 'missing', 'missing'],
  ]);
  expect(compared).toBeLessThan(10 * OPTIONS * VARIANTS);
});
