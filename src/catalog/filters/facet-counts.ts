import { type SQL, sql } from 'drizzle-orm';
import { isHidden } from '../reads/rows.ts';
import { itemInStockIn } from '../sellable/in-stock.ts';
import { concernsItems, type Question } from './conditions.ts';
import { ATTRIBUTE_PREFIX, type FacetRequest } from './filter-query.ts';
import { bitOf, filterTables, matches } from './matching.ts';

/** Largest number of values of a facet. */
export const MAX_FACET_VALUES = 100;

/** Facets to count by one query: each of what matches all filters, but for its own if that is `optional`. */
export interface FacetGroup {
  readonly question: Question;
  readonly facets: readonly FacetRequest[];
  readonly optional: readonly string[];
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
export function countedNow({ question, facets, optional }: FacetGroup): SQL {
  const names = facets.map(({ name }) => name);
  const withItems = concernsItems(question, names);
  const counting = { question, withItems, optional };
  return sql`WITH ${filterTables(question, optional)},
    asked AS MATERIALIZED (SELECT ${question.tenantId} AS tenant_id, ${JSON.stringify(names)} AS names),
    matched AS MATERIALIZED (${matches(question, { withItems, optional })})
    ${joined(names.map((_, place) => countOf(names, place, counting)))}`;
}

interface Counting {
  readonly question: Question;
  readonly withItems: boolean;
  readonly optional: readonly string[];
}

/** Selects the facet at a place in `asked` of the products (and items) in `matched`. */
function countOf(names: readonly string[], place: number, { question, withItems, optional }: Counting): SQL {
  const { tenantId, statuses } = question;
  const name = names[place] ?? '';
  const all = optional.length > 0 ? sql.raw(` WHERE c.missed IN (0, ${bitOf(name, optional)})`) : sql``;
  const c = sql`matched c${all}`;
  if (name === 'price') return sql`SELECT min(price) AS value, max(price) AS label, 0 AS n FROM ${c}`;
  if (name === 'in_stock') {
    const can = sql`EXISTS (SELECT 1 FROM inventory_items i WHERE i.id = c.item_id AND ${itemInStockIn(question)})`;
    return sql`SELECT iif(can, 'true', 'false') AS value, iif(can, 'In stock', 'Out of stock') AS label,
        count(*) AS n FROM (SELECT max(${can}) AS can FROM ${c} GROUP BY product_id)
      GROUP BY can`;
  }
  if (name === 'category') {
    return sql`SELECT k.id AS value, k.name AS label, count(DISTINCT p.product_id) AS n
      FROM (SELECT DISTINCT product_id FROM ${c}) p
        CROSS JOIN product_categories pc ON pc.tenant_id = ${tenantId} AND pc.product_id = p.product_id
        CROSS JOIN category_ancestors a ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
        CROSS JOIN categories k ON k.id = a.ancestor_id ${shownOnly(tenantId, statuses)}
      GROUP BY k.id ORDER BY n DESC, lower(k.name), k.id LIMIT ${MAX_FACET_VALUES}`;
  }
  // Of a product with many variants in `matched`, the values are read once.
  const ofItem =
    name.startsWith(ATTRIBUTE_PREFIX) && withItems
      ? sql`WHERE x.item_id = 0 OR x.item_id IN (SELECT item_id FROM ${c})`
      : sql``;
  const asked = {
    tenant: sql`(SELECT tenant_id FROM asked)`,
    name: sql`(SELECT names ->> ${sql.raw(`'$[${place}]'`)} FROM asked)`,
  };
  return labelled(
    { ...asked, statuses },
    sql`SELECT x.value AS folded, count(DISTINCT p.product_id) AS n
      FROM (SELECT DISTINCT product_id FROM ${c}) p CROSS JOIN item_facets x INDEXED BY item_facets_product
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
export function keptCounts({ question, facets }: Pick<FacetGroup, 'question' | 'facets'>): SQL {
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
