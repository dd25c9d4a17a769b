import {
  isPlainSearch,
  listHits,
  listMatching,
  type ProductList,
  type ProductSearchQuery,
  productAt,
  productPages,
  type SearchListQuery,
  type TextQuery,
} from '../../catalog/index.ts';
import { toItsEnd } from '../../kernel/async/to-its-end.ts';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { rowsBefore } from '../../kernel/core/pagination.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { searchAt } from '../search-at.ts';
import { correctedText, exactText, find, findRanked, MIN_HITS_WITHOUT_CORRECTION } from './find.ts';

/** A page of found products, and the catalogue version that it is at. */
interface SearchPage {
  readonly version: number;
  readonly value: ProductList;
}

/** Who searches: a tenant with its main currency, and the catalogue version that its lists are at. */
interface SearchContext extends TenantContext {
  readonly caller: { readonly currency: string; readonly catalogVersion: number };
}

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
  const searched = await searchAt(ctx, (index) => find(index, search), version);
  if (!searched.ok) return searched;
  const found = searched.value;
  const hits = found.items.map((item, n) => ({ item, rank: found.ranks[n] ?? [0, 0] }));
  const shown = productPages.cut(hits, page, {
    total: found.total,
    found: found.found,
    key: ({ rank: [tier, place] }) => ({ sort: 'relevance', value: tier, id: place }),
  });
  const data = shown.rows.map(({ item }) => JSON.parse(item));
  return ok({ version: found.version, value: { data, meta: shown.meta } });
}

/** Filters, sorts and counts the products that are found: by the tenant's list index, or by both databases. */
async function searchAsList(
  ctx: SearchContext,
  query: ProductSearchQuery,
  version: number,
): Promise<Result<SearchPage>> {
  const wanted = { ...query, mainCurrency: ctx.caller.currency };
  const list = (await listByText(ctx, wanted, version)) ?? (await listByHits(ctx, wanted, version));
  if (!list.ok) return list;
  const { version: reached, answer } = list.value;
  return answer.ok ? ok({ version: reached, value: answer.value }) : answer;
}

/**
 * Reads the list from the list index; null where that can't serve it. With few exact hits, at the version that the
 * dictionary of typos has reached as well.
 */
async function listByText(
  ctx: SearchContext,
  query: SearchListQuery,
  version: number,
): Promise<Result<Filled<ProductList>> | null> {
  const atLeast = Math.max(ctx.caller.catalogVersion, version);
  const matching = (text: TextQuery) => listMatching(ctx, { ...query, text }, atLeast);
  const exact = exactText(ctx.tenantId, query.q);
  const found = exact && (await matching(exact));
  if (!found) return null;
  if (found.textTotal >= MIN_HITS_WITHOUT_CORRECTION) return ok(found.filled);
  const read = await searchAt(ctx, (index) => correctedText(index, query.q), version);
  if (!read.ok) return read;
  const corrected = read.value;
  const { filled } = (corrected.text ? await matching(corrected.text) : found) ?? {};
  return filled ? ok({ ...filled, version: Math.min(filled.version, corrected.version) }) : null;
}

/** Reads the list of the hits of the search index, if that reaches the version in time. */
async function listByHits(
  ctx: SearchContext,
  query: SearchListQuery,
  version: number,
): Promise<Result<Filled<ProductList>>> {
  const searched = await searchAt(ctx, (index) => findRanked(index, query.q), version);
  if (!searched.ok) return searched;
  const found = searched.value;
  const hits = found.ranks.map(([tier, place]) => ({ tier, place, productId: productAt(place) }));
  // Its rows are counted also for a client that disconnects.
  const list = await toItsEnd(ctx.ctx, listHits(ctx, { ...query, hits }));
  return ok({ ...list, version: Math.min(list.version, found.version) });
}
