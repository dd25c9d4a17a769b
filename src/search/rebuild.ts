import type { SearchDocument } from './document.ts';
import type { SearchDatabase } from './progress.ts';
import { remove, rewrite } from './store.ts';
import { term } from './terms.ts';

/** Reads up to `limit` of the tenant's products after an id, in id order; a shorter list is the last. */
export type Source = (afterId: number, limit: number) => Promise<readonly SearchDocument[]>;

/** The position of a rebuild, as serializable data: any consumer can resume from it. */
export type RebuildCursor =
  | { readonly phase: 'products'; readonly after: number }
  | { readonly phase: 'spellings'; readonly after: string };

const START: RebuildCursor = { phase: 'products', after: 0 };
/** Bounds of one step: products rewritten, indexed rows compared, dictionary words checked. */
const PRODUCTS_PER_STEP = 100;
const MAX_INDEXED_PER_STEP = 1000;
const WORDS_PER_STEP = 500;

/**
 * Runs one step of a rebuild: rewrites about 100 products, removes stale ones in their id range, and after
 * the last product deletes unused dictionary words. Returns the next cursor, or `null` at the end.
 * Idempotent, and safe beside searches and writes: the newer write wins.
 */
export async function rebuildStep(
  db: SearchDatabase,
  tenantId: number,
  source: Source,
  cursor: RebuildCursor = START,
): Promise<RebuildCursor | null> {
  return cursor.phase === 'products'
    ? rebuildProducts(db, tenantId, source, cursor.after)
    : deleteUnusedSpellings(db, tenantId, cursor.after);
}

/** Reads the index before the source, so that a product created in between never counts as stale. */
async function rebuildProducts(
  db: SearchDatabase,
  tenantId: number,
  source: Source,
  after: number,
): Promise<RebuildCursor> {
  const indexed = await indexedAfter(db, tenantId, after);
  const read = await source(after, PRODUCTS_PER_STEP);
  const upTo = Math.min(completeUpTo(indexed, MAX_INDEXED_PER_STEP), completeUpTo(read, PRODUCTS_PER_STEP));
  const inRange = ({ productId }: IndexedProduct): boolean => productId <= upTo;
  const current = read.filter(inRange);
  const ids = new Set(current.map(({ productId }) => productId));
  await remove(
    db,
    indexed
      .filter((entry) => inRange(entry) && !ids.has(entry.productId))
      .map((entry) => ({ ...entry, tenantId })),
  );
  await rewrite(db, current);
  return upTo === Number.POSITIVE_INFINITY
    ? { phase: 'spellings', after: '' }
    : { phase: 'products', after: upTo };
}

/** Returns the id up to which a list read with `limit` is complete. */
const completeUpTo = (list: readonly IndexedProduct[], limit: number): number =>
  list.length < limit ? Number.POSITIVE_INFINITY : (list.at(-1)?.productId ?? 0);

type IndexedProduct = Pick<SearchDocument, 'productId' | 'version' | 'sequence'>;

async function indexedAfter(db: SearchDatabase, tenantId: number, after: number): Promise<IndexedProduct[]> {
  const sql = `SELECT product_id AS productId, version, sequence FROM search_documents
    WHERE tenant_id = ?1 AND product_id > ?2 AND place IS NOT NULL ORDER BY product_id LIMIT ${MAX_INDEXED_PER_STEP}`;
  return (await db.prepare(sql).bind(tenantId, after).all<IndexedProduct>()).results;
}

/** Checks the next dictionary words, and deletes those that the index doesn't contain. */
async function deleteUnusedSpellings(
  db: SearchDatabase,
  tenantId: number,
  after: string,
): Promise<RebuildCursor | null> {
  const words = `SELECT word FROM search_spellings WHERE tenant_id = ?1 AND word > ?2 ORDER BY word LIMIT ${WORDS_PER_STEP}`;
  const unused = `DELETE FROM search_spellings WHERE tenant_id = ?1 AND word IN (${words})
    AND NOT EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH '"' || ?3 || word || '"')`;
  const [last] = await db.batch<{ word: string | null }>([
    db.prepare(`SELECT max(word) AS word FROM (${words})`).bind(tenantId, after),
    db.prepare(unused).bind(tenantId, after, term(tenantId, 'a', '')),
  ]);
  const word = last?.results[0]?.word ?? null;
  return word === null ? null : { phase: 'spellings', after: word };
}
