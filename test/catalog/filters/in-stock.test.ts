import { expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

it('counts members of groups and bundles with a price in the currency of the list', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const member = async (name: string, more: object) =>
    (await shop.post('/products', { name, type: 'simple', price: 5, stock: 3, ...more })).body.id;
  const prices = { USD: 6 };
  const [inEur, inBoth, soldOut] = [
    await member('Cup', {}),
    await member('Pot', { prices }),
    await member('Tea', { prices, stock: 0 }),
  ];
  const grouped = (name: string, ...ids: number[]) =>
    shop.post('/products', {
      name,
      type: 'grouped',
      price: 5,
      prices,
      grouped: ids.map((product_id) => ({ product_id })),
    });
  const bundled = (name: string, ...groups: number[][]) =>
    shop.post('/products', {
      name,
      type: 'bundled',
      price: 5,
      prices,
      bundle_groups: groups.map((ids) => ({ title: 'G', items: ids.map((product_id) => ({ product_id })) })),
    });
  await grouped('Group of both', inEur, inBoth);
  await grouped('Group in EUR', inEur, soldOut);
  await bundled('Set of both', [inBoth], [inEur, inBoth]);
  await bundled('Set in EUR', [inBoth], [inEur, soldOut]);
  const listed = async (query: string) =>
    (await shop.get(`/products?sort=name_asc&type=grouped,bundled&${query}`, NEWEST)).body;
  const inDetail = async (query: string) => {
    const { data } = await listed(query);
    const each = data.map(({ id }: { id: number }) => shop.get(`/products/${id}?${query}`, NEWEST));
    return (await Promise.all(each)).flatMap(({ body }) => (body.in_stock ? [body.name] : []));
  };
  const inStock = async (query: string) =>
    (await listed(query)).data.flatMap(({ name, in_stock }: { name: string; in_stock: boolean }) =>
      in_stock ? [name] : [],
    );
  const all = ['Group in EUR', 'Group of both', 'Set in EUR', 'Set of both'];
  const both = ['Group of both', 'Set of both'];
  for (const query of ['', '&in_stock=true']) {
    expect(await inStock(query)).toEqual(all);
    expect(await inStock(`currency=USD${query}`)).toEqual(both);
  }
  expect(await inDetail('')).toEqual(all);
  expect(await inDetail('currency=USD')).toEqual(both);
  const { facets } = (await listed('currency=USD&facets=in_stock')).meta;
  expect(facets.in_stock.map(({ count }: { count: number }) => count)).toEqual([2, 2]);
  await shop.patch(`/products/${inEur}`, { prices });
  expect(await inStock('currency=USD&in_stock=true')).toEqual(all);
});

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
