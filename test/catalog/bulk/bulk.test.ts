import { describe, expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { lazy } from '../../support/lazy.ts';
import { type World, world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

const product = async (shop: World, more: object = {}): Promise<number> => {
  const made = await shop.post('/products', { name: 'Mug', type: 'simple', price: 10, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
};
const read = async (shop: World, id: number, query = '') =>
  (await shop.get(`/products/${id}?status=all${query}`, NEWEST)).body;
const bulk = (shop: World, ids: number[], change: object) => shop.post('/products/bulk', { ids, change });

describe('a bulk change', () => {
  it('sets the status of several products, and counts those that were so already', async () => {
    const shop = await world();
    const ids = [await product(shop), await product(shop), await product(shop, { status: 'inactive' })];
    const done = await bulk(shop, [...ids, 999_999_999], { status: 'inactive' });
    expect([done.status, done.body]).toEqual([
      200,
      {
        updated: 2,
        unchanged: 1,
        errors: [{ id: 999_999_999, code: 'product_not_found', message: 'There is no such product.' }],
      },
    ]);
    for (const id of ids) expect((await read(shop, id)).status).toBe('inactive');
    expect(done.headers.get('x-catalog-version')).toBeTruthy();
  });

  it.each([
    [{ kind: 'set', amount: 7.5 }, 7.5, 14],
    [{ kind: 'amount', amount: -0.01 }, 9.98, 14],
    [{ kind: 'percent', percent: 5 }, 10.49, 14.7],
    [{ kind: 'percent', percent: -12.5 }, 8.74, 12.25],
    [{ kind: 'percent', percent: -100 }, 0, 0],
  ])('changes prices by %j, those of variants too', async (price, main, dollars) => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const prices = { price: 9.99, prices: { USD: 14 } };
    const simple = await product(shop, prices);
    const variant = (size: string) => ({ sku: `T-${size}`, ...prices, stock: 4, attributes: { size } });
    const tee = await product(shop, {
      name: 'Tee',
      type: 'configurable',
      variants: [variant('S'), variant('M')],
    });
    expect((await bulk(shop, [simple, tee], { price })).body).toEqual({
      updated: 2,
      unchanged: 0,
      errors: [],
    });
    for (const id of [simple, tee]) {
      expect((await read(shop, id)).price).toBe(main);
      expect((await read(shop, id, '&currency=USD')).price).toBe(dollars);
    }
    expect((await read(shop, tee)).variants).toMatchObject([
      { sku: 'T-S', price: main, stock: 4, attributes: { size: 'S' } },
      { sku: 'T-M', price: main, stock: 4 },
    ]);
  });

  it('adds and removes categories, and keeps the others', async () => {
    const shop = await world();
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map(async (name) => (await shop.post('/categories', { name })).body.id),
    );
    const id = await product(shop, { category_ids: [a, b] });
    await bulk(shop, [id], { add_category_ids: [c, a], remove_category_ids: [b] });
    const { categories } = await read(shop, id);
    expect(categories.map((one: { id: number }) => one.id)).toEqual([a, c]);
  });

  it('leaves a product that refuses the change as it is, and says why', async () => {
    const shop = await world();
    const [cheap, dear] = [await product(shop, { price: 1 }), await product(shop, { price: 20 })];
    const done = await bulk(shop, [cheap, dear], {
      price: { kind: 'amount', amount: -5 },
      status: 'inactive',
    });
    expect(done.body).toMatchObject({
      updated: 1,
      unchanged: 0,
      errors: [{ id: cheap, code: 'validation_error', errors: { price: ['would be below 0'] } }],
    });
    expect(await read(shop, cheap)).toMatchObject({ price: 1, status: 'active' });
    expect(await read(shop, dear)).toMatchObject({ price: 15, status: 'inactive' });
  });

  it('names the first 20 fields of a product that refuses the change, so that the response has a bound', async () => {
    const shop = await world();
    const variants = Array.from({ length: 25 }, (_, n) => ({
      sku: crypto.randomUUID(),
      price: 10,
      sale: { price: 8 },
      attributes: { n: String(n) },
    }));
    const id = await product(shop, { type: 'configurable', variants });
    const change = { price: { kind: 'set', amount: 5 } };
    const { body } = await shop.post('/products/bulk', { ids: [id], change });
    expect(body).toMatchObject({ updated: 0, errors: [{ id, code: 'validation_error' }] });
    const fields = Object.keys(body.errors[0].errors);
    expect([fields.length, fields[0], fields[19]]).toEqual([
      20,
      'variants.0.sale.price',
      'variants.19.sale.price',
    ]);
  });

  it('is done once for an Idempotency-Key', async () => {
    const shop = await world();
    const id = await product(shop);
    const twice = { ids: [id], change: { price: { kind: 'percent', percent: 10 } } };
    const once = { headers: { 'idempotency-key': 'k1' } };
    const answers = [
      await shop.post('/products/bulk', twice, once),
      await shop.post('/products/bulk', twice, once),
    ];
    expect(answers.map(({ body }) => body.updated)).toEqual([1, 1]);
    expect((await read(shop, id)).price).toBe(11);
  });

  it('reports an event for each changed product, and is found by search and filters', async () => {
    const shop = await world();
    const ids = [await product(shop), await product(shop)];
    const receiver = new Receiver();
    await subscribe(shop, receiver.url, ['product.updated']);
    await bulk(shop, ids, { price: { kind: 'set', amount: 3 } });
    await until(() => {
      const changes = receiver.received
        .map(({ body }) => JSON.parse(body).data)
        .filter(({ changed }) => changed.includes('price'));
      expect(changes).toHaveLength(ids.length);
      expect(new Set(changes.map(({ id }) => id))).toEqual(new Set(ids));
    });
    expect((await shop.get('/products?price_max=4', NEWEST)).body.meta.total).toBe(2);
  });

  it('touches no other tenant', async () => {
    const [shop, other] = [await world(), await world()];
    const id = await product(other);
    expect((await bulk(shop, [id], { status: 'inactive' })).body.errors).toMatchObject([
      { id, code: 'product_not_found' },
    ]);
    expect((await read(other, id)).status).toBe('active');
    const category = (await other.post('/categories', { name: 'A' })).body.id;
    const refused = await bulk(shop, [await product(shop)], { add_category_ids: [category] });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['change.add_category_ids']]);
  });

  it.each([
    [{ ids: [], change: { status: 'active' } }, 'ids'],
    [{ ids: [1, 1], change: { status: 'active' } }, 'ids'],
    [{ ids: Array.from({ length: 101 }, (_, n) => n + 1), change: { status: 'active' } }, 'ids'],
    [{ ids: [1], change: {} }, 'change'],
    [{ ids: [1], change: { status: 'gone' } }, 'change.status'],
    [{ ids: [1], change: { status: 'active', name: 'X' } }, 'change.name'],
    [{ ids: [1], change: { price: { kind: 'percent', percent: -101 } } }, 'change.price.percent'],
    [{ ids: [1], change: { price: { kind: 'set', amount: -1 } } }, 'change.price.amount'],
    [{ ids: [1], change: { add_category_ids: [] } }, 'change.add_category_ids'],
  ])('refuses %j by name', async (body, field) => {
    const shop = await untouched();
    const refused = await shop.post('/products/bulk', body);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  });
});

describe('a bulk change of categories', () => {
  it('leaves a product as it is that would have more than 100 categories', async () => {
    const shop = await world();
    const ids = await Promise.all(
      Array.from(
        { length: 101 },
        async (_, n) => (await shop.post('/categories', { name: `C${n}` })).body.id,
      ),
    );
    const [first, ...others] = ids;
    const full = await product(shop, { category_ids: others });
    const free = await product(shop);
    const done = await bulk(shop, [full, free], { add_category_ids: [first] });
    expect(done.body).toMatchObject({
      updated: 1,
      errors: [{ id: full, code: 'validation_error', errors: { category_ids: [expect.any(String)] } }],
    });
    const stored = await read(shop, full);
    expect(stored.categories).toHaveLength(100);
    const swapped = await bulk(shop, [full], { add_category_ids: [first], remove_category_ids: [others[0]] });
    expect(swapped.body).toMatchObject({ updated: 1, errors: [] });
  });
});

describe('the filter by stock', () => {
  it('finds what is low or out, by the whole product', async () => {
    const shop = await world();
    const names = async (query: string) =>
      (await shop.get(`/products?sort=name_asc&${query}`, NEWEST)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    await product(shop, { name: 'Low', stock: 5 });
    await product(shop, { name: 'Many', stock: 6 });
    await product(shop, { name: 'None', stock: 0 });
    await product(shop, { name: 'Untracked', stock: 0, inventory_policy: 'untracked' });
    const variant = (size: string, stock: number) => ({
      sku: `V-${size}`,
      price: 5,
      stock,
      attributes: { size },
    });
    await product(shop, {
      name: 'Partly',
      type: 'configurable',
      variants: [variant('S', 0), variant('M', 9)],
    });
    await product(shop, { name: 'Sold out', type: 'configurable', variants: [variant('L', 0)] });
    expect(await names('stock=low')).toEqual(['Low']);
    expect(await names('stock=out')).toEqual(['None', 'Sold out']);
    expect(await names('in_stock=true')).toEqual(['Low', 'Many', 'Partly', 'Untracked']);
    const refused = await shop.get('/products?stock=some');
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['stock']]);
  });
});
