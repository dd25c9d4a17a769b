import { sql } from 'drizzle-orm';
import { assignIds, searchSourcesAfter, writeStatements } from '../src/catalog/index.ts';
import { newCause } from '../src/inventory/index.ts';
import { batch, directory, run } from '../src/kernel/data/database.ts';
import { type RebuildCursor, rebuildStep } from '../src/search/index.ts';
import { product } from './catalogue.ts';

/** A range of products of a seeded catalogue, and the tenant that they are written for. */
export interface Filling {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly tenantId: number;
  readonly currency: string;
  /** The categories that products may be in. */
  readonly categories: readonly number[];
}

/**
 * Writes products with the catalogue's own statements, in one batch. Their outbox rows are deleted at once;
 * {@link indexStep} builds the search index.
 */
export async function batchOf(
  env: Env,
  { seed, from, count, ...shop }: Filling,
): Promise<{ written: number }> {
  const db = directory(env);
  const drafts = Array.from({ length: count }, (_, at) => ({
    before: null,
    after: product(seed, from + at, shop.currency, shop.categories),
  }));
  const ctx = { db, tenantId: shop.tenantId, currency: shop.currency, currencies: [shop.currency] };
  const cause = newCause(ctx, 'created');
  const writes = await assignIds(ctx, drafts);
  const forget = run(db, sql`DELETE FROM outbox WHERE tenant_id = ${shop.tenantId}`);
  await batch(db, [...writeStatements(ctx, cause, writes), forget]);
  return { written: writes.length };
}

/** The progress of a tenant's index build. */
export interface Indexing {
  readonly tenantId: number;
  /** Where to continue: absent at the start, null when done. */
  readonly cursor?: RebuildCursor | null;
}

/** Runs up to twenty steps of the search index's rebuild. */
export async function indexStep(env: Env, { tenantId, cursor }: Indexing): Promise<Indexing> {
  const db = directory(env);
  let next: RebuildCursor | null | undefined = cursor;
  for (let step = 0; step < 20 && next !== null; step++) {
    next = await rebuildStep(
      { db: env.SEARCH_DB, tenantId },
      (after, limit) => searchSourcesAfter({ db, tenantId }, after, limit),
      next,
    );
  }
  return { tenantId, cursor: next ?? null };
}
