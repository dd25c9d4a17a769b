import { type SQL, sql } from 'drizzle-orm';
import type { Once } from '../kernel/call.ts';
import {
  batch,
  type Database,
  guardBroke,
  must,
  rows,
  run,
  type Statement,
  violation,
} from '../kernel/database.ts';
import { fail, invalid, ok, type Result } from '../kernel/result.ts';
import { slugify } from '../kernel/words.ts';
import { advance } from '../tenants/index.ts';
import type { CategoryCreate, CategoryPatch } from './category-schemas.ts';
import { relist } from './listing.ts';
import { type CategoryRow, versionOf } from './rows.ts';
import { allocateIds } from './sequence.ts';

/** The deepest a category can be. */
const LEVELS = 5;

/** A category was written, at this catalogue version. */
export interface SavedCategory {
  readonly id: number;
  readonly version: number;
}

const one = (tenantId: number, id: number): SQL => sql`tenant_id = ${tenantId} AND id = ${id}`;

/** The tenant's category, or null. */
export async function loadCategory(db: Database, tenantId: number, id: number): Promise<CategoryRow | null> {
  const [row] = await rows<CategoryRow>(
    db,
    sql`SELECT id, parent_id, name, slug, image_url, seo FROM categories WHERE ${one(tenantId, id)}`,
  );
  return row ?? null;
}

/** All categories of the tenant, in no order. */
export const listCategories = (db: Database, tenantId: number): Promise<CategoryRow[]> =>
  rows<CategoryRow>(
    db,
    sql`SELECT id, parent_id, name, slug, image_url, seo FROM categories WHERE tenant_id = ${tenantId}`,
  );

/** Makes a category. */
export async function createCategory(
  db: Database,
  tenantId: number,
  input: CategoryCreate,
  once: Once,
): Promise<Result<SavedCategory>> {
  const slug = input.slug ?? (slugify(input.name) || 'category');
  const id = await allocateIds(db, 'category', 1);
  const parent = input.parent_id ?? null;
  const insert = (name: SQL) =>
    run(
      db,
      sql`INSERT INTO categories (id, tenant_id, parent_id, name, slug, image_url, seo)
        VALUES (${id}, ${tenantId}, ${parent}, ${input.name}, ${name}, ${input.image_url ?? null},
          ${input.seo ? JSON.stringify(input.seo) : null})`,
    );
  // A slug made from the name gets the next free number; one that was asked for is refused when taken.
  const free = sql`(SELECT CASE WHEN n = 0 THEN ${slug} ELSE ${slug} || '-' || (n + 1) END FROM (
    SELECT count(*) AS n FROM categories WHERE tenant_id = ${tenantId}
      AND (slug = ${slug} OR slug GLOB ${`${slug}-[0-9]*`})))`;
  return write(db, tenantId, id, [
    ...once.mark(String(id)),
    ...(parent === null
      ? []
      : [must(db, sql`EXISTS (SELECT 1 FROM categories WHERE ${one(tenantId, parent)})`)]),
    insert(input.slug === undefined ? free : sql`${slug}`),
    ...rebuildTree(db, tenantId),
  ]);
}

/** Changes what is named. A new parent moves the whole subtree, and lists its products anew. */
export async function patchCategory(
  db: Database,
  tenantId: number,
  before: CategoryRow,
  patch: CategoryPatch,
): Promise<Result<SavedCategory>> {
  const { id } = before;
  const parent = patch.parent_id === undefined ? before.parent_id : patch.parent_id;
  const seo = patch.seo === undefined ? before.seo : patch.seo && JSON.stringify(patch.seo);
  const moves = parent !== before.parent_id;
  return write(db, tenantId, id, [
    ...(moves && parent !== null ? [mayBeParent(db, tenantId, parent, id)] : []),
    run(
      db,
      sql`UPDATE categories SET name = ${patch.name ?? before.name}, slug = ${patch.slug ?? before.slug},
          parent_id = ${parent}, seo = ${seo},
          image_url = ${patch.image_url === undefined ? before.image_url : patch.image_url}
        WHERE ${one(tenantId, id)}`,
    ),
    ...(moves ? [...rebuildTree(db, tenantId), ...relist(db, tenantId, productsBelow(tenantId, id))] : []),
  ]);
}

/** Takes a category away: what is below it moves up to its parent, its products lose it. */
export async function removeCategory(
  db: Database,
  tenantId: number,
  before: CategoryRow,
): Promise<Result<SavedCategory>> {
  const { id } = before;
  // While the batch runs the products of the category are kept under a number that no category has.
  const marked = sql`tenant_id = ${tenantId} AND category_id = ${-id}`;
  return write(db, tenantId, id, [
    run(
      db,
      sql`UPDATE categories SET parent_id = ${before.parent_id}
        WHERE tenant_id = ${tenantId} AND parent_id = ${id}`,
    ),
    run(db, sql`DELETE FROM categories WHERE ${one(tenantId, id)}`),
    ...rebuildTree(db, tenantId),
    run(
      db,
      sql`UPDATE product_categories SET category_id = ${-id}
        WHERE tenant_id = ${tenantId} AND category_id = ${id}`,
    ),
    run(db, sql`DELETE FROM product_listings WHERE tenant_id = ${tenantId} AND category_id = ${id}`),
    ...relist(db, tenantId, sql`SELECT product_id FROM product_categories WHERE ${marked}`),
    run(db, sql`DELETE FROM product_categories WHERE ${marked}`),
  ]);
}

/** The products of a category and everything below it. */
const productsBelow = (tenantId: number, id: number): SQL => sql`SELECT pc.product_id
  FROM category_ancestors a JOIN product_categories pc
    ON pc.tenant_id = a.tenant_id AND pc.category_id = a.category_id
  WHERE a.tenant_id = ${tenantId} AND a.ancestor_id = ${id}`;

const mayBeParent = (db: Database, tenantId: number, parent: number, id: number): Statement =>
  must(
    db,
    sql`EXISTS (SELECT 1 FROM categories WHERE ${one(tenantId, parent)}) AND NOT EXISTS (
      SELECT 1 FROM category_ancestors
      WHERE tenant_id = ${tenantId} AND category_id = ${parent} AND ancestor_id = ${id})`,
  );

/** Says anew which category is below which; refuses a tree deeper than {@link LEVELS}. */
function rebuildTree(db: Database, tenantId: number): Statement[] {
  return [
    run(db, sql`DELETE FROM category_ancestors WHERE tenant_id = ${tenantId}`),
    run(
      db,
      sql`INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
        WITH RECURSIVE up (category_id, ancestor_id, distance) AS (
          SELECT id, id, 0 FROM categories WHERE tenant_id = ${tenantId}
          UNION ALL
          SELECT up.category_id, c.parent_id, up.distance + 1 FROM up
            JOIN categories c ON c.id = up.ancestor_id
            WHERE c.tenant_id = ${tenantId} AND c.parent_id IS NOT NULL AND up.distance < ${LEVELS}
        ) SELECT ${tenantId}, category_id, ancestor_id, distance FROM up`,
    ),
    must(
      db,
      sql`NOT EXISTS (SELECT 1 FROM category_ancestors WHERE tenant_id = ${tenantId} AND distance >= ${LEVELS})`,
    ),
  ];
}

/** Runs the batch of a write; answers the category and the version that it made. */
async function write(
  db: Database,
  tenantId: number,
  id: number,
  statements: readonly Statement[],
): Promise<Result<SavedCategory>> {
  try {
    const results = await batch(db, [advance(db, tenantId, 0, true), ...statements, versionOf(db, tenantId)]);
    // The select at the end of the batch.
    const [version] = results.at(-1) as { version: number }[];
    return ok({ id, version: version?.version ?? 0 });
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    if (guardBroke(error)) {
      return invalid(
        'parent_id',
        `must be a category, not one below this, and at most ${LEVELS} levels deep`,
      );
    }
    throw error;
  }
}
