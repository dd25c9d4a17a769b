import { type SQL, sql } from 'drizzle-orm';
import { commit, outboxRows } from '../../events/index.ts';
import { type Failed, fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import {
  assertInBatch,
  guardFailed,
  jsonList,
  rows,
  type Statement,
  violation,
} from '../../kernel/data/database.ts';
import { metadataFits } from '../../kernel/data/metadata-column.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type MetadataInput, mergeMetadata } from '../../kernel/values/metadata.ts';
import { isOverQuota, quotaExceeded } from '../../tenants/index.ts';
import { isRelisting } from '../indexing/relisting.ts';
import { MAX_CATEGORY_LEVELS } from '../limits.ts';
import { CATEGORY_DETAIL_COLUMNS, type CategoryDetailRow, column } from '../reads/rows.ts';

/** Result of a committed category write; `version` is the new catalogue version. */
export interface Written {
  readonly version: number;
  /** Whether listings remain to be updated; see relisting.ts. */
  readonly relisting: boolean;
}

/** Result of a write of one category; without a `version`, nothing was written. */
export interface SavedCategory extends Pick<Written, 'relisting'> {
  readonly id: number;
  readonly version: number | null;
}

/** Returns the condition that selects a category of the tenant. */
export const byId = (tenantId: number, id: number): SQL => sql`tenant_id = ${tenantId} AND id = ${id}`;

/** Returns the tenant's category, or null. */
export async function loadCategory(
  { db, tenantId }: TenantDatabase,
  id: number,
): Promise<CategoryDetailRow | null> {
  const [row] = await rows<CategoryDetailRow>(
    db,
    sql`SELECT ${CATEGORY_DETAIL_COLUMNS} FROM categories c WHERE ${byId(tenantId, id)}`,
  );
  return row ?? null;
}

/** Identity of a category: names are unique among siblings only. */
export type CategoryName = Pick<CategoryDetailRow, 'id' | 'parent_id' | 'name'>;

/** Returns the names of all categories of the tenant, in no order. */
export const listCategoryNames = ({ db, tenantId }: TenantDatabase): Promise<CategoryName[]> =>
  rows<CategoryName>(db, sql`SELECT id, parent_id, name FROM categories WHERE tenant_id = ${tenantId}`);

/** Returns the names of these categories and of all above them, in no order. */
export const categoryNamesAbove = (
  { db, tenantId }: TenantDatabase,
  ids: readonly number[],
): Promise<CategoryName[]> =>
  rows<CategoryName>(
    db,
    sql`WITH RECURSIVE found (id, parent_id, name) AS (
        SELECT c.id, c.parent_id, c.name FROM (${jsonList(ids)}) asked
          CROSS JOIN categories c ON c.id = asked.value AND c.tenant_id = ${tenantId}
        UNION SELECT c.id, c.parent_id, c.name FROM found f
          CROSS JOIN categories c ON c.id = f.parent_id AND c.tenant_id = ${tenantId})
      SELECT * FROM found`,
  );

/** The categories that a write reports in `category.updated`, as they are at that point of the batch. */
interface ReportedCategories {
  readonly ids: SQL;
  /** Wire names of the changed fields, or `created` or `deleted`. */
  readonly changed: readonly string[];
  /** The slug before, which the event has if `changed` names it. */
  readonly formerSlug?: string;
}

/**
 * Returns the statement that adds a `category.updated` event for each of these categories. Its `sequence` is
 * the catalogue version of the write, which rises with each one.
 */
export const categoryEvents = (
  { db, tenantId }: TenantDatabase,
  batch: string,
  { ids, changed, formerSlug = '' }: ReportedCategories,
): Statement =>
  outboxRows(
    db,
    { tenantId, batch },
    {
      type: 'category.updated',
      events: sql`SELECT 'category:' || id AS resource,
          (SELECT catalog_version FROM tenants WHERE id = ${tenantId}) AS sequence,
          json_object('id', id, 'name', name, 'slug', slug, 'parent_id', parent_id, 'description', description,
            'image_url', image_url, 'hidden', json(iif(hidden, 'true', 'false')),
            'updated_at', strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch'),
            'changed', json(${JSON.stringify(changed)})
            ${changed.includes('slug') ? sql`, 'former_slug', ${formerSlug}` : sql``}) AS data
        FROM categories WHERE tenant_id = ${tenantId} AND id IN (${ids})`,
    },
  );

/** What must hold of the category that a write changes. */
interface ExpectedCategory {
  readonly id: number;
  /** The required revision, or null for any. */
  readonly revision: number | null;
  /** The keys that are merged into its metadata, which keeps within its limit. */
  readonly metadata?: MetadataInput | undefined;
}

/** A write of categories; its `batch` is that of its events. */
interface CategoryWrite {
  readonly batch: string;
  readonly statements: readonly Statement[];
  readonly expected?: ExpectedCategory | null;
}

/**
 * Commits the batch of a write and returns the new version. Fails with 412 when a category is not at its
 * `expected` revision, with `conflict` when its metadata is too much with what another request has added, and with
 * `category_not_found` when it was deleted meanwhile.
 */
export async function commitCategoryWrite(
  ctx: TenantContext,
  { batch, statements, expected = null }: CategoryWrite,
): Promise<Result<Written>> {
  const { tenantId, db } = ctx;
  try {
    const { version, read } = await commit(ctx, {
      guards: expected === null ? [] : guardsOf(ctx, expected),
      statements,
      batches: [batch],
      catalogChanged: true,
      reads: { state: rows<{ open: 0 | 1 }>(db, sql`SELECT ${isRelisting(tenantId)} AS open`) },
    });
    return ok({ version, relisting: read.state[0]?.open === 1 });
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    if (isOverQuota(error)) return quotaExceeded(ctx, 'categories');
    if (guardFailed(error)) return failedGuard(ctx, expected);
    throw error;
  }
}

function guardsOf(
  { tenantId, db }: TenantDatabase,
  { id, revision, metadata }: ExpectedCategory,
): Statement[] {
  const assertCategory = (condition: SQL) =>
    assertInBatch(db, sql`EXISTS (SELECT 1 FROM categories WHERE ${byId(tenantId, id)} AND ${condition})`);
  return [
    ...(revision === null ? [] : [assertCategory(sql`revision = ${revision}`)]),
    ...(metadata ? [assertCategory(metadataFits(metadata))] : []),
  ];
}

/** Returns the failure of a batch that a guard aborted. The database does not report which one did. */
async function failedGuard(ctx: TenantDatabase, expected: ExpectedCategory | null): Promise<Failed> {
  if (expected) {
    const { id, revision, metadata } = expected;
    const current = await loadCategory(ctx, id);
    if (!current) return fail('category_not_found');
    if (revision !== null && current.revision !== revision) return fail('precondition_failed');
    if (!mergeMetadata(column.metadata(current.metadata), metadata).ok) return fail('conflict');
  }
  return invalid(
    'parent_id',
    `must be an existing category, not a descendant, and leave at most ${MAX_CATEGORY_LEVELS} levels`,
  );
}

/**
 * Returns the query for the ids of the categories that show the uploaded image with a hash (SQL). Categories have few
 * URLs, so the query scans them.
 */
export const categoriesShowing = (tenantId: number, hash: SQL): SQL => sql`SELECT id FROM categories
  WHERE tenant_id = ${tenantId} AND instr(coalesce(image_url, '') || coalesce(seo, ''), ${hash}) > 0`;
