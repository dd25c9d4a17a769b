import { type SQL, sql } from 'drizzle-orm';
import { offset, type Page, pageMeta } from '../../kernel/core/pagination.ts';
import { ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Filled } from '../../kernel/data/versioned-cache.ts';
import { words } from '../../kernel/text/fold.ts';
import { catalogPosition } from '../../tenants/index.ts';
import { presentProductCategory } from '../categories/present.ts';
import { productsBelow } from '../indexing/listing-index.ts';
import { differsFromTree } from '../indexing/relisting.ts';
import { presentListItem, presentVariants } from '../products/present.ts';
import type { Include, Sort, StatusFilter } from '../products/query-schemas.ts';
import {
  type CategoryRow,
  categoriesOf,
  PRODUCT_COLUMNS,
  type ProductRow,
  tenantSellsIn,
  type VariantRow,
  variantsOf,
} from './rows.ts';

/** Filters, order and page of a product list. */
export interface ListQuery extends Page {
  /** Text whose words must all occur in a product as prefixes. */
  readonly q: string | null;
  readonly categoryId: number | null;
  readonly sort: Sort;
  readonly include: readonly Include[];
  readonly currency: string;
  readonly mainCurrency: string;
  /** Other values than `active` require `catalog:write`; the caller checks it. */
  readonly status: StatusFilter;
}

/** Source of a category's products. The tree is always current; its cost grows with the category's products. */
type Source = 'listings' | 'tree';

/** A list query of a tenant, read from one source. */
interface SourcedQuery extends ListQuery {
  readonly tenantId: number;
  readonly source: Source;
}

const ORDERS: Readonly<Record<Sort, string>> = {
  newest: 'product_id DESC',
  oldest: 'product_id',
  best_selling: 'sold DESC, product_id DESC',
  price_asc: 'price, product_id',
  price_desc: 'price DESC, product_id DESC',
  name_asc: 'name, product_id',
  name_desc: 'name DESC, product_id DESC',
};

/** The statuses that a filter accepts. Each has lists of its own. */
export const STATUSES = { active: ['active'], inactive: ['inactive'], all: ['active', 'inactive'] } as const;

/** Largest number of distinct words of `q` that are matched; further words are ignored. */
const MAX_QUERY_WORDS = 20;

/**
 * Reads a page of products with its includes, total and version in one batch. While the category's listings
 * are being updated, a second batch reads the page from the tree.
 */
export async function listProducts(
  ctx: TenantDatabase,
  query: ListQuery,
  source: Source = 'listings',
): Promise<Filled> {
  const { tenantId, db } = ctx;
  const sourced = { ...query, tenantId, source };
  const page = pageOfListings(sourced);
  const ids = (include: Include) =>
    query.include.includes(include) ? sql`SELECT product_id FROM (${page})` : sql`NULL`;
  const read = await namedBatch(db, {
    position: catalogPosition(ctx),
    differs: differsFromTree(ctx, query.categoryId),
    counted: rows<{ total: number }>(db, totalOfListings(sourced)),
    products: rows<ProductRow>(
      db,
      sql`SELECT ${PRODUCT_COLUMNS} FROM (${page}) l
        JOIN products p ON p.id = l.product_id JOIN inventory_items i ON i.id = p.id
        ORDER BY ${sql.raw(ORDERS[query.sort].replace(/\b(product_id|price|name|sold)\b/g, 'l.$1'))}`,
    ),
    variants: variantsOf(ctx, ids('variants')),
    categories: categoriesOf(ctx, { ids: ids('categories'), hidden: query.status !== 'active' }),
  });
  if (read.differs.length > 0 && source === 'listings') return listProducts(ctx, query, 'tree');
  const data = read.products.map((row) => presentWithIncludes(row, read, query));
  const meta = pageMeta(query, read.counted[0]?.total ?? 0);
  return { version: read.position[0]?.version ?? 0, answer: ok({ data, meta }) };
}

/** The rows of a page's includes, for all of its products. */
interface IncludedRows {
  readonly variants: readonly VariantRow[];
  readonly categories: readonly (CategoryRow & { product_id: number })[];
}

/** Returns a product of a list with the includes of the query. */
export function presentWithIncludes(
  row: ProductRow,
  { variants, categories }: IncludedRows,
  { include, currency, mainCurrency }: Pick<ListQuery, 'include' | 'currency' | 'mainCurrency'>,
) {
  const ofProduct = ({ product_id }: { product_id: number }) => product_id === row.id;
  return {
    ...presentListItem(row, { currency, mainCurrency }),
    ...(include.includes('variants') && {
      variants: presentVariants(variants.filter(ofProduct), currency),
    }),
    ...(include.includes('categories') && {
      categories: categories.filter(ofProduct).map((category) => presentProductCategory(category)),
    }),
  };
}

/** Selects the page: the first rows of each status, merged and cut to the page. */
function pageOfListings(query: SourcedQuery): SQL {
  const order = sql.raw(ORDERS[query.sort]);
  const last = offset(query) + query.limit;
  const each = STATUSES[query.status].map(
    (status) => sql`SELECT * FROM (SELECT product_id, price, name, sold FROM product_listings
      WHERE ${listingCondition(query, status)} ORDER BY ${order} LIMIT ${last})`,
  );
  return sql`SELECT product_id, price, name, sold FROM (${sql.join(each, sql` UNION ALL `)})
    ORDER BY ${order} LIMIT ${query.limit} OFFSET ${offset(query)}`;
}

/** Selects the number of products that match, from the maintained counts where no filter applies. */
function totalOfListings(query: SourcedQuery): SQL {
  const hasCount = query.q === null && query.source === 'listings';
  const counts = STATUSES[query.status].map((status) =>
    hasCount
      ? sql`SELECT total AS n FROM listing_counts WHERE ${listingCondition(query, status)}`
      : sql`SELECT count(*) AS n FROM product_listings WHERE ${listingCondition(query, status)}`,
  );
  return sql`SELECT coalesce(sum(n), 0) AS total FROM (${sql.join(counts, sql` UNION ALL `)})`;
}

/**
 * Returns the condition for one list (currency, category, status), filtered by `q`. From the tree it is the
 * list of all products, filtered by category.
 */
function listingCondition({ tenantId, currency, categoryId, q, source }: SourcedQuery, status: string): SQL {
  const below = source === 'tree' && categoryId !== null ? productsBelow(tenantId, categoryId) : null;
  return sql`tenant_id = ${tenantId} AND currency = ${currency} AND ${tenantSellsIn(tenantId, currency)}
    AND category_id = ${below ? 0 : (categoryId ?? 0)} AND status = ${status} ${below ? sql`AND product_id IN (${below})` : sql``}
    ${q === null ? sql`` : sql`AND ${matchesWords(tenantId, q)}`}`;
}

/** Matches products with a term for each word of `q` as a prefix. A `q` without words matches nothing. */
function matchesWords(tenantId: number, q: string): SQL {
  const prefixes = [...new Set(words(q))].slice(0, MAX_QUERY_WORDS);
  if (prefixes.length === 0) return sql`FALSE`;
  // The words are one bound parameter: D1 allows a hundred, and a list of all statuses needs them twice.
  return sql`product_id IN (SELECT t.product_id FROM json_each(${JSON.stringify(prefixes)}) w
    CROSS JOIN product_terms t ON t.tenant_id = ${tenantId} AND t.term >= w.value
      AND t.term < w.value || char(1114111)
    GROUP BY t.product_id HAVING count(DISTINCT w.key) = ${prefixes.length})`;
}
