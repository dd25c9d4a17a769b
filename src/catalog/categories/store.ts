import { type SQL, sql } from 'drizzle-orm';
import { slugify } from '../../kernel/core/fold.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { firstOf } from '../../kernel/core/text.ts';
import {
  assertInBatch,
  batch,
  type Database,
  guardFailed,
  rows,
  run,
  type Statement,
  violation,
} from '../../kernel/data/database.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { advanceClock, isOverQuota, quotaExceeded, withinQuota } from '../../tenants/index.ts';
import { allocateIds } from '../ids.ts';
import type { CatalogScope } from '../products/save-product.ts';
import { CATEGORY_COLUMNS, type CategoryRow } from '../reads/row-types.ts';
import { reindexBelow } from '../reads/search-changes.ts';
import { isRelisting, relistAround } from './relisting.ts';
import type { CategoryCreate, CategoryPatch } from './schemas.ts';
import { insertIntoTree, LEVELS, mayBeParent, moveInTree, removeFromTree } from './tree.ts';

/** The catalogue version that a write of categories made. */
interface Written {
  readonly version: number;
  /** Whether listings are left to be brought up to date: see relisting.ts. */
  readonly relisting: boolean;
}

/** A category was written, at this catalogue version. */
export interface SavedCategory extends Written {
  readonly id: number;
}

/** How a category is written. */
interface WriteOptions {
  /** The revision that it must have, or null: any. */
  readonly expected?: number | null;
  /** How many products the batch lists anew, and each one after it. */
  readonly chunk?: number;
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

/** A category by what tells it from its siblings. */
export type CategoryName = Pick<CategoryRow, 'id' | 'parent_id' | 'name'>;

/** Returns the names of all categories of the tenant, in no order. */
export const listCategoryNames = (db: Database, tenantId: number): Promise<CategoryName[]> =>
  rows<CategoryName>(db, sql`SELECT id, parent_id, name FROM categories WHERE tenant_id = ${tenantId}`);

/** Makes a category. */
export async function createCategory(
  db: Database,
  tenantId: number,
  input: CategoryCreate,
  once: IdempotencyScope,
): Promise<Result<SavedCategory>> {
  const id = await allocateIds(db, 'category', 1);
  const written = await write(db, tenantId, [
    ...once.mark(String(id)),
    ...creation(db, tenantId, id, input),
    withinQuota(db, tenantId, 'categories'),
  ]);
  return written.ok ? ok({ id, ...written.value }) : written;
}

/** A category to be made: below one that exists (null: at the top), or below the `below`th of the same call. */
export type MissingCategory =
  | { readonly name: string; readonly parent: number | null }
  | { readonly name: string; readonly below: number };

/** The statements that {@link createMissingCategories} runs: these for each category, and some for the batch. */
export const STATEMENTS_PER_CATEGORY = 5;

/**
 * Makes categories in one batch, and returns their ids in order. 422, and none is made, where a parent has one of
 * that name (in whatever case) by then, or is gone; `quota_exceeded` where they are too many.
 */
export async function createMissingCategories(
  db: Database,
  tenantId: number,
  missing: readonly MissingCategory[],
): Promise<Result<number[]>> {
  const first = await allocateIds(db, 'category', missing.length);
  const statements = missing.flatMap((category, n) => {
    const { name } = category;
    const parent = 'below' in category ? first + category.below : category.parent;
    const free = sql`NOT EXISTS (SELECT 1 FROM categories
      WHERE tenant_id = ${tenantId} AND parent_id IS ${parent} AND name = ${name} COLLATE NOCASE)`;
    return [assertInBatch(db, free), ...creation(db, tenantId, first + n, { name, parent_id: parent })];
  });
  const written = await write(db, tenantId, [...statements, withinQuota(db, tenantId, 'categories')]);
  return written.ok ? ok(missing.map((_, n) => first + n)) : written;
}

function creation(db: Database, tenantId: number, id: number, input: CategoryCreate): Statement[] {
  const parent = input.parent_id ?? null;
  const slug = input.slug === undefined ? freeSlug(tenantId, id, input.name) : sql`${input.slug}`;
  return [
    ...(parent === null
      ? []
      : [assertInBatch(db, sql`EXISTS (SELECT 1 FROM categories WHERE ${one(tenantId, parent)})`)]),
    run(
      db,
      sql`INSERT INTO categories (id, tenant_id, parent_id, name, slug, image_url, seo)
        VALUES (${id}, ${tenantId}, ${parent}, ${input.name}, ${slug}, ${input.image_url ?? null},
          ${input.seo ? JSON.stringify(input.seo) : null})`,
    ),
    ...insertIntoTree(db, tenantId, id, parent),
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
 * Changes what is named, and nothing else. A parent other than that of `before` moves the whole subtree: the tree
 * with this batch, the lists of the products below it `chunk` products at a time (see relisting.ts). 412 where the
 * category is not at the `expected` revision any more.
 */
export async function patchCategory(
  db: Database,
  shop: CatalogScope,
  before: CategoryRow,
  patch: CategoryPatch,
  { expected = null, chunk }: WriteOptions = {},
): Promise<Result<SavedCategory>> {
  const { id } = before;
  const { tenantId } = shop;
  const parent = patch.parent_id;
  const moves = parent !== undefined && parent !== before.parent_id;
  const seo = patch.seo && JSON.stringify(patch.seo);
  const statements = [
    ...(moves && parent !== null ? [mayBeParent(db, tenantId, parent, id)] : []),
    ...(isSearched(patch) ? [reindexBelow(db, tenantId, id, { name: patch.name, parentId: parent })] : []),
    run(
      db,
      sql`UPDATE categories SET name = ${given(patch.name, 'name')}, slug = ${given(patch.slug, 'slug')},
          parent_id = ${given(moves ? parent : undefined, 'parent_id')},
          image_url = ${given(patch.image_url, 'image_url')}, seo = ${given(seo, 'seo')}, revision = revision + 1
        WHERE ${one(tenantId, id)}`,
    ),
    ...(moves ? relistAround(db, shop, id, moveInTree(db, tenantId, id, parent), chunk) : []),
  ];
  const written = await write(db, tenantId, statements, { id, expected });
  return written.ok ? ok({ id, ...written.value }) : written;
}

/** Whether a change may show in what search finds products by: the names of their categories. */
export const isSearched = ({ name, parent_id }: CategoryPatch): boolean =>
  name !== undefined || parent_id !== undefined;

/** The value that was given, else what the column holds when the statement runs. */
const given = (value: string | number | null | undefined, column: string): SQL =>
  value === undefined ? sql.raw(column) : sql`${value}`;

/**
 * Deletes a category, if it is at the `expected` revision: what is below it moves up to its parent, its products lose
 * it. Their lists follow `chunk` products at a time (see relisting.ts).
 */
export async function removeCategory(
  db: Database,
  shop: CatalogScope,
  id: number,
  { expected = null, chunk }: WriteOptions = {},
): Promise<Result<SavedCategory>> {
  const { tenantId } = shop;
  const removal = [
    run(
      db,
      sql`UPDATE categories SET revision = revision + 1,
          parent_id = (SELECT parent_id FROM categories WHERE ${one(tenantId, id)})
        WHERE tenant_id = ${tenantId} AND parent_id = ${id}`,
    ),
    run(db, sql`DELETE FROM categories WHERE ${one(tenantId, id)}`),
    ...removeFromTree(db, tenantId, id),
  ];
  const statements = [reindexBelow(db, tenantId, id), ...relistAround(db, shop, id, removal, chunk)];
  const written = await write(db, tenantId, statements, { id, expected });
  return written.ok ? ok({ id, ...written.value }) : written;
}

/**
 * Runs the batch of a write, and returns the version that it made. 412 where the category is not at the `expected`
 * revision.
 */
async function write(
  db: Database,
  tenantId: number,
  statements: readonly Statement[],
  { id, expected }: { readonly id: number; readonly expected: number | null } = { id: 0, expected: null },
): Promise<Result<Written>> {
  const atRevision = sql`EXISTS (SELECT 1 FROM categories WHERE ${one(tenantId, id)} AND revision = ${expected})`;
  const outcome = rows<{ version: number; relisting: 0 | 1 }>(
    db,
    sql`SELECT catalog_version AS version, ${isRelisting(tenantId)} AS relisting
      FROM tenants WHERE id = ${tenantId}`,
  );
  try {
    const results = await batch(db, [
      ...(expected === null ? [] : [assertInBatch(db, atRevision)]),
      advanceClock(db, tenantId, 0, true),
      ...statements,
      outcome,
    ]);
    // The select at the end of the batch.
    const [made] = results.at(-1) as { version: number; relisting: 0 | 1 }[];
    return ok({ version: made?.version ?? 0, relisting: made?.relisting === 1 });
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    if (isOverQuota(error)) return quotaExceeded(db, tenantId, 'categories');
    // Which guard broke the database does not say.
    const current = guardFailed(error) && expected !== null ? await loadCategory(db, tenantId, id) : null;
    if (current && current.revision !== expected) return fail('precondition_failed');
    if (guardFailed(error)) {
      return invalid(
        'parent_id',
        `must be a category, not one below this, and at most ${LEVELS} levels deep`,
      );
    }
    throw error;
  }
}
