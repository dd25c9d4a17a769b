import { type SQL, sql } from 'drizzle-orm';
import { words } from '../../kernel/core/fold.ts';
import { offset, type Page, pageMeta } from '../../kernel/core/pagination.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Filled } from '../../kernel/data/versioned-cache.ts';
import { differsFromTree } from '../categories/relisting.ts';
import type { Category } from '../categories/schemas.ts';
import type { Product, SORTS } from '../products/schemas.ts';
import { productsBelow } from './listing-index.ts';
import { presentCategory, presentListItem, presentProduct, presentTree, presentVariants } from './present.ts';
import {
  CATEGORY_COLUMNS,
  type CategoryRow,
  categoriesOf,
  column,
  PRODUCT_COLUMNS,
  type ProductRow,
  variantsOf,
  versionOf,
  wholeProduct,
} from './row-types.ts';

type Sort = (typeof SORTS)[number];

/** Filters, order and page of a product list. */
export interface ListQuery extends Page {
  readonly q: string | null;
  readonly categoryId: number | null;
  readonly sort: Sort;
  readonly include: readonly ('variants' | 'images' | 'categories')[];
  readonly currency: string;
  readonly status: 'active' | 'inactive' | 'all';
}

const ORDERS: Readonly<Record<Sort, string>> = {
  newest: 'product_id DESC',
  price_asc: 'price, product_id',
  price_desc: 'price DESC, product_id DESC',
  name_asc: 'name, product_id',
  name_desc: 'name DESC, product_id DESC',
};

/**
 * Reads a page of products with its includes, total and version in one batch. While the category's listings
 * are being updated, a second batch reads the page from the tree.
 */
export async function listProducts(
  ctx: TenantDatabase,
  query: ListQuery,
  from: Source = 'listings',
): Promise<Filled> {
  const { tenantId, db } = ctx;
  const page = listings(tenantId, query, from);
  const ids = sql`SELECT product_id FROM (${page})`;
  const [[version], [differs], [counted], products, variants, categories] = await db.batch([
    versionOf(ctx),
    differsFromTree(ctx, query.categoryId),
    rows<{ total: number }>(db, total(tenantId, query, from)),
    rows<ProductRow>(
      db,
      sql`SELECT ${PRODUCT_COLUMNS} FROM (${page}) l
        JOIN products p ON p.id = l.product_id JOIN inventory_items i ON i.id = p.id
        ORDER BY ${sql.raw(ORDERS[query.sort].replace(/\b(product_id|price|name)\b/g, 'l.$1'))}`,
    ),
    variantsOf(ctx, query.include.includes('variants') ? ids : sql`NULL`),
    categoriesOf(ctx, query.include.includes('categories') ? ids : sql`NULL`),
  ]);
  if (differs && from === 'listings') return listProducts(ctx, query, 'tree');
  const data = products.map((row) => ({
    ...presentListItem(row, query.currency),
    ...(query.include.includes('variants') && {
      variants: presentVariants(
        variants.filter((variant) => variant.product_id === row.id),
        query.currency,
      ),
    }),
    ...(query.include.includes('categories') && {
      categories: categories.filter((c) => c.product_id === row.id).map((c) => presentCategory(c)),
    }),
  }));
  const answer = ok({ data, meta: pageMeta(query, counted?.total ?? 0) });
  return { version: version?.version ?? 0, answer };
}

/**
 * Source of a category's products. The tree is always current; its cost grows with the category's products.
 */
type Source = 'listings' | 'tree';

const STATUSES = { active: ['active'], inactive: ['inactive'], all: ['active', 'inactive'] } as const;

/** Selects the page: the first rows of each status, merged and cut to the page. */
function listings(tenantId: number, query: ListQuery, from: Source): SQL {
  const order = sql.raw(ORDERS[query.sort]);
  const last = offset(query) + query.limit;
  const each = STATUSES[query.status].map(
    (status) => sql`SELECT * FROM (SELECT product_id, price, name FROM product_listings
      WHERE ${listingCondition(tenantId, query, status, from)} ORDER BY ${order} LIMIT ${last})`,
  );
  return sql`SELECT product_id, price, name FROM (${sql.join(each, sql` UNION ALL `)})
    ORDER BY ${order} LIMIT ${query.limit} OFFSET ${offset(query)}`;
}

/**
 * Returns the condition for one list (currency, category, status), filtered by `q`. From the tree it is the
 * list of all products, filtered by category.
 */
function listingCondition(
  tenantId: number,
  { currency, categoryId, q }: ListQuery,
  status: string,
  from: Source,
): SQL {
  const below = from === 'tree' && categoryId !== null ? productsBelow(tenantId, categoryId) : null;
  return sql`tenant_id = ${tenantId} AND currency = ${currency} AND ${tenantSellsIn(tenantId, currency)}
    AND category_id = ${below ? 0 : (categoryId ?? 0)} AND status = ${status} ${below ? sql`AND product_id IN (${below})` : sql``}
    ${q === null ? sql`` : sql`AND ${matchesWords(tenantId, q)}`}`;
}

/** Excludes prices in currencies that the tenant no longer sells in; products keep those prices. */
const tenantSellsIn = (tenantId: number, currency: string): SQL => sql`${currency} IN (
  SELECT c.value FROM tenants t, json_each(t.currencies) c WHERE t.id = ${tenantId})`;

/** Matches products with a term for each word of `q` as a prefix. A `q` without words matches nothing. */
function matchesWords(tenantId: number, q: string): SQL {
  const prefixes = [...new Set(words(q))].slice(0, 20);
  if (prefixes.length === 0) return sql`FALSE`;
  // The words are one bound parameter: D1 allows a hundred, and a list of all statuses needs them twice.
  return sql`product_id IN (SELECT t.product_id FROM json_each(${JSON.stringify(prefixes)}) w
    CROSS JOIN product_terms t ON t.tenant_id = ${tenantId} AND t.term >= w.value
      AND t.term < w.value || char(1114111)
    GROUP BY t.product_id HAVING count(DISTINCT w.key) = ${prefixes.length})`;
}

function total(tenantId: number, query: ListQuery, from: Source): SQL {
  const counts = STATUSES[query.status].map((status) =>
    query.q === null && from === 'listings'
      ? sql`SELECT total AS n FROM listing_counts WHERE ${listingCondition(tenantId, query, status, from)}`
      : sql`SELECT count(*) AS n FROM product_listings WHERE ${listingCondition(tenantId, query, status, from)}`,
  );
  return sql`SELECT coalesce(sum(n), 0) AS total FROM (${sql.join(counts, sql` UNION ALL `)})`;
}

/** Parameters of a single product read. */
export interface DetailQuery {
  readonly id: number;
  readonly currency: string;
  readonly mainCurrency: string;
  /** Other values than `active` require `catalog:write`; the caller checks it. */
  readonly status: 'active' | 'inactive' | 'all';
}

/** Reads a product with its variants, categories and slots, and the version, in one batch. */
export async function readProduct(ctx: TenantDatabase, query: DetailQuery): Promise<Filled<Product>> {
  const { db, tenantId } = ctx;
  const [[tenant], [product], variants, categories, slots] = await db.batch([
    rows<{ version: number; sells: 0 | 1 }>(
      db,
      sql`SELECT catalog_version AS version, ${tenantSellsIn(tenantId, query.currency)} AS sells
        FROM tenants WHERE id = ${tenantId}`,
    ),
    ...wholeProduct(ctx, sql`p.id = ${query.id}`),
  ]);
  const shown =
    product &&
    tenant?.sells === 1 &&
    (query.status === 'all' || product.status === query.status) &&
    column.prices(product.prices)[query.currency] !== undefined;
  return {
    version: tenant?.version ?? 0,
    answer: shown
      ? ok(presentProduct({ product, variants, categories, slots }, query.currency, query.mainCurrency))
      : fail('product_not_found'),
    revision: product?.revision,
  };
}

/** Reads the whole category tree. */
export async function readCategories(ctx: TenantDatabase): Promise<Filled> {
  const { db, tenantId } = ctx;
  const [[version], found] = await db.batch([
    versionOf(ctx),
    rows<CategoryRow>(db, sql`SELECT ${CATEGORY_COLUMNS} FROM categories c WHERE c.tenant_id = ${tenantId}`),
  ]);
  return { version: version?.version ?? 0, answer: ok({ data: presentTree(found, null) }) };
}

/** Reads a category with its descendants. */
export async function readCategory(ctx: TenantDatabase, categoryId: number): Promise<Filled<Category>> {
  const { db, tenantId } = ctx;
  const [[version], found] = await db.batch([
    versionOf(ctx),
    rows<CategoryRow>(
      db,
      sql`SELECT ${CATEGORY_COLUMNS} FROM category_ancestors a JOIN categories c ON c.id = a.category_id
        WHERE a.tenant_id = ${tenantId} AND a.ancestor_id = ${categoryId}`,
    ),
  ]);
  const root = found.find((row) => row.id === categoryId);
  const answer = root ? ok(presentCategory(root, presentTree(found, root.id))) : fail('category_not_found');
  return { version: version?.version ?? 0, answer, revision: root?.revision };
}
