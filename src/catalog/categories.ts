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
import { firstOf } from '../kernel/text.ts';
import { slugify } from '../kernel/words.ts';
import { advance, isOverQuota, quotaExceeded, withinQuota } from '../tenants/index.ts';
import type { CategoryCreate, CategoryPatch } from './category-schemas.ts';
import { relist } from './listing.ts';
import { CATEGORY_COLUMNS, type CategoryRow, versionOf } from './rows.ts';
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
    sql`SELECT ${CATEGORY_COLUMNS} FROM categories c WHERE ${one(tenantId, id)}`,
  );
  return row ?? null;
}

/** All categories of the tenant, in no order. */
export const listCategories = (db: Database, tenantId: number): Promise<CategoryRow[]> =>
  rows<CategoryRow>(db, sql`SELECT ${CATEGORY_COLUMNS} FROM categories c WHERE c.tenant_id = ${tenantId}`);

/** Makes a category. */
export async function createCategory(
  db: Database,
  tenantId: number,
  input: CategoryCreate,
  once: Once,
): Promise<Result<SavedCategory>> {
  const id = await allocateIds(db, 'category', 1);
  return write(db, tenantId, id, [...once.mark(String(id)), ...creation(db, tenantId, id, input)]);
}

/** Makes a category; 422 where its parent has one of that name (in whatever case) by then. */
export async function createMissingCategory(
  db: Database,
  tenantId: number,
  name: string,
  parent: number | null,
): Promise<Result<SavedCategory>> {
  const id = await allocateIds(db, 'category', 1);
  const missing = sql`NOT EXISTS (SELECT 1 FROM categories
    WHERE tenant_id = ${tenantId} AND parent_id IS ${parent} AND name = ${name} COLLATE NOCASE)`;
  return write(db, tenantId, id, [
    must(db, missing),
    ...creation(db, tenantId, id, { name, parent_id: parent }),
  ]);
}

function creation(db: Database, tenantId: number, id: number, input: CategoryCreate): Statement[] {
  const parent = input.parent_id ?? null;
  const slug = input.slug === undefined ? freeSlug(tenantId, id, input.name) : sql`${input.slug}`;
  return [
    ...(parent === null
      ? []
      : [must(db, sql`EXISTS (SELECT 1 FROM categories WHERE ${one(tenantId, parent)})`)]),
    run(
      db,
      sql`INSERT INTO categories (id, tenant_id, parent_id, name, slug, image_url, seo)
        VALUES (${id}, ${tenantId}, ${parent}, ${input.name}, ${slug}, ${input.image_url ?? null},
          ${input.seo ? JSON.stringify(input.seo) : null})`,
    ),
    ...rebuildTree(db, tenantId),
    withinQuota(db, tenantId, 'categories'),
  ];
}

/** The slug that a name makes; the id goes behind it as long as another category has that slug. */
function freeSlug(tenantId: number, id: number, name: string): SQL {
  // Of a long name there is room left for the id.
  const plain = slugify(firstOf(name, 200)) || 'category';
  const holder = sql`categories c WHERE c.tenant_id = ${tenantId} AND c.slug = tried.slug`;
  return sql`(WITH RECURSIVE tried (slug) AS (
    SELECT ${plain} UNION ALL SELECT tried.slug || ${`-${id}`} FROM tried, ${holder}
  ) SELECT slug FROM tried WHERE NOT EXISTS (SELECT 1 FROM ${holder}))`;
}

/**
 * Changes what is named, and nothing else. A parent other than that of `before` moves the whole subtree,
 * and lists its products anew.
 */
export async function patchCategory(
  db: Database,
  tenantId: number,
  before: CategoryRow,
  patch: CategoryPatch,
): Promise<Result<SavedCategory>> {
  const { id } = before;
  const parent = patch.parent_id;
  const moves = parent !== undefined && parent !== before.parent_id;
  const seo = patch.seo && JSON.stringify(patch.seo);
  return write(db, tenantId, id, [
    ...(moves && parent !== null ? [mayBeParent(db, tenantId, parent, id)] : []),
    run(
      db,
      sql`UPDATE categories SET name = ${given(patch.name, 'name')}, slug = ${given(patch.slug, 'slug')},
          parent_id = ${given(moves ? parent : undefined, 'parent_id')},
          image_url = ${given(patch.image_url, 'image_url')}, seo = ${given(seo, 'seo')}
        WHERE ${one(tenantId, id)}`,
    ),
    ...(moves ? [...rebuildTree(db, tenantId), ...relist(db, tenantId, productsBelow(tenantId, id))] : []),
  ]);
}

/** The value that was given, else what the column holds when the statement runs. */
const given = (value: string | number | null | undefined, column: string): SQL =>
  value === undefined ? sql.raw(column) : sql`${value}`;

/** Takes a category away: what is below it moves up to its parent, its products lose it. */
export async function removeCategory(
  db: Database,
  tenantId: number,
  id: number,
): Promise<Result<SavedCategory>> {
  // While the batch runs the products of the category are kept under a number that no category has.
  const marked = sql`tenant_id = ${tenantId} AND category_id = ${-id}`;
  return write(db, tenantId, id, [
    run(
      db,
      sql`UPDATE categories SET parent_id = (SELECT parent_id FROM categories WHERE ${one(tenantId, id)})
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
    if (isOverQuota(error)) return quotaExceeded(db, tenantId, 'categories');
    if (guardBroke(error)) {
      return invalid(
        'parent_id',
        `must be a category, not one below this, and at most ${LEVELS} levels deep`,
      );
    }
    throw error;
  }
}
