import { sql } from 'drizzle-orm';
import { assertInBatch, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { MAX_CATEGORY_LEVELS } from '../limits.ts';

/**
 * Returns the statements that insert a category below its parent (null: a root). They write at most
 * {@link MAX_CATEGORY_LEVELS} rows.
 */
export const insertIntoTree = (ctx: TenantDatabase, id: number, parent: number | null): Statement[] => [
  run(
    ctx.db,
    sql`INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
      SELECT ${ctx.tenantId}, ${id}, ${id}, 0 UNION ALL
      SELECT tenant_id, ${id}, ancestor_id, distance + 1 FROM category_ancestors
        WHERE tenant_id = ${ctx.tenantId} AND category_id = ${parent}`,
  ),
  assertDepth(ctx, id),
];

/** Returns the statements that move a subtree below another parent. They write rows of this subtree only. */
export const moveInTree = (ctx: TenantDatabase, id: number, parent: number | null): Statement[] => [
  run(
    ctx.db,
    sql`DELETE FROM category_ancestors WHERE tenant_id = ${ctx.tenantId}
      AND category_id IN (SELECT category_id FROM category_ancestors
        WHERE tenant_id = ${ctx.tenantId} AND ancestor_id = ${id})
      AND ancestor_id IN (SELECT ancestor_id FROM category_ancestors
        WHERE tenant_id = ${ctx.tenantId} AND category_id = ${id} AND ancestor_id <> ${id})`,
  ),
  run(
    ctx.db,
    sql`INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
      SELECT below.tenant_id, below.category_id, above.ancestor_id, below.distance + above.distance + 1
      FROM category_ancestors below CROSS JOIN category_ancestors above
        ON above.tenant_id = below.tenant_id AND above.category_id = ${parent}
      WHERE below.tenant_id = ${ctx.tenantId} AND below.ancestor_id = ${id}`,
  ),
  assertDepth(ctx, id),
];

/** Returns the statements that remove a category from the tree. Its descendants move up one level. */
export const removeFromTree = ({ db, tenantId }: TenantDatabase, id: number): Statement[] => [
  run(
    db,
    sql`UPDATE category_ancestors SET distance = distance - 1 WHERE tenant_id = ${tenantId}
      AND category_id IN (SELECT category_id FROM category_ancestors
        WHERE tenant_id = ${tenantId} AND ancestor_id = ${id} AND category_id <> ${id})
      AND ancestor_id IN (SELECT ancestor_id FROM category_ancestors
        WHERE tenant_id = ${tenantId} AND category_id = ${id} AND ancestor_id <> ${id})`,
  ),
  // Two statements: an OR would read the whole tree.
  run(db, sql`DELETE FROM category_ancestors WHERE tenant_id = ${tenantId} AND ancestor_id = ${id}`),
  run(db, sql`DELETE FROM category_ancestors WHERE tenant_id = ${tenantId} AND category_id = ${id}`),
];

/** Rolls the batch back unless `parent` exists and is not `id` or one of its descendants. */
export const assertMayBeParent = ({ db, tenantId }: TenantDatabase, parent: number, id: number): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM categories WHERE tenant_id = ${tenantId} AND id = ${parent}) AND NOT EXISTS (
      SELECT 1 FROM category_ancestors
      WHERE tenant_id = ${tenantId} AND category_id = ${parent} AND ancestor_id = ${id})`,
  );

/** Rolls the batch back when the category or a descendant is deeper than {@link MAX_CATEGORY_LEVELS}. */
const assertDepth = ({ db, tenantId }: TenantDatabase, id: number): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM category_ancestors below CROSS JOIN category_ancestors a
        ON a.tenant_id = below.tenant_id AND a.category_id = below.category_id
      WHERE below.tenant_id = ${tenantId} AND below.ancestor_id = ${id} AND a.distance >= ${MAX_CATEGORY_LEVELS})`,
  );
