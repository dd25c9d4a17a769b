import { MAX_LARGE_PRODUCTS } from '../../catalog/index.ts';
import { namedRows, type TenantIndex } from '../database.ts';
import { term } from '../terms.ts';
import type { SearchDocument } from './document.ts';
import { remove, rewrite } from './write-documents.ts';

/**
 * Reads up to `limit` of the tenant's products after an id, in id order; a shorter list is the last. Null where so many
 * are too large together.
 */
export type Source = (afterId: number, limit: number) => Promise<readonly SearchDocument[] | null>;

/** The position of a rebuild, as serializable data: any consumer can resume from it. */
export type RebuildCursor =
  | { readonly phase: 'products'; readonly after: number }
  | { readonly phase: 'spellings'; readonly after: string };

const START: RebuildCursor = { phase: 'products', after: 0 };
/** Bounds of one step: products rewritten, indexed rows compared, dictionary words checked. */
const MAX_PRODUCTS_PER_STEP = 100;
const MAX_INDEXED_PER_STEP = 1_000;
const MAX_WORDS_PER_STEP = 500;

/**
 * Runs one step of a rebuild: rewrites about 100 products, removes stale ones in their id range, and after
 * the last product deletes unused dictionary words. Returns the next cursor, or `null` at the end.
 * Idempotent, and safe beside searches and writes: the newer write wins.
 */
export async function rebuildStep(
  index: TenantIndex,
  source: Source,
  cursor: RebuildCursor = START,
): Promise<RebuildCursor | null> {
  return cursor.phase === 'products'
    ? rebuildProducts(index, source, cursor.after)
    : deleteUnusedSpellings(index, cursor.after);
}

/** Reads the index before the source, so that a product created in between never counts as stale. */
async function rebuildProducts(index: TenantIndex, source: Source, after: number): Promise<RebuildCursor> {
  const { db, tenantId } = index;
  const indexed = await indexedAfter(index, after);
  const many = await source(after, MAX_PRODUCTS_PER_STEP);
  const limit = many ? MAX_PRODUCTS_PER_STEP : MAX_LARGE_PRODUCTS;
  const read = many ?? (await source(after, limit)) ?? [];
  const upTo = Math.min(completeUpTo(indexed, MAX_INDEXED_PER_STEP), completeUpTo(read, limit));
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

/** Reads the live rows of the index after a product id, in id order. */
async function indexedAfter({ db, tenantId }: TenantIndex, after: number): Promise<IndexedProduct[]> {
  const sql = `SELECT product_id AS productId, version, sequence FROM search_documents
    WHERE tenant_id = ?1 AND product_id > ?2 AND place IS NOT NULL ORDER BY product_id LIMIT ${MAX_INDEXED_PER_STEP}`;
  return (await db.prepare(sql).bind(tenantId, after).all<IndexedProduct>()).results;
}

/** Checks the next dictionary words, and deletes those that the index doesn't contain. */
async function deleteUnusedSpellings(
  { db, tenantId }: TenantIndex,
  after: string,
): Promise<RebuildCursor | null> {
  const words = `SELECT word FROM search_spellings WHERE tenant_id = ?1 AND word > ?2 ORDER BY word LIMIT ${MAX_WORDS_PER_STEP}`;
  const unused = `DELETE FROM search_spellings WHERE tenant_id = ?1 AND word IN (${words})
    AND NOT EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH '"' || ?3 || word || '"')`;
  const { last } = await namedRows<{ last: { word: string | null }; deleted: never }>(db, {
    last: db.prepare(`SELECT max(word) AS word FROM (${words})`).bind(tenantId, after),
    deleted: db.prepare(unused).bind(tenantId, after, term(tenantId, 'a', '')),
  });
  const word = last[0]?.word ?? null;
  return word === null ? null : { phase: 'spellings', after: word };
}
