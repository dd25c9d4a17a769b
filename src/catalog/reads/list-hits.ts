import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { TextQuery } from '../filters/text-query.ts';
import type { ProductSearchQuery } from '../products/query-schemas.ts';
import type { ProductList } from '../products/schemas.ts';
import { type FilteredListContext, type IndexedList, listByIndex, listWithinRows } from './list-filtered.ts';
import { type Hit, type ListQuery, listQueryOf } from './list-products.ts';

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
): Promise<Filled<ProductList>> => listWithinRows(ctx, { ...listOf(query), hits: query.hits });

/**
 * Reads a page of the products that match a text at `version` or newer. Returns null if the list index can't serve it,
 * as in small tenants.
 */
export const listMatching = (
  ctx: FilteredListContext,
  query: SearchListQuery & { readonly text: TextQuery },
  version: number,
): Promise<IndexedList | null> => listByIndex(ctx, { ...listOf(query), text: query.text }, version);

/** Its words are matched by the hits or by the text. */
const listOf = (query: SearchListQuery): ListQuery =>
  listQueryOf(query, { mainCurrency: query.mainCurrency });
