import { type SQL, sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { slugify } from '../../kernel/core/fold.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { firstOf } from '../../kernel/core/text.ts';
import {
  assertInBatch,
  guardFailed,
  rows,
  run,
  type Statement,
  violation,
} from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { isOverQuota, quotaExceeded, withinQuota } from '../../tenants/index.ts';
import type { CatalogContext } from '../context.ts';
import { allocateIds } from '../ids.ts';
import { CATEGORY_COLUMNS, type CategoryRow } from '../reads/row-types.ts';
import { reindexBelow } from '../reads/search-changes.ts';
import { isRelisting, relistStatements } from './relisting.ts';
import type { CategoryCreate, CategoryPatch } from './schemas.ts';
import {
  assertMayBeParent,
  insertIntoTree,
  MAX_CATEGORY_LEVELS,
  moveInTree,
  removeFromTree,
} from './tree.ts';

/** Result of a committed category write; `version` is the new catalogue version. */
interface Written {
  readonly version: number;
  /** Whether listings remain to be updated; see relisting.ts. */
  readonly relisting: boolean;
}

/** Result of a write of one category. */
export interface SavedCategory extends Written {
  readonly id: number;
}

/** Options of a category write. */
interface WriteOptions {
  /** The required revision, or null for any. */
  readonly expected?: number | null;
  /** Number of products that the batch relists. */
  readonly chunk?: number | undefined;
}

const byId = (tenantId: number, id: number): SQL => sql`tenant_id = ${tenantId} AND id = ${id}`;

/** Returns the tenant's category, or null. */
export async function loadCategory(
  { db, tenantId }: TenantDatabase,
  id: number,
): Promise<CategoryRow | null> {
  const [row] = await rows<CategoryRow>(
    db,
    sql`SELECT ${CATEGORY_COLUMNS} FROM categories c WHERE ${byId(tenantId, id)}`,
  );
  return row ?? null;
}

/** Identity of a category: names are unique among siblings only. */
export type CategoryName = Pick<CategoryRow, 'id' | 'parent_id' | 'name'>;

/** Returns the names of all categories of the tenant, in no order. */
export const listCategoryNames = ({ db, tenantId }: TenantDatabase): Promise<CategoryName[]> =>
  rows<CategoryName>(db, sql`SELECT id, parent_id, name FROM categories WHERE tenant_id = ${tenantId}`);

/** Creates a category. */
export async function createCategory(
  ctx: TenantContext,
  input: CategoryCreate,
  once: IdempotencyScope,
): Promise<Result<SavedCategory>> {
  const { db } = ctx;
  const id = await allocateIds(db, 'category', 1);
  const written = await commitWrite(ctx, [
    ...once.mark(String(id)),
    ...insertStatements(ctx, id, input),
    withinQuota(ctx, 'categories'),
  ]);
  return written.ok ? ok({ id, ...written.value }) : written;
}

/**
 * A category to create: below an existing parent (null: a root), or below the `below`th category of the same
 * call.
 */
export type MissingCategory =
  | { readonly name: string; readonly parent: number | null }
  | { readonly name: string; readonly below: number };

/** Statements of {@link createMissingCategories} for each category, besides a few for the batch. */
export const STATEMENTS_PER_CATEGORY = 5;

/**
 * Creates categories in one batch, all or none, and returns their ids in order. Fails with 422 when a parent
 * was deleted or meanwhile has a child of that name (case-insensitive), and with `quota_exceeded` above the
 * quota.
 */
export async function createMissingCategories(
  ctx: TenantContext,
  missing: readonly MissingCategory[],
): Promise<Result<number[]>> {
  const { db, tenantId } = ctx;
  const first = await allocateIds(db, 'category', missing.length);
  const statements = missing.flatMap((category, n) => {
    const { name } = category;
    const parent = 'below' in category ? first + category.below : category.parent;
    const free = sql`NOT EXISTS (SELECT 1 FROM categories
      WHERE tenant_id = ${tenantId} AND parent_id IS ${parent} AND name = ${name} COLLATE NOCASE)`;
    return [assertInBatch(db, free), ...insertStatements(ctx, first + n, { name, parent_id: parent })];
  });
  const written = await commitWrite(ctx, [...statements, withinQuota(ctx, 'categories')]);
  return written.ok ? ok(missing.map((_, n) => first + n)) : written;
}

function insertStatements(ctx: TenantDatabase, id: number, input: CategoryCreate): Statement[] {
  const { tenantId, db } = ctx;
  const parent = input.parent_id ?? null;
  const slug = input.slug === undefined ? uniqueSlug(tenantId, id, input.name) : sql`${input.slug}`;
  return [
    ...(parent === null
      ? []
      : [assertInBatch(db, sql`EXISTS (SELECT 1 FROM categories WHERE ${byId(tenantId, parent)})`)]),
    run(
      db,
      sql`INSERT INTO categories (id, tenant_id, parent_id, name, slug, image_url, seo)
        VALUES (${id}, ${tenantId}, ${parent}, ${input.name}, ${slug}, ${input.image_url ?? null},
          ${input.seo ? JSON.stringify(input.seo) : null})`,
    ),
    ...insertIntoTree(ctx, id, parent),
  ];
}

/** Derives a slug from the name, and appends the id while another category has that slug. */
function uniqueSlug(tenantId: number, id: number, name: string): SQL {
  // Leaves space for the id behind a long name.
  const plain = slugify(firstOf(name, 200)) || 'category';
  const holder = sql`categories c WHERE c.tenant_id = ${tenantId} AND c.slug = tried.slug`;
  return sql`(WITH RECURSIVE tried (slug) AS (
    SELECT ${plain} UNION ALL SELECT tried.slug || ${`-${id}`} FROM tried, ${holder}
  ) SELECT slug FROM tried WHERE NOT EXISTS (SELECT 1 FROM ${holder}))`;
}

/**
 * Updates the fields that are present. A new parent moves the whole subtree: the tree changes in this batch,
 * product lists in chunks of `chunk` products (see relisting.ts). Fails with 412 when the category is no
 * longer at the `expected` revision.
 */
export async function patchCategory(
  ctx: CatalogContext,
  before: CategoryRow,
  { patch, expected = null, chunk }: WriteOptions & { readonly patch: CategoryPatch },
): Promise<Result<SavedCategory>> {
  const { db, tenantId } = ctx;
  const { id } = before;
  const parent = patch.parent_id;
  const moves = parent !== undefined && parent !== before.parent_id;
  const seo = patch.seo && JSON.stringify(patch.seo);
  const statements = [
    ...(moves && parent !== null ? [assertMayBeParent(ctx, parent, id)] : []),
    ...(affectsSearch(patch) ? [reindexBelow(ctx, id, { name: patch.name, parentId: parent })] : []),
    run(
      db,
      sql`UPDATE categories SET name = ${valueOrColumn(patch.name, 'name')}, slug = ${valueOrColumn(patch.slug, 'slug')},
          parent_id = ${valueOrColumn(moves ? parent : undefined, 'parent_id')},
          image_url = ${valueOrColumn(patch.image_url, 'image_url')}, seo = ${valueOrColumn(seo, 'seo')}, revision = revision + 1
        WHERE ${byId(tenantId, id)}`,
    ),
    ...(moves ? relistStatements(ctx, id, { change: moveInTree(ctx, id, parent), chunk }) : []),
  ];
  const written = await commitWrite(ctx, statements, { id, expected });
  return written.ok ? ok({ id, ...written.value }) : written;
}

/** Returns whether a patch may affect search, which matches products by the names of their categories. */
export const affectsSearch = ({ name, parent_id }: CategoryPatch): boolean =>
  name !== undefined || parent_id !== undefined;

/** Returns the given value, or the column itself when it is undefined. */
const valueOrColumn = (value: string | number | null | undefined, column: string): SQL =>
  value === undefined ? sql.raw(column) : sql`${value}`;

/**
 * Deletes a category if it is at the `expected` revision. Its subcategories move up to its parent. Its
 * products' lists are updated in chunks of `chunk` products (see relisting.ts).
 */
export async function removeCategory(
  ctx: CatalogContext,
  id: number,
  { expected = null, chunk }: WriteOptions = {},
): Promise<Result<SavedCategory>> {
  const { db, tenantId } = ctx;
  const change = [
    run(
      db,
      sql`UPDATE categories SET revision = revision + 1,
          parent_id = (SELECT parent_id FROM categories WHERE ${byId(tenantId, id)})
        WHERE tenant_id = ${tenantId} AND parent_id = ${id}`,
    ),
    run(db, sql`DELETE FROM categories WHERE ${byId(tenantId, id)}`),
    ...removeFromTree(ctx, id),
  ];
  const statements = [reindexBelow(ctx, id), ...relistStatements(ctx, id, { change, chunk })];
  const written = await commitWrite(ctx, statements, { id, expected });
  return written.ok ? ok({ id, ...written.value }) : written;
}

/**
 * Commits the batch of a write and returns the new version. Fails with 412 when the category is not at the
 * `expected` revision.
 */
async function commitWrite(
  ctx: TenantContext,
  statements: readonly Statement[],
  { id, expected }: { readonly id: number; readonly expected: number | null } = { id: 0, expected: null },
): Promise<Result<Written>> {
  const { tenantId, db } = ctx;
  const atRevision = sql`EXISTS (SELECT 1 FROM categories WHERE ${byId(tenantId, id)} AND revision = ${expected})`;
  try {
    const { version, read } = await commit(ctx, {
      guards: expected === null ? [] : [assertInBatch(db, atRevision)],
      statements,
      catalogChanged: true,
      reads: { state: rows<{ open: 0 | 1 }>(db, sql`SELECT ${isRelisting(tenantId)} AS open`) },
    });
    return ok({ version, relisting: read.state[0]?.open === 1 });
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    if (isOverQuota(error)) return quotaExceeded(ctx, 'categories');
    // The database does not report which guard failed.
    const current = guardFailed(error) && expected !== null ? await loadCategory(ctx, id) : null;
    if (current && current.revision !== expected) return fail('precondition_failed');
    if (guardFailed(error)) {
      return invalid(
        'parent_id',
        `must be an existing category, not a descendant, and leave at most ${MAX_CATEGORY_LEVELS} levels`,
      );
    }
    throw error;
  }
}
