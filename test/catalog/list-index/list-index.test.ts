import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_CHANGES_PER_READ } from '../../../src/catalog/list-index/changes/read-changes.ts';
import { listByIndex } from '../../../src/catalog/reads/list-filtered.ts';
import { listProducts } from '../../../src/catalog/reads/list-products.ts';
import { NEWEST } from '../../../src/kernel/cache/versioned-cache.ts';
import { database } from '../../../src/kernel/data/database.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import { askNewest, askWord, buildIndex, indexOf } from '../../support/fixtures/catalog/list-index.ts';
import { createProduct, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { fill, listFromDatabase, QUERY, readList } from './filtered-list.ts';

let shop: World;

beforeEach(async () => {
  shop = await world();
});
afterEach(() => vi.restoreAllMocks());

it('answers from few rows, however many products match', async () => {
  await fill(shop, 300);
  await buildIndex(shop);
  const version = Number(await catalogVersion(shop));
  let found: unknown;
  const { read: rows } = await measureDatabase(async () => {
    found = await readList(shop, env, version);
  });
  expect(found).toEqual(await listFromDatabase(shop));
  expect(rows).toBeLessThan(100);
  const one = await measureDatabase(() => listFromDatabase(shop));
  expect(one.read).toBeGreaterThan(1_000);
});

it('follows whether groups and bundles can be sold in another currency', async () => {
  const own = await world({ currencies: ['EUR', 'USD'] });
  const prices = { USD: 6 };
  const simple = { type: 'simple', price: 5, stock: 3 };
  const [inEur, inBoth] = await Promise.all([
    own.post('/products', { ...simple, name: 'Cup' }),
    own.post('/products', { ...simple, name: 'Pot', sku: 'pot', prices }),
  ]);
  const items = [inEur, inBoth].map(({ body }) => ({ product_id: body.id }));
  const both = { price: 5, prices, tags: ['red'] };
  await own.post('/products', { ...both, name: 'Group', type: 'grouped', grouped: items });
  await own.post('/products', {
    ...both,
    name: 'Set',
    type: 'bundled',
    bundle_groups: [{ title: 'G', items }],
  });
  await buildIndex(own);
  const query = { ...QUERY, currency: 'USD', sort: 'name_asc' } as const;
  const listed = async () => {
    const context = { ...contextOf(own), env };
    const found = await listByIndex(context, { ...query, text: null }, NEWEST);
    expect(found?.filled).toEqual(await listProducts(contextOf(own), query));
    const answer = found?.filled.answer;
    return answer?.ok ? JSON.stringify(answer.value).match(/"name":"(?:Group|Set)"/g) : null;
  };
  const all = ['"name":"Group"', '"name":"Set"'];
  expect(await listed()).toEqual(all);
  // In EUR, the bundle has as many as before.
  await own.post('/inventory/adjustments', { items: [{ sku: 'pot', stock: 0 }] });
  expect(await listed()).toBeNull();
  await own.patch(`/products/${inEur.body.id}`, { prices });
  expect(await listed()).toEqual(all);
});

it('follows all groups of a member, of which one read of changes has some only', async () => {
  const own = await world({ currencies: ['EUR', 'USD'] });
  const prices = { USD: 6 };
  const cup = await createProduct(own, { price: 5, stock: 3 });
  const grouped = [{ product_id: cup.body.id }];
  const group = { type: 'grouped', price: 5, prices, grouped, tags: ['red'] };
  const numbers = [...Array(MAX_CHANGES_PER_READ + 20).keys()];
  await Promise.all(numbers.map((n) => createProduct(own, { ...group, name: `Group ${n}` })));
  await buildIndex(own);
  const query = {
    ...QUERY,
    filters: { ...QUERY.filters, inStock: true },
    currency: 'USD',
    limit: 1,
  } as const;
  const total = async () => {
    const found = await listByIndex({ ...contextOf(own), env }, { ...query, text: null }, NEWEST);
    return JSON.stringify(found?.filled).match(/"total":\d+/)?.[0];
  };
  expect(await total()).toBe('"total":0');
  await patchProduct(own, cup, { prices });
  expect(await total()).toBe(`"total":${numbers.length}`);
});

it('reads changes and the rows of the page in one round trip', async () => {
  await fill(shop, 60);
  await buildIndex(shop);
  const { body } = await shop.get('/products?sort=price_asc&limit=30');
  const [first, second, third] = body.data;
  const isFirst = { name: 'First', type: 'simple', price: 0.5, tags: ['red'], stock: 1 };
  const changes = [
    () => shop.post('/products', { ...isFirst, price: 1 }),
    () => shop.delete(`/products/${first.id}`),
    () => shop.patch(`/products/${second.id}`, { price: 6 }),
    () => shop.patch(`/products/${third.id}`, { vendor: 'Another' }),
  ];
  const db = new Proxy(database(env, shop.tenantId), {
    get: () => expect.fail('the Worker read the database'),
  });
  const questions = [QUERY, { ...QUERY, page: 3 }, { ...QUERY, include: ['categories'] as const }];
  for (const [n, change] of changes.entries()) {
    expect((await change()).status).toBeLessThan(300);
    const query = questions[n % questions.length] ?? QUERY;
    const found = await listByIndex({ ...contextOf(shop), env, db }, { ...query, text: null }, NEWEST);
    expect(found?.filled).toEqual(await listProducts(contextOf(shop), query));
  }
});

it('answers a repeated question anew once its categories have changed', async () => {
  const made = async (body: object) => (await shop.post('/categories', body)).body.id;
  const above = await made({ name: 'Headwear' });
  const hats = await made({ name: 'Hats', parent_id: above });
  await shop.post('/products', { name: 'Cap', type: 'simple', price: 1, category_ids: [hats] });
  await buildIndex(shop);
  const found = async () => {
    const { body } = await shop.get(`/products?category_id=${above}&price_max=2`);
    return [body.data.length, await askWord(shop, 'headwear')];
  };
  expect(await found()).toMatchObject([1, { total: 1 }]);
  await shop.patch(`/categories/${hats}`, { parent_id: null });
  expect(await found()).toMatchObject([0, { total: 0 }]);
  await shop.patch(`/categories/${hats}`, { name: 'Headwear' });
  expect(await found()).toMatchObject([0, { total: 1 }]);
});

it('leaves small tenants to the database, and stores nothing for them', async () => {
  await fill(shop, 3);
  expect(await readList(shop)).toEqual(await listFromDatabase(shop));
  expect(await askNewest(shop)).toBe('small');
  expect(await runInDurableObject(indexOf(shop), (_, { storage }) => storage.list())).toEqual(new Map());
});

it.each(['before', 'after'] as const)(
  'is replaced by the database when a call fails %s it was made',
  async (when) => {
    await fill(shop, 3);
    await buildIndex(shop);
    vi.spyOn(console, 'warn').mockReturnValue();
    let failed = 0;
    const broken = interceptBindings(['LIST_INDEX'], (name, call) => {
      if (name !== 'LIST_INDEX.ask') return call();
      failed++;
      const done = when === 'after' ? Promise.resolve(call()) : Promise.resolve();
      return done.then(() => {
        throw new Error('Durable Object storage operation exceeded timeout');
      });
    });
    expect(await readList(shop, broken)).toEqual(await listFromDatabase(shop));
    expect(failed).toBe(1);
  },
);

it('returns a list at one version while the catalogue changes after each answer', async () => {
  await fill(shop, 3);
  await buildIndex(shop);
  const { version } = await readList(shop);
  const states: unknown[] = [];
  const racing = interceptBindings(['LIST_INDEX'], (name, call) => {
    if (name !== 'LIST_INDEX.ask') return call();
    return Promise.resolve(call()).then(async (answer) => {
      states.push(await listFromDatabase(shop));
      const body = { name: `New ${states.length}`, type: 'simple', price: 2, tags: ['red'], stock: 1 };
      expect((await shop.post('/products', body)).status).toBe(201);
      return answer;
    });
  });
  // The first answer has no rows, and those that the Worker reads are newer; the second has its own.
  expect(await readList(shop, racing, version)).toEqual(states[1]);
  expect(states).toHaveLength(2);
});
