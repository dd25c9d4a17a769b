import { type SQL, sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { fold } from '../../kernel/text/fold.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { ShownCurrency } from '../context.ts';
import { isHidden } from '../reads/rows.ts';
import { itemInStockIn } from '../sellable/in-stock.ts';
import { ATTRIBUTE_PREFIX, type FacetRequest, type Filters } from './filter-query.ts';
import { concernsItems, filterTables, matches, type Question } from './matching.ts';
import type { Facets } from './schemas.ts';

/** Largest number of values of a facet. */
export const MAX_FACET_VALUES = 100;

/** A value of a facet, with its count. Of a price, the lowest and the highest amount. */
export type FacetRow = readonly [value: string | number | null, label: string | number | null, n: number];

/** The rows of a group's facets, as JSON by the facet's place in the group. */
type GroupRow = Readonly<Record<`facet${number}`, string>>;

/** Facets that are counted over the same products, with the filters that select these. */
interface FilterGroup {
  readonly filters: Filters;
  readonly facets: readonly FacetRequest[];
}

/** A {@link FilterGroup} with its whole question. */
interface FacetGroup {
  readonly question: Question;
  readonly facets: readonly FacetRequest[];
}

/** Returns the filters without those of one facet. */
const withoutFilter = (filters: Filters, name: string): Filters => ({
  values: filters.values.filter(([other]) => other !== name),
  categoryIds: name === 'category' ? [] : filters.categoryIds,
  price: name === 'price' ? null : filters.price,
  inStock: name === 'in_stock' ? false : filters.inStock,
  stock: filters.stock,
});

/** Groups facets by the filters that they are counted with: all but the facet's own. */
export function groupFacets(filters: Filters, facets: readonly FacetRequest[]): FilterGroup[] {
  const groups = Map.groupBy(facets, ({ name }) => JSON.stringify(withoutFilter(filters, name)));
  // It was made from Filters a line above.
  return [...groups].map(([key, grouped]) => ({ filters: JSON.parse(key) as Filters, facets: grouped }));
}

/** Returns whether a question is about all products of the tenant, so that the kept counts answer it. */
const isUnfiltered = ({ filters, q, hits, currency, mainCurrency, source }: Question): boolean =>
  JSON.stringify(filters) === JSON.stringify(NO_FILTERS) &&
  q === null &&
  !hits &&
  currency === mainCurrency &&
  source === 'listings';

/** No filter at all. */
export const NO_FILTERS: Filters = { values: [], categoryIds: [], price: null, inStock: false };

/** Returns the queries of facets, one for each group, and a function that presents their rows. */
export function facetQueries(
  { db, tenantId }: TenantDatabase,
  question: Question,
  facets: readonly FacetRequest[],
) {
  const ofQuestion = groupFacets(question.filters, facets).map(({ filters, facets: grouped }) => ({
    question: { ...question, filters },
    facets: grouped,
  }));
  const groups = ofQuestion.flatMap((group) =>
    isUnfiltered(group.question)
      ? [
          { ...group, facets: group.facets.filter(({ name }) => name === 'in_stock'), kept: false },
          { ...group, facets: group.facets.filter(({ name }) => name !== 'in_stock'), kept: true },
        ].filter(({ facets: some }) => some.length > 0)
      : [{ ...group, kept: false }],
  );
  const queries = groups.map((group) =>
    rows<GroupRow>(db, group.kept ? keptCounts(group) : countedNow(tenantId, group)),
  );
  return {
    queries: Object.fromEntries(queries.map((query, n) => [`facets${n}` as const, query])),
    present: (read: Readonly<Record<`facets${number}`, readonly GroupRow[]>>): Facets =>
      presentFacets(facets, question.currency, (wanted) => {
        const at = groups.findIndex((group) => group.facets.some(({ name }) => name === wanted));
        const place = groups[at]?.facets.findIndex(({ name }) => name === wanted) ?? 0;
        // Written by `joined` below.
        return JSON.parse(read[`facets${at}`]?.[0]?.[`facet${place}`] ?? '[]') as FacetRow[];
      }),
  };
}

/** Presents facets in the order asked for, with the rows of each that `rowsOf` returns. */
export const presentFacets = (
  facets: readonly FacetRequest[],
  currency: string,
  rowsOf: (name: string) => readonly FacetRow[],
): Facets => {
  const shown = facets.map(({ key, name }) => {
    const found = rowsOf(name);
    return [key, name === 'price' ? presentPrice(found, currency) : presentValues(found)];
  });
  // Under `price` is a range, under every other key a list of values.
  return Object.fromEntries(shown) as Facets;
};

/** Returns values as filters take them (a comma or backslash is escaped): the most frequent first, then by label. */
const presentValues = (found: readonly FacetRow[]) =>
  found
    .map(([value, label, count]) => ({
      value: String(value).replace(/[\\,]/g, '\\$&'),
      label: String(label),
      count,
    }))
    .sort((a, b) => b.count - a.count || compareLabels(fold(a.label), fold(b.label)));

/** Compares two labels that are folded already. */
export function compareLabels(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function presentPrice([row]: readonly FacetRow[], currency: string) {
  const amount = (minor: unknown) => (typeof minor === 'number' ? toNumber(minor, currency) : null);
  return { min: amount(row?.[0]), max: amount(row?.[1]) };
}

/** Joins the queries of a group's facets to one; each yields `value`, `label` and `n`. */
const joined = (queries: readonly SQL[]): SQL =>
  // Not a compound SELECT: D1 allows five terms in one.
  sql`SELECT ${sql.join(
    queries.map(
      (query, place) =>
        sql`(SELECT json_group_array(json_array(value, label, n)) FROM (${query})) AS ${sql.raw(`facet${place}`)}`,
    ),
    sql`, `,
  )}`;

/**
 * Selects a group's facets by counting the products that match. `asked` has the tenant and the names of the facets once:
 * D1 binds at most a hundred parameters.
 */
function countedNow(tenantId: number, { question, facets }: FacetGroup): SQL {
  const names = facets.map(({ name }) => name);
  const withItems = concernsItems(question, names);
  const counting = { tenantId, withItems, statuses: question.statuses, shown: question };
  return sql`WITH ${filterTables(question)},
    asked AS MATERIALIZED (SELECT ${tenantId} AS tenant_id, ${JSON.stringify(names)} AS names),
    c AS MATERIALIZED (${matches(question, withItems)})
    ${joined(names.map((_, place) => countOf(names, place, counting)))}`;
}

interface Counting {
  readonly tenantId: number;
  readonly withItems: boolean;
  readonly shown: ShownCurrency;
  readonly statuses: Question['statuses'];
}

/** Selects the facet at a place in `asked` of the products (and items) in `c`. */
function countOf(
  names: readonly string[],
  place: number,
  { tenantId, withItems, statuses, shown }: Counting,
): SQL {
  const name = names[place] ?? '';
  if (name === 'price') return sql`SELECT min(price) AS value, max(price) AS label, 0 AS n FROM c`;
  if (name === 'in_stock') {
    const can = sql`EXISTS (SELECT 1 FROM inventory_items i WHERE i.id = c.item_id AND ${itemInStockIn(shown)})`;
    return sql`SELECT iif(can, 'true', 'false') AS value, iif(can, 'In stock', 'Out of stock') AS label,
        count(*) AS n FROM (SELECT max(${can}) AS can FROM c GROUP BY product_id)
      GROUP BY can`;
  }
  if (name === 'category') {
    return sql`SELECT k.id AS value, k.name AS label, count(DISTINCT p.product_id) AS n
      FROM (SELECT DISTINCT product_id FROM c) p
        CROSS JOIN product_categories pc ON pc.tenant_id = ${tenantId} AND pc.product_id = p.product_id
        CROSS JOIN category_ancestors a ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
        CROSS JOIN categories k ON k.id = a.ancestor_id ${shownOnly(tenantId, statuses)}
      GROUP BY k.id ORDER BY n DESC, lower(k.name), k.id LIMIT ${MAX_FACET_VALUES}`;
  }
  // Of a product with many variants in `c`, the values are read once.
  const ofItem =
    name.startsWith(ATTRIBUTE_PREFIX) && withItems
      ? sql`WHERE x.item_id = 0 OR x.item_id IN (SELECT item_id FROM c)`
      : sql``;
  const asked = {
    tenant: sql`(SELECT tenant_id FROM asked)`,
    name: sql`(SELECT names ->> ${sql.raw(`'$[${place}]'`)} FROM asked)`,
  };
  return labelled(
    { ...asked, statuses },
    sql`SELECT x.value AS folded, count(DISTINCT p.product_id) AS n
      FROM (SELECT DISTINCT product_id FROM c) p CROSS JOIN item_facets x INDEXED BY item_facets_product
        ON x.tenant_id = ${asked.tenant} AND x.product_id = p.product_id AND x.name = ${asked.name} ${ofItem}
      GROUP BY x.value`,
  );
}

/** Whose values of which name are labelled. */
type Labelled = Pick<Question, 'statuses'> & { readonly tenant: SQL; readonly name: SQL };

/** Selects the most frequent values, each spelled as in the oldest product that has it. */
function labelled({ tenant, name, statuses }: Labelled, counted: SQL): SQL {
  const spelled = statuses.map(
    (status) => sql`(SELECT y.label FROM item_facets y WHERE y.tenant_id = ${tenant}
      AND y.status = ${sql.raw(`'${status}'`)} AND y.name = ${name} AND y.value = v.folded
      ORDER BY y.product_id, y.item_id LIMIT 1)`,
  );
  const label = spelled.length > 1 ? sql`coalesce(${sql.join(spelled, sql`, `)})` : spelled[0];
  return sql`SELECT label AS value, label, n FROM (SELECT ${label} AS label, n FROM (
    SELECT folded, n FROM (${counted}) ORDER BY n DESC, folded LIMIT ${MAX_FACET_VALUES}) v)`;
}

/** Leaves hidden categories `k` out of lists of active products, which anybody may read. */
const shownOnly = (tenantId: number, statuses: Question['statuses']): SQL =>
  statuses.includes('inactive') ? sql`` : sql`AND NOT ${isHidden(tenantId, sql`k.id`)}`;

/** Selects a group's facets of all products of the tenant, from what is kept with every write. */
function keptCounts({ question, facets }: FacetGroup): SQL {
  return joined(facets.map(({ name }) => keptCountOf(question, name)));
}

function keptCountOf(question: Question, name: string): SQL {
  const { tenantId, currency, statuses } = question;
  const list = sql.raw(statuses.map((status) => `'${status}'`).join(', '));
  if (name === 'price') {
    const bound = (which: 'min' | 'max') => {
      const all = statuses.map(
        (
          status,
        ) => sql`SELECT ${sql.raw(which)}(price) AS price FROM item_prices WHERE tenant_id = ${tenantId}
          AND currency = ${currency} AND status = ${sql.raw(`'${status}'`)}`,
      );
      return sql`(SELECT ${sql.raw(which)}(price) FROM (${sql.join(all, sql` UNION ALL `)}))`;
    };
    return sql`SELECT ${bound('min')} AS value, ${bound('max')} AS label, 0 AS n`;
  }
  if (name === 'category') {
    return sql`SELECT k.id AS value, k.name AS label, sum(l.total) AS n
      FROM categories k CROSS JOIN listing_counts l ON l.tenant_id = k.tenant_id AND l.currency = ${currency}
        AND l.category_id = k.id AND l.status IN (${list})
      WHERE k.tenant_id = ${tenantId} ${shownOnly(tenantId, statuses)} GROUP BY k.id ORDER BY n DESC, lower(k.name), k.id LIMIT ${MAX_FACET_VALUES}`;
  }
  return labelled(
    { tenant: sql`${tenantId}`, name: sql`${name}`, statuses },
    sql`SELECT value AS folded, sum(total) AS n FROM facet_counts
      WHERE tenant_id = ${tenantId} AND status IN (${list}) AND name = ${name} GROUP BY value`,
  );
}
