/** The index of a tenant's lists is built anew at the shard that the tenant moved to. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { NO_FILTERS } from '../../src/catalog/filters/facets.ts';
import { listFiltered } from '../../src/catalog/reads/list-filtered.ts';
import { type ListQuery, listProducts } from '../../src/catalog/reads/list-products.ts';
import { NEWEST } from '../../src/kernel/cache/versioned-cache.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { learnShard } from '../../src/kernel/shards/shard-map.ts';
import { isShardName } from '../../src/kernel/shards/shard-names.ts';
import { askNewest, buildIndex, evictIndex, indexOf } from '../support/fixtures/catalog/list-index.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { runMove, shardNamed, startMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import { world } from '../support/world.ts';

const QUERY: ListQuery = {
  q: null,
  page: 1,
  limit: 10,
  after: null,
  include: [],
  sort: 'price_asc',
  status: 'active',
  currency: 'EUR',
  mainCurrency: 'EUR',
  filters: NO_FILTERS,
  facets: [{ key: 'type', name: 'type' }],
};

it('follows categories at the new shard, where the index began while it still took the old one for current', async () => {
  const shop = await world();
  const source = await placedOn(shop);
  if (!isShardName(source)) throw new Error(source);
  const { id: parent } = (await shop.post('/categories', { name: 'Kitchen' })).body;
  // The changes of the old shard's other tenants: its positions are far above those of the new one.
  await shardNamed(source)
    .prepare("UPDATE sqlite_sequence SET seq = seq + 1000000 WHERE name = 'list_changes'")
    .run();
  const { id: child } = (await shop.post('/categories', { name: 'Cups' })).body;
  await createProduct(shop, { name: 'Cup', category_ids: [child] });
  await buildIndex(shop);
  await runMove(shop, await startMove(shop));
  // As when its alarm noticed the move, which a quick move comes before.
  await runInDurableObject(indexOf(shop), (_, { storage }) => storage.deleteAll());
  await evictIndex(shop);
  await runInDurableObject(indexOf(shop), (index) => {
    index.minItems = 0;
  });
  // The isolate of the index learnt the shard just before the switch.
  learnShard(shop.tenantId, source);
  expect(await askNewest(shop)).toBe('building');
  moveClock(3_000);
  await buildIndex(shop);
  expect((await shop.patch(`/categories/${child}`, { parent_id: parent })).status).toBe(200);
  const query = { ...QUERY, filters: { ...NO_FILTERS, categoryIds: [parent] } };
  const found = await listFiltered({ ...contextOf(shop), env }, query, NEWEST);
  expect(found).toEqual(await listProducts(contextOf(shop), query));
});
