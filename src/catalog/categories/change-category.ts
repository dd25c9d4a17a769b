import { type SQL, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import { id as newId } from '../../kernel/crypto/crypto.ts';
import { run } from '../../kernel/data/database.ts';
import { mergedMetadata } from '../../kernel/data/metadata-column.ts';
import { mergeMetadata } from '../../kernel/values/metadata.ts';
import type { CatalogContext } from '../context.ts';
import { relistStatements } from '../indexing/relisting.ts';
import { reindexBelow } from '../indexing/search-changes.ts';
import { type CategoryDetailRow, column } from '../reads/rows.ts';
import { arrivalPosition, placementStatements } from './placement.ts';
import type { CategoryPatch } from './schemas.ts';
import { byId, categoryEvents, commitCategoryWrite, type SavedCategory, type Written } from './store.ts';
import { refuseLongTexts } from './text-limit.ts';
import { assertMayBeParent, moveInTree, removeFromTree } from './tree.ts';

/** Options of a category write. */
interface WriteOptions {
  /** The required revision, or null for any. */
  readonly expected?: number | null;
  /** Number of products that the batch relists. */
  readonly chunk?: number | undefined;
}

/**
 * Updates the fields that are present; writes nothing if none of them changes. A new parent moves the whole subtree:
 * the tree changes in this batch, product lists in chunks of `chunk` products (see relisting.ts). Fails with 412 when
 * the category is no longer at the `expected` revision, and with `conflict` when its metadata is too much with what
 * another request adds.
 */
export async function patchCategory(
  ctx: CatalogContext,
  before: CategoryDetailRow,
  { patch, expected = null, chunk }: WriteOptions & { readonly patch: CategoryPatch },
): Promise<Result<SavedCategory>> {
  const { db, tenantId } = ctx;
  const { id } = before;
  const { parent_id: parent, position: place } = patch;
  const moves = parent !== undefined && parent !== before.parent_id;
  const batch = newId('bat');
  const metadata = mergeMetadata(column.metadata(before.metadata), patch.metadata);
  if (!metadata.ok) return metadata;
  const tooLong = await refuseLongTexts(ctx, before, patch);
  if (tooLong) return tooLong;
  const placement =
    place === undefined
      ? []
      : await placementStatements(ctx, { id, parent: moves ? parent : before.parent_id, place });
  const changed = [
    ...changedFields(before, { ...patch, metadata: metadata.value }),
    ...(placement.length === 0 ? [] : ['position']),
  ];
  if (changed.length === 0) return ok({ id, version: null, relisting: false });
  const statements = [
    ...(moves && parent !== null ? [assertMayBeParent(ctx, parent, id)] : []),
    ...(affectsSearch(patch)
      ? [reindexBelow(ctx, id, { name: patch.name, parentId: parent, hidden: patch.hidden })]
      : []),
    run(
      db,
      sql`UPDATE categories SET ${assignments({ ...patch, parent_id: moves ? parent : undefined })},
          position = ${moves ? arrivalPosition(tenantId, parent) : sql`position`},
          updated_at = ${now()}, revision = revision + 1
        WHERE ${byId(tenantId, id)}`,
    ),
    ...placement,
    ...(moves ? relistStatements(ctx, id, { change: moveInTree(ctx, id, parent), chunk }) : []),
    categoryEvents(ctx, batch, { ids: sql`${id}`, changed, formerSlug: before.slug }),
  ];
  const written = await commitCategoryWrite(ctx, {
    batch,
    statements,
    expected: { id, revision: expected, metadata: patch.metadata },
  });
  return written.ok ? ok({ id, ...written.value }) : written;
}

/** Returns whether a patch may affect search, which matches products by the names of their categories that are not hidden. */
export const affectsSearch = ({ name, parent_id, hidden }: CategoryPatch): boolean =>
  name !== undefined || parent_id !== undefined || hidden !== undefined;

/** Returns a field's value as its column holds it: objects as JSON, booleans as 0 or 1. */
function stored(value: CategoryPatch[keyof CategoryPatch]): string | number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

/** The fields of a patch, each named like its column. */
const FIELDS = [
  'name',
  'slug',
  'parent_id',
  'description',
  'image_url',
  'seo',
  'hidden',
  'metadata',
] as const satisfies readonly (keyof CategoryPatch)[];

/** Sets the columns of the fields that a patch has, and every other one to itself. */
const assignments = (patch: CategoryPatch): SQL =>
  sql.join(
    FIELDS.map((field) => {
      const name = sql.raw(field);
      const value = patch[field];
      if (value === undefined) return sql`${name} = ${name}`;
      return sql`${name} = ${field === 'metadata' ? mergedMetadata(patch.metadata ?? null) : stored(value)}`;
    }),
    sql`, `,
  );

/** Returns the fields that a patch changes. */
const changedFields = (before: CategoryDetailRow, patch: CategoryPatch): string[] =>
  FIELDS.filter((field) => patch[field] !== undefined && stored(patch[field]) !== before[field]);

/**
 * Deletes a category if it is at the `expected` revision. Its subcategories move up to its parent. Its
 * products' lists are updated in chunks of `chunk` products (see relisting.ts).
 */
export async function removeCategory(
  ctx: CatalogContext,
  id: number,
  { expected = null, chunk }: WriteOptions,
): Promise<Result<Written>> {
  const { db, tenantId } = ctx;
  const batch = newId('bat');
  const children = sql`SELECT category_id FROM category_ancestors
    WHERE tenant_id = ${tenantId} AND ancestor_id = ${id} AND distance = 1`;
  const parent = sql`(SELECT parent_id FROM categories WHERE ${byId(tenantId, id)})`;
  const change = [
    categoryEvents(ctx, batch, { ids: sql`${id}`, changed: ['deleted'] }),
    run(
      db,
      sql`UPDATE categories SET revision = revision + 1, updated_at = ${now()},
          position = position + ${arrivalPosition(tenantId, parent)}, parent_id = ${parent}
        WHERE tenant_id = ${tenantId} AND parent_id = ${id}`,
    ),
    categoryEvents(ctx, batch, { ids: children, changed: ['parent_id'] }),
    run(db, sql`DELETE FROM categories WHERE ${byId(tenantId, id)}`),
    ...removeFromTree(ctx, id),
  ];
  const statements = [reindexBelow(ctx, id), ...relistStatements(ctx, id, { change, chunk })];
  return commitCategoryWrite(ctx, { batch, statements, expected: { id, revision: expected } });
}
