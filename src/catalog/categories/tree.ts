import { sql } from 'drizzle-orm';
import { assertInBatch, type Database, run, type Statement } from '../../kernel/data/database.ts';

/** The deepest a category can be. */
export const LEVELS = 5;

/** Returns the statements that put a new category below its parent (null: at the top): at most {@link LEVELS} rows. */
export const insertIntoTree = (
  db: Database,
  tenantId: number,
  id: number,
  parent: number | null,
): Statement[] => [
  run(
    db,
    sql`INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
      SELECT ${tenantId}, ${id}, ${id}, 0 UNION ALL
      SELECT tenant_id, ${id}, ancestor_id, distance + 1 FROM category_ancestors
        WHERE tenant_id = ${tenantId} AND category_id = ${parent}`,
  ),
  notTooDeep(db, tenantId, id),
];

/** Returns the statements that put a category and all below it under another parent: rows of this subtree alone. */
export const moveInTree = (
  db: Database,
  tenantId: number,
  id: number,
  parent: number | null,
): Statement[] => [
  run(
    db,
    sql`DELETE FROM category_ancestors WHERE tenant_id = ${tenantId}
      AND category_id IN (SELECT category_id FROM category_ancestors
        WHERE tenant_id = ${tenantId} AND ancestor_id = ${id})
      AND ancestor_id IN (SELECT ancestor_id FROM category_ancestors
        WHERE tenant_id = ${tenantId} AND category_id = ${id} AND ancestor_id <> ${id})`,
  ),
  run(
    db,
    sql`INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
      SELECT below.tenant_id, below.category_id, above.ancestor_id, below.distance + above.distance + 1
      FROM category_ancestors below CROSS JOIN category_ancestors above
        ON above.tenant_id = below.tenant_id AND above.category_id = ${parent}
      WHERE below.tenant_id = ${tenantId} AND below.ancestor_id = ${id}`,
  ),
  notTooDeep(db, tenantId, id),
];

/** Returns the statements that take a category out of the tree; what is below it comes one level nearer to the top. */
export const removeFromTree = (db: Database, tenantId: number, id: number): Statement[] => [
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

/** Aborts the batch unless a category may become the parent of another: it exists, and is not below it. */
export const mayBeParent = (db: Database, tenantId: number, parent: number, id: number): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM categories WHERE tenant_id = ${tenantId} AND id = ${parent}) AND NOT EXISTS (
      SELECT 1 FROM category_ancestors
      WHERE tenant_id = ${tenantId} AND category_id = ${parent} AND ancestor_id = ${id})`,
  );

/** Aborts the batch when the category, or one below it, is deeper than {@link LEVELS}. */
const notTooDeep = (db: Database, tenantId: number, id: number): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM category_ancestors below CROSS JOIN category_ancestors a
        ON a.tenant_id = below.tenant_id AND a.category_id = below.category_id
      WHERE below.tenant_id = ${tenantId} AND below.ancestor_id = ${id} AND a.distance >= ${LEVELS})`,
  );
