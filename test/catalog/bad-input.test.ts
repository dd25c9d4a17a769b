import { expect, it } from 'vitest';
import { lazy } from '../support/lazy.ts';
import { type World, world } from '../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

const simple = { name: 'Cup', type: 'simple', price: 5 };

/** A tenant with one product, for lists of it. */
const withCup = lazy(async () => {
  const shop = await world();
  await shop.post('/products', simple);
  return shop;
});

async function refused(shop: World, path: string, body: object, field: string) {
  const answer = await shop.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  expect(answer.body.code).toBe('validation_error');
  expect(Object.keys(answer.body.errors), JSON.stringify(answer.body.errors)).toContain(field);
}

it.each([
  [{ ...simple, price: 1.999 }, 'price'],
  [{ ...simple, price: -1 }, 'price'],
  [{ ...simple, price: '5' }, 'price'],
  [{ ...simple, price: 1e300 }, 'price'],
  [{ ...simple, prices: { USD: 1 } }, 'prices.USD'],
  [{ ...simple, prices: { usd: 1 } }, 'prices.usd'],
  [{ ...simple, stock: 1.5 }, 'stock'],
  [{ ...simple, stock: -1 }, 'stock'],
  [{ ...simple, colour: 'red' }, 'colour'],
  [{ ...simple, weight: -1 }, 'weight'],
  [{ ...simple, weight: 1.5 }, 'weight'],
  [{ ...simple, weight: '5' }, 'weight'],
  [{ ...simple, weight: 10_000_001 }, 'weight'],
  [
    {
      ...simple,
      type: 'configurable',
      variants: [{ sku: 'A', price: 1, attributes: { a: 'b' }, weight: -1 }],
    },
    'variants.0.weight',
  ],
  // Later than the year 9999 in UTC, which responses can't show.
  [{ ...simple, sale: { price: 4, ends_at: '9999-12-31T23:59:59-05:00' } }, 'sale.ends_at'],
  [{ ...simple, sale: { price: 4, ends_at: 'tomorrow' } }, 'sale.ends_at'],
  [
    {
      ...simple,
      type: 'booking',
      booking: {
        timezone: 'UTC',
        slots: [{ from: '2100-01-01T10:00:00Z', to: '9999-12-31T23:59:59-05:00', capacity: 1 }],
      },
    },
    'booking.slots.0.to',
  ],
  [{ ...simple, name: ' ' }, 'name'],
  [{ ...simple, name: 'x'.repeat(256) }, 'name'],
  [{ ...simple, sku: 'x'.repeat(65) }, 'sku'],
  [{ ...simple, slug: 'No Slug' }, 'slug'],
  [{ ...simple, type: 'magic' }, 'type'],
  [{ ...simple, images: ['http://cdn.example.com/a.png'] }, 'images.0'],
  [{ ...simple, images: ['javascript:alert(1)'] }, 'images.0'],
  [{ ...simple, description: 'x'.repeat(65_536) }, 'description'],
  [{ ...simple, category_ids: [999_999] }, 'category_ids'],
  [{ ...simple, links: [] }, 'links'],
  [{ ...simple, type: 'configurable' }, 'variants'],
  [{ ...simple, type: 'configurable', variants: [{ price: 1, attributes: { a: 'b' } }] }, 'variants.0.sku'],
  [
    { ...simple, type: 'configurable', variants: [{ sku: 'A', price: 1, attributes: {} }] },
    'variants.0.attributes',
  ],
  [{ ...simple, type: 'grouped' }, 'grouped'],
  [{ ...simple, type: 'grouped', grouped: [{ product_id: 999_999 }] }, 'grouped'],
  [{ ...simple, type: 'booking', booking: { timezone: 'Mars/Base', slots: [] } }, 'booking.timezone'],
])('refuses to create %j', async (body, field) => {
  await refused(await untouched(), '/products', body, field);
});

it.each([
  'page=0',
  'page=-1',
  'page=1.5',
  'page=abc',
  'page=1e3',
  'limit=0',
  'limit=101',
  'limit=',
  'page=1&page=2',
  'sort=cheap',
  'include=reviews',
  'include=variants,reviews',
  'category_id=x',
  'currency=euro',
  'q=',
  `q=${'x'.repeat(101)}`,
  'status=gone',
  'category_id=1,x',
  'category_id=0',
  'price_min=cheap',
  'price_min=-1',
  'price_max=1e3',
  'in_stock=false',
  'in_stock=1',
  'on_sale=yes',
  'type=simple,magic',
  'vendor=',
  'vendor=a,,b',
  'tag=a,',
  `tag=${'x'.repeat(256)}`,
  `vendor=${Array.from({ length: 21 }, (_, n) => n).join()}`,
  'attr.color=',
  'attr.=x',
  `attr.${'x'.repeat(65)}=x`,
  'attr.color=a&attr.color=b',
  `attr.color=${Array.from({ length: 21 }, (_, n) => n).join()}`,
  'attr=x',
  'colour=x',
  'facets=',
  'facets=colour',
  'facets=vendor,attr.',
  `facets=${Array.from({ length: 11 }, (_, n) => `attr.a${n}`).join()}`,
  'cursor=',
  'cursor=abc',
])('rejects the list ?%s', async (query) => {
  const shop = await untouched();
  const answer = await shop.get(`/products?${query}`);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual([query.split('=')[0]]);
});

it.each([
  ['price_min=5&price_max=4', 'price_max'],
  ['attr.color=a&attr.Color=b', 'attr.Color'],
  [Array.from({ length: 11 }, (_, n) => `attr.a${n}=x`).join('&'), 'attr.a10'],
  ['page=1&cursor=abc', 'cursor'],
])('rejects the list ?%s by the name %s', async (query, field) => {
  const answer = await (await untouched()).get(`/products?${query}`);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
});

it.each(['limit=0', 'limit=25', 'limit=x', 'currency=euro', 'page=1'])(
  'rejects the related products ?%s',
  async (query) => {
    const shop = await world();
    const { body } = await shop.post('/products', simple);
    const answer = await shop.get(`/products/${body.id}/related?${query}`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [query.split('=')[0]]]);
  },
);

it('rejects two search texts that differ', async () => {
  const shop = await world();
  const refused = await shop.get('/products?q=cup&search=mug');
  expect([refused.status, refused.body.errors]).toEqual([422, { search: ['must not be combined with q'] }]);
  expect((await shop.get('/products?q=cup&search=cup')).status).toBe(200);
});

it('names every wrong parameter, unknown ones among them', async () => {
  const shop = await world();
  const refused = await shop.get('/products?sort=wrong&unknown=1&limit=0');
  expect([refused.status, Object.keys(refused.body.errors).sort()]).toEqual([
    422,
    ['limit', 'sort', 'unknown'],
  ]);
});

it('rejects a cursor with another sort', async () => {
  const shop = await world();
  await shop.post('/products', simple);
  await shop.post('/products', { ...simple, name: 'Mug' });
  const { body } = await shop.get('/products?limit=1&sort=name_asc');
  const answer = await shop.get(`/products?limit=1&cursor=${body.meta.next_cursor}`);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['cursor']]);
});

it.each([
  '"',
  "'; DROP TABLE products; --",
  '*',
  'a NEAR b',
  '-',
  '((',
  '%',
  '_',
  '💥',
  'ı İ ß',
  '\\',
  '^a:b',
])('accepts %j as search text of the list', async (text) => {
  const shop = await withCup();
  const answer = await shop.get(`/products?q=${encodeURIComponent(text)}`);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual([]);
});

it("answers 404 for another tenant's product", async () => {
  const [mine, theirs] = [await world(), await world()];
  const made = (await theirs.post('/products', simple)).body;
  const category = (await theirs.post('/categories', { name: 'Theirs' })).body;
  expect((await mine.get(`/products/${made.id}`)).body.code).toBe('product_not_found');
  expect((await mine.patch(`/products/${made.id}`, { name: 'Mine' })).body.code).toBe('product_not_found');
  expect((await mine.delete(`/products/${made.id}`)).body.code).toBe('product_not_found');
  expect((await mine.get(`/categories/${category.id}`)).body.code).toBe('category_not_found');
  expect((await mine.patch(`/categories/${category.id}`, { name: 'Mine' })).body.code).toBe(
    'category_not_found',
  );
  expect((await mine.delete(`/categories/${category.id}`)).body.code).toBe('category_not_found');
  await refused(mine, '/products', { ...simple, category_ids: [category.id] }, 'category_ids');
  await refused(
    mine,
    '/products',
    { ...simple, type: 'grouped', grouped: [{ product_id: made.id }] },
    'grouped',
  );
  await refused(mine, '/categories', { name: 'Mine', parent_id: category.id }, 'parent_id');
  const own = (await mine.post('/categories', { name: 'Mine' })).body;
  const moved = await mine.patch(`/categories/${own.id}`, { parent_id: category.id });
  expect([moved.status, Object.keys(moved.body.errors ?? {})]).toEqual([422, ['parent_id']]);
  await refused(mine, '/inventory/adjustments', { items: [{ sku: made.sku, delta: 1 }] }, 'items.0.sku');
  expect((await mine.get(`/products?category_id=${category.id}`)).body.meta.total).toBe(0);
  expect((await theirs.get(`/products/${made.id}`)).body).toMatchObject({ name: 'Cup' });
});

it('shows inactive products only to applications that may write the catalogue', async () => {
  const shop = await world();
  const made = (await shop.post('/products', { ...simple, status: 'inactive' })).body;
  const reader = (await shop.register()).token;
  expect((await shop.get(`/products/${made.id}`)).status).toBe(404);
  expect((await shop.get(`/products/${made.id}?status=all`)).body.status).toBe('inactive');
  const asked = await shop.get('/products?status=all', { token: reader });
  expect(asked.body).toMatchObject({
    code: 'insufficient_scope',
    details: { required_scope: 'catalog:write' },
  });
});

it('keeps categories a tree of at most five levels', async () => {
  const shop = await world();
  let parent: number | null = null;
  const ids: number[] = [];
  for (let level = 1; level <= 5; level++) {
    const made = await shop.post('/categories', { name: `Level ${level}`, parent_id: parent });
    expect(made.status).toBe(201);
    parent = made.body.id;
    ids.push(made.body.id);
  }
  await refused(shop, '/categories', { name: 'Level 6', parent_id: parent }, 'parent_id');
  const circle = await shop.patch(`/categories/${ids[0]}`, { parent_id: ids[3] });
  expect(circle.body.errors).toHaveProperty('parent_id');
  const itself = await shop.patch(`/categories/${ids[0]}`, { parent_id: ids[0] });
  expect(itself.body.errors).toHaveProperty('parent_id');
  const { body: namesake } = await shop.post('/categories', { name: 'Level 1' });
  expect(namesake.slug).toBe(`level-1-${namesake.id}`);
  expect((await shop.post('/categories', { name: 'x', slug: 'level-1' })).body.code).toBe('slug_taken');
});

it('stores 4-byte characters and HTML as written', async () => {
  const shop = await world();
  const made = await shop.post('/products', {
    ...simple,
    name: 'Cup 💙 𝒳',
    description: '<b onclick="x()">&amp;</b>',
  });
  expect(made.body).toMatchObject({ name: 'Cup 💙 𝒳', description: '<b onclick="x()">&amp;</b>' });
});
