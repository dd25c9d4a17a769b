import { type SQL, sql } from 'drizzle-orm';
import { jsonList, jsonLists, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { itemPriceStatements, unlistItemPrices } from './facet-index.ts';

/**
 * Returns the statements that rewrite the listings of the products in `ids`: in the list of all products and
 * of each category or ancestor of theirs, in each currency with a price. Their items' prices follow.
 */
export const listProductStatements = (ctx: TenantDatabase, ids: SQL): Statement[] => [
  unlistProductsStatement(ctx, ids),
  ...unlistItemPrices(ctx, ids),
  ...listNewProductStatements(ctx, ids),
];

/** Returns the statements of {@link listProductStatements} for products that have no listings yet. */
export const listNewProductStatements = (ctx: TenantDatabase, ids: SQL): Statement[] => [
  insertMissingListings(ctx, ids),
  ...itemPriceStatements(ctx, ids),
];

/** Returns the statement that inserts the listings that products should have and lack. */
export const insertMissingListings = ({ db, tenantId }: TenantDatabase, ids: SQL): Statement =>
  run(
    db,
    sql`INSERT OR IGNORE INTO product_listings (tenant_id, currency, category_id, status, product_id, price, name, sold)
      SELECT p.tenant_id, price.key, entry.category_id, p.status, p.id, price.value, p.sort_name, p.sold_recently
      FROM (
        SELECT id AS product_id, 0 AS category_id FROM products WHERE tenant_id = ${tenantId} AND id IN (${ids})
        UNION
        SELECT pc.product_id, a.ancestor_id FROM product_categories pc
          JOIN category_ancestors a ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
          WHERE pc.tenant_id = ${tenantId} AND pc.product_id IN (${ids})
      ) entry JOIN products p ON p.id = entry.product_id JOIN json_each(p.prices) price
      WHERE p.deleted_at IS NULL`,
  );

/** Returns the statement that removes products from lists of categories that no longer contain them. */
export const deleteStaleListings = ({ db, tenantId }: TenantDatabase, ids: SQL): Statement =>
  run(
    db,
    sql`DELETE FROM product_listings INDEXED BY listings_product
      WHERE tenant_id = ${tenantId} AND category_id <> 0 AND product_id IN (${ids})
        AND NOT EXISTS (SELECT 1 FROM product_categories pc JOIN category_ancestors a
            ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
          WHERE pc.tenant_id = ${tenantId} AND pc.product_id = product_listings.product_id
            AND a.ancestor_id = product_listings.category_id)`,
  );

/** Selects the products of a category and its descendants from the current tree. */
export const productsBelow = (tenantId: number, categoryId: number): SQL => sql`SELECT pc.product_id
  FROM category_ancestors a CROSS JOIN product_categories pc
    ON pc.tenant_id = a.tenant_id AND pc.category_id = a.category_id
  WHERE a.tenant_id = ${tenantId} AND a.ancestor_id = ${categoryId}`;

/** Returns the statement that removes products from all lists. */
export const unlistProductsStatement = ({ db, tenantId }: TenantDatabase, ids: SQL): Statement =>
  run(db, sql`DELETE FROM product_listings WHERE tenant_id = ${tenantId} AND product_id IN (${ids})`);

/** The terms by which a product is found. */
interface IndexedTerms {
  readonly productId: number;
  /** Whether the product had no terms before. */
  readonly isNew: boolean;
  readonly terms: readonly string[];
}

/** Returns the statements that replace products' search terms. */
export function indexTermsStatements(
  { db, tenantId }: TenantDatabase,
  products: readonly IndexedTerms[],
): Statement[] {
  const stored = products.flatMap(({ isNew, productId }) => (isNew ? [] : productId));
  const entries = products.flatMap(({ productId, terms }) =>
    [...new Set(terms)].map((term) => [term, productId]),
  );
  const clear = sql`DELETE FROM product_terms
    WHERE tenant_id = ${tenantId} AND product_id IN (${jsonList(stored)})`;
  return [
    ...(stored.length > 0 ? [run(db, clear)] : []),
    ...jsonLists(entries).map((list) =>
      run(
        db,
        sql`INSERT INTO product_terms (tenant_id, term, product_id)
          SELECT ${tenantId}, value ->> 0, value ->> 1 FROM json_each(${list})`,
      ),
    ),
  ];
}
