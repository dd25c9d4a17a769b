import { sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import {
  DELETED_RETENTION_MS,
  deleteItems,
  forgetStock,
  moveStock,
  newCause,
  type WriteCause,
} from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import {
  assertInBatch,
  batch,
  guardFailed,
  jsonList,
  rows,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import { settled } from '../../kernel/data/fences.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { mediaUseStatements } from '../../media/index.ts';
import { advanceClock } from '../../tenants/index.ts';
import type { CatalogContext, CatalogDatabase } from '../context.ts';
import { unindexFacets } from '../indexing/facet-index.ts';
import { indexTermsStatements, unlistProductsStatement } from '../indexing/listing-index.ts';
import { loadProduct, loadProducts, type StoredProduct } from '../products/load-product.ts';
import type { Details } from '../tables.ts';
import { withLastIds } from './local-ids.ts';
import { parentsContaining } from './preconditions.ts';
import { deletionEvent } from './product-event.ts';
import type { ProductWrite } from './product-rows.ts';
import { unchangedSince, writeStatements } from './product-statements.ts';
import { assignIds, MAX_WRITE_ATTEMPTS } from './save-product.ts';

/** Largest number of groups and bundles that one batch updates, and of batches that one deletion runs. */
const MAX_PARENTS_PER_BATCH = 20;
const MAX_DELETION_BATCHES = 50;

/**
 * Deletes a product if `expected` accepts it, and removes it from groups and bundles, with an event for each.
 * Its rows stay for the feed, but its SKU and slug are free again. Returns the new catalogue version. Fails
 * with `conflict` under contention or when more than 1,000 products contain it; a further call continues.
 */
export async function deleteProduct(
  ctx: CatalogContext,
  productId: number,
  expected: (before: StoredProduct) => boolean = () => true,
): Promise<Result<number>> {
  for (let batches = 0, tries = 0; batches < MAX_DELETION_BATCHES && tries < MAX_WRITE_ATTEMPTS; batches++) {
    const before = await loadProduct(ctx, productId);
    if (!before) return fail('product_not_found');
    if (!expected(before)) return fail('precondition_failed');
    const containing = sql`p.id IN (${parentsContaining(ctx.tenantId, productId)} LIMIT ${MAX_PARENTS_PER_BATCH})`;
    const parents = await loadProducts(ctx, containing);
    const isLast = parents.length < MAX_PARENTS_PER_BATCH;
    const [removed, cause] = [newCause(ctx, 'product'), newCause(ctx, 'deleted')];
    const removals = await memberRemovals(ctx, removed, { parents, productId });
    const deletion = [
      assertNoOtherParents(ctx, productId, parents),
      ...deletionStatements(ctx, cause, before),
    ];
    try {
      const { version } = await commit(ctx, {
        batches: [cause.batch, removed.batch],
        statements: [...removals, ...(isLast ? deletion : [])],
        catalogChanged: true,
      });
      if (isLast) return ok(version);
    } catch (error) {
      if (!guardFailed(error)) throw error;
      tries++;
    }
  }
  return fail('conflict');
}

/** Returns the statements that remove a member from its parents, with an event for each. */
async function memberRemovals(
  ctx: CatalogContext,
  cause: WriteCause,
  { parents, productId }: { readonly parents: readonly StoredProduct[]; readonly productId: number },
): Promise<Statement[]> {
  const drafts = parents.map((before) => ({
    before,
    after: { ...before.state, stock: null, details: withoutMember(before.state.details, productId) },
  }));
  return writeStatements(ctx, cause, await assignIds(ctx, drafts));
}

/** Returns the details with a member removed. A group may become empty. */
function withoutMember(before: Details, productId: number): Details {
  const { grouped, bundle_groups, ...details } = before;
  const isOther = (one: { product_id: number }) => one.product_id !== productId;
  const after = {
    ...details,
    ...(grouped && { grouped: grouped.filter(isOther) }),
    ...(bundle_groups && {
      bundle_groups: bundle_groups.map((group) => ({ ...group, items: group.items.filter(isOther) })),
    }),
  };
  return withLastIds(after, before);
}

/** Rolls the batch back when another group or bundle contains the product by now. */
const assertNoOtherParents = (
  { db, tenantId }: TenantDatabase,
  productId: number,
  handled: readonly StoredProduct[],
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (${parentsContaining(tenantId, productId)} AND p.id NOT IN (${jsonList(handled.map(({ id }) => id))}))`,
  );

function deletionStatements(ctx: CatalogDatabase, cause: WriteCause, before: StoredProduct): Statement[] {
  const { db, tenantId, currency } = ctx;
  const { id, createdAt } = before;
  // A stored product has all its ids, and the event carries the product as it was.
  const after = before.state as ProductWrite['after'];
  return [
    unchangedSince(ctx, before),
    advanceClock(ctx, 1 + after.variants.length),
    run(
      db,
      sql`UPDATE products SET deleted_at = updated_at, switch_at = NULL, revision = revision + 1
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
    ),
    deleteItems(ctx, id),
    ...mediaUseStatements(ctx, [{ productId: id, isNew: false, urls: [] }]),
    unlistProductsStatement(ctx, sql`SELECT ${id}`),
    ...indexTermsStatements(ctx, [{ productId: id, isNew: false, terms: [] }]),
    ...unindexFacets(ctx, id),
    ...moveStock(ctx, cause, { moves: [], follow: [id] }),
    deletionEvent(ctx, cause, { id, before, after, createdAt, changed: ['deleted'], currency }),
  ];
}

/** Largest number of products that one step of {@link forgetProducts} removes. */
const MAX_FORGOTTEN_PER_STEP = 50;

/** Chore that removes the rows of products deleted before {@link DELETED_RETENTION_MS}, of all tenants. */
export const forgetProducts: Chore = async ({ db }) => {
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT id FROM products WHERE deleted_at < ${now() - DELETED_RETENTION_MS}
      AND ${settled()} LIMIT ${MAX_FORGOTTEN_PER_STEP}`,
  );
  if (found.length === 0) return {};
  const ids = found.map(({ id }) => id);
  const ofProducts = sql`(tenant_id, product_id) IN (SELECT tenant_id, id FROM products WHERE id IN (${jsonList(ids)}))`;
  await batch(db, [
    ...forgetStock(db, ids),
    run(db, sql`DELETE FROM variants WHERE ${ofProducts}`),
    run(db, sql`DELETE FROM product_categories WHERE ${ofProducts}`),
    run(db, sql`DELETE FROM product_terms WHERE ${ofProducts}`),
    run(db, sql`DELETE FROM products WHERE id IN (${jsonList(ids)}) AND deleted_at IS NOT NULL`),
  ]);
  return { more: found.length < MAX_FORGOTTEN_PER_STEP ? undefined : {} };
};
