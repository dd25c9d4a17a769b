import { PLACE_STRIDE, posting, type SearchDocument } from './document.ts';
import { reachedVersion, type SearchDatabase } from './progress.ts';
import { correctable, exactRanking, parse, type Query, type Ranking, rankingWithTypos } from './query.ts';
import { correctionsWhen, groupCorrections } from './typo-correction.ts';

/** The highest total of a search, and the depth of its pages. */
const MAX_HITS = 1000;
/** A search with fewer exact hits than this adds hits with typo correction. */
const MIN_HITS_WITHOUT_CORRECTION = 5;
/** Bounds of one write's JSON parameter: D1 allows 2 MB, and a character takes up to three bytes. */
const MAX_WRITE_CHARACTERS = 500_000;
const MAX_WRITE_DOCUMENTS = 100;

/** One page of hits. */
export interface Hits {
  /** The products in list shape, as JSON, best first. */
  readonly items: readonly string[];
  /** Exact up to 1,000, and capped there. */
  readonly total: number;
  /** A catalogue version whose changes are all indexed; 0 before the first. */
  readonly version: number;
}

/** A product to remove from the index. */
export type Removal = Pick<SearchDocument, 'tenantId' | 'productId' | 'version' | 'sequence'>;

/**
 * Searches a tenant's active products for untrusted text `q`; `page` counts from 1, `limit` is 1 to 100.
 * Ranks SKU, then name, then the rest, and typo corrections last. Takes one round trip, two with typo
 * correction. Paging is stable as long as the catalogue doesn't change.
 */
export async function find(
  db: SearchDatabase,
  tenantId: number,
  q: string,
  page: number,
  limit: number,
): Promise<Hits> {
  const query = parse(tenantId, q);
  const reached = reachedVersion(db, tenantId);
  if (!query) return { items: [], total: 0, version: versionIn(await reached.all<Row>()) };
  const ranking = exactRanking(query);
  const [at, found, correctionRows] = await db.batch<Row>([
    reached,
    hits(db, query, ranking, page, limit),
    ...findCorrections(db, query, ranking),
  ]);
  const corrections = groupCorrections(correctionRows?.results ?? []);
  const last =
    corrections.size === 0
      ? found
      : await hits(db, query, rankingWithTypos(query, corrections), page, limit).all<Row>();
  return { ...read(last), version: versionIn(at) };
}

const versionIn = (at: D1Result<Row> | undefined): number => Number(at?.results[0]?.version ?? 0);

/** Returns the SQL that selects the places of the first `most` matches, in index order. */
function matches(expression: string, most: number): string {
  return `SELECT rowid AS place FROM search_index WHERE search_index MATCH ${expression} LIMIT ${most}`;
}

/** A row of any statement in the search batch. */
type Row = Readonly<Record<string, unknown>>;

const read = (found: D1Result<Row> | undefined): Omit<Hits, 'version'> => ({
  items: (found?.results ?? []).flatMap(({ item }) => (item === null ? [] : [String(item)])),
  total: Number(found?.results[0]?.total ?? 0),
});

/**
 * Selects a page with the total on each row; an empty page is one row without an item. The place orders hits
 * within a tier. A product can match every tier, so reading (tiers + 1) rows for each hit up to the page's
 * end suffices; without matches no tier is read.
 */
const HITS = `
  WITH found AS MATERIALIZED (${matches('?1', MAX_HITS)}),
  ranked AS (
    SELECT ranking.key AS tier, search_index.rowid AS place
    FROM json_each(?2) AS ranking CROSS JOIN search_index ON search_index MATCH ranking.value
    WHERE (SELECT 1 FROM found LIMIT 1)
    UNION ALL
    SELECT json_array_length(?2), place FROM found
    LIMIT ?3
  ),
  page AS (
    SELECT place, min(tier) AS tier FROM ranked GROUP BY place ORDER BY tier, place LIMIT ?4 OFFSET ?5
  )
  SELECT total, item FROM (SELECT count(*) AS total FROM found)
  LEFT JOIN (page CROSS JOIN search_documents AS document
    ON document.product_id = page.place % ${PLACE_STRIDE} AND document.tenant_id = ?6) ON true
  ORDER BY page.tier, page.place`;

function hits(
  db: SearchDatabase,
  query: Query,
  { tiers, all }: Ranking,
  page: number,
  limit: number,
): D1PreparedStatement {
  const offset = Math.min((page - 1) * limit, MAX_HITS);
  const upTo = Math.min(offset + limit, MAX_HITS);
  const rows = upTo * (tiers.length + 1);
  return db.prepare(HITS).bind(all, JSON.stringify(tiers), rows, upTo - offset, offset, query.tenantId);
}

/** Returns the statement that finds corrections; it selects no rows when the exact hits suffice. */
function findCorrections(db: SearchDatabase, query: Query, { all }: Ranking): D1PreparedStatement[] {
  const words = correctable(query);
  if (words.length === 0) return [];
  const few = `(SELECT count(*) FROM (${matches('?3', MIN_HITS_WITHOUT_CORRECTION)})) < ${MIN_HITS_WITHOUT_CORRECTION}`;
  return [db.prepare(correctionsWhen(few)).bind(JSON.stringify(words), query.tenantId, all)];
}

/**
 * Indexes live documents and removes the others. Idempotent in any order: a document older than its row is
 * ignored. A document that differs only in `item` doesn't touch the FTS index. Takes one round trip for 100
 * documents of ordinary size; `also` runs in the last batch.
 */
export const upsert = (
  db: SearchDatabase,
  documents: readonly SearchDocument[],
  also: readonly D1PreparedStatement[] = [],
): Promise<void> => write(db, documents, 'newer', also);

/** Removes products. A late write that was read before or at the same version doesn't restore them. */
export const remove = (db: SearchDatabase, removals: readonly Removal[]): Promise<void> => {
  const bare = removals.map(({ tenantId, productId, version, sequence }) => ({
    tenantId,
    productId,
    version,
    sequence,
  }));
  return write(db, bare, 'newer');
};

/** Like {@link upsert}, but also rewrites rows that are current, FTS entries included: for a rebuild. */
export const rewrite = (db: SearchDatabase, documents: readonly SearchDocument[]): Promise<void> =>
  write(db, documents, 'newer or same');

async function write(
  db: SearchDatabase,
  entries: readonly (SearchDocument | Removal)[],
  accepts: 'newer' | 'newer or same',
  also: readonly D1PreparedStatement[] = [],
): Promise<void> {
  const same = accepts === 'newer or same' ? 1 : 0;
  const batches = chunks(latest(entries).map((entry) => JSON.stringify(columns(entry)))).map((chunk) =>
    WRITES.map((sql) => db.prepare(sql).bind(`[${chunk.join(',')}]`, same)),
  );
  const last = [...(batches.pop() ?? []), ...also];
  for (const statements of [...batches, last]) if (statements.length > 0) await db.batch(statements);
}

/** Returns the newest entry for each product; between equals, a removal wins. */
function latest(entries: readonly (SearchDocument | Removal)[]): (SearchDocument | Removal)[] {
  const rising = [...entries].sort(
    (a, b) => a.version - b.version || a.sequence - b.sequence || Number(isLive(b)) - Number(isLive(a)),
  );
  return [...new Map(rising.map((entry) => [entry.productId, entry])).values()];
}

const isLive = (entry: SearchDocument | Removal): entry is SearchDocument => 'live' in entry && entry.live;

/** Returns an entry's values in the column order of `incoming`. */
function columns(entry: SearchDocument | Removal): unknown[] {
  const key = [entry.productId, entry.tenantId, entry.sequence];
  if (!isLive(entry)) return [...key, null, null, null, null, [], entry.version];
  const { place, digest, terms, spellings } = posting(entry);
  return [...key, place, digest, entry.item, terms, spellings, entry.version];
}

/** Splits rows into chunks that fit one parameter; an oversized row gets a chunk of its own. */
function chunks(rows: readonly string[]): string[][] {
  const parts: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const part = parts.at(-1);
    characters += row.length;
    if (part && part.length < MAX_WRITE_DOCUMENTS && characters <= MAX_WRITE_CHARACTERS) part.push(row);
    else {
      parts.push([row]);
      characters = row.length;
    }
  }
  return parts;
}

/**
 * ?1 is the rows as JSON; ?2 is 1 to rewrite rows of equal version. `fresh` holds the rows that are not
 * stale: catalogue versions rise from read to read, and within a version a product's sequence rises.
 */
const FRESH = `
  WITH incoming AS MATERIALIZED (
    SELECT value ->> 0 AS product_id, value ->> 1 AS tenant_id, value ->> 2 AS sequence, value ->> 3 AS place,
      value ->> 4 AS digest, value ->> 5 AS item, value ->> 6 AS terms, value ->> 7 AS spellings,
      value ->> 8 AS version
    FROM json_each(?1)
  ),
  fresh AS MATERIALIZED (
    SELECT incoming.*, known.place AS old_place, incoming.digest IS NOT known.digest OR ?2 AS reindexed
    FROM incoming LEFT JOIN search_documents AS known ON known.product_id = incoming.product_id
    WHERE known.product_id IS NULL OR (
      known.tenant_id = incoming.tenant_id AND (
        (incoming.version, incoming.sequence) > (known.version, known.sequence)
        OR ((incoming.version, incoming.sequence) = (known.version, known.sequence)
          AND (?2 OR incoming.place IS NULL))
      )
    )
  )`;

/** The statements of one transaction; the documents come last, because `fresh` reads them. */
const WRITES = [
  `${FRESH} INSERT OR IGNORE INTO search_spellings (tenant_id, word)
    SELECT tenant_id, spelling.value FROM fresh, json_each(fresh.spellings) AS spelling WHERE reindexed`,
  `${FRESH} DELETE FROM search_index
    WHERE rowid IN (SELECT old_place FROM fresh WHERE old_place IS NOT NULL AND reindexed)`,
  `${FRESH} INSERT INTO search_index (rowid, terms)
    SELECT place, terms FROM fresh WHERE place IS NOT NULL AND reindexed`,
  `${FRESH} INSERT INTO search_documents (product_id, tenant_id, version, sequence, place, digest, item)
    SELECT product_id, tenant_id, version, sequence, place, digest, item FROM fresh WHERE true
    ON CONFLICT (product_id) DO UPDATE SET version = excluded.version, sequence = excluded.sequence,
      place = excluded.place, digest = excluded.digest, item = excluded.item`,
] as const;
