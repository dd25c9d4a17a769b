import { sql } from 'drizzle-orm';
import { assignIds, searchSourcesAfter, writeStatements } from '../../src/catalog/index.ts';
import { newCause } from '../../src/inventory/index.ts';
import { batch, database, run } from '../../src/kernel/data/database.ts';
import { type RebuildCursor, rebuildStep } from '../../src/search/indexing/rebuild.ts';
import { product } from './catalogue.ts';
import { openSqlite } from './sqlite-d1.ts';

/** The files of both databases. */
export interface DatabaseFiles {
  readonly main: string;
  readonly search: string;
}

/** A seeded catalogue, and the tenant that it is written for. */
export interface Filling {
  readonly seed: number;
  readonly count: number;
  readonly tenantId: number;
  readonly currency: string;
  /** The categories that products may be in. */
  readonly categories: readonly number[];
}

/** Products of one transaction. */
const PRODUCTS_PER_BATCH = 100;

/**
 * Writes a catalogue and its search index with the service's own statements, straight into the files of databases that
 * no Worker has open. Writes no outbox rows: these products raise no events.
 */
export async function fillFiles(files: DatabaseFiles, filling: Filling): Promise<void> {
  const main = openSqlite(files.main);
  const search = openSqlite(files.search);
  try {
    // Filling uses these two bindings alone.
    const env = { DB: main.d1, SEARCH_01: search.d1 } as unknown as Env;
    await writeProducts(env, filling);
    await indexProducts(env, filling);
  } finally {
    main.close();
    search.close();
  }
}

async function writeProducts(env: Env, { seed, count, ...shop }: Filling): Promise<void> {
  const { tenantId, currency } = shop;
  const db = database(env, tenantId);
  const ctx = { db, tenantId, currency, currencies: [currency] };
  for (let from = 0; from < count; from += PRODUCTS_PER_BATCH) {
    const drafts = Array.from({ length: Math.min(PRODUCTS_PER_BATCH, count - from) }, (_, at) => ({
      before: null,
      after: product(seed, from + at, currency, shop.categories),
    }));
    const writes = await assignIds(ctx, drafts);
    const forget = run(db, sql`DELETE FROM outbox WHERE tenant_id = ${tenantId}`);
    await batch(db, [...writeStatements(ctx, newCause(ctx, 'created'), writes), forget]);
    reportProgress(`${from + drafts.length} of ${count} products`);
  }
}

async function indexProducts(env: Env, { tenantId }: Filling): Promise<void> {
  const ctx = { db: database(env, tenantId), tenantId };
  let next: RebuildCursor | null | undefined;
  while (next !== null) {
    const index = { db: env.SEARCH_01, tenantId };
    next = await rebuildStep(index, (after, limit) => searchSourcesAfter(ctx, after, limit), next);
    if (next) reportProgress(`Indexing: ${next.phase} ${next.after}`);
  }
  reportProgress('');
}

/** Prints progress. */
function reportProgress(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
}
