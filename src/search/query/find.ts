import { namedRows, type SearchDatabase, type TenantIndex } from '../database.ts';
import { PLACE_STRIDE } from '../indexing/document.ts';
import { reachedVersion } from '../indexing/progress.ts';
import { correctable, exactRanking, parse, type Query, type Ranking, rankingWithTypos } from './ranking.ts';
import { type CorrectionRow, correctionsWhen, groupCorrections } from './typo-correction.ts';

/** The highest total of a search, and the depth of its pages. */
const MAX_HITS = 1_000;
/** A search with fewer exact hits than this adds hits with typo correction. */
const MIN_HITS_WITHOUT_CORRECTION = 5;
/** The parameters of a search. */
export interface Search {
  /** Untrusted text. */
  readonly q: string;
  /** Counts from 1. */
  readonly page: number;
  /** From 1 to 100. */
  readonly limit: number;
}

/** One page of hits. */
export interface Hits {
  /** The products in list shape, as JSON, best first. */
  readonly items: readonly string[];
  /** Exact up to 1,000, and capped there. */
  readonly total: number;
  /** A catalogue version whose changes are all indexed; 0 before the first. */
  readonly version: number;
}

/** A row of {@link HITS}. */
interface HitRow {
  readonly total: number;
  readonly item: string | null;
}

/**
 * Searches a tenant's active products. Ranks SKU, then name, then the rest, and typo corrections last. Takes
 * one round trip, two with typo correction. Paging is stable as long as the catalogue doesn't change.
 */
export async function find(index: TenantIndex, search: Search): Promise<Hits> {
  const { db, tenantId } = index;
  const query = parse(tenantId, search.q);
  const reached = reachedVersion(index);
  if (!query) {
    const row = await reached.first<{ version: number }>();
    return { items: [], total: 0, version: row?.version ?? 0 };
  }
  const ranking = exactRanking(query);
  const read = await namedRows<{ reached: { version: number }; hits: HitRow; corrections: CorrectionRow }>(
    db,
    {
      reached,
      hits: hits(db, { query, ranking, search }),
      corrections: findCorrections(db, query, ranking),
    },
  );
  const corrections = groupCorrections(read.corrections);
  const found =
    corrections.size === 0
      ? read.hits
      : (await hits(db, { query, ranking: rankingWithTypos(query, corrections), search }).all<HitRow>())
          .results;
  return {
    items: found.flatMap(({ item }) => item ?? []),
    total: found[0]?.total ?? 0,
    version: read.reached[0]?.version ?? 0,
  };
}

/** Returns the SQL that selects the places of the first `most` matches, in index order. */
function matches(expression: string, most: number): string {
  return `SELECT rowid AS place FROM search_index WHERE search_index MATCH ${expression} LIMIT ${most}`;
}

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

/** Returns the statement that selects a page of hits in a ranking. */
function hits(
  db: SearchDatabase,
  { query, ranking, search }: { readonly query: Query; readonly ranking: Ranking; readonly search: Search },
): D1PreparedStatement {
  const { tiers, all } = ranking;
  const offset = Math.min((search.page - 1) * search.limit, MAX_HITS);
  const upTo = Math.min(offset + search.limit, MAX_HITS);
  const rows = upTo * (tiers.length + 1);
  return db.prepare(HITS).bind(all, JSON.stringify(tiers), rows, upTo - offset, offset, query.tenantId);
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
