import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fetchWith } from '../../support/faults/bindings.ts';
import { catalogVersion, importFile } from '../../support/fixtures/catalog/imports.ts';
import { buildIndex, indexOf, ringIndex } from '../../support/fixtures/catalog/list-index.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { documentedBudgets, expectBudget } from '../../support/storage/budgets.ts';
import { countStorageCalls, type StorageCalls } from '../../support/storage/storage-calls.ts';
import { type World, world } from '../../support/world.ts';

/** What lists by the list index cost, its own reads included, beside the table in docs/budgets.md. */

const FILTERED = '/v1/products?limit=20&tag=red&in_stock=true&price_min=2&facets=price,vendor,tag,in_stock';
const LISTS = [
  ['filters and facets', FILTERED],
  ['q', '/v1/products?limit=20&q=cup'],
  ['q, filters and facets', `${FILTERED}&q=cup`],
] as const;
const PRODUCTS = 120;

let shop: World;

beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
  const line = (n: number) => `p-${n},Cup ${n},${1 + (n % 7)},red,Vendor ${n % 3},5\n`;
  const lines = Array.from({ length: PRODUCTS }, (_, n) => line(n)).join('');
  await importFile(shop, `Handle,Title,Variant Price,Tags,Vendor,Variant Inventory Qty\n${lines}`);
  await buildIndex(shop);
});

// However slow the machine, the change's version is new when it is read.
beforeEach(() => {
  stopClockAt(Date.now());
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Changes a product, so that no cache has the list and the index is behind. No alarm is due before a day then. */
async function change(): Promise<void> {
  await ringIndex(shop);
  const { body } = await shop.get('/products?limit=1');
  const changed = await shop.patch(`/products/${body.data[0].id}`, {
    tax_class: crypto.randomUUID().slice(0, 8),
  });
  expect(changed.status).toBe(200);
}

/** Reads a list; counts the storage calls of the Worker and of the index. */
async function measure(path: string): Promise<StorageCalls> {
  const version = String(await catalogVersion(shop));
  // The isolate has a lease for the token then, as nearly every request finds it.
  await shop.get('/theme/options');
  const { env, calls } = countStorageCalls();
  await runInDurableObject(indexOf(shop), (index) => void Object.assign(index, { env }));
  const headers = { 'X-Catalog-Version': version };
  const answer = await fetchWith(env, 'GET', path, shop.token, { headers });
  const { meta } = await answer.json<{ meta: { total: number } }>();
  expect(meta.total).toBeGreaterThan(PRODUCTS / 2);
  return calls;
}

it.each(LISTS)('a list with %s costs what is documented when the index is current', async (name, path) => {
  await change();
  await ringIndex(shop);
  expectBudget(`list with ${name}, index current`, await measure(path));
});

it.each(LISTS)('a list with %s costs what is documented after a change', async (name, path) => {
  await change();
  expectBudget(`list with ${name}, after a change`, await measure(path));
});

it('documents no other list', () => {
  const lists = [...documentedBudgets.keys()].filter((name) => name.startsWith('list with'));
  expect(lists).toHaveLength(2 * LISTS.length);
});
