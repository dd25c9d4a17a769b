/** The ListIndex object: its build, alarms, memory and end. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_CHANGES_PER_READ } from '../../../src/catalog/list-index/changes/read-changes.ts';
import { sizeOf } from '../../../src/catalog/list-index/segments/index.ts';
import type { SegmentData } from '../../../src/catalog/list-index/segments/segment-data.ts';
import { listFiltered } from '../../../src/catalog/reads/list-filtered.ts';
import { listProducts } from '../../../src/catalog/reads/list-products.ts';
import { Tenant } from '../../../src/index.ts';
import { NEWEST } from '../../../src/kernel/cache/versioned-cache.ts';
import { DAY, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { failStatements } from '../../support/faults/database.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import {
  askNewest,
  askText,
  buildIndex,
  evictIndex,
  indexOf,
  ringIndex,
} from '../../support/fixtures/catalog/list-index.ts';
import { contextOf, storeOf } from '../../support/runtime/runtime.ts';
import { largestResponse } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { fill, listFromDatabase, QUERY, readList } from './filtered-list.ts';

let shop: World;

beforeEach(async () => {
  shop = await world();
});
afterEach(() => vi.restoreAllMocks());

it('keeps its alarm however long the database fails', async () => {
  await fill(shop, 3);
  await runInDurableObject(indexOf(shop), (index) => {
    index.minItems = 0;
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
  await fill(shop, 1_010);
  const alarmIn = () =>
    runInDurableObject(indexOf(shop), async (_, { storage }) => ((await storage.getAlarm()) ?? 0) - now());
  await runInDurableObject(indexOf(shop), (index) => void Object.assign(index, { minItems: 0 }));
  expect(await askNewest(shop)).toBe('building');
  await ringIndex(shop);
  expect(await askNewest(shop)).toBe('building');
  expect(await alarmIn()).toBeGreaterThan(3_000);
  await evictIndex(shop);
  expect(await askNewest(shop)).toBe('building');
  expect(await alarmIn()).toBeLessThan(6_000);
});

it('stores changes in time however often it is evicted and asked meanwhile', async () => {
  await fill(shop, 3);
  await buildIndex(shop);
  const alarmAt = () => runInDurableObject(indexOf(shop), (_, { storage }) => storage.getAlarm());
  expect((await shop.post('/products', { name: 'New', type: 'simple', price: 1 })).status).toBe(201);
  await askNewest(shop);
  const due = await alarmAt();
  expect(due).toBeLessThan(now() + DAY / 2);
  moveClock(10_000);
  await evictIndex(shop);
  expect(await askNewest(shop)).toMatchObject({ total: 4 });
  expect(await alarmAt()).toBe(due);
});

it('says that it is behind after many changes, and follows them by its alarm', async () => {
  await fill(shop, 3);
  await buildIndex(shop);
  await fill(shop, 3 * MAX_CHANGES_PER_READ);
  expect(await askNewest(shop)).toBe('behind');
  expect(await readList(shop)).toEqual(await listFromDatabase(shop));
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
  expect(await readList(shop)).toEqual(await listFromDatabase(shop));
});

it('is deleted a week after the last question', async () => {
  await fill(shop, 3);
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
  await fill(shop, 3);
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
  await fill(shop, 100);
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

it('holds products that have many values of their own, such as part numbers', async () => {
  const [count, numbers] = [1_000, 40];
  await fill(shop, count);
  await storeOf(shop)
    .prepare(`INSERT INTO item_facets (tenant_id, status, product_id, item_id, name, value, label)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      SELECT tenant_id, status, id, 0, 'attr.fits', id || '-' || i, id || '-' || i FROM products JOIN n WHERE tenant_id = ?1`)
    .bind(shop.tenantId, numbers)
    .run();
  await buildIndex(shop);
  expect(await askNewest(shop)).toMatchObject({ total: count });
});

it('discards what another version of the code has stored', async () => {
  await fill(shop, 3);
  await buildIndex(shop);
  await runInDurableObject(indexOf(shop), (_, { storage }) => {
    storage.kv.put('state', { ...storage.kv.get<object>('state'), format: 1 });
  });
  await evictIndex(shop);
  expect(await runInDurableObject(indexOf(shop), (_, { storage }) => storage.list())).toEqual(new Map());
  await buildIndex(shop);
  expect(await askText(shop, 'p')).toMatchObject({ total: 3 });
});
