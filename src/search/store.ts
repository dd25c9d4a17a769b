import { PLACES, posting, type SearchDocument } from './document.ts';
import { reachedVersion, type SearchDatabase } from './progress.ts';
import { correctable, exactly, parse, type Query, type Ranking, withTypos } from './query.ts';
import { groupCorrections, guessesWhen } from './typo-correction.ts';

/** How far a search counts, and how deep its pages go. */
const MOST_HITS = 1000;
/** With fewer exact hits than this, hits with a typo follow them. */
const FEW_HITS = 5;
/** A parameter of D1 holds 2 MB, and a character of ours up to three bytes. */
const WRITE_CHARACTERS = 500_000;
const WRITE_DOCUMENTS = 100;

/** One page of hits. */
export interface Hits {
  /** The products in list shape, as JSON, best first. */
  readonly items: readonly string[];
  /** Exact to 1,000, and capped there. */
  readonly total: number;
  /** The catalogue version that the index had reached, at least; 0 as long as it has reached none. */
  readonly version: number;
}

/** A product that is to be found no more. */
export type Removal = Pick<SearchDocument, 'tenantId' | 'productId' | 'version' | 'sequence'>;

/**
 * Searches a tenant's active products for a shopper's text, which may hold anything: `page` counts from 1,
 * `limit` is 1 to 100; a page past the last is empty. Ranks SKU, then name, then the rest, and typos last.
 * One round trip, two where a typo is looked for. Pages hold still while the catalogue does.
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
  const ranking = exactly(query);
  const [at, found, guesses] = await db.batch<Row>([
    reached,
    hits(db, query, ranking, page, limit),
    ...guess(db, query, ranking),
  ]);
  const meant = groupCorrections(guesses?.results ?? []);
  const last =
    meant.size === 0 ? found : await hits(db, query, withTypos(query, meant), page, limit).all<Row>();
  return { ...read(last), version: versionIn(at) };
}

const versionIn = (at: D1Result<Row> | undefined): number => Number(at?.results[0]?.version ?? 0);

/** The places of at most so many matches, in their order. */
function matches(expression: string, most: number): string {
  return `SELECT rowid AS place FROM search_index WHERE search_index MATCH ${expression} LIMIT ${most}`;
}

/** What a statement of a search answers with, one column or another. */
type Row = Readonly<Record<string, unknown>>;

const read = (found: D1Result<Row> | undefined): Omit<Hits, 'version'> => ({
  items: (found?.results ?? []).flatMap(({ item }) => (item === null ? [] : [String(item)])),
  total: Number(found?.results[0]?.total ?? 0),
});

/**
 * A page and, on each row, the total: at least one row, with no item when the page is empty. Within a tier the
 * index's own order, the place, decides. Tiers are walked only as far as the page needs: a product may stand
 * in each of them, so as many rows for a hit are enough; and not at all when nothing matches.
 */
const HITS = `
  WITH found AS MATERIALIZED (${matches('?1', MOST_HITS)}),
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
    ON document.product_id = page.place % ${PLACES} AND document.tenant_id = ?6) ON true
  ORDER BY page.tier, page.place`;

function hits(
  db: SearchDatabase,
  query: Query,
  { tiers, all }: Ranking,
  page: number,
  limit: number,
): D1PreparedStatement {
  const from = Math.min((page - 1) * limit, MOST_HITS);
  const upTo = Math.min(from + limit, MOST_HITS);
  const rows = upTo * (tiers.length + 1);
  return db.prepare(HITS).bind(all, JSON.stringify(tiers), rows, upTo - from, from, query.tenantId);
}

/** What the words may have meant; no work, and no rows, where the exact hits are enough. */
function guess(db: SearchDatabase, query: Query, { all }: Ranking): D1PreparedStatement[] {
  const words = correctable(query);
  if (words.length === 0) return [];
  const few = `(SELECT count(*) FROM (${matches('?3', FEW_HITS)})) < ${FEW_HITS}`;
  return [db.prepare(guessesWhen(few)).bind(JSON.stringify(words), query.tenantId, all)];
}

/**
 * Makes products findable as they are now; one that isn't live is taken out. Any order, any number of times:
 * a document older than what is known of its product does nothing. A document that changed in its item alone
 * leaves the index as it is. One round trip for up to 100 documents of ordinary size; `also` runs with the last.
 */
export const upsert = (
  db: SearchDatabase,
  documents: readonly SearchDocument[],
  also: readonly D1PreparedStatement[] = [],
): Promise<void> => write(db, documents, 'newer', also);

/** Takes products out. What comes late, read earlier or at the same time, doesn't bring them back. */
export const remove = (db: SearchDatabase, removals: readonly Removal[]): Promise<void> => {
  const bare = removals.map(({ tenantId, productId, version, sequence }) => ({
    tenantId,
    productId,
    version,
    sequence,
  }));
  return write(db, bare, 'newer');
};

/** As {@link upsert}, but writes what is known to be like that again, index and all: for a rebuild. */
export const rewrite = (db: SearchDatabase, documents: readonly SearchDocument[]): Promise<void> =>
  write(db, documents, 'newer or same');

async function write(
  db: SearchDatabase,
  entries: readonly (SearchDocument | Removal)[],
  which: 'newer' | 'newer or same',
  also: readonly D1PreparedStatement[] = [],
): Promise<void> {
  const same = which === 'newer or same' ? 1 : 0;
  const batches = chunks(latest(entries).map((entry) => JSON.stringify(columns(entry)))).map((chunk) =>
    WRITES.map((sql) => db.prepare(sql).bind(`[${chunk.join(',')}]`, same)),
  );
  const last = [...(batches.pop() ?? []), ...also];
  for (const statements of [...batches, last]) if (statements.length > 0) await db.batch(statements);
}

/** The last word on each product: what was read last, and a removal where two are equal. */
function latest(entries: readonly (SearchDocument | Removal)[]): (SearchDocument | Removal)[] {
  const rising = [...entries].sort(
    (a, b) => a.version - b.version || a.sequence - b.sequence || Number(isLive(b)) - Number(isLive(a)),
  );
  return [...new Map(rising.map((entry) => [entry.productId, entry])).values()];
}

const isLive = (entry: SearchDocument | Removal): entry is SearchDocument => 'live' in entry && entry.live;

/** The columns of INCOMING, in its order. */
function columns(entry: SearchDocument | Removal): unknown[] {
  const key = [entry.productId, entry.tenantId, entry.sequence];
  if (!isLive(entry)) return [...key, null, null, null, null, [], entry.version];
  const { place, digest, terms, spellings } = posting(entry);
  return [...key, place, digest, entry.item, terms, spellings, entry.version];
}

/** Splits rows so that each part fits one parameter; a row that is larger alone goes alone. */
function chunks(rows: readonly string[]): string[][] {
  const parts: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const part = parts.at(-1);
    characters += row.length;
    if (part && part.length < WRITE_DOCUMENTS && characters <= WRITE_CHARACTERS) part.push(row);
    else {
      parts.push([row]);
      characters = row.length;
    }
  }
  return parts;
}

/**
 * ?1 the rows as JSON; ?2 whether what is known will do. `fresh` is what isn't too late: versions rise from one
 * read of the catalogue to the next, and of one version a product's sequence does.
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

/** One transaction; the documents come last, since `fresh` looks at them. */
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
