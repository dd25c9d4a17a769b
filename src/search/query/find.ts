import { MAX_PAGE_BYTES, PLACE_STRIDE, productAt, type TextQuery } from '../../catalog/index.ts';
import { namedRows, type SearchDatabase, type TenantIndex } from '../database.ts';
import { reachedVersion } from '../indexing/progress.ts';
import {
  correctable,
  exactRanking,
  ftsRanking,
  parse,
  type Query,
  type Ranking,
  rankingWithTypos,
} from './ranking.ts';
import { type CorrectionRow, correctionsWhen, groupCorrections } from './typo-correction.ts';

/** The highest total of a search, and the depth of its pages. */
const MAX_HITS = 1_000;
/** The most hits that filters, facets and other orders than by relevance apply to. */
const MAX_RANKED_HITS = 10_000;
/** A search with fewer exact hits than this adds hits with typo correction. */
export const MIN_HITS_WITHOUT_CORRECTION = 5;
/** The parameters of a search. */
export interface Search {
  /** Untrusted text. */
  readonly q: string;
  /** The number of hits to skip. */
  readonly offset: number;
  /** The number of hits to return. */
  readonly limit: number;
  /** The rank of the hit to begin after, in place of `offset`. */
  readonly after?: Rank | null;
}

/** Where a hit ranks: its tier, and its place within the tier. */
export type Rank = readonly [tier: number, place: number];

/** One page of hits. */
export interface Hits {
  /** The products in list shape, as JSON, best first. */
  readonly items: readonly string[];
  /** Their ranks. */
  readonly ranks: readonly Rank[];
  /** How many hits the page has, with those left out because it would be too large. */
  readonly found: number;
  /** Exact up to 1,000, and capped there. */
  readonly total: number;
  /** A catalogue version whose changes are all indexed; 0 before the first. */
  readonly version: number;
}

/** A row of {@link HITS}. */
interface HitRow {
  readonly total: number;
  /** Null for an item of more than the longest bytes that the statement reads. */
  readonly item: string | null;
  readonly bytes: number;
  readonly tier: number;
  readonly place: number;
}

/** All hits of a search, best first. */
interface RankedHits {
  readonly ranks: readonly Rank[];
  readonly version: number;
}

/**
 * Searches a tenant's active products. Ranks SKU, then name, then the rest, and typo corrections last. Takes one round
 * trip, one more with typo correction, and one more for long items. Pages by number are stable as long as the catalogue
 * doesn't change.
 */
export async function find(index: TenantIndex, search: Search): Promise<Hits> {
  const { rows, version } = await searchIndex<HitRow>(index, search.q, (query, ranking) =>
    hits(index.db, { query, ranking, search }),
  );
  // An empty page is one row without a place.
  const page = rows.filter(({ place }) => place !== null);
  const shown = await withItems(index, fitting(page));
  return {
    items: shown.map(({ item }) => item),
    ranks: shown.map(({ tier, place }) => [tier, place]),
    found: page.length,
    total: rows[0]?.total ?? 0,
    version,
  };
}

/** Returns the first hits, up to the one with which their items have more than {@link MAX_PAGE_BYTES}. */
function fitting(page: readonly HitRow[]): HitRow[] {
  let before = 0;
  return page.filter(({ bytes }) => {
    const fits = before <= MAX_PAGE_BYTES;
    before += bytes;
    return fits;
  });
}

/** Returns hits with their items: those that were too long to be read at once are read now, unless they are gone. */
async function withItems({ db, tenantId }: TenantIndex, hits: readonly HitRow[]) {
  const long = hits.flatMap(({ item, place }) => (item === null ? productAt(place) : []));
  const read =
    long.length === 0
      ? []
      : (
          await db
            .prepare(ITEMS)
            .bind(tenantId, JSON.stringify(long))
            .all<{ product_id: number; item: string | null }>()
        ).results;
  const items = new Map(read.map(({ product_id, item }) => [product_id, item]));
  return hits.flatMap((hit) => {
    const item = hit.item ?? items.get(productAt(hit.place)) ?? null;
    return item === null ? [] : [{ ...hit, item }];
  });
}

/** Finds all that {@link find} pages through, up to {@link MAX_RANKED_HITS} hits, in as many round trips. */
export async function findRanked(index: TenantIndex, q: string): Promise<RankedHits> {
  const { rows, version } = await searchIndex<{ ranks: string }>(index, q, (_, { tiers, all }) =>
    index.db.prepare(RANKED).bind(all, JSON.stringify(tiers), MAX_RANKED_HITS * (tiers.length + 1)),
  );
  // Written by RANKED.
  return { ranks: JSON.parse(rows[0]?.ranks ?? '[]') as Rank[], version };
}

/** Runs a query of the index, and once more with corrected words where it finds little. */
async function searchIndex<Row>(
  index: TenantIndex,
  q: string,
  select: (query: Query, ranking: Ranking) => D1PreparedStatement,
): Promise<{ readonly rows: readonly Row[]; readonly version: number }> {
  const { db, tenantId } = index;
  const query = parse(tenantId, q);
  const reached = reachedVersion(index);
  if (!query) return { rows: [], version: (await reached.first<{ version: number }>())?.version ?? 0 };
  const ranking = ftsRanking(tenantId, exactRanking(query));
  const read = await namedRows<{ reached: { version: number }; rows: Row; corrections: CorrectionRow }>(db, {
    reached,
    rows: select(query, ranking),
    corrections: findCorrections(db, query, ranking),
  });
  const version = read.reached[0]?.version ?? 0;
  const corrections = groupCorrections(read.corrections);
  if (corrections.size === 0) return { rows: read.rows, version };
  const corrected = ftsRanking(tenantId, rankingWithTypos(query, corrections));
  const { results } = await select(query, corrected).all<Row>();
  return { rows: results, version };
}

/** Returns what a search matches without typo correction, or null if the text has nothing to search for. */
export function exactText(tenantId: number, q: string): TextQuery | null {
  const query = parse(tenantId, q);
  return query && exactRanking(query);
}

/** What a search matches with typo correction, and the catalogue version that the dictionary has reached. */
interface CorrectedText {
  /** Null where no word is corrected. */
  readonly text: TextQuery | null;
  readonly version: number;
}

/** Returns what a search with few exact hits matches: with typo correction where words can be corrected. */
export async function correctedText(index: TenantIndex, q: string): Promise<CorrectedText> {
  const query = parse(index.tenantId, q);
  // Without a word to correct the result is the same at every version.
  if (!query || correctable(query).length === 0) return { text: null, version: Number.POSITIVE_INFINITY };
  const read = await namedRows<{ reached: { version: number }; corrections: CorrectionRow }>(index.db, {
    reached: reachedVersion(index),
    corrections: findCorrections(index.db, query, ftsRanking(index.tenantId, exactRanking(query))),
  });
  const corrections = groupCorrections(read.corrections);
  return {
    text: corrections.size > 0 ? rankingWithTypos(query, corrections) : null,
    version: read.reached[0]?.version ?? 0,
  };
}

/** Returns the SQL that selects the places of the first `most` matches, in index order. */
function matches(expression: string, most: number): string {
  return `SELECT rowid AS place FROM search_index WHERE search_index MATCH ${expression} LIMIT ${most}`;
}

/** Returns the expressions that rank matches: `found`, at most `most`, and `ranked`, once for each tier. */
const rankedIn = (most: number): string => `
  found AS MATERIALIZED (${matches('?1', most)}),
  ranked AS (
    SELECT ranking.key AS tier, search_index.rowid AS place
    FROM json_each(?2) AS ranking CROSS JOIN search_index ON search_index MATCH ranking.value
    WHERE (SELECT 1 FROM found LIMIT 1)
    UNION ALL
    SELECT json_array_length(?2), place FROM found
    LIMIT ?3
  )`;

/**
 * Selects a page with the total on each row; an empty page is one row without an item. The place orders hits
 * within a tier. A product can match every tier, so reading (tiers + 1) rows for each hit up to the page's
 * end suffices; without matches no tier is read. The page begins after the rank (?7, ?8). Items of
 * more than ?9 bytes are left out.
 */
const HITS = `
  WITH ${rankedIn(MAX_HITS)},
  page AS (
    SELECT place, min(tier) AS tier FROM ranked GROUP BY place HAVING (min(tier), place) > (?7, ?8)
    ORDER BY tier, place LIMIT ?4 OFFSET ?5
  )
  SELECT total, iif(octet_length(item) <= ?9, item, NULL) AS item, octet_length(item) AS bytes, page.tier, page.place
  FROM (SELECT count(*) AS total FROM found)
  LEFT JOIN (page CROSS JOIN search_documents AS document
    ON document.product_id = page.place % ${PLACE_STRIDE} AND document.tenant_id = ?6) ON true
  ORDER BY page.tier, page.place`;

/** Selects the items of products. */
const ITEMS = `SELECT product_id, item FROM search_documents
  WHERE product_id IN (SELECT value FROM json_each(?2)) AND +tenant_id = ?1`;

/** Selects the ranks of all hits as one JSON array. */
const RANKED = `
  WITH ${rankedIn(MAX_RANKED_HITS)}
  SELECT json_group_array(json_array(tier, place)) AS ranks FROM (
    SELECT place, min(tier) AS tier FROM ranked GROUP BY place ORDER BY tier, place LIMIT ${MAX_RANKED_HITS})`;

/** Returns the statement that selects a page of hits in a ranking. */
function hits(
  db: SearchDatabase,
  { query, ranking, search }: { readonly query: Query; readonly ranking: Ranking; readonly search: Search },
): D1PreparedStatement {
  const { tiers, all } = ranking;
  const [tier, place] = search.after ?? [-1, 0];
  const offset = search.after ? 0 : Math.min(search.offset, MAX_HITS);
  const upTo = Math.min(offset + search.limit, MAX_HITS);
  // Hits before `after` are ranked too, and their number isn't known.
  const rows = (search.after ? MAX_HITS : upTo) * (tiers.length + 1);
  const longest = Math.floor(MAX_PAGE_BYTES / search.limit);
  return db
    .prepare(HITS)
    .bind(all, JSON.stringify(tiers), rows, upTo - offset, offset, query.tenantId, tier, place, longest);
}

/**
 * Returns the statement that finds corrections. It selects no rows when the exact hits suffice, or when no word
 * can be corrected.
 */
function findCorrections(db: SearchDatabase, query: Query, { all }: Ranking): D1PreparedStatement {
  const words = correctable(query);
  if (words.length === 0) return db.prepare(correctionsWhen('FALSE')).bind('[]', query.tenantId);
  const few = `(SELECT count(*) FROM (${matches('?3', MIN_HITS_WITHOUT_CORRECTION)})) < ${MIN_HITS_WITHOUT_CORRECTION}`;
  return db.prepare(correctionsWhen(few)).bind(JSON.stringify(words), query.tenantId, all);
}
