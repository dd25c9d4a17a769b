import { type SQL, sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { assertInBatch, guardFailed, rows, type Statement, violation } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { isOverQuota, quotaExceeded } from '../../tenants/index.ts';
import { isRelisting } from '../indexing/relisting.ts';
import { MAX_CATEGORY_LEVELS } from '../limits.ts';
import { CATEGORY_COLUMNS, type CategoryRow } from '../reads/rows.ts';

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

/** Returns the condition that selects a category of the tenant. */
export const byId = (tenantId: number, id: number): SQL => sql`tenant_id = ${tenantId} AND id = ${id}`;

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

/**
 * Commits the batch of a write and returns the new version. Fails with 412 when the category is not at the
 * `expected` revision.
 */
export async function commitCategoryWrite(
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
