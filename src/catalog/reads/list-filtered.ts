import { sql } from 'drizzle-orm';
import { type Filled, NEWEST } from '../../kernel/cache/versioned-cache.ts';
import { type ListPage, rowsBefore } from '../../kernel/core/pagination.ts';
import { ok } from '../../kernel/core/result.ts';
import { namedBatch } from '../../kernel/data/database.ts';
import { newestDatabase, type TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { presentFacets } from '../filters/facets.ts';
import { listText, type TextQuery } from '../filters/text-query.ts';
import { askIndex } from '../list-index/ask-index.ts';
import type { IndexedPage } from '../list-index/index-call.ts';
import { MIN_INDEXED_ITEMS } from '../list-index/limits.ts';
import type { IndexQuestion } from '../list-index/questions/index.ts';
import { productPages } from '../products/query-schemas.ts';
import type { ProductList } from '../products/schemas.ts';
import {
  filledWithinRows,
  type ListQuery,
  listProducts,
  ORDERS,
  presentWithIncludes,
  STATUSES,
} from './list-products.ts';
import { type PageRows, pageQueries } from './page-rows.ts';

/** How often the index is asked until its version is that of the rows; the catalogue may change in between. */
const MAX_ATTEMPTS = 2;

/** What a filtered list is read with. */
export interface FilteredListContext extends TenantDatabase {
  readonly env: Env;
}

/** The most products that the database passes over before a page. Tenants without an index have no more. */
const MAX_PASSED_OVER = MIN_INDEXED_ITEMS;

/** Returns whether a page is so far down its list that few others ask for it, and the database had to read all before it. */
export const isFarPage = (page: ListPage<unknown>): boolean => rowsBefore(page) >= MAX_PASSED_OVER;

/**
 * Returns whether a list is one for the index: the database's own indexes serve the first pages of those without
 * filters.
 */
const isForIndex = (query: ListQuery): boolean => isFarPage(query) || isFiltered(query);

const isFiltered = ({ q, filters, facets }: ListQuery): boolean =>
  q !== null ||
  facets.length > 0 ||
  filters.values.length > 0 ||
  filters.price !== null ||
  filters.inStock ||
  filters.stock !== undefined ||
  filters.categoryIds.length > 1;

/**
 * Reads a page of products at `version` or newer ({@link NEWEST}: the newest), by the tenant's index where that can
 * serve it, else from the database alone.
 */
export async function listFiltered(
  ctx: FilteredListContext,
  query: ListQuery,
  version: number,
): Promise<Filled<ProductList>> {
  if (!isForIndex(query)) return listProducts(ctx, query);
  const text = query.q === null ? null : listText(query.q);
  const found = await listByIndex(ctx, { ...query, text }, version);
  return found?.filled ?? listWithinRows(ctx, query);
}

/**
 * Reads a list for the index from the database alone, which may read each of the tenant's items several times:
 * `rate_limited` while the tenant's lists have read too many rows.
 */
export const listWithinRows = (ctx: TenantDatabase, query: ListQuery): Promise<Filled<ProductList>> =>
  filledWithinRows(ctx, (metered) => listProducts(metered, query, true));

/** A list of the products that match a text. */
type TextListQuery = ListQuery & { readonly text: TextQuery | null };

/** A list from the index, and how many active products match the text whatever the filters. */
export interface IndexedList {
  readonly filled: Filled<ProductList>;
  readonly textTotal: number;
}

/**
 * Reads a page of products at `version` or newer. The index finds them. Their rows come with them, if the index has
 * read changes for this question; else one batch reads them with the catalogue version, which must be the index's.
 * Returns null if the index can't serve the list.
 */
export async function listByIndex(
  ctx: FilteredListContext,
  query: TextListQuery,
  version: number,
): Promise<IndexedList | null> {
  const { env, tenantId } = ctx;
  const { include, currency, mainCurrency, status } = query;
  let atLeast = version === NEWEST ? null : version;
  let from: TenantDatabase = ctx;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await askIndex(env, {
      tenantId,
      atLeast,
      question: questionOf(query),
      page: { include, currency, mainCurrency, status },
    });
    const read = found && (await readPage(from, query, found));
    if (!found || !read) return null;
    if (read.filled) return { filled: read.filled, textTotal: found.textTotal };
    atLeast = Math.max(found.version, read.version);
    // A replica may be behind the index, and this isolate behind a move.
    from = await newestDatabase(env, tenantId);
  }
  return null;
}

function questionOf(query: TextListQuery): IndexQuestion {
  const { sort, text, filters, facets, currency, mainCurrency, status, after, limit } = query;
  const { column, falls } = ORDERS[sort];
  const byRelevance = sort === 'relevance';
  return {
    filters,
    facets,
    text,
    currency,
    mainCurrency,
    statuses: STATUSES[status],
    order: byRelevance ? 'relevance' : { column: column ?? 'id', falls },
    cut: {
      after: after && { id: after.id, value: column === null && !byRelevance ? 0 : after.value },
      offset: rowsBefore(query),
      limit: limit + 1,
    },
  };
}

/** A page, or the version of the rows if the page can't be made of them. */
interface ReadPage {
  readonly version: number;
  readonly filled: Filled<ProductList> | null;
}

/**
 * Reads the rows of a page that the index has found: once more, as many as fit, if a product isn't small. Null if the
 * tenant no longer sells in the currency.
 */
async function readPage(ctx: TenantDatabase, query: ListQuery, found: IndexedPage): Promise<ReadPage | null> {
  if (found.rows) return presentPage(query, found, found.rows);
  const ids = JSON.stringify(found.page.map(({ id }) => id));
  const places = sql`SELECT value AS product_id, key AS place FROM json_each(${ids})`;
  const rowsOf = (most: number | null) =>
    namedBatch(ctx.db, {
      position: catalogPosition(ctx),
      ...pageQueries(ctx, places, { ...query, most }),
    });
  let read = await rowsOf(query.limit);
  if (read.products.length < found.page.length) read = await rowsOf(null);
  const version = versionOf(read.position);
  return version === found.version ? presentPage(query, found, read) : { version, filled: null };
}

function presentPage(query: ListQuery, found: IndexedPage, read: PageRows): ReadPage | null {
  if (read.sells[0]?.sells !== 1) return null;
  const { version, page, total } = found;
  const products = new Map(read.products.map((row) => [row.id, row]));
  const listed = page.flatMap((place) => {
    const row = products.get(place.id);
    return row ? { ...place, row } : [];
  });
  const shown = productPages.cut(listed, query, {
    total,
    found: page.length,
    key: ({ value, key }) => ({ sort: query.sort, value, id: key }),
  });
  const data = shown.rows.map(({ row }) => presentWithIncludes(row, read, query));
  const { facets, currency } = query;
  const counted = presentFacets(facets, currency, (name) => found.facets[name] ?? []);
  const meta = facets.length > 0 ? { ...shown.meta, facets: counted } : shown.meta;
  return { version, filled: { version, answer: ok({ data, meta }) } };
}
