import { type SQL, sql } from 'drizzle-orm';
import { ok, type Result } from '../../kernel/core/result.ts';
import { run } from '../../kernel/data/database.ts';
import type { CatalogContext } from '../context.ts';
import { relistStatements } from '../indexing/relisting.ts';
import { reindexBelow } from '../indexing/search-changes.ts';
import type { CategoryRow } from '../reads/rows.ts';
import type { CategoryPatch } from './schemas.ts';
import { byId, commitCategoryWrite, type SavedCategory } from './store.ts';
import { assertMayBeParent, moveInTree, removeFromTree } from './tree.ts';

/** Options of a category write. */
interface WriteOptions {
  /** The required revision, or null for any. */
  readonly expected?: number | null;
  /** Number of products that the batch relists. */
  readonly chunk?: number | undefined;
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
  const written = await commitCategoryWrite(ctx, statements, { id, expected });
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
  const written = await commitCategoryWrite(ctx, statements, { id, expected });
  return written.ok ? ok({ id, ...written.value }) : written;
}
