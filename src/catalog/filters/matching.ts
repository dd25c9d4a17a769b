import { type SQL, sql } from 'drizzle-orm';
import { lowStockThreshold } from '../../tenants/index.ts';
import { productsBelow } from '../indexing/listing-index.ts';
import { tenantSellsIn } from '../reads/rows.ts';
import { IN_STOCK, itemInStockIn } from '../sellable/in-stock.ts';
import { ATTRIBUTE_PREFIX, type Filters } from './filter-query.ts';
import { matchesListText } from './text-query.ts';

/**
 * Source of a category's products. The tree is always current; its cost grows with the category's products.
 */
export type Source = 'listings' | 'tree';

/** The products that a question is about: one list (currency, category, statuses), filtered. */
export interface Question {
  readonly tenantId: number;
  readonly currency: string;
  /** The main currency of the tenant, in which everything has a price. */
  readonly mainCurrency: string;
  readonly statuses: readonly ('active' | 'inactive')[];
  readonly source: Source;
  /** Text whose words must all occur in a product as prefixes. */
  readonly q: string | null;
  readonly filters: Filters;
  /** The only products that may match, best first: what a search has found. */
  readonly hits?: readonly number[] | undefined;
}

/** Order of the matching products, and where to begin. Columns of `product_listings` `l`, or `rank`. */
export interface Ordering {
  /** The columns of the order, with DESC where it falls. */
  readonly order: SQL;
  /** The condition for rows after the cursor's. */
  readonly after: SQL | null;
}

/** A filter's rows are read in full when there are at most this many; else its list is walked in order. */
const MAX_DRIVING_ROWS = 2_000;
/** The names whose values belong to whole products; all others may differ between variants. */
export const PRODUCT_NAMES: readonly string[] = ['type', 'vendor', 'tag'];

const listOf = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** Returns whether a filter or the facets of `names` need the prices and stock of the products' items. */
export const concernsItems = (
  { filters, currency, mainCurrency }: Pick<Question, 'filters' | 'currency' | 'mainCurrency'>,
  names: readonly string[],
) =>
  filters.price !== null ||
  filters.inStock ||
  filters.values.some(([name]) => !PRODUCT_NAMES.includes(name)) ||
  names.some((name) => name === 'price' || name === 'in_stock') ||
  (currency !== mainCurrency && names.some((name) => name.startsWith(ATTRIBUTE_PREFIX)));

/**
 * Returns the common table expressions that the other functions refer to: the filters' values (one bound
 * parameter; D1 allows a hundred), and which of them has the fewest products (`best`), by the kept counts.
 */
export function filterTables({ filters, tenantId, statuses }: Question): SQL {
  const given = sql`given AS MATERIALIZED (SELECT ${JSON.stringify(filters.values)} AS list)`;
  return sql`${given}, best AS MATERIALIZED (
    SELECT e.key AS place, (SELECT coalesce(sum(n.total), 0) FROM json_each(e.value, '$[1]') v
      CROSS JOIN facet_counts n ON n.tenant_id = ${tenantId} AND n.status IN (${listOf(statuses)})
        AND n.name = e.value ->> 0 AND n.value = v.value) AS total
    FROM given, json_each(given.list) e ORDER BY total LIMIT 1)`;
}

/** Selects the alternatives of the filter at a place in `given`. */
const alternatives = (place: number): SQL =>
  sql`SELECT value FROM json_each((SELECT list FROM given), ${sql.raw(`'$[${place}][1]'`)})`;

const nameAt = (place: number): SQL => sql`(SELECT list ->> ${sql.raw(`'$[${place}][0]'`)} FROM given)`;

/** Returns the condition that the product `l` has one of the values at a place, for itself or the item `u`. */
const hasValue = (place: number, item?: SQL): SQL => sql`EXISTS (SELECT 1 FROM item_facets x
  WHERE x.tenant_id = l.tenant_id AND x.status = l.status AND x.name = ${nameAt(place)}
    AND x.value IN (${alternatives(place)}) AND x.product_id = l.product_id ${item ? sql`AND x.item_id IN (0, ${item})` : sql``})`;

/** Returns the condition on the inventory item `i` of a whole product. */
const hasStock = (tenantId: number, stock: 'low' | 'out'): SQL =>
  stock === 'out'
    ? sql.raw(`NOT ${IN_STOCK}`)
    : sql`i.policy = 'deny' AND i.on_hand - i.reserved BETWEEN 1 AND ${lowStockThreshold(tenantId)}`;

/** Returns the conditions of the filters that concern the product `l` as a whole. */
function productConditions({ filters, tenantId, q }: Question): SQL[] {
  const { values, categoryIds, stock } = filters;
  const named = values.flatMap(([name], place) => (PRODUCT_NAMES.includes(name) ? [hasValue(place)] : []));
  const inCategories = sql`EXISTS (SELECT 1 FROM product_categories pc CROSS JOIN category_ancestors a
    ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
      AND a.ancestor_id IN (SELECT value FROM json_each(${JSON.stringify(categoryIds)}))
    WHERE pc.tenant_id = l.tenant_id AND pc.product_id = l.product_id)`;
  return [
    ...named,
    ...(categoryIds.length > 1 ? [inCategories] : []),
    ...(stock === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM inventory_items i WHERE i.id = l.product_id AND ${hasStock(tenantId, stock)})`,
        ]),
    ...(q === null ? [] : [matchesListText(tenantId, q)]),
  ];
}

/** Returns the conditions of the filters that one and the same item `u` of the product `l` must meet. */
function itemConditions(question: Question): SQL[] {
  const { values, price, inStock } = question.filters;
  return [
    ...values.flatMap(([name], place) =>
      PRODUCT_NAMES.includes(name) ? [] : [hasValue(place, sql`u.item_id`)],
    ),
    ...(price?.min == null ? [] : [sql`u.price >= ${price.min}`]),
    ...(price?.max == null ? [] : [sql`u.price <= ${price.max}`]),
    ...(inStock
      ? [sql`EXISTS (SELECT 1 FROM inventory_items i WHERE i.id = u.item_id AND ${itemInStockIn(question)})`]
      : []),
  ];
}

/** Joins conditions, each with a leading AND. */
const and = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`` : sql`AND ${sql.join([...conditions], sql` AND `)}`;

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
  /** Conditions of each row beyond those of the list. */
  readonly conditions: readonly SQL[];
  /** The most rows of the best filter for which these are read instead of the list. */
  readonly mostDriving: SQL;
  /** ORDER BY and the number of rows that a walk of the list may stop after. */
  readonly walk: { readonly order: SQL; readonly limit: SQL };
}

/**
 * Selects matching rows of the list. Either from the rows of the best filter, or by walking the list: both in
 * one statement, of which one arm is switched off by the kept counts.
 */
function arms(question: Question, { columns, conditions, mostDriving, walk }: Arms): SQL {
  const { filters, statuses, hits } = question;
  if (hits) {
    return sql`SELECT ${columns} FROM json_each(${JSON.stringify(hits)}) h CROSS JOIN product_listings l
      WHERE ${inList(question, listOf(statuses))} AND l.product_id = h.value ${and(conditions)}`;
  }
  const drives = filters.values.length > 0;
  const limit = drives ? sql`iif((SELECT total FROM best) <= ${mostDriving}, 0, ${walk.limit})` : walk.limit;
  const walks = statuses.map(
    (status) => sql`SELECT * FROM (SELECT ${columns} FROM product_listings l
      WHERE ${inList(question, listOf([status]))} ${and(conditions)} ${walk.order} LIMIT ${limit})`,
  );
  if (!drives) return sql.join(walks, sql` UNION ALL `);
  const driving = sql`SELECT DISTINCT d.product_id FROM best
    CROSS JOIN json_each((SELECT list FROM given), '$[' || best.place || '][1]') v
    CROSS JOIN item_facets d ON d.tenant_id = ${question.tenantId} AND d.status IN (${listOf(statuses)})
      AND d.name = (SELECT list ->> ('$[' || best.place || '][0]') FROM given) AND d.value = v.value
    WHERE best.total <= ${mostDriving}`;
  const driven = sql`SELECT ${columns} FROM (${driving}) d CROSS JOIN product_listings l
    WHERE ${inList(question, listOf(statuses))} AND l.product_id = d.product_id ${and(conditions)}`;
  return sql.join([driven, ...walks], sql` UNION ALL `);
}

/** Returns all conditions of the filters on a product `l`. */
function allConditions(question: Question): SQL[] {
  const items = itemConditions(question);
  const some = sql`EXISTS (SELECT 1 FROM item_prices u WHERE ${ofProduct} ${and(items)})`;
  return [...productConditions(question), ...(items.length > 0 ? [some] : [])];
}

/** Selects `product_id` and the sort columns of a page: at most `limit` rows after `offset` of them. */
export function matchingPage(
  question: Question,
  { order, after }: Ordering,
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
const everyMatch = (question: Question, conditions: readonly SQL[]): SQL =>
  arms(question, {
    columns: sql`l.tenant_id, l.currency, l.status, l.product_id`,
    conditions,
    mostDriving: listTotal(question),
    walk: { order: sql``, limit: sql`-1` },
  });

/**
 * Selects the matching products (`product_id`), or, `withItems`, each matching item of theirs (`item_id`,
 * `price`).
 */
export function matches(question: Question, withItems: boolean): SQL {
  const products = everyMatch(question, productConditions(question));
  if (!withItems) return sql`SELECT l.product_id, 0 AS item_id, 0 AS price FROM (${products}) l`;
  return sql`SELECT l.product_id, u.item_id, u.price FROM (${products}) l CROSS JOIN item_prices u
    WHERE ${ofProduct} ${and(itemConditions(question))}`;
}
