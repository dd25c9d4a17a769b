import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { facetsOf, filtersOf } from '../filters/filter-query.ts';
import type { TextQuery } from '../filters/text-query.ts';
import { type ProductSearchQuery, productPages } from '../products/query-schemas.ts';
import { type FilteredListContext, type IndexedList, listByIndex, listWithinRows } from './list-filtered.ts';
import type { Hit, ListQuery } from './list-products.ts';

/** Returns whether the index alone answers a search: by relevance, in the main currency, without filters. */
export function isPlainSearch(query: ProductSearchQuery, main: { readonly currency: string }): boolean {
  const { q: _, page, limit, cursor, sort, currency = main.currency, ...rest } = query;
  const asksForMore = Object.values(rest).some((value) => value !== undefined);
  return sort === 'relevance' && currency === main.currency && !asksForMore;
}

/** A search, and the tenant's main currency. */
export type SearchListQuery = ProductSearchQuery & { readonly mainCurrency: string };

/** Reads a page of the products that a search has found, with its includes, total and facets, by {@link listWithinRows}. */
export const listHits = (
  ctx: TenantDatabase,
  query: SearchListQuery & {
    /** What the search index has found, best first. */
    readonly hits: readonly Hit[];
  },
): Promise<Filled> => listWithinRows(ctx, { ...listOf(query), hits: query.hits });

/**
 * Reads a page of the products that match a text at `version` or newer. Returns null if the list index can't serve it,
 * as in small tenants.
 */
export const listMatching = (
  ctx: FilteredListContext,
  query: SearchListQuery & { readonly text: TextQuery },
  version: number,
): Promise<IndexedList | null> => listByIndex(ctx, { ...listOf(query), text: query.text }, version);

function listOf(query: SearchListQuery): ListQuery {
  const { mainCurrency, sort, include = [], currency = mainCurrency } = query;
  return {
    ...productPages.pageOf(query),
    q: null,
    filters: filtersOf(query, currency),
    facets: facetsOf(query),
    sort,
    include,
    currency,
    mainCurrency,
    status: 'active',
  };
}
