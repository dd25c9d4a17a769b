import { expect, it } from 'vitest';
import { NEWEST, seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { type World, world } from '../../support/world.ts';

const make = async (shop: World, body: object) => {
  const made = await shop.post('/products', body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made;
};

it('creates a simple product and shows it in detail and in the list', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const made = await make(shop, {
    name: 'Blue Shirt',
    type: 'simple',
    price: 19.9,
    prices: { USD: 21.5 },
    stock: 7,
    regular_price: 25,
    images: ['https://cdn.example.com/a.jpg'],
    tags: ['summer'],
    seo: { title: 'Shirt' },
  });
  expect(made.body).toMatchObject({
    slug: 'blue-shirt',
    sku: 'blue-shirt',
    price: 19.9,
    stock: 7,
    currency: 'EUR',
  });
  const seen = seeing(made);

  const detail = await shop.get(`/products/${made.body.id}`, seen);
  expect(detail.body).toEqual(made.body);
  const inDollars = await shop.get(`/products/${made.body.id}?currency=USD`, seen);
  expect(inDollars.body).toMatchObject({ price: 21.5, currency: 'USD' });
  expect(inDollars.body.regular_price).toBeNull();

  const list = await shop.get('/products', seen);
  expect(list.body.meta).toEqual({ page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null });
  expect(list.body.data[0]).toMatchObject({ id: made.body.id, images: ['https://cdn.example.com/a.jpg'] });
  expect((await shop.get('/products?page=2', seen)).body.data).toEqual([]);
});

it('creates a configurable product whose price and stock follow from its variants', async () => {
  const shop = await world();
  const variant = (size: string, price: number, stock: number) => ({
    sku: `TEE-${size}`,
    price,
    stock,
    attributes: { size },
  });
  const made = await make(shop, {
    name: 'Tee',
    type: 'configurable',
    price: 1,
    variants: [variant('S', 12, 3), variant('M', 10, 4)],
  });
  expect(made.body).toMatchObject({ price: 10, stock: 7 });
  const [small, medium] = made.body.variants;
  expect(new Set([made.body.id, small.id, medium.id]).size).toBe(3);

  const patched = await shop.patch(`/products/${made.body.id}`, {
    variants: [{ ...variant('S', 9, 5), id: small.id, sku: 'TEE-M' }, variant('L', 14, 1)],
  });
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  expect(patched.body).toMatchObject({ price: 9, stock: 6 });
  expect(patched.body.variants.map((v: { sku: string }) => v.sku)).toEqual(['TEE-M', 'TEE-L']);
  expect(patched.body.variants[0].id).toBe(small.id);
});

it('accepts a new variant under the SKU of a renamed one, and no variant twice', async () => {
  const shop = await world();
  const variant = (sku: string, size: string) => ({ sku, price: 9, stock: 1, attributes: { size } });
  const tee = { name: 'Tee', type: 'configurable', price: 1, variants: [variant('OLD', 'S')] };
  const { id, variants } = (await make(shop, tee)).body;
  const [small] = variants;
  const renamed = await shop.patch(`/products/${id}`, {
    variants: [{ ...variant('NEW', 'S'), id: small.id }, variant('OLD', 'M')],
  });
  expect(renamed.body.variants).toMatchObject([
    { id: small.id, sku: 'NEW', attributes: { size: 'S' } },
    { sku: 'OLD', attributes: { size: 'M' } },
  ]);
  const twice = await shop.patch(`/products/${id}`, {
    variants: ['S', 'M'].map((size) => ({ ...variant(size, size), id: small.id })),
  });
  expect(twice.status).toBe(422);
  expect(Object.keys(twice.body.errors)).toEqual(['variants.1.id']);
});

it.each([
  ['急須', '常滑焼の急須セット'],
  ['葉', '宇治茶の葉'],
  ['ยืด', 'เสื้อยืดสีดำ'],
  ['이어폰', '무선이어폰'],
  ['15', 'آيفون ١٥'],
  ['قهوه', 'قهوة'],
])('lists by a word within text without spaces, and in its other spelling: %s finds %s', async (q, name) => {
  const shop = await world();
  await make(shop, { name: 'Teapot', type: 'simple', price: 10 });
  const made = await make(shop, { name, sku: 'P-2', type: 'simple', price: 10 });
  for (const more of ['', '&status=all', '&type=simple&facets=type']) {
    const found = await shop.get(`/products?q=${encodeURIComponent(q)}${more}`, seeing(made));
    expect(
      found.body.data.map((item: { name: string }) => item.name),
      more,
    ).toEqual([name]);
  }
  const both = await shop.get(`/products?q=${encodeURIComponent(`${q} p-2`)}`, seeing(made));
  expect(both.body.meta.total).toBe(1);
  const other = await shop.get(`/products?q=${encodeURIComponent(`${q} teapot`)}`, seeing(made));
  expect(other.body.meta.total).toBe(0);
});

it('lists by category, sort, search text and currency', async () => {
  const shop = await world({ currencies: ['EUR', 'JPY'] });
  const tops = (await shop.post('/categories', { name: 'Tops' })).body;
  const shirts = (await shop.post('/categories', { name: 'Shirts', parent_id: tops.id })).body;
  await make(shop, { name: 'Çay Shirt', type: 'simple', price: 30, category_ids: [shirts.id] });
  await make(shop, {
    name: 'Alpha',
    type: 'simple',
    price: 10,
    category_ids: [tops.id],
    prices: { JPY: 900 },
  });
  const last = await make(shop, { name: 'Beta', type: 'virtual', price: 20, status: 'inactive' });
  const seen = seeing(last);
  const names = async (query: string) => {
    const answer = await shop.get(`/products?${query}`, seen);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.meta.total).toBe(answer.body.data.length);
    return answer.body.data.map((item: { name: string }) => item.name);
  };
  expect(await names('')).toEqual(['Alpha', 'Çay Shirt']);
  expect(await names('sort=price_desc')).toEqual(['Çay Shirt', 'Alpha']);
  expect(await names('sort=name_asc&status=all')).toEqual(['Alpha', 'Beta', 'Çay Shirt']);
  expect(await names(`category_id=${tops.id}`)).toEqual(['Alpha', 'Çay Shirt']);
  expect(await names(`category_id=${shirts.id}`)).toEqual(['Çay Shirt']);
  expect(await names('q=shi+cay')).toEqual(['Çay Shirt']);
  expect(await names('q=hirt')).toEqual([]);
  const many = Array.from({ length: 40 }, (_, n) => `w${n}`).join('+');
  expect(await names(`status=all&q=${many.slice(0, 100)}`)).toEqual([]);
  expect(await names(`status=all&q=${'cay+s+sh+shi+shir+shirt+c+ca+'.repeat(3)}`)).toEqual(['Çay Shirt']);
  expect(await names('q=%22*')).toEqual([]);
  expect(await names('currency=JPY')).toEqual(['Alpha']);
  const included = await shop.get('/products?include=categories,variants', seen);
  expect(included.body.data[1].categories[0].name).toBe('Shirts');

  await shop.patch(`/categories/${shirts.id}`, { parent_id: null });
  const moved = await shop.delete(`/categories/${tops.id}`);
  expect(moved.status).toBe(204);
  const after = seeing(moved);
  const tree = await shop.get('/categories', after);
  expect(tree.body.data.map((c: { name: string }) => c.name)).toEqual(['Shirts']);
  expect((await shop.get(`/products?category_id=${shirts.id}`, after)).body.meta.total).toBe(1);
  expect((await shop.get('/products', after)).body.meta.total).toBe(2);
});

it('creates grouped, bundled, downloadable and booking products', async () => {
  const shop = await world();
  const a = (await make(shop, { name: 'Cup', type: 'simple', price: 5, stock: 10 })).body;
  const b = (await make(shop, { name: 'Plate', type: 'simple', price: 8, stock: 4 })).body;
  const set = await make(shop, {
    name: 'Set',
    type: 'grouped',
    price: 0,
    grouped: [{ product_id: a.id }, { product_id: b.id, default_quantity: 2 }],
  });
  expect(set.body.stock).toBe(14);
  const bundle = await make(shop, {
    name: 'Breakfast',
    type: 'bundled',
    price: 13,
    bundle_groups: [
      { title: 'Cup', items: [{ product_id: a.id, quantity: 2 }] },
      { title: 'Plate', items: [{ product_id: b.id }] },
    ],
  });
  expect(bundle.body.stock).toBe(4);
  const file = await make(shop, {
    name: 'Book',
    type: 'downloadable',
    price: 3,
    links: [{ title: 'PDF', price: 1, url: 'https://files.example.com/a.pdf' }],
  });
  expect(JSON.stringify(file.body)).not.toContain('files.example.com');
  const from = new Date(Date.now() + 86_400_000).toISOString();
  const to = new Date(Date.now() + 90_000_000).toISOString();
  const booking = await make(shop, {
    name: 'Tour',
    type: 'booking',
    price: 40,
    booking: { timezone: 'Europe/Berlin', slots: [{ from, to, capacity: 12 }] },
  });
  expect(booking.body).toMatchObject({ stock: 12, booking: { timezone: 'Europe/Berlin' } });

  const adjusted = await shop.post('/inventory/adjustments', {
    items: [{ sku: 'cup', stock: 2, reason: 'count' }],
  });
  expect(adjusted.body.data).toEqual([{ sku: 'cup', product_id: a.id, variant_id: null, stock: 2 }]);
  expect((await shop.get(`/products/${bundle.body.id}`, NEWEST)).body.stock).toBe(1);
  expect((await shop.get(`/products/${set.body.id}`, NEWEST)).body.stock).toBe(6);
});

it('makes a taken slug unique so that a request may send it back', async () => {
  const shop = await world();
  const body = { name: `${'a'.repeat(47)} long name`, type: 'simple', price: 1 };
  await make(shop, body);
  const { body: second } = await make(shop, body);
  const again = await shop.patch(`/products/${second.id}`, { slug: second.slug });
  expect([again.status, again.body.slug]).toEqual([200, second.slug]);
});

it.each(['スーパーカー', 'हिन्दी किताब', 'น้ำปลา', 'Чорний чай', 'شاي أخضر'])(
  'takes back the slug of "%s"',
  async (name) => {
    const shop = await world();
    for (const path of ['/products', '/categories']) {
      const { body: made } = await shop.post(path, {
        name,
        ...(path === '/products' && { type: 'simple', price: 1 }),
      });
      expect(made.slug).toBe(name.toLowerCase().replaceAll(' ', '-'));
      const again = await shop.patch(`${path}/${made.id}`, { slug: made.slug });
      expect([again.status, again.body.slug]).toEqual([200, made.slug]);
      const found = await shop.get(`${path}/slug/${encodeURIComponent(made.slug)}`, seeing(again));
      expect([found.status, found.body.id]).toEqual([200, made.id]);
    }
  },
);

it('deletes a product and frees its SKU and slug', async () => {
  const shop = await world();
  const made = await make(shop, { name: 'Once', type: 'simple', price: 1 });
  expect(
    (await shop.post('/products', { name: 'Twice', type: 'simple', price: 1, sku: 'once' })).body.code,
  ).toBe('sku_taken');
  expect(
    (await shop.post('/products', { name: 'Twice', type: 'simple', price: 1, slug: 'once' })).body.code,
  ).toBe('slug_taken');
  const again = await make(shop, { name: 'Once', type: 'simple', price: 1 });
  expect(again.body.slug).toMatch(/^once-\d+$/);
  const gone = await shop.delete(`/products/${made.body.id}`);
  expect(gone.status).toBe(204);
  const seen = seeing(gone);
  expect((await shop.get(`/products/${made.body.id}`, seen)).status).toBe(404);
  expect((await shop.get('/products', seen)).body.meta.total).toBe(1);
  await make(shop, { name: 'Third', type: 'simple', price: 1, sku: 'once', slug: 'once' });
});

it('shows a stock that was set with the version of the write, and warns in carts that have more', async () => {
  const shop = await world();
  const cup = await stockedProduct(shop, { stock: 9 });
  const { cart_token } = (await addToCart(shop, cup, { quantity: 4 })).body;
  const reads = [`/products/${cup.body.id}`, '/products'];
  for (const stock of [8, 3]) {
    for (const read of reads) await shop.get(read, seeing(cup));
    const set = await shop.patch(`/products/${cup.body.id}`, { stock });
    const [one, list] = [
      await shop.get(reads[0] ?? '', seeing(set)),
      await shop.get('/products', seeing(set)),
    ];
    expect([set.body.stock, one.body.stock, list.body.data[0].stock]).toEqual([stock, stock, stock]);
    const warnings = (await shop.get(`/cart/${cart_token}`, seeing(set))).body.warnings;
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(stock < 4 ? ['not_enough_stock'] : []);
    const more = await tryAddToCart(shop, set, { quantity: stock + 1 });
    expect([more.status, more.body.details?.available]).toEqual([409, stock]);
  }
});
