import { sql } from 'drizzle-orm';
import { moveStock, type WriteCause } from '../../inventory/index.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { id as newId } from '../../kernel/crypto/crypto.ts';
import {
  assertInBatch,
  type Database,
  guardFailed,
  jsonList,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import type { Runtime } from '../../kernel/http/context.ts';
import { advanceClock } from '../../tenants/index.ts';
import { indexTermsStatements, unlistProductsStatement } from '../reads/listing-index.ts';
import { loadProduct, loadProducts, type StoredProduct } from './load-product.ts';
import { parentsContaining } from './preconditions.ts';
import { productEvent } from './product-event.ts';
import { type ProductWrite, unchangedSince } from './product-statements.ts';
import { assignIds, type CatalogScope, commit, MAX_WRITE_ATTEMPTS, writeStatements } from './save-product.ts';
import { withoutMember } from './type-details.ts';

/** Largest number of groups and bundles that one batch updates, and of batches that one call runs. */
const MAX_PARENTS_PER_BATCH = 20;
const MAX_BATCHES = 50;

/**
 * Deletes a product if `expected` accepts it, and removes it from groups and bundles, with an event for each.
 * Its rows stay for the feed, but its SKU and slug are free again. Returns the new catalogue version. Fails
 * with `conflict` under contention or when more than 1,000 products contain it; a further call continues.
 */
export async function deleteProduct(
  runtime: Runtime,
  db: Database,
  scope: CatalogScope,
  productId: number,
  expected: (before: StoredProduct) => boolean = () => true,
): Promise<Result<number>> {
  const { tenantId } = scope;
  for (let batches = 0, tries = 0; batches < MAX_BATCHES && tries < MAX_WRITE_ATTEMPTS; batches++) {
    const before = await loadProduct(db, tenantId, sql`p.id = ${productId}`);
    if (!before) return fail('product_not_found');
    if (!expected(before)) return fail('precondition_failed');
    const containing = sql`p.id IN (${parentsContaining(tenantId, productId)} LIMIT ${MAX_PARENTS_PER_BATCH})`;
    const parents = await loadProducts(db, tenantId, containing);
    const last = parents.length < MAX_PARENTS_PER_BATCH;
    const left = await memberRemovals(db, scope, parents, productId);
    const cause = { tenantId, batch: newId('bat'), reason: 'deleted' };
    const removed = last
      ? [
          assertNoOtherParents(db, tenantId, productId, parents),
          ...deletionStatements(db, cause, before, scope),
        ]
      : [];
    try {
      const version = await commit(runtime, db, [cause, ...left.causes], [...left.statements, ...removed]);
      if (last) return ok(version);
    } catch (error) {
      if (!guardFailed(error)) throw error;
      tries++;
    }
  }
  return fail('conflict');
}

/** Returns the statements that remove a member from its parents, with a cause for each parent. */
async function memberRemovals(
  db: Database,
  scope: CatalogScope,
  parents: readonly StoredProduct[],
  productId: number,
) {
  const drafts = parents.map((before) => ({
    before,
    after: { ...before.state, stock: null, details: withoutMember(before.state.details, productId) },
  }));
  const writes = await assignIds(db, drafts, scope.currency);
  const parts = writes.map((write) => {
    const cause: WriteCause = { tenantId: scope.tenantId, batch: newId('bat'), reason: 'product' };
    return { cause, statements: writeStatements(db, cause, write) };
  });
  return {
    causes: parts.map(({ cause }) => cause),
    statements: parts.flatMap(({ statements }) => statements),
  };
}

/** Rolls the batch back when another group or bundle contains the product by now. */
const assertNoOtherParents = (
  db: Database,
  tenantId: number,
  productId: number,
  handled: readonly StoredProduct[],
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (${parentsContaining(tenantId, productId)} AND p.id NOT IN (${jsonList(handled.map(({ id }) => id))}))`,
  );

function deletionStatements(
  db: Database,
  cause: WriteCause,
  before: StoredProduct,
  { currency }: CatalogScope,
): Statement[] {
  const { tenantId } = cause;
  const { id, createdAt } = before;
  // A stored product has all its ids, and the event carries the product as it was.
  const after = before.state as ProductWrite['after'];
  const mine = sql`tenant_id = ${tenantId} AND product_id = ${id} AND deleted = 0`;
  const items = 1 + after.variants.length;
  return [
    unchangedSince(db, tenantId, before),
    advanceClock(db, tenantId, items, true),
    run(
      db,
      sql`UPDATE products SET deleted_at = updated_at, revision = revision + 1
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
    ),
    run(
      db,
      sql`UPDATE inventory_items SET deleted = 1, feed = iif(feed = 'hidden', 'hidden', 'gone'),
        updated_at = (SELECT clock FROM tenants WHERE id = ${tenantId}) - n.nth
      FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS nth FROM inventory_items WHERE ${mine}) n
      WHERE inventory_items.id = n.id`,
    ),
    unlistProductsStatement(db, tenantId, sql`SELECT ${id}`),
    ...indexTermsStatements(db, tenantId, id, []),
    ...moveStock(db, cause, [], [id]),
    productEvent(db, cause, { id, before, after, createdAt, changed: ['deleted'], currency }),
  ];
}
