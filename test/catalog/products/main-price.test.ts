/** An amount in the main currency is `price`; `prices` can't silently say another one. */
import { expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { lazy } from '../../support/lazy.ts';
import { world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

const SAME = ['must be the same as price, which is in EUR'];

it.each([
  ['a product', { prices: { EUR: 12 } }, 'prices.EUR'],
  ['a sale', { sale: { price: 8, prices: { EUR: 7 } } }, 'sale.prices.EUR'],
  [
    'a variant',
    {
      type: 'configurable',
      variants: [{ sku: 'm', price: 10, prices: { EUR: 9 }, attributes: { size: 'M' } }],
    },
    'variants.0.prices.EUR',
  ],
  [
    'a link that would be free',
    {
      type: 'downloadable',
      links: [{ title: 'PDF', url: 'https://files.example.com/a.pdf', prices: { EUR: 3 } }],
    },
    'links.0.prices.EUR',
  ],
])('is refused with another amount in prices: %s', async (_, fields, at) => {
  const shop = await untouched();
  const refused = await shop.post('/products', { name: 'Mug', type: 'simple', price: 10, ...fields });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toEqual({ [at]: SAME });
});

it('is changed by price alone', async () => {
  const shop = await world();
  const mug = (await createProduct(shop, { price: 10 })).body;
  const refused = await shop.patch(`/products/${mug.id}`, { prices: { EUR: 5 } });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toEqual({ 'prices.EUR': SAME });
  for (const same of [{ prices: { EUR: 10 } }, { price: 5, prices: { EUR: 5 } }])
    expect((await shop.patch(`/products/${mug.id}`, same)).status).toBe(200);
  const { body } = await shop.get(`/products/${mug.id}`);
  expect([body.price, body.prices]).toEqual([5, undefined]);
});
