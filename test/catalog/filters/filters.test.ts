import { expect, it } from 'vitest';
import { catalogVersion, importFile } from '../../support/fixtures/catalog/imports.ts';
import { buildIndex } from '../../support/fixtures/catalog/list-index.ts';
import { stockedProduct as product } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

it('counts no deleted product', async () => {
  const shop = await world();
  await product(shop, { name: 'A', vendor: 'Acme' });
  const gone = await product(shop, { name: 'B', vendor: 'Acme' });
  const removed = await shop.delete(`/products/${gone.body.id}`);
  const headers = { 'x-catalog-version': removed.headers.get('x-catalog-version') ?? '' };
  const { facets } = (await shop.get('/products?facets=vendor', { headers })).body.meta;
  expect(facets.vendor).toMatchObject([{ count: 1 }]);
});

it('filters a list, counts facets without their own filter, and walks by cursor', async () => {
  const shop = await world();
  const books = (await shop.post('/categories', { name: 'Books' })).body.id;
  await product(shop, {
    name: 'A',
    vendor: 'Çay & Co',
    tags: ['red', 'new'],
    price: 10,
    category_ids: [books],
  });
  await product(shop, { name: 'B', vendor: 'cay & co', tags: ['Red'], price: 20, stock: 0 });
  await product(shop, { name: 'C', vendor: 'Other, Inc', tags: ['blue'], price: 30 });
  const shirt = await product(shop, {
    name: 'Shirt',
    type: 'configurable',
    vendor: 'Other, Inc',
    variants: [
      { sku: 's1', price: 5, attributes: { Color: 'Black', Size: 'M' }, stock: 0 },
      { sku: 's2', price: 15, attributes: { Color: 'Red', Size: 'M' }, stock: 2 },
    ],
  });
  const headers = { 'x-catalog-version': shirt.headers.get('x-catalog-version') ?? '' };
  const read = async (query: string) => {
    const { status, body } = await shop.get(`/products?${query}`, { headers });
    expect(status, JSON.stringify(body)).toBe(200);
    return { names: body.data.map(({ name }: { name: string }) => name).sort(), meta: body.meta, body };
  };
  expect((await read('vendor=CAY%20%26%20co')).names).toEqual(['A', 'B']);
  expect((await read('vendor=other\\, inc')).names).toEqual(['C', 'Shirt']);
  expect((await read('tag=red&in_stock=true')).names).toEqual(['A']);
  expect((await read('attr.color=black')).names).toEqual(['Shirt']);
  expect((await read('attr.color=black&in_stock=true')).names).toEqual([]);
  expect((await read('attr.color=black&price_min=6')).names).toEqual([]);
  expect((await read('attr.COLOR=red,black&price_min=6&attr.size=m')).names).toEqual(['Shirt']);
  expect((await read('price_min=15&price_max=20')).names).toEqual(['B', 'Shirt']);
  expect((await read(`category_id=${books},99`)).names).toEqual(['A']);
  const facets = 'facets=price,in_stock,type,vendor,tag,category,attr.Color';
  const all = await read(facets);
  expect(all.meta.facets).toEqual({
    price: { min: 5, max: 30 },
    in_stock: [
      { value: 'true', label: 'In stock', count: 3 },
      { value: 'false', label: 'Out of stock', count: 1 },
    ],
    type: [
      { value: 'simple', label: 'simple', count: 3 },
      { value: 'configurable', label: 'configurable', count: 1 },
    ],
    vendor: [
      { value: 'Çay & Co', label: 'Çay & Co', count: 2 },
      { value: 'Other\\, Inc', label: 'Other, Inc', count: 2 },
    ],
    tag: [
      { value: 'red', label: 'red', count: 2 },
      { value: 'blue', label: 'blue', count: 1 },
      { value: 'new', label: 'new', count: 1 },
    ],
    category: [{ value: String(books), label: 'Books', count: 1 }],
    'attr.Color': [
      { value: 'Black', label: 'Black', count: 1 },
      { value: 'Red', label: 'Red', count: 1 },
    ],
  });
  const some = await read(`vendor=other\\, inc&price_min=8&${facets}`);
  expect(some.names).toEqual(['C', 'Shirt']);
  expect(some.meta.facets.vendor).toEqual([
    { value: 'Çay & Co', label: 'Çay & Co', count: 2 },
    { value: 'Other\\, Inc', label: 'Other, Inc', count: 2 },
  ]);
  expect(some.meta.facets.price).toEqual({ min: 5, max: 30 });
  expect(some.meta.facets['attr.Color']).toEqual([{ value: 'Red', label: 'Red', count: 1 }]);
  const walked: string[] = [];
  let cursor: string | null = '';
  for (let n = 0; cursor !== null; n++) {
    const page: Awaited<ReturnType<typeof read>> = await read(
      `limit=1&sort=name_desc${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(page.meta.page).toBe(n + 1);
    walked.push(...page.names);
    cursor = page.meta.next_cursor;
  }
  expect(walked).toEqual(['Shirt', 'C', 'B', 'A']);
});

it.each(['database', 'index'])('counts the 100 most frequent values of a facet by the %s', async (by) => {
  const shop = await world();
  const maker = (n: number) => `Maker ${String(n).padStart(3, '0')}`;
  const line = (handle: string, vendor: string) => `${handle},${handle},5,${vendor}\n`;
  const once = Array.from({ length: 103 }, (_, n) => line(`p-${n}`, maker(n)));
  // The last two in alphabetical order have two products each.
  const lines = [...once, line('q', maker(102)), line('r', maker(101))].join('');
  await importFile(shop, `Handle,Title,Variant Price,Vendor\n${lines}`);
  if (by === 'index') await buildIndex(shop);
  const headers = { 'x-catalog-version': String(await catalogVersion(shop)) };
  const { body } = await shop.get('/products?limit=1&facets=vendor', { headers });
  const vendors = body.meta.facets.vendor.map(({ value }: { value: string }) => value);
  expect(vendors).toEqual([maker(101), maker(102), ...Array.from({ length: 98 }, (_, n) => maker(n))]);
});

it('takes the most filters and facets at once', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const category = async (name: string) => (await shop.post('/categories', { name })).body.id;
  const ids = [await category('Cups'), await category('Pots')];
  const cup = await product(shop, {
    name: 'Blue cup',
    vendor: 'A',
    tags: ['new'],
    price: 5,
    regular_price: 6,
    category_ids: ids,
    stock: 2,
    attributes: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`n${n}`, 'x'])),
  });
  const headers = { 'x-catalog-version': cup.headers.get('x-catalog-version') ?? '' };
  const filters = `price_min=1&price_max=9&in_stock=true&stock=low&on_sale=true&type=simple&vendor=a&tag=new&attr.n1=x&attr.n2=x&category_id=${ids}`;
  const facets = Array.from({ length: 10 }, (_, n) => `attr.n${n}`).join();
  const { body } = await shop.get(`/products?${filters}&q=blue&status=all&facets=${facets}`, { headers });
  expect(body.data).toMatchObject([{ name: 'Blue cup' }]);
  expect(body.meta.facets['attr.n9']).toEqual([{ value: 'x', label: 'x', count: 1 }]);
  const path = `/products?${filters}&q=blue&status=all&facets=${facets}&currency=USD`;
  expect((await shop.get(path, { headers })).status).toBe(200);
});
