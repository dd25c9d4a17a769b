import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_FILTERS } from '../../../src/catalog/filters/facets.ts';
import { MAX_CHANGES_PER_READ } from '../../../src/catalog/list-index/changes/read-changes.ts';
import { sizeOf } from '../../../src/catalog/list-index/segments/index.ts';
import type { SegmentData } from '../../../src/catalog/list-index/segments/segment-data.ts';
import { listByIndex, listFiltered } from '../../../src/catalog/reads/list-filtered.ts';
import { type ListQuery, listProducts } from '../../../src/catalog/reads/list-products.ts';
import { Tenant } from '../../../src/index.ts';
import { NEWEST } from '../../../src/kernel/cache/versioned-cache.ts';
import { DAY, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { database } from '../../../src/kernel/data/database.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { failStatements } from '../../support/faults/database.ts';
import { catalogVersion, importFile } from '../../support/fixtures/catalog/imports.ts';
import {
  askNewest,
  askText,
  askWord,
  buildIndex,
  evictIndex,
  indexOf,
  ringIndex,
} from '../../support/fixtures/catalog/list-index.ts';
import { contextOf, storeOf } from '../../support/runtime/runtime.ts';
import { largestResponse, measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

const QUERY: ListQuery = {
  ...{ q: null, page: 1, limit: 10, after: null, include: [], sort: 'price_asc', status: 'active' },
  ...{ currency: 'EUR', mainCurrency: 'EUR' },
  filters: { ...NO_FILTERS, values: [['tag', ['red']]], price: { min: 100, max: null }, inStock: true },
  facets: ['price', 'vendor', 'tag', 'in_stock'].map((name) => ({ key: name, name })),
};

let shop: World;

/** Creates so many products that the query shows. */
async function fill(count: number): Promise<void> {
  const line = (n: number) => `p-${n},P ${n},${1 + (n % 7)},red,Vendor ${n % 3},5\n`;
  const lines = Array.from({ length: count }, (_, n) => line(n)).join('');
  await importFile(shop, `Handle,Title,Variant Price,Tags,Vendor,Variant Inventory Qty\n${lines}`);
}

const read = (bindings: Env = env, version = NEWEST) =>
  listFiltered({ ...contextOf(shop), env: bindings }, QUERY, version);
const fromDatabase = () => listProducts(contextOf(shop), QUERY);

beforeEach(async () => {
  shop = await world();
});
afterEach(() => vi.restoreAllMocks());

it('answers from few rows, however many products match', async () => {
  await fill(300);
  await buildIndex(shop);
  const version = Number(await catalogVersion(shop));
  let found: unknown;
  const { read: rows } = await measureDatabase(async () => {
    found = await read(env, version);
  });
  expect(found).toEqual(await fromDatabase());
  expect(rows).toBeLessThan(100);
  const one = await measureDatabase(fromDatabase);
  expect(one.read).toBeGreaterThan(1_000);
});

it('reads changes and the rows of the page in one round trip', async () => {
  await fill(60);
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
  await fill(3);
  expect(await read()).toEqual(await fromDatabase());
  expect(await askNewest(shop)).toBe('small');
  expect(await runInDurableObject(indexOf(shop), (_, { storage }) => storage.list())).toEqual(new Map());
});

it.each(['before', 'after'] as const)(
  'is replaced by the database when a call fails %s it was made',
  async (when) => {
    await fill(3);
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
    expect(await read(broken)).toEqual(await fromDatabase());
    expect(failed).toBe(1);
  },
);

it('returns a list at one version while the catalogue changes after each answer', async () => {
  await fill(3);
  await buildIndex(shop);
  const { version } = await read();
  const states: unknown[] = [];
  const racing = interceptBindings(['LIST_INDEX'], (name, call) => {
    if (name !== 'LIST_INDEX.ask') return call();
    return Promise.resolve(call()).then(async (answer) => {
      states.push(await fromDatabase());
      const body = { name: `New ${states.length}`, type: 'simple', price: 2, tags: ['red'], stock: 1 };
      expect((await shop.post('/products', body)).status).toBe(201);
      return answer;
    });
  });
  // The first answer has no rows, and those that the Worker reads are newer; the second has its own.
  expect(await read(racing, version)).toEqual(states[1]);
  expect(states).toHaveLength(2);
});

it('keeps its alarm however long the database fails', async () => {
  await fill(3);
  await runInDurableObject(indexOf(shop), (index) => {
    index.minProducts = 0;
  });
  vi.spyOn(console, 'warn').mockReturnValue();
  const heal = failStatements(/FROM products p JOIN/);
  expect(await askNewest(shop)).toBe('building');
  // The runtime may have run it before. It gives up an alarm that rejects after six retries.
  await ringIndex(shop);
  const alarmAt = () => runInDurableObject(indexOf(shop), (_, { storage }) => storage.getAlarm());
  await vi.waitFor(async () => expect(await alarmAt()).toBeGreaterThan(now()), { timeout: 30_000 });
  heal();
  expect(await ringIndex(shop)).toBe(true);
  expect(await askNewest(shop)).toMatchObject({ total: 3 });
});

it('pauses between the steps of its build however often it is asked meanwhile', async () => {
  vi.spyOn(Tenant.prototype, 'chargeBackground').mockReturnValue(4_000);
  await fill(1_010);
  const alarmIn = () =>
    runInDurableObject(indexOf(shop), async (_, { storage }) => ((await storage.getAlarm()) ?? 0) - now());
  await runInDurableObject(indexOf(shop), (index) => void Object.assign(index, { minProducts: 0 }));
  expect(await askNewest(shop)).toBe('building');
  await ringIndex(shop);
  expect(await askNewest(shop)).toBe('building');
  expect(await alarmIn()).toBeGreaterThan(3_000);
  await evictIndex(shop);
  expect(await askNewest(shop)).toBe('building');
  expect(await alarmIn()).toBeLessThan(6_000);
});

it('says that it is behind after many changes, and follows them by its alarm', async () => {
  await fill(3);
  await buildIndex(shop);
  await fill(3 * MAX_CHANGES_PER_READ);
  expect(await askNewest(shop)).toBe('behind');
  expect(await read()).toEqual(await fromDatabase());
  for (let rings = 0; typeof (await askNewest(shop)) === 'string' && rings < 10; rings++)
    await ringIndex(shop);
  expect(await askNewest(shop)).toMatchObject({ total: 3 * MAX_CHANGES_PER_READ });
});

it('reads large products in parts that fit into memory, in its build and when they change', async () => {
  const [count, text] = [100, 'word '.repeat(13_000)];
  const importAll = (price: number) => {
    const lines = Array.from({ length: count }, (_, n) => `p-${n},P ${n},${text},${price},red,5\n`).join('');
    return importFile(shop, `Handle,Title,Body (HTML),Variant Price,Tags,Variant Inventory Qty\n${lines}`);
  };
  await importAll(3);
  expect(await largestResponse(() => buildIndex(shop))).toBeLessThan(5_000_000);
  expect(await askNewest(shop)).toMatchObject({ total: count });
  await importAll(4);
  const largest = await largestResponse(async () => {
    for (let n = 0; (await askNewest(shop)) === 'behind' && n < count; n++) await ringIndex(shop);
  });
  expect(largest).toBeLessThan(5_000_000);
  expect(await read()).toEqual(await fromDatabase());
});

it('is deleted a week after the last question', async () => {
  await fill(3);
  await buildIndex(shop);
  try {
    for (let days = 0; days < 9; days++) {
      moveClock(DAY);
      await ringIndex(shop);
    }
    const left = await runInDurableObject(indexOf(shop), (_, { storage }) => storage.list());
    expect(left).toEqual(new Map());
  } finally {
    moveClock(-9 * DAY);
  }
});

it('is built anew after a reset, and after its database went back', async () => {
  await fill(3);
  await buildIndex(shop);
  await storeOf(shop)
    .prepare('UPDATE tenants SET clock = clock - 1000 WHERE id = ?')
    .bind(shop.tenantId)
    .run();
  expect(await askNewest(shop)).toBe('building');
  await buildIndex(shop);
  await indexOf(shop).reset();
  expect(await askNewest(shop)).not.toMatchObject({ total: 3 });
  await buildIndex(shop);
  expect(await askNewest(shop)).toMatchObject({ total: 3 });
});

it('keeps no words when they take too much memory, and leaves texts to the database', async () => {
  await fill(100);
  await buildIndex(shop);
  const size = await runInDurableObject(indexOf(shop), (_, { storage }) =>
    [...storage.kv.list<SegmentData>({ prefix: 'segment:' })].reduce((sum, [, one]) => sum + sizeOf(one), 0),
  );
  await indexOf(shop).reset();
  await buildIndex(shop, { maxBytes: size - 1 });
  const read = (q: string | null) => listFiltered({ ...contextOf(shop), env }, { ...QUERY, q }, NEWEST);
  expect(await askNewest(shop)).toMatchObject({ total: 100 });
  expect(await askText(shop, 'p')).toBe('no_texts');
  for (const q of [null, 'p-1']) {
    expect(await read(q)).toEqual(await listProducts(contextOf(shop), { ...QUERY, q }));
  }
});

it('discards what another version of the code has stored', async () => {
  await fill(3);
  await buildIndex(shop);
  await runInDurableObject(indexOf(shop), (_, { storage }) => {
    storage.kv.put('state', { ...storage.kv.get<object>('state'), format: 1 });
  });
  await evictIndex(shop);
  expect(await runInDurableObject(indexOf(shop), (_, { storage }) => storage.list())).toEqual(new Map());
  await buildIndex(shop);
  expect(await askText(shop, 'p')).toMatchObject({ total: 3 });
});
