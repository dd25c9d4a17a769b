import { type SQL, sql } from 'drizzle-orm';
import { productsBelow } from '../indexing/listing-index.ts';
import { tenantSellsIn } from '../reads/rows.ts';
import { type Condition, itemConditions, productConditions, type Question } from './conditions.ts';

/** Order of the matching products, and where to begin. Columns of `product_listings` `l`, or `rank`. */
export interface Ordering {
  /** The columns of the order, with DESC where it falls. */
  readonly order: SQL;
  /** The condition for rows after the cursor's. */
  readonly after: SQL | null;
  /** Whether this is the order of the question's hits. */
  readonly ofHits?: boolean;
}

/** A filter's rows are read in full when there are at most this many; else its list is walked in order. */
const MAX_DRIVING_ROWS = 2_000;

const listOf = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '));

/**
 * Returns the common table expressions that the other functions refer to: the filters' values (one bound
 * parameter; D1 allows a hundred), and which of them has the fewest products (`best`), by the kept counts. A product
 * may fail one of the `optional` filters, so it meets at least one of any two: `best` then has two of them.
 */
export function filterTables(
  { filters, tenantId, statuses }: Question,
  optional: readonly string[] = [],
): SQL {
  const list = filters.values.map(([name, values]) => [name, values, optional.includes(name) ? 1 : 2]);
  return sql`given AS MATERIALIZED (SELECT ${JSON.stringify(list)} AS list), best AS MATERIALIZED (
    SELECT place, total FROM (SELECT place, total, coalesce(sum(weight) OVER (ORDER BY total, place
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (SELECT e.key AS place, e.value ->> 2 AS weight,
        (SELECT coalesce(sum(n.total), 0) FROM json_each(e.value, '$[1]') v
          CROSS JOIN facet_counts n ON n.tenant_id = ${tenantId} AND n.status IN (${listOf(statuses)})
            AND n.name = e.value ->> 0 AND n.value = v.value) AS total
        FROM given, json_each(given.list) e)) WHERE before < 2)`;
}

/** Joins conditions, each with a leading AND. */
const and = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`` : sql`AND ${sql.join([...conditions], sql` AND `)}`;

/** Returns what conditions demand, without those of the `optional` filters. */
const demands = (conditions: readonly Condition[], optional: readonly string[] = []): SQL[] =>
  conditions.flatMap(({ name, holds }) => (optional.includes(name) ? [] : [holds]));

/** Returns the condition that the items `u` are those of the product `l` that have a price in the currency. */
const ofProduct = sql`u.tenant_id = l.tenant_id AND u.product_id = l.product_id AND u.currency = l.currency`;

/** Returns the condition that a row `l` belongs to the list. From the tree, or of several categories, that of all. */
function inList({ tenantId, currency, filters, source }: Question, statuses: SQL): SQL {
  const [only, ...others] = filters.categoryIds;
  const category = only !== undefined && others.length === 0 ? only : null;
  const below =
    category === null || source === 'listings'
      ? sql``
      : sql`AND l.product_id IN (${productsBelow(tenantId, category)})`;
  return sql`l.tenant_id = ${tenantId} AND l.currency = ${currency} AND ${tenantSellsIn(tenantId, currency)}
    AND l.category_id = ${source === 'listings' ? (category ?? 0) : 0} AND l.status IN (${statuses}) ${below}`;
}

/** The arms of a query of matching rows, and when to use which. */
interface Arms {
  readonly columns: SQL;
  /** The filters of which a row may fail one; none if left out. */
  readonly optional?: readonly string[];
  /** Conditions of each row beyond those of the list. */
  readonly conditions: readonly SQL[];
  /** The most rows of the best filter for which these are read instead of the list. */
  readonly mostDriving: SQL;
  /** ORDER BY and the number of rows that a walk of the list may stop after. */
  readonly walk: { readonly order: SQL; readonly limit: SQL };
  /** The number of rows after which a walk of the hits may stop; all by default. */
  readonly mostHits?: number;
}

/**
 * Selects matching rows of the list. Either from the rows of the best filter, or by walking the list: both in
 * one statement, of which one arm is switched off by the kept counts.
 */
function arms(
  question: Question,
  { columns, optional = [], conditions, mostDriving, walk, mostHits = -1 }: Arms,
): SQL {
  const { filters, statuses, hits } = question;
  if (hits) {
    // The cross join looks the hits up one by one, in their order.
    return sql`SELECT * FROM (SELECT ${columns} FROM json_each(${JSON.stringify(hits)}) h
      CROSS JOIN product_listings l WHERE ${inList(question, listOf(statuses))} AND l.product_id = h.value
        ${and(conditions)} LIMIT ${mostHits})`;
  }
  const drives = filters.values.some(([name], n) => n > 0 || !optional.includes(name));
  const isShort = sql`(SELECT sum(total) FROM best) <= ${mostDriving}`;
  const limit = drives ? sql`iif(${isShort}, 0, ${walk.limit})` : walk.limit;
  const walks = statuses.map(
    (status) => sql`SELECT * FROM (SELECT ${columns} FROM product_listings l
      WHERE ${inList(question, listOf([status]))} ${and(conditions)} ${walk.order} LIMIT ${limit})`,
  );
  if (!drives) return sql.join(walks, sql` UNION ALL `);
  const driving = sql`SELECT DISTINCT d.product_id FROM best
    CROSS JOIN json_each((SELECT list FROM given), '$[' || best.place || '][1]') v
    CROSS JOIN item_facets d ON d.tenant_id = ${question.tenantId} AND d.status IN (${listOf(statuses)})
      AND d.name = (SELECT list ->> ('$[' || best.place || '][0]') FROM given) AND d.value = v.value
    WHERE ${isShort}`;
  const driven = sql`SELECT ${columns} FROM (${driving}) d CROSS JOIN product_listings l
    WHERE ${inList(question, listOf(statuses))} AND l.product_id = d.product_id ${and(conditions)}`;
  return sql.join([driven, ...walks], sql` UNION ALL `);
}

/** Returns all conditions of the filters on a product `l`. */
function allConditions(question: Question): SQL[] {
  const items = demands(itemConditions(question));
  const some = sql`EXISTS (SELECT 1 FROM item_prices u WHERE ${ofProduct} ${and(items)})`;
  return [...demands(productConditions(question)), ...(items.length > 0 ? [some] : [])];
}

/** Selects `product_id` and the sort columns of a page: at most `limit` rows after `offset` of them. */
export function matchingPage(
  question: Question,
  { order, after, ofHits = false }: Ordering,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): SQL {
  const rank = question.hits ? sql`, h.key AS rank` : sql``;
  const conditions = [...allConditions(question), ...(after ? [after] : [])];
  const most = sql`${offset + limit}`;
  // Behind the end of a list whose rows are counted, none is read.
  const isCounted = offset > 0 && isWhole(question, conditions);
  const walked = isCounted ? sql`iif(${listTotal(question)} > ${offset}, ${most}, 0)` : most;
  const found = arms(question, {
    columns: sql`l.product_id, l.price, l.name, l.sold${rank}`,
    conditions,
    mostDriving: sql`${MAX_DRIVING_ROWS}`,
    walk: { order: sql`ORDER BY ${order}`, limit: walked },
    ...(ofHits && { mostHits: offset + limit }),
  });
  return sql`WITH ${filterTables(question)} SELECT l.* FROM (${found}) l
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
}

/** Returns the number of rows of the unfiltered list, from the kept counts. */
const listTotal = (question: Question): SQL => sql`(SELECT coalesce(sum(l.total), 0) FROM listing_counts l
  WHERE ${inList({ ...question, source: 'listings' }, listOf(question.statuses))})`;

/** Returns whether a list under these conditions has every row that {@link listTotal} counts. */
const isWhole = ({ source, hits }: Question, conditions: readonly SQL[]): boolean =>
  conditions.length === 0 && source === 'listings' && !hits;

/** Selects the number of matching products as `total`, from the kept counts where nothing filters the list. */
export function matchingTotal(question: Question): SQL {
  const conditions = allConditions(question);
  if (isWhole(question, conditions)) return sql`SELECT ${listTotal(question)} AS total`;
  return sql`WITH ${filterTables(question)} SELECT count(*) AS total FROM (${everyMatch(question, conditions)})`;
}

/** Selects the product id of all rows that meet the conditions, from the shorter of best filter and list. */
const everyMatch = (
  question: Question,
  conditions: readonly SQL[],
  { columns = sql``, optional = [] }: { readonly columns?: SQL; readonly optional?: readonly string[] } = {},
): SQL =>
  arms(question, {
    columns: sql`l.tenant_id, l.currency, l.status, l.product_id${columns}`,
    optional,
    conditions,
    mostDriving: listTotal(question),
    walk: { order: sql``, limit: sql`-1` },
  });

/** Returns the number by which `missed` of {@link matches} names one of the optional filters; 0 for others. */
export const bitOf = (name: string, optional: readonly string[]): number =>
  optional.includes(name) ? 2 ** optional.indexOf(name) : 0;

/** Returns the sum of the bits of the optional filters that are failed. */
const missedOf = (conditions: readonly Condition[], optional: readonly string[]): SQL =>
  sql.join(
    [
      sql`0`,
      ...conditions.flatMap(({ name, holds }) =>
        optional.includes(name) ? [sql`iif(${holds}, 0, ${sql.raw(String(bitOf(name, optional)))})`] : [],
      ),
    ],
    sql` + `,
  );

/**
 * Selects the products (`product_id`), or, `withItems`, each item of theirs (`item_id`, `price`) that match but for the
 * `optional` filters. `missed` is the sum of the {@link bitOf bits} of those that it fails; what fails more than one may
 * be left out.
 */
export function matches(
  question: Question,
  { withItems, optional }: { readonly withItems: boolean; readonly optional: readonly string[] },
): SQL {
  const [ofProducts, ofItems] = [productConditions(question), itemConditions(question)];
  const products = everyMatch(question, demands(ofProducts, optional), {
    columns: sql`, ${missedOf(ofProducts, optional)} AS missed`,
    optional,
  });
  if (!withItems) return sql`SELECT l.product_id, 0 AS item_id, 0 AS price, l.missed FROM (${products}) l`;
  return sql`SELECT l.product_id, u.item_id, u.price, l.missed + ${missedOf(ofItems, optional)} AS missed
    FROM (${products}) l CROSS JOIN item_prices u
    WHERE ${ofProduct} AND l.missed & (l.missed - 1) = 0 ${and(demands(ofItems, optional))}`;
}
