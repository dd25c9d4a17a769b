import { expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

it('is what can be bought in the currency of the list: variants without a price in it do not count', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const variant = (size: string, stock: number, prices: object = {}) => ({
    sku: crypto.randomUUID(),
    price: 10,
    stock,
    prices,
    attributes: { size },
  });
  const [soldOut, inBoth] = [variant('S', 0, { USD: 11 }), variant('L', 4, { USD: 11 })];
  const tee = { type: 'configurable', price: 10 };
  // Its variant in stock is sold in EUR alone.
  await shop.post('/products', { ...tee, name: 'Tee', variants: [soldOut, variant('M', 4)] });
  await shop.post('/products', { ...tee, name: 'Shirt', variants: [inBoth] });
  // It is not sold in USD at all.
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 5, stock: 3 });
  const names = async (query: string) =>
    (await shop.get(`/products?sort=name_asc&${query}`, NEWEST)).body.data.map(
      ({ name, in_stock }: { name: string; in_stock: boolean }) => [name, in_stock],
    );
  const all = ['Mug', 'Shirt', 'Tee'].map((name) => [name, true]);
  expect(await names('in_stock=true')).toEqual(all);
  expect(await names('in_stock=true&currency=USD')).toEqual([['Shirt', true]]);
  expect(await names('currency=USD')).toEqual([
    ['Shirt', true],
    ['Tee', false],
  ]);
  const { facets } = (await shop.get('/products?currency=USD&facets=in_stock', NEWEST)).body.meta;
  expect(facets.in_stock).toMatchObject([
    { value: 'true', count: 1 },
    { value: 'false', count: 1 },
  ]);
});
