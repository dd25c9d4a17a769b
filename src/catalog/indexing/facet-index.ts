import { type SQL, sql } from 'drizzle-orm';
import { jsonList, jsonLists, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { fold } from '../../kernel/text/fold.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';

/** A value that a product, or one of its variants, can be filtered by. */
interface ItemFacet {
  readonly name: string;
  /** Folded, as filters compare it. */
  readonly value: string;
  /** The variant's id, or 0 for the whole product. */
  readonly itemId: number;
  /** The value as it is spelled. */
  readonly label: string;
}

/** A product whose facets are written; its variants have ids. */
interface FacetedProduct {
  readonly id: number;
  /** Null for a product that had no facets before. */
  readonly before: object | null;
  readonly after: Pick<ProductState, 'type' | 'status' | 'vendor' | 'tags' | 'attributes'> & {
    readonly variants: readonly (Pick<VariantState, 'attributes'> & { readonly id: number })[];
  };
}

/** The name under which `item_facets` holds a product in each currency that it is on sale in. */
export const ON_SALE = 'on_sale';

/** Returns the name under which `item_facets` holds the values of an attribute. */
const attributeFacet = (attribute: string): string => `attr.${fold(attribute)}`;

const facet = (name: string, label: string, itemId = 0): ItemFacet => ({
  name,
  value: fold(label),
  itemId,
  label,
});

/** Returns all that a product and its variants can be filtered by, apart from category, price and stock. */
function facetsOf({ after }: FacetedProduct): ItemFacet[] {
  const { type, vendor, tags, attributes, variants } = after;
  return [
    facet('type', type),
    ...(vendor === null ? [] : [facet('vendor', vendor)]),
    ...tags.map((tag) => facet('tag', tag)),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      [value].flat().map((one) => facet(attributeFacet(name), one)),
    ),
    ...variants.flatMap(({ id, attributes: own }) =>
      Object.entries(own).map(([name, value]) => facet(attributeFacet(name), value, id)),
    ),
  ];
}

/**
 * Returns the statements that bring the facets of written products to their target state. Rows that stay are
 * not touched, so that the counts (a trigger's) are written for real changes only.
 */
export function facetStatements(
  { db, tenantId }: TenantDatabase,
  products: readonly FacetedProduct[],
): Statement[] {
  const removals = products.flatMap((product) =>
    product.before === null ? [] : removalStatements({ db, tenantId }, product),
  );
  const facets = products.flatMap((product) =>
    facetsOf(product).map((one) => ({ ...one, productId: product.id, status: product.after.status })),
  );
  const additions = jsonLists(facets).map((list) =>
    run(
      db,
      sql`INSERT OR IGNORE INTO item_facets (name, value, item_id, label, tenant_id, status, product_id)
        SELECT value ->> 'name', value ->> 'value', value ->> 'itemId', value ->> 'label', ${tenantId},
          value ->> 'status', value ->> 'productId' FROM json_each(${list})`,
    ),
  );
  return [...removals, ...additions];
}

/**
 * Returns the statements that remove what a product and its variants can no longer be filtered by: one, or of very many
 * facets several, each for the items whose facets fit into its parameter.
 */
function removalStatements({ db, tenantId }: TenantDatabase, product: FacetedProduct): Statement[] {
  const byItem = Map.groupBy(facetsOf(product), ({ itemId }) => itemId);
  const items = [...byItem].map(([itemId, facets]) => [
    itemId,
    facets.map(({ name, value, label }) => [name, value, label]),
  ]);
  return jsonLists(items).map((list, n) => {
    const isStale = sql`item_id IN (SELECT value ->> 0 FROM json_each(${list}))
      AND (name, value, item_id, label) NOT IN (SELECT f.value ->> 0, f.value ->> 1, i.value ->> 0, f.value ->> 2
        FROM json_each(${list}) i CROSS JOIN json_each(i.value, '$[1]') f)`;
    const isGone = sql`item_id NOT IN (${jsonList([...byItem.keys()])})`;
    const removed =
      n === 0
        ? sql`(status <> ${product.after.status} OR name <> ${ON_SALE} AND (${isGone} OR ${isStale}))`
        : sql`name <> ${ON_SALE} AND ${isStale}`;
    return run(
      db,
      sql`DELETE FROM item_facets INDEXED BY item_facets_product
        WHERE tenant_id = ${tenantId} AND product_id = ${product.id} AND ${removed}`,
    );
  });
}

/**
 * Returns the statements that write the prices of all that can be chosen of the products in `ids`, after
 * {@link unlistItemPrices}, and in which currencies these are on sale. They read the products' and variants' rows.
 */
export function itemPriceStatements({ db, tenantId }: TenantDatabase, ids: SQL): Statement[] {
  const products = sql`p.tenant_id = ${tenantId} AND p.id IN (${ids}) AND p.deleted_at IS NULL`;
  return [
    run(
      db,
      sql`INSERT INTO item_prices (tenant_id, product_id, currency, item_id, status, price)
        SELECT p.tenant_id, p.id, price.key, p.id, p.status, price.value
        FROM products p CROSS JOIN json_each(p.prices) price WHERE ${products} AND p.type <> 'configurable'
        UNION ALL SELECT p.tenant_id, p.id, price.key, v.id, p.status, price.value
        FROM products p CROSS JOIN variants v ON v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0
          CROSS JOIN json_each(v.prices) price
        WHERE ${products} AND p.type = 'configurable'`,
    ),
    insertOnSale({ db, tenantId }, products),
  ];
}

/** Inserts the currencies in which products `p`, or variants of theirs, are reduced. */
const insertOnSale = ({ db, tenantId }: TenantDatabase, products: SQL): Statement =>
  run(
    db,
    sql`INSERT INTO item_facets (tenant_id, status, name, value, product_id, item_id, label)
      SELECT p.tenant_id, p.status, ${ON_SALE}, r.key, p.id, 0, r.key
      FROM products p CROSS JOIN json_each(p.reduced_from) r WHERE ${products} AND p.type <> 'configurable'
      UNION ALL SELECT p.tenant_id, p.status, ${ON_SALE}, t.currency, p.id, 0, t.currency
      FROM tenants t CROSS JOIN products p
      WHERE t.id = ${tenantId} AND ${products} AND p.type = 'configurable'
        AND p.regular_price > p.prices ->> t.currency
      UNION ALL SELECT p.tenant_id, p.status, ${ON_SALE}, o.key, p.id, v.id, o.key
      FROM tenants t CROSS JOIN products p
        CROSS JOIN variants v ON v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0
        CROSS JOIN json_each(v.prices) o
      WHERE t.id = ${tenantId} AND ${products} AND p.type = 'configurable'
        AND (v.ordinary_prices ->> o.key > o.value OR o.key = t.currency AND v.regular_price > o.value)`,
  );

/** Returns the statements that remove the prices of the products in `ids`, and in which currencies they are on sale. */
export const unlistItemPrices = ({ db, tenantId }: TenantDatabase, ids: SQL): Statement[] => [
  run(db, sql`DELETE FROM item_prices WHERE tenant_id = ${tenantId} AND product_id IN (${ids})`),
  run(
    db,
    sql`DELETE FROM item_facets INDEXED BY item_facets_product
      WHERE tenant_id = ${tenantId} AND product_id IN (${ids}) AND name = ${ON_SALE}`,
  ),
];

/** Returns the statements that remove all that filters and facets know of a product. */
export const unindexFacets = (ctx: TenantDatabase, productId: number): Statement[] => [
  run(
    ctx.db,
    sql`DELETE FROM item_facets INDEXED BY item_facets_product
      WHERE tenant_id = ${ctx.tenantId} AND product_id = ${productId}`,
  ),
  ...unlistItemPrices(ctx, sql`SELECT ${productId}`),
];
