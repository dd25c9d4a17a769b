import { searchSourcesAfter } from '../catalog/index.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { namedRows, type TenantIndex } from './database.ts';
import { noteProgress, type Progress } from './indexing/progress.ts';
import { rebuildStep } from './indexing/rebuild.ts';

/**
 * Indexes the next products of a tenant's copy in the search database of the shard that it moves to, about 100. Returns
 * the product up to which it has come, or null at the end: a catch-up then indexes what has changed after `since`, the
 * position at which the copy began.
 */
export async function indexCopy(
  copy: TenantDatabase,
  index: TenantIndex,
  { after, since }: { readonly after: number; readonly since: Progress },
): Promise<number | null> {
  if (after === 0) await noteProgress(index, since).run();
  const source = (from: number, limit: number) => searchSourcesAfter(copy, from, limit);
  const next = await rebuildStep(index, source, { phase: 'products', after });
  return next?.phase === 'products' ? next.after : null;
}

/**
 * Returns the position of a tenant's catalogue. A copy can't tell it: the tenant's row may be copied before products
 * that changed earlier.
 */
export async function catalogProgress({ db, tenantId }: TenantDatabase): Promise<Progress> {
  const row = await db.$client
    .prepare('SELECT clock AS sequence, catalog_version AS version FROM tenants WHERE id = ?')
    .bind(tenantId)
    .first<Progress>();
  return row ?? { sequence: 0, version: 0 };
}

/** The most documents and words that one round deletes. */
const MAX_DOCUMENTS = 300;
const MAX_WORDS = 1_000;

/** Deletes a part of a tenant's index on a shard that it has left. Returns whether more may be left. */
export async function deleteIndexRound({ db, tenantId }: TenantIndex): Promise<boolean> {
  const documents = `SELECT product_id FROM search_documents WHERE tenant_id = ?1 ORDER BY product_id LIMIT ${MAX_DOCUMENTS}`;
  const words = `SELECT word FROM search_spellings WHERE tenant_id = ?1 ORDER BY word LIMIT ${MAX_WORDS}`;
  const statement = (text: string) => db.prepare(text).bind(tenantId);
  const { left } = await namedRows<
    Record<'terms' | 'documents' | 'words' | 'progress', never> & { left: { n: number } }
  >(db, {
    terms: statement(
      `DELETE FROM search_index WHERE rowid IN (
          SELECT place FROM search_documents WHERE product_id IN (${documents}) AND place IS NOT NULL)`,
    ),
    documents: statement(`DELETE FROM search_documents WHERE product_id IN (${documents})`),
    words: statement(`DELETE FROM search_spellings WHERE tenant_id = ?1 AND word IN (${words})`),
    progress: statement('DELETE FROM search_progress WHERE tenant_id = ?1'),
    left: statement(
      `SELECT EXISTS (SELECT 1 FROM search_documents WHERE tenant_id = ?1)
          OR EXISTS (SELECT 1 FROM search_spellings WHERE tenant_id = ?1) AS n`,
    ),
  });
  return left[0]?.n === 1;
}
