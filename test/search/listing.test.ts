import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { world } from '../support/world.ts';

it('filters, sorts, counts and pages what a search finds', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  await createProduct(shop, { name: 'Blue mug', vendor: 'A', price: 30, prices: { USD: 31 }, stock: 1 });
  await createProduct(shop, { name: 'Mug', vendor: 'B', price: 20, stock: 1 });
  await createProduct(shop, { name: 'Mug holder of steel', vendor: 'A', price: 10, prices: { USD: 9 } });
  const last = await createProduct(shop, { name: 'Plate', vendor: 'A', price: 5 });
  const headers = { 'x-catalog-version': last.headers.get('x-catalog-version') ?? '' };
  const read = async (query: string) => {
    const { status, body } = await shop.get(`/search?${query}`, { headers });
    expect(status, JSON.stringify(body)).toBe(200);
    return { names: body.data.map(({ name }: { name: string }) => name), meta: body.meta };
  };
  const walk = async (query: string) => {
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await read(`${query}&limit=1${at}`);
      names.push(...page.names);
      cursor = page.meta.next_cursor;
    } while (cursor !== null);
    return names;
  };
  const ranked = ['Mug', 'Blue mug', 'Mug holder of steel'];
  expect((await read('q=mug')).names).toEqual(ranked);
  expect(await walk('q=mug')).toEqual(ranked);
  expect(await walk('q=mug&facets=vendor')).toEqual(ranked);
  expect(await walk('q=mug&sort=price_asc')).toEqual(['Mug holder of steel', 'Mug', 'Blue mug']);
  expect(await walk('q=mug&vendor=a')).toEqual(['Blue mug', 'Mug holder of steel']);
  expect((await read('q=mug&vendor=a&in_stock=true')).names).toEqual(['Blue mug']);
  expect((await read('q=mug&currency=USD&sort=price_asc')).names).toEqual([
    'Mug holder of steel',
    'Blue mug',
  ]);
  const { meta } = await read('q=mug&vendor=a&facets=vendor,price');
  expect(meta).toMatchObject({
    total: 2,
    facets: {
      vendor: [
        { value: 'A', label: 'A', count: 2 },
        { value: 'B', label: 'B', count: 1 },
      ],
      price: { min: 10, max: 30 },
    },
  });
  const typo = await read('q=plat&facets=vendor');
  expect(typo.names).toEqual(['Plate']);
});

it.each([
  ['sort=cheap', 'sort'],
  ['include=reviews', 'include'],
  ['vendor=', 'vendor'],
  ['facets=colour', 'facets'],
  ['status=all', 'status'],
  ['cursor=abc', 'cursor'],
])('refuses %s by name', async (query, field) => {
  const shop = await world();
  const { status, body } = await shop.get(`/search?q=mug&${query}`);
  expect([status, body.code, Object.keys(body.errors ?? {})]).toEqual([422, 'validation_error', [field]]);
});
