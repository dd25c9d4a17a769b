import { changesForSearch } from '../../catalog/index.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { tenantIndex } from '../database.ts';
import { noteProgress, readProgress } from './progress.ts';
import { upsert } from './write-documents.ts';

/** The index's state after a slice. */
export interface Reached {
  readonly version: number;
  /** Whether no change is left to index. */
  readonly complete: boolean;
}

/**
 * Indexes the next slice of a tenant's catalogue changes: at most 300 products, about a dozen statements.
 * Concurrent calls are safe.
 */
export async function catchUp(ctx: TenantContext, index = tenantIndex(ctx)): Promise<Reached> {
  const before = await readProgress(index);
  const slice = await changesForSearch(ctx, before.sequence);
  const version = slice.complete ? Math.max(slice.version, before.version) : before.version;
  if (slice.documents.length > 0 || version > before.version) {
    const progress = noteProgress(index, { sequence: slice.sequence, version });
    await upsert(index.db, slice.documents, [progress]);
  }
  await slice.settle();
  return { version, complete: slice.complete };
}
