import {
  isPlainSearch,
  type ListedProducts,
  listHits,
  type ProductSearchQuery,
  productPages,
} from '../../catalog/index.ts';
import { rowsBefore } from '../../kernel/core/pagination.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { searchAt } from '../search-at.ts';
import { find, findRanked, productAt } from './find.ts';

/** A page of found products, and the catalogue version that it is at. */
export interface SearchPage {
  readonly version: number;
  readonly page: ListedProducts;
}

/** Who searches: a tenant with its main currency. */
export interface SearchContext extends TenantContext {
  readonly caller: { readonly currency: string };
}

const notReached = fail('unavailable', { message: 'The index has not reached this version yet.' });

/**
 * Searches active products at catalogue version `version` or newer (0: whatever the index has reached). One round
 * trip to the index; filters, includes and other orders than by relevance take one more, to the catalogue.
 */
export async function searchProducts(
  ctx: SearchContext,
  query: ProductSearchQuery,
  version: number,
): Promise<Result<SearchPage>> {
  const page = productPages.pageOf(query);
  if (page.after && page.after.sort !== query.sort) return invalid('cursor', 'belongs to another sort');
  return isPlainSearch(query, ctx.caller)
    ? searchByRelevance(ctx, query, version)
    : searchAsList(ctx, query, version);
}

/** Returns the documents of the index. */
async function searchByRelevance(
  ctx: SearchContext,
  query: ProductSearchQuery,
  version: number,
): Promise<Result<SearchPage>> {
  const page = productPages.pageOf(query);
  const after = page.after && ([Number(page.after.value), page.after.id] as const);
  const search = { q: query.q, offset: rowsBefore(page), limit: page.limit + 1, after };
  const found = await searchAt(ctx, (index) => find(index, search), version);
  if (!found) return notReached;
  const hits = found.items.map((item, n) => ({ item, rank: found.ranks[n] ?? [0, 0] }));
  const shown = productPages.cut(hits, page, {
    total: found.total,
    key: ({ rank: [tier, place] }) => ({ sort: 'relevance', value: tier, id: place }),
  });
  const data = shown.rows.map(({ item }) => JSON.parse(item));
  return ok({ version: found.version, page: { data, meta: shown.meta } });
}

/** Filters, sorts and counts the products that the index finds. */
async function searchAsList(
  ctx: SearchContext,
  query: ProductSearchQuery,
  version: number,
): Promise<Result<SearchPage>> {
  const found = await searchAt(ctx, (index) => findRanked(index, query.q), version);
  if (!found) return notReached;
  const hits = found.ranks.map(([tier, place]) => ({ tier, place, productId: productAt(place) }));
  const list = await listHits(ctx, { ...query, hits, mainCurrency: ctx.caller.currency });
  return list.answer.ok
    ? ok({ version: Math.min(list.version, found.version), page: list.answer.value as SearchPage['page'] })
    : list.answer;
}
