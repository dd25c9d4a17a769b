import { type SQL, sql } from 'drizzle-orm';
import { lowStockThreshold } from '../../tenants/index.ts';
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

/** The names whose values belong to whole products; all others may differ between variants. */
export const PRODUCT_NAMES: readonly string[] = ['type', 'vendor', 'tag'];

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

/** What the filter of a name, as a facet has it, demands. */
export interface Condition {
  readonly name: string;
  readonly holds: SQL;
}

/** Returns the conditions of the filters that concern the product `l` as a whole. */
export function productConditions({ filters, tenantId, q }: Question): Condition[] {
  const { values, categoryIds, stock } = filters;
  const named = values.flatMap(([name], place) =>
    PRODUCT_NAMES.includes(name) ? [{ name, holds: hasValue(place) }] : [],
  );
  const inCategories = sql`EXISTS (SELECT 1 FROM product_categories pc CROSS JOIN category_ancestors a
    ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
      AND a.ancestor_id IN (SELECT value FROM json_each(${JSON.stringify(categoryIds)}))
    WHERE pc.tenant_id = l.tenant_id AND pc.product_id = l.product_id)`;
  const inStock = (wanted: 'low' | 'out') =>
    sql`EXISTS (SELECT 1 FROM inventory_items i WHERE i.id = l.product_id AND ${hasStock(tenantId, wanted)})`;
  return [
    ...named,
    ...(categoryIds.length > 1 ? [{ name: 'category', holds: inCategories }] : []),
    ...(stock === undefined ? [] : [{ name: 'stock', holds: inStock(stock) }]),
    ...(q === null ? [] : [{ name: 'q', holds: matchesListText(tenantId, q) }]),
  ];
}

/** Returns the conditions of the filters that one and the same item `u` of the product `l` must meet. */
export function itemConditions(question: Question): Condition[] {
  const { values, price, inStock } = question.filters;
  const bounds = [
    ...(price?.min == null ? [] : [sql`u.price >= ${price.min}`]),
    ...(price?.max == null ? [] : [sql`u.price <= ${price.max}`]),
  ];
  const canBeSold = sql`EXISTS (SELECT 1 FROM inventory_items i WHERE i.id = u.item_id AND ${itemInStockIn(question)})`;
  return [
    ...(bounds.length > 0 ? [{ name: 'price', holds: sql.join(bounds, sql` AND `) }] : []),
    ...values.flatMap(([name], place) =>
      PRODUCT_NAMES.includes(name) ? [] : [{ name, holds: hasValue(place, sql`u.item_id`) }],
    ),
    ...(inStock ? [{ name: 'in_stock', holds: canBeSold }] : []),
  ];
}
