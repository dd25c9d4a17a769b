/** The list indexes of several tenants in the memory of one isolate. */
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bytesInMemory, ISOLATE } from '../../../src/catalog/list-index/index-memory.ts';
import { sizeOf } from '../../../src/catalog/list-index/segments/index.ts';
import type { SegmentData } from '../../../src/catalog/list-index/segments/segment-data.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { askNewest, buildIndex, indexOf, ringIndex } from '../../support/fixtures/catalog/list-index.ts';
import { type World, world } from '../../support/world.ts';
import { fill, listFromDatabase, readList } from './filtered-list.ts';

/** Reads of changes by an index. */
const READS_CHANGES = /AS low_stock, t\.clock/;

const { maxBytes } = ISOLATE;
let shops: readonly [World, World];

/** Builds the indexes of two shops, and leaves memory for one of them. */
beforeEach(async () => {
  shops = [await world(), await world()];
  for (const shop of shops) {
    await fill(shop, 30);
    await buildIndex(shop);
  }
  ISOLATE.maxBytes = 1.5 * (await sizeOfIndex(shops[0]));
});
afterEach(() => {
  ISOLATE.maxBytes = maxBytes;
  vi.restoreAllMocks();
});

const sizeOfIndex = (shop: World) =>
  runInDurableObject(indexOf(shop), (_, { storage }) =>
    [...storage.kv.list<SegmentData>({ prefix: 'segment:' })].reduce((sum, [, one]) => sum + sizeOf(one), 0),
  );

it('holds no more of several tenants than an isolate takes, and answers each in turn', async () => {
  for (const shop of [...shops, ...shops]) {
    expect(await askNewest(shop)).toMatchObject({ total: 30 });
    expect(bytesInMemory()).toBeLessThanOrEqual(ISOLATE.maxBytes);
  }
});

it('loses no change of a tenant whose index was evicted before the change was stored', async () => {
  const [one, other] = shops;
  await fill(one, 40);
  expect(await askNewest(one)).toMatchObject({ total: 40 });
  expect(await askNewest(other)).toMatchObject({ total: 30 });
  await ringIndex(one);
  expect(await askNewest(other)).toMatchObject({ total: 30 });
  expect(await readList(one)).toEqual(await listFromDatabase(one));
  expect(await askNewest(one)).toMatchObject({ total: 40 });
});

it('reads a list from the database while the index of another tenant is pinned and uses up the memory', async () => {
  const [one, other] = shops;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: reading, resolve: begun } = Promise.withResolvers<void>();
  beforeBatch(READS_CHANGES, () => {
    begun();
    return released;
  });
  const waiting = askNewest(one);
  await reading;
  expect(await askNewest(other)).toBe('no_memory');
  expect(await readList(other)).toEqual(await listFromDatabase(other));
  release();
  expect(await waiting).toMatchObject({ total: 30 });
  expect(await askNewest(other)).toMatchObject({ total: 30 });
});
