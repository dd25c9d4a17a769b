import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { type ListPage, rowsBefore } from '../../kernel/core/pagination.ts';
import { ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import { withinRows } from '../../kernel/data/row-allowance.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { presentProductCategory } from '../categories/present.ts';
import type { Question, Source } from '../filters/conditions.ts';
import { facetQueries } from '../filters/facets.ts';
import { type FacetRequest, type Filters, facetsOf, filtersOf } from '../filters/filter-query.ts';
import { matchingPage, matchingTotal, type Ordering } from '../filters/matching.ts';
import { differsFromTree } from '../indexing/relisting.ts';
import { presentListItem, presentVariants } from '../products/present.ts';
import {
  type Include,
  type ProductListQuery,
  type ProductSearchQuery,
  productPages,
  type Sort,
  type SortKey,
  type StatusFilter,
} from '../products/query-schemas.ts';
import type { ProductList } from '../products/schemas.ts';
import { type FittingRow, fittingPage, foundRows, isSmall } from './page-rows.ts';
import {
  type CategoryRow,
  categoriesOf,
  type ProductRow,
  productColumnsIn,
  type VariantRow,
  variantsOf,
} from './rows.ts';

/** A product that a search has found: its tier and its place there. */
export interface Hit {
  readonly tier: number;
  readonly place: number;
  readonly productId: number;
}

/** Filters, order, page and facets of a product list. */
export interface ListQuery extends ListPage<SortKey> {
  /** Text whose words must all occur in a product as prefixes. */
  readonly q: string | null;
  readonly filters: Filters;
  readonly facets: readonly FacetRequest[];
  /** What a search has found, best first: the list then has no other products. */
  readonly hits?: readonly Hit[];
  readonly sort: Sort;
  readonly include: readonly Include[];
  readonly currency: string;
  /** The tenant's main currency. */
  readonly mainCurrency: string;
  /** Other values than `active` require `catalog:write`; the caller checks it. */
  readonly status: StatusFilter;
}

/** What a list has besides its query parameters. */
interface ListScope extends Pick<ListQuery, 'mainCurrency'>, Partial<Pick<ListQuery, 'q' | 'status'>> {}

/** Returns the list that query parameters ask for; by default of all active products. */
export function listQueryOf(
  query: ProductListQuery | ProductSearchQuery,
  { q = null, mainCurrency, status = 'active' }: ListScope,
): ListQuery {
  const { sort, include = [], currency = mainCurrency } = query;
  return {
    ...productPages.pageOf(query),
    q,
    filters: filtersOf(query, currency),
    facets: facetsOf(query),
    sort,
    include,
    currency,
    mainCurrency,
    status,
  };
}

/** The columns of `product_listings` that an order sorts by, before the product's id, and its direction. */
export const ORDERS: Readonly<
  Record<Sort, { readonly column: 'price' | 'name' | 'sold' | null; readonly falls: boolean }>
> = {
  // Of hits, which have an order of their own.
  relevance: { column: null, falls: true },
  newest: { column: null, falls: true },
  oldest: { column: null, falls: false },
  best_selling: { column: 'sold', falls: true },
  price_asc: { column: 'price', falls: false },
  price_desc: { column: 'price', falls: true },
  name_asc: { column: 'name', falls: false },
  name_desc: { column: 'name', falls: true },
};

/** The statuses that a filter accepts. Each has lists of its own. */
export const STATUSES = { active: ['active'], inactive: ['inactive'], all: ['active', 'inactive'] } as const;

/** A product of a page with its place in the order. */
type PageRow = ProductRow & FittingRow & { readonly sort_value: string | number };

/**
 * Reads a page of products with its includes, total, facets and version in one batch. While the category's
 * listings are being updated, a second batch reads the page from the tree, within the tenant's rows
 * ({@link filledWithinRows}) unless the caller counts them (`isMetered`); if a product isn't small, as many as fit.
 */
export const listProducts = (
  ctx: TenantDatabase,
  query: ListQuery,
  isMetered = false,
): Promise<Filled<ProductList>> =>
  readList(ctx, query, { source: 'listings', fits: query.include.includes('variants'), isMetered });

/** Makes a read that may read each of the tenant's items: `rate_limited` while its lists have read too many rows. */
export async function filledWithinRows(
  ctx: TenantDatabase,
  read: (metered: TenantDatabase) => Promise<Filled<ProductList>>,
): Promise<Filled<ProductList>> {
  const filled = await withinRows(ctx, read);
  // A refusal holds at every version.
  return 'version' in filled ? filled : { version: Number.POSITIVE_INFINITY, answer: filled };
}

/** Where a page is read from, whether it ends where its products are too large together, and whether its rows are counted. */
interface Reading {
  readonly source: Source;
  readonly fits: boolean;
  readonly isMetered: boolean;
}

async function readList(
  ctx: TenantDatabase,
  query: ListQuery,
  reading: Reading,
): Promise<Filled<ProductList>> {
  const { source, fits, isMetered } = reading;
  const { db } = ctx;
  const question = questionOf(ctx, query, source);
  const ordering = orderingOf(query);
  const matching = matchingPage(question, ordering, { offset: rowsBefore(query), limit: query.limit + 1 });
  const page = fits
    ? fittingPage(matching, { order: ordering.order, include: query.include })
    : sql`SELECT *, NULL AS follows FROM (${matching})`;
  const ids = (include: Include) =>
    query.include.includes(include) ? sql`SELECT product_id FROM (${page})` : sql`NULL`;
  const facets = facetQueries(ctx, question, query.facets);
  const read = await namedBatch(db, {
    position: catalogPosition(ctx),
    differs: differsFromTree(ctx, listedCategories(query)),
    counted: rows<{ total: number }>(db, matchingTotal(question)),
    products: rows<PageRow>(
      db,
      sql`SELECT ${productColumnsIn(query)}, ${ordering.value} AS sort_value, l.follows FROM (${page}) l
        LEFT JOIN products p ON p.id = l.product_id AND ${fits ? sql`TRUE` : isSmall(query.limit)}
        JOIN inventory_items i ON i.id = l.product_id ORDER BY ${ordering.order}`,
    ),
    variants: variantsOf(ctx, ids('variants')),
    categories: categoriesOf(ctx, { ids: ids('categories'), hidden: query.status !== 'active' }),
    ...facets.queries,
  });
  if (read.differs.length > 0 && source === 'listings') {
    const fromTree = (from: TenantDatabase) => readList(from, query, { ...reading, source: 'tree' });
    return isMetered ? fromTree(ctx) : filledWithinRows(ctx, fromTree);
  }
  // A product that isn't small was not read.
  if (read.products.some(({ id }) => id === null)) return readList(ctx, query, { ...reading, fits: true });
  const shown = productPages.cut(read.products, query, {
    total: read.counted[0]?.total ?? 0,
    found: foundRows(read.products),
    key: (row) => sortKeyOf(row, query),
  });
  const data = shown.rows.map((row) => presentWithIncludes(row, read, query));
  const meta = query.facets.length > 0 ? { ...shown.meta, facets: facets.present(read) } : shown.meta;
  return { version: versionOf(read.position), answer: ok({ data, meta }) };
}

const questionOf = ({ tenantId }: TenantDatabase, query: ListQuery, source: Source): Question => ({
  tenantId,
  source,
  statuses: STATUSES[query.status],
  q: query.q,
  filters: query.filters,
  currency: query.currency,
  mainCurrency: query.mainCurrency,
  hits: query.hits?.map(({ productId }) => productId),
});

/** Returns where a row of the page is in the order, for the cursor. */
function sortKeyOf({ id, sort_value: value }: PageRow, { sort, hits }: ListQuery): SortKey {
  const hit = sort === 'relevance' ? hits?.[Number(value)] : undefined;
  return hit ? { sort, value: hit.tier, id: hit.place } : { sort, value, id };
}

/** Returns the category whose listings are read; "all" when facets count every category from the listings. */
function listedCategories({ filters, facets }: ListQuery): number | 'all' | null {
  if (facets.some(({ name }) => name === 'category')) return 'all';
  return filters.categoryIds.length === 1 ? (filters.categoryIds[0] ?? null) : null;
}

/** Returns the order of a list as SQL: its columns, and the condition for rows after the cursor's. */
function orderingOf({ sort, after, hits }: ListQuery): Ordering & { readonly value: SQL } {
  if (hits && sort === 'relevance') return byRelevance(hits, after);
  const { column, falls } = ORDERS[sort];
  const names = [...(column === null ? [] : [column]), 'product_id'].map((name) => sql.raw(`l.${name}`));
  const key = after && (column === null ? sql`(${after.id})` : sql`(${after.value}, ${after.id})`);
  const beyond = key && sql`(${sql.join(names, sql`, `)}) ${sql.raw(falls ? '<' : '>')} ${key}`;
  return {
    order: sql.join(
      names.map((name) => (falls ? sql`${name} DESC` : name)),
      sql`, `,
    ),
    after: beyond,
    value: column === null ? sql`0` : sql.raw(`l.${column}`),
  };
}

/** Returns the order of hits by their place in `hits`, as SQL. */
function byRelevance(hits: readonly Hit[], after: SortKey | null): Ordering & { readonly value: SQL } {
  const isSeen = ({ tier, place }: Hit) =>
    after !== null && (tier < Number(after.value) || (tier === after.value && place <= after.id));
  const seen = hits.filter(isSeen).length;
  return { order: sql`l.rank`, after: after && sql`h.key >= ${seen}`, value: sql`l.rank`, ofHits: true };
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
      variants: presentVariants(variants.filter(ofProduct), { currency, mainCurrency }),
    }),
    ...(include.includes('categories') && {
      categories: categories.filter(ofProduct).map((category) => presentProductCategory(category)),
    }),
  };
}
