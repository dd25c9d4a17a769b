import { type SQL, sql } from 'drizzle-orm';
import { words } from '../../kernel/core/fold.ts';
import { offset, type Page, pageMeta } from '../../kernel/core/pagination.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { type Database, rows } from '../../kernel/data/database.ts';
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

/** A list of products to be read. */
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
 * Reads a page of products, what it includes, the total and the version: one batch. A second one where the
 * category's listings are still being brought up to date: then its products are looked up in the tree.
 */
export async function listProducts(
  db: Database,
  tenantId: number,
  query: ListQuery,
  from: Source = 'listings',
): Promise<Filled> {
  const page = listings(tenantId, query, from);
  const ids = sql`SELECT product_id FROM (${page})`;
  const [[version], [differs], [counted], products, variants, categories] = await db.batch([
    versionOf(db, tenantId),
    differsFromTree(db, tenantId, query.categoryId),
    rows<{ total: number }>(db, total(tenantId, query, from)),
    rows<ProductRow>(
      db,
      sql`SELECT ${PRODUCT_COLUMNS} FROM (${page}) l
        JOIN products p ON p.id = l.product_id JOIN inventory_items i ON i.id = p.id
        ORDER BY ${sql.raw(ORDERS[query.sort].replace(/\b(product_id|price|name)\b/g, 'l.$1'))}`,
    ),
    variantsOf(db, tenantId, query.include.includes('variants') ? ids : sql`NULL`),
    categoriesOf(db, tenantId, query.include.includes('categories') ? ids : sql`NULL`),
  ]);
  if (differs && from === 'listings') return listProducts(db, tenantId, query, 'tree');
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

/** What says which products a category lists. The tree is always right, and costs by the category's products. */
type Source = 'listings' | 'tree';

const STATUSES = { active: ['active'], inactive: ['inactive'], all: ['active', 'inactive'] } as const;

/** The listings of the page: of each status the first ones, then the page of those together. */
function listings(tenantId: number, query: ListQuery, from: Source): SQL {
  const order = sql.raw(ORDERS[query.sort]);
  const last = offset(query) + query.limit;
  const each = STATUSES[query.status].map(
    (status) => sql`SELECT * FROM (SELECT product_id, price, name FROM product_listings
      WHERE ${shelf(tenantId, query, status, from)} ORDER BY ${order} LIMIT ${last})`,
  );
  return sql`SELECT product_id, price, name FROM (${sql.join(each, sql` UNION ALL `)})
    ORDER BY ${order} LIMIT ${query.limit} OFFSET ${offset(query)}`;
}

/**
 * Which listings are looked at: one shelf (currency, category, status), and on it what matches `q`. From the tree:
 * the shelf of all products, and on it those of the category.
 */
function shelf(tenantId: number, { currency, categoryId, q }: ListQuery, status: string, from: Source): SQL {
  const below = from === 'tree' && categoryId !== null ? productsBelow(tenantId, categoryId) : null;
  return sql`tenant_id = ${tenantId} AND currency = ${currency} AND ${sellsIn(tenantId, currency)}
    AND category_id = ${below ? 0 : (categoryId ?? 0)} AND status = ${status} ${below ? sql`AND product_id IN (${below})` : sql``}
    ${q === null ? sql`` : sql`AND ${matching(tenantId, q)}`}`;
}

/** Products keep their prices in a currency that the tenant no longer sells in; they are not shown. */
const sellsIn = (tenantId: number, currency: string): SQL => sql`${currency} IN (
  SELECT c.value FROM tenants t, json_each(t.currencies) c WHERE t.id = ${tenantId})`;

/** Each word of `q` begins a term of the product; a `q` without a word matches nothing. */
function matching(tenantId: number, q: string): SQL {
  const begun = [...new Set(words(q))].slice(0, 20);
  if (begun.length === 0) return sql`FALSE`;
  // The words are one bound parameter: D1 allows a hundred, and a list of all statuses asks twice.
  return sql`product_id IN (SELECT t.product_id FROM json_each(${JSON.stringify(begun)}) w
    CROSS JOIN product_terms t ON t.tenant_id = ${tenantId} AND t.term >= w.value
      AND t.term < w.value || char(1114111)
    GROUP BY t.product_id HAVING count(DISTINCT w.key) = ${begun.length})`;
}

function total(tenantId: number, query: ListQuery, from: Source): SQL {
  const counts = STATUSES[query.status].map((status) =>
    query.q === null && from === 'listings'
      ? sql`SELECT total AS n FROM listing_counts WHERE ${shelf(tenantId, query, status, from)}`
      : sql`SELECT count(*) AS n FROM product_listings WHERE ${shelf(tenantId, query, status, from)}`,
  );
  return sql`SELECT coalesce(sum(n), 0) AS total FROM (${sql.join(counts, sql` UNION ALL `)})`;
}

/** What a detail is asked for. */
export interface DetailQuery {
  readonly id: number;
  readonly currency: string;
  readonly mainCurrency: string;
  /** Inactive products exist for who may write the catalogue. */
  readonly status: 'active' | 'inactive' | 'all';
}

/** Reads a product with everything that belongs to it, and the version: one batch. */
export async function readProduct(
  db: Database,
  tenantId: number,
  query: DetailQuery,
): Promise<Filled<Product>> {
  const [[tenant], [product], variants, categories, slots] = await db.batch([
    rows<{ version: number; sells: 0 | 1 }>(
      db,
      sql`SELECT catalog_version AS version, ${sellsIn(tenantId, query.currency)} AS sells
        FROM tenants WHERE id = ${tenantId}`,
    ),
    ...wholeProduct(db, tenantId, sql`p.id = ${query.id}`),
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

/** Reads the whole tree of categories. */
export async function readCategories(db: Database, tenantId: number): Promise<Filled> {
  const [[version], found] = await db.batch([
    versionOf(db, tenantId),
    rows<CategoryRow>(db, sql`SELECT ${CATEGORY_COLUMNS} FROM categories c WHERE c.tenant_id = ${tenantId}`),
  ]);
  return { version: version?.version ?? 0, answer: ok({ data: presentTree(found, null) }) };
}

/** Reads a category with everything below it. */
export async function readCategory(
  db: Database,
  tenantId: number,
  categoryId: number,
): Promise<Filled<Category>> {
  const [[version], found] = await db.batch([
    versionOf(db, tenantId),
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
