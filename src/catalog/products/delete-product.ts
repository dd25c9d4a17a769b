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
import { madeOf } from './preconditions.ts';
import { productEvent } from './product-event.ts';
import { type ProductWrite, unchangedSince } from './product-statements.ts';
import { assignIds, type CatalogScope, commit, statementsOf, TRIES } from './save-product.ts';
import { without } from './type-details.ts';

/** So many groups and bundles that name a product lose it in one batch, and at most so many batches a call. */
const MAX_PARENTS = 20;
const MAX_ROUNDS = 50;

/**
 * Takes a product away, if it is as `expected`; groups and bundles that name it lose it, with an event each. Its
 * rows stay for the feed, without SKU and slug being taken. Returns the catalogue version that this made;
 * `conflict` when others are always faster, or more than a thousand groups name it: a further call goes on.
 */
export async function deleteProduct(
  runtime: Runtime,
  db: Database,
  shop: CatalogScope,
  productId: number,
  expected: (before: StoredProduct) => boolean = () => true,
): Promise<Result<number>> {
  const { tenantId } = shop;
  for (let rounds = 0, tries = 0; rounds < MAX_ROUNDS && tries < TRIES; rounds++) {
    const before = await loadProduct(db, tenantId, sql`p.id = ${productId}`);
    if (!before) return fail('product_not_found');
    if (!expected(before)) return fail('precondition_failed');
    const named = sql`p.id IN (${madeOf(tenantId, productId)} LIMIT ${MAX_PARENTS})`;
    const parents = await loadProducts(db, tenantId, named);
    const last = parents.length < MAX_PARENTS;
    const left = await leaving(db, shop, parents, productId);
    const cause = { tenantId, batch: newId('bat'), reason: 'deleted' };
    const removed = last
      ? [unnamed(db, tenantId, productId, parents), ...removal(db, cause, before, shop)]
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

/** The statements with which products lose a member, and the cause of each. */
async function leaving(
  db: Database,
  shop: CatalogScope,
  parents: readonly StoredProduct[],
  productId: number,
) {
  const wishes = parents.map((before) => ({
    before,
    after: { ...before.state, stock: null, details: without(before.state.details, productId) },
  }));
  const writes = await assignIds(db, wishes, shop.currency);
  const parts = writes.map((write) => {
    const cause: WriteCause = { tenantId: shop.tenantId, batch: newId('bat'), reason: 'product' };
    return { cause, statements: statementsOf(db, cause, write) };
  });
  return {
    causes: parts.map(({ cause }) => cause),
    statements: parts.flatMap(({ statements }) => statements),
  };
}

/** Aborts the batch when something else names the product by now. */
const unnamed = (
  db: Database,
  tenantId: number,
  productId: number,
  but: readonly StoredProduct[],
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (${madeOf(tenantId, productId)} AND p.id NOT IN (${jsonList(but.map(({ id }) => id))}))`,
  );

function removal(
  db: Database,
  cause: WriteCause,
  before: StoredProduct,
  { currency }: CatalogScope,
): Statement[] {
  const { tenantId } = cause;
  const { id, createdAt } = before;
  // What is there has its ids; a deletion tells of the product as it was.
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
