import { afterEach, describe, expect, it, vi } from 'vitest';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { fetchWith, interceptBindings, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { createPosters } from '../../support/fixtures/catalog/large-products.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { instant, ringSales, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { lazy } from '../../support/lazy.ts';
import { type World, world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

afterEach(() => vi.restoreAllMocks());

const create = async (shop: World, body: object) => {
  const made = await shop.post('/products', body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
};
const mug = (shop: World, more: object = {}) =>
  create(shop, { name: 'Mug', sku: 'MUG', type: 'simple', price: 10, stock: 3, ...more });
const tee = (shop: World, more: object = {}) => {
  const variant = (size: string) => ({
    sku: `T-${size}`,
    price: 20,
    stock: 4,
    attributes: { size },
    ...more,
  });
  return create(shop, {
    name: 'Tee',
    sku: 'T',
    type: 'configurable',
    price: 0,
    variants: ['S', 'M'].map(variant),
  });
};
const set = (shop: World, items: readonly object[], options = {}) =>
  shop.post('/products/prices', { items }, options);
const read = async (shop: World, { id }: { id: number }, query = '') =>
  (await shop.get(`/products/${id}?status=all${query}`, NEWEST)).body;

describe('prices by SKU', () => {
  it('are regular prices of variants too', async () => {
    const shop = await world();
    const shirt = await tee(shop);
    expect((await set(shop, [{ sku: 'T-M', regular_price: 30 }])).status).toBe(200);
    const [small, medium] = [
      { price: 20, regular_price: null, on_sale: false },
      { price: 20, regular_price: 30, on_sale: true },
    ];
    expect((await read(shop, shirt)).variants).toMatchObject([small, medium]);
    expect((await set(shop, [{ sku: 'T-S', price: 19 }])).status).toBe(200);
    expect((await read(shop, shirt)).variants).toMatchObject([{ ...small, price: 19 }, medium]);
    const dear = await set(shop, [{ sku: 'T-M', price: 31 }]);
    expect([dear.status, dear.body.errors]).toEqual([
      422,
      { 'items.0.regular_price': ['must not be below the price'] },
    ]);
    expect((await set(shop, [{ sku: 'T-M', price: 31, regular_price: null }])).status).toBe(200);
    expect((await read(shop, shirt)).variants[1]).toMatchObject({ price: 31, regular_price: null });
  });

  it('are set for products and variants at once; what an item leaves out stays', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const [cup, shirt] = [await mug(shop, { prices: { USD: 14 }, tags: ['a'] }), await tee(shop)];
    const done = await set(shop, [
      { sku: 'T-M', price: 25, sale: { price: 22.5 } },
      { sku: 'MUG', price: 9.5, regular_price: 12 },
    ]);
    expect([done.status, done.body]).toEqual([
      200,
      {
        data: [
          { sku: 'T-M', product_id: shirt.id, variant_id: shirt.variants[1].id, price: 25 },
          { sku: 'MUG', product_id: cup.id, variant_id: null, price: 9.5 },
        ],
      },
    ]);
    expect(await read(shop, cup)).toMatchObject({
      price: 9.5,
      regular_price: 12,
      prices: { USD: 14 },
      stock: 3,
      tags: ['a'],
    });
    expect(await read(shop, shirt)).toMatchObject({
      price: 20,
      price_range: { min: 20, max: 22.5 },
      variants: [
        { ...shirt.variants[0], price: 20 },
        { price: 22.5, regular_price: 25, on_sale: true, stock: 4, attributes: { size: 'M' } },
      ],
    });
    await set(shop, [
      { sku: 'T-M', sale: null },
      { sku: 'MUG', prices: { USD: 15 } },
    ]);
    expect((await read(shop, shirt)).variants[1]).toMatchObject({ price: 25, sale: null, on_sale: false });
    expect(await read(shop, cup, '&currency=USD')).toMatchObject({ price: 15 });
    expect((await read(shop, cup)).price).toBe(9.5);
  });

  it('raise one event for each product that changes, move the version once, and are found at once', async () => {
    const shop = await world();
    const [cup, shirt] = [await mug(shop), await tee(shop)];
    const before = (await eventsOfType(shop, 'product.updated')).length;
    const done = await set(shop, [
      { sku: 'MUG', price: 10 },
      { sku: 'T-S', price: 31 },
      { sku: 'T-M', price: 30 },
    ]);
    const events = (await eventsOfType(shop, 'product.updated')).slice(before);
    expect(events.map(({ id, changed }) => [id, changed])).toEqual([[shirt.id, ['price', 'variants']]]);
    const version = done.headers.get('x-catalog-version') ?? '';
    const options = { headers: { 'x-catalog-version': version } };
    const dear = (await shop.get('/products?price_min=30', options)).body.data;
    expect(dear.map(({ id }: { id: number }) => id)).toEqual([shirt.id]);
    const line = { product_id: shirt.id, variant_id: shirt.variants[0].id, quantity: 1 };
    expect((await shop.post('/cart/items', line)).body.items[0].unit_price).toBe(31);
    const again = await set(shop, [{ sku: 'MUG', price: 10 }]);
    expect([again.status, again.headers.get('x-catalog-version')]).toEqual([200, null]);
    expect(again.body.data).toEqual([{ sku: 'MUG', product_id: cup.id, variant_id: null, price: 10 }]);
  });

  it('begin a sale that is scheduled', async () => {
    const shop = await world();
    const shirt = await tee(shop);
    const [starts, ends] = [now() + HOUR, now() + 2 * HOUR];
    await set(shop, [
      { sku: 'T-S', sale: { price: 15, starts_at: instant(starts), ends_at: instant(ends) } },
    ]);
    expect(await read(shop, shirt)).toMatchObject({
      price: 20,
      variants: [{ price: 20, sale: { price: 15, starts_at: instant(starts) } }, { sale: null }],
    });
    stopClockAt(starts);
    expect(await ringSales(shop)).toBe(true);
    expect(await read(shop, shirt)).toMatchObject({ price: 15, variants: [{ price: 15 }, { price: 20 }] });
  });

  it('are set once for an Idempotency-Key', async () => {
    const shop = await world();
    const cup = await mug(shop);
    const key = { headers: { 'idempotency-key': 'prices-1' } };
    const first = await set(shop, [{ sku: 'MUG', price: 11 }], key);
    await set(shop, [{ sku: 'MUG', price: 12 }]);
    const retried = await set(shop, [{ sku: 'MUG', price: 11 }], key);
    expect(retried.body).toEqual(first.body);
    expect((await read(shop, cup)).price).toBe(12);
    expect((await set(shop, [{ sku: 'MUG', price: 13 }], key)).status).toBe(422);
  });

  it('all come through beside other writes of the same products', async () => {
    const shop = await world();
    const shirt = await tee(shop);
    const done = await Promise.all([
      set(shop, [{ sku: 'T-S', price: 21 }]),
      set(shop, [{ sku: 'T-M', price: 22 }]),
      shop.patch(`/products/${shirt.id}`, { name: 'Shirt' }),
    ]);
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(shop, shirt)).toMatchObject({
      name: 'Shirt',
      variants: [{ price: 21 }, { price: 22 }],
    });
  });

  it('are of the product that has the SKU by then', async () => {
    const shop = await world();
    const [old, renewed] = [await mug(shop), await mug(shop, { sku: 'MUG-2' })];
    const shirt = await tee(shop);
    const [first, second] = shirt.variants.map(({ id, price, attributes }: Record<string, unknown>) => ({
      id,
      price,
      attributes,
    }));
    const exchangeSkus = async () => {
      await shop.patch(`/products/${old.id}`, { sku: 'MUG-1' });
      await shop.patch(`/products/${renewed.id}`, { sku: 'MUG' });
      const variants = [
        { ...first, sku: 'T-M' },
        { ...second, sku: 'T-S' },
      ];
      expect((await shop.patch(`/products/${shirt.id}`, { variants })).status).toBe(200);
    };
    let reads = 0;
    const racing = interceptBindings(MAIN_DATABASES, (name, call) => {
      if (!/\.(all|raw|batch)$/.test(name)) return call();
      return Promise.resolve(call()).then(async (done) => {
        if (++reads === 1) await exchangeSkus();
        return done;
      });
    });
    const items = [
      { sku: 'MUG', price: 99 },
      { sku: 'T-S', price: 88 },
    ];
    const done = await fetchWith(racing, 'POST', '/v1/products/prices', shop.token, {
      body: JSON.stringify({ items }),
      headers: { 'content-type': 'application/json' },
    });
    expect([done.status, reads > 1]).toEqual([200, true]);
    expect((await read(shop, old)).price).toBe(10);
    expect((await read(shop, renewed)).price).toBe(99);
    expect((await read(shop, shirt)).variants).toMatchObject([{ price: 20 }, { price: 88 }]);
  });
});

describe('prices that are refused', () => {
  it('name each item, and change none', async () => {
    const shop = await world();
    const cup = await mug(shop, { regular_price: 12 });
    const shirt = await tee(shop, { sale: { price: 15 } });
    await create(shop, {
      name: 'Set',
      sku: 'SET',
      type: 'grouped',
      price: 0,
      grouped: [{ product_id: cup.id }],
    });
    for (const [items, errors] of [
      [[{ sku: 'NONE', price: 1 }], { 'items.1.sku': ['must be a SKU of this catalogue'] }],
      [[{ sku: 'MUG', price: 1 }], { 'items.1.sku': ['must not be repeated'] }],
      [
        [
          { sku: 'T', price: 1 },
          { sku: 'SET', price: 1 },
        ],
        { 'items.1.sku': expect.anything(), 'items.2.sku': expect.anything() },
      ],
      [[{ sku: 'T-S', regular_price: 19 }], { 'items.1.regular_price': ['must not be below the price'] }],
      [[{ sku: 'T-S', price: 1.001, sale: null }], { 'items.1.price': expect.anything() }],
      [
        [{ sku: 'T-S', prices: { USD: 1 } }],
        { 'items.1.prices.USD': ["must be one of the tenant's currencies"] },
      ],
      [[{ sku: 'T-S', price: 14 }], { 'items.1.sale.price': ['must be below the ordinary price'] }],
    ] as const) {
      const refused = await set(shop, [{ sku: 'MUG', price: 11 }, ...items]);
      expect([refused.status, Object.keys(refused.body.errors)], JSON.stringify(items)).toEqual([
        422,
        Object.keys(errors),
      ]);
      expect(refused.body.errors).toMatchObject(errors);
    }
    const regular = await set(shop, [{ sku: 'MUG', price: 13 }]);
    expect([regular.status, regular.body.errors]).toEqual([
      422,
      { 'items.0.regular_price': ['must not be below the price'] },
    ]);
    expect((await read(shop, cup)).price).toBe(10);
    expect((await read(shop, shirt)).variants).toMatchObject([{ price: 15 }, { price: 15 }]);
  });

  it("name the item for the regular price of the variant's product", async () => {
    const shop = await world();
    const { id } = await tee(shop);
    await shop.patch(`/products/${id}`, { regular_price: 25 });
    const refused = await set(shop, [
      { sku: 'T-S', price: 30 },
      { sku: 'T-M', price: 30 },
    ]);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { 'items.0.price': ['regular_price of the product must not be below the price'] },
    ]);
  });

  it("are another tenant's, or of a product that is gone", async () => {
    const [shop, other] = [await world(), await world()];
    const cup = await mug(other);
    const { id } = await mug(shop, { sku: 'GONE' });
    await shop.delete(`/products/${id}`);
    for (const sku of ['MUG', 'GONE']) {
      const refused = await set(shop, [{ sku, price: 1 }]);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['items.0.sku']]);
    }
    expect((await read(other, cup)).price).toBe(10);
  });

  it('are of products that are too large together', async () => {
    const shop = await world();
    const ids = await createPosters(shop, 24);
    const refused = await set(
      shop,
      ids.map((_, n) => ({ sku: `poster-${n}`, price: 7 })),
    );
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['items']]);
  });

  it.each([
    [{ items: [] }, 'items'],
    [{ items: Array.from({ length: 101 }, (_, n) => ({ sku: `${n}`, price: 1 })) }, 'items'],
    [{ items: [{ sku: 'MUG' }] }, 'items.0.price'],
    [{ items: [{ sku: '', price: 1 }] }, 'items.0.sku'],
    [{ items: [{ price: 1 }] }, 'items.0.sku'],
    [{ items: [{ sku: 'MUG', price: -1 }] }, 'items.0.price'],
    [{ items: [{ sku: 'MUG', price: '9' }] }, 'items.0.price'],
    [{ items: [{ sku: 'MUG', price: 1, stock: 1 }] }, 'items.0.stock'],
    [{ items: [{ sku: 'MUG', sale: {} }] }, 'items.0.sale.price'],
  ])('are %j', async (body, field) => {
    const refused = await (await untouched()).post('/products/prices', body);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  });
});
