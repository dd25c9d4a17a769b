import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Filled } from '../../kernel/data/versioned-cache.ts';
import { facetsOf, filtersOf } from '../filters/filter-query.ts';
import { type ProductSearchQuery, productPages } from '../products/query-schemas.ts';
import { type Hit, listProducts } from './list-products.ts';

/** Returns whether the index alone answers a search: by relevance, in the main currency, without filters. */
export function isPlainSearch(query: ProductSearchQuery, main: { readonly currency: string }): boolean {
  const { q: _, page, limit, cursor, sort, currency = main.currency, ...rest } = query;
  const asksForMore = Object.values(rest).some((value) => value !== undefined);
  return sort === 'relevance' && currency === main.currency && !asksForMore;
}

/** A search, with what the index has found for it, best first. */
export type HitsQuery = ProductSearchQuery & {
  readonly hits: readonly Hit[];
  readonly mainCurrency: string;
};

/** Reads a page of the products that a search has found, with its includes, total and facets, in one batch. */
export function listHits(ctx: TenantDatabase, query: HitsQuery): Promise<Filled> {
  const { hits, mainCurrency, sort, include = [], currency = mainCurrency } = query;
  return listProducts(ctx, {
    ...productPages.pageOf(query),
    ...{ q: null, filters: filtersOf(query, currency), facets: facetsOf(query), hits },
    ...{ sort, include, currency, mainCurrency, status: 'active' },
  });
}
