import type { SearchDocument } from './document.ts';
import type { SearchDatabase } from './progress.ts';
import { remove, rewrite } from './store.ts';
import { term } from './terms.ts';

/** The tenant's products after an id, by rising id, at most `limit`: fewer mean that there are no more. */
export type Source = (afterId: number, limit: number) => Promise<readonly SearchDocument[]>;

/** How far a rebuild has come: plain data, to be kept or sent, from which it can go on anywhere. */
export type RebuildCursor =
  | { readonly phase: 'products'; readonly after: number }
  | { readonly phase: 'spellings'; readonly after: string };

/** Where a rebuild begins. */
const START: RebuildCursor = { phase: 'products', after: 0 };
const PRODUCTS = 100;
const KNOWN = 1000;
const WORDS = 500;

/**
 * One step of a rebuild, a few statements (some dozens where much is stale): about 100 products are written again
 * and those of their range that the source no longer has are taken out; after the last product, words that no
 * product uses are forgotten. Answers where to go on, `null` when all is done. Search and writes go on
 * meanwhile, and whichever write is newer wins; a step that runs twice does no harm.
 */
export async function rebuildStep(
  db: SearchDatabase,
  tenantId: number,
  source: Source,
  cursor: RebuildCursor = START,
): Promise<RebuildCursor | null> {
  return cursor.phase === 'products'
    ? rebuildProducts(db, tenantId, source, cursor.after)
    : forgetSpellings(db, tenantId, cursor.after);
}

/** Asks the index before the source, so that a product made in between is never taken for a stale one. */
async function rebuildProducts(
  db: SearchDatabase,
  tenantId: number,
  source: Source,
  after: number,
): Promise<RebuildCursor> {
  const known = await knownAfter(db, tenantId, after);
  const read = await source(after, PRODUCTS);
  const upTo = Math.min(end(known, KNOWN), end(read, PRODUCTS));
  const inRange = ({ productId }: Known): boolean => productId <= upTo;
  const current = read.filter(inRange);
  const ids = new Set(current.map(({ productId }) => productId));
  await remove(
    db,
    known
      .filter((entry) => inRange(entry) && !ids.has(entry.productId))
      .map((entry) => ({ ...entry, tenantId })),
  );
  await rewrite(db, current);
  return upTo === Number.POSITIVE_INFINITY
    ? { phase: 'spellings', after: '' }
    : { phase: 'products', after: upTo };
}

/** The id up to which a list of at most `limit` is complete. */
const end = (list: readonly Known[], limit: number): number =>
  list.length < limit ? Number.POSITIVE_INFINITY : (list.at(-1)?.productId ?? 0);

type Known = Pick<SearchDocument, 'productId' | 'version' | 'sequence'>;

async function knownAfter(db: SearchDatabase, tenantId: number, after: number): Promise<Known[]> {
  const sql = `SELECT product_id AS productId, version, sequence FROM search_documents
    WHERE tenant_id = ?1 AND product_id > ?2 AND place IS NOT NULL ORDER BY product_id LIMIT ${KNOWN}`;
  return (await db.prepare(sql).bind(tenantId, after).all<Known>()).results;
}

/** Deletes, of the next words, those that the index doesn't hold. */
async function forgetSpellings(
  db: SearchDatabase,
  tenantId: number,
  after: string,
): Promise<RebuildCursor | null> {
  const words = `SELECT word FROM search_spellings WHERE tenant_id = ?1 AND word > ?2 ORDER BY word LIMIT ${WORDS}`;
  const unused = `DELETE FROM search_spellings WHERE tenant_id = ?1 AND word IN (${words})
    AND NOT EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH '"' || ?3 || word || '"')`;
  const [last] = await db.batch<{ word: string | null }>([
    db.prepare(`SELECT max(word) AS word FROM (${words})`).bind(tenantId, after),
    db.prepare(unused).bind(tenantId, after, term(tenantId, 'a', '')),
  ]);
  const word = last?.results[0]?.word ?? null;
  return word === null ? null : { phase: 'spellings', after: word };
}
