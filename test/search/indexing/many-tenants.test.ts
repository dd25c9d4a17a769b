import { expect, it } from 'vitest';
import { insertProducts } from '../../support/fixtures/catalog/products.ts';
import { searchOf, storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { queue } from '../index-queue.ts';

/** A shop with so many products that are not indexed; the first of them is also marked, as after a change of its category. */
async function unindexed(count: number): Promise<World> {
  const shop = await world({ plan: 'enterprise' });
  const [first, tenant, store] = [await insertProducts(shop, count), shop.tenantId, storeOf(shop)];
  const statements = [
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})
      INSERT INTO inventory_items (id, tenant_id, product_id, sku, on_hand, policy, derived, feed, updated_at)
      SELECT ${first} + i, ${tenant}, ${first} + i, 'S-' || i, 1, 'deny', 'none', 'live', i + 1 FROM n`,
    `INSERT INTO search_changes (tenant_id, category_id, product_id, after, version, wake_at)
      VALUES (${tenant}, 0, ${first}, 0, 1, 9e15)`,
  ];
  await store.batch(statements.map((statement) => store.prepare(statement).bind()));
  return shop;
}

const indexed = (shop: World) =>
  searchOf(shop)
    .prepare('SELECT count(*) AS n FROM search_documents WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .first<number>('n');

it("indexes the changes of fifty tenants, some of them large, within D1's limit of statements", async () => {
  const large = await Promise.all(Array.from({ length: 5 }, () => unindexed(1_001)));
  const small = await Promise.all(Array.from({ length: 45 }, () => unindexed(1)));
  const messages = [...large, ...small].map(({ tenantId }) => ({ body: { tenantId, catchUp: true } }));
  const { statements } = await measureDatabase(() => queue('search-index', messages));
  expect(statements).toBeLessThan(1_000);
  // A large one doesn't keep the others waiting.
  expect(await Promise.all(small.map(indexed))).toEqual(small.map(() => 1));
});
