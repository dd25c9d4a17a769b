import {
  browseProducts,
  type ProductList,
  type ProductListQuery,
  type ProductSearchQuery,
  productPages,
} from '../../catalog/index.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import { searchProducts } from '../../search/index.ts';
import type { UcpContext } from '../context.ts';
import { operation } from '../protocol/operation.ts';
import { done, fromFailure, refused } from '../protocol/outcome.ts';
import { learnProducts } from '../response-memory.ts';
import { type AppliedFilters, applyFilters, asListQuery, isWithinPrice } from './filters.ts';
import { inList, MAX_LISTED_VARIANTS, presentProduct, presentVariants } from './present.ts';
import { MAX_PAGE, SearchRequest, SearchResponse } from './schemas.ts';

/** The number of products of a page by default, as the protocol has it. */
const DEFAULT_PAGE = 10;

/** Searches the catalogue, or browses it by filters alone. Costs the storage calls of `/v1/search` with includes. */
export const searchCatalog = operation(
  {
    name: 'search_catalog',
    capability: 'dev.ucp.shopping.catalog.search',
    method: 'post',
    path: '/catalog/search',
    summary: 'Search for products by words, categories and price',
    argument: 'catalog',
    input: SearchRequest,
    identity: 'optional',
    key: 'none',
    output: SearchResponse,
  },
  async (ctx, { input }) => {
    const filters = await applyFilters(ctx, input);
    if (!filters.ok) return filters;
    const cursor = input.pagination?.cursor;
    const position = cursor === undefined ? undefined : productPages.query.cursor.safeParse(cursor);
    if (position !== undefined && position.data?.[1].sort !== sortOf(input)) {
      return refused(400, 'invalid_cursor', 'The cursor is not valid, or is of another search.');
    }
    const limit = Math.min(input.pagination?.limit ?? DEFAULT_PAGE, MAX_PAGE);
    // Categories that don't exist have no products.
    if (filters.value.categories?.all.size === 0) return done(emptyPage(filters.value));
    const page = { page: 1, limit, cursor: position?.data };
    const found = await findProducts(ctx, input, { page, filters: filters.value });
    if (!found.ok) return fromFailure(found.failure);
    learnProducts({ tenantId: ctx.tenantId, operation: 'search_catalog' }, found.value.data);
    return done(presentPage(ctx, found.value, filters.value));
  },
);

/** A query without words, or the wildcard that agents write for the whole catalogue. */
const EVERYTHING = /^[\s*]*$/;

/** Returns the order of the products: by relevance, or without words by age. */
const sortOf = ({ query = '' }: SearchRequest) => (EVERYTHING.test(query) ? 'newest' : 'relevance');

/** The page that is asked for, and the filters. */
interface Wanted {
  readonly page: Pick<ProductSearchQuery, 'page' | 'limit' | 'cursor'>;
  readonly filters: AppliedFilters;
}

/** Returns the page of products. */
async function findProducts(
  ctx: UcpContext,
  request: SearchRequest,
  { page, filters }: Wanted,
): Promise<Result<ProductList>> {
  const include: ProductListQuery['include'] = ['variants', 'categories'];
  const shared = { ...page, ...asListQuery(filters), include };
  const sort = sortOf(request);
  if (sort === 'newest') return browseProducts(ctx, { ...shared, sort });
  const search: ProductSearchQuery = { ...shared, sort, q: request.query ?? '' };
  const found = await searchProducts(ctx, search, 0);
  return found.ok ? ok(found.value.value) : found;
}

function presentPage(ctx: UcpContext, { data, meta }: ProductList, filters: AppliedFilters) {
  const { next_cursor: cursor, total } = meta;
  return {
    products: data.map((product) => {
      const variants = presentVariants(ctx.tenant, product);
      const fitting = variants.filter((variant) => isWithinPrice(variant, filters));
      // A product matches by its own price; each of its variants is then shown.
      const shown = fitting.length > 0 ? fitting : variants;
      return inList(presentProduct(ctx.tenant, product, shown.slice(0, MAX_LISTED_VARIANTS)));
    }),
    pagination: { has_next_page: cursor !== null, ...(cursor !== null && { cursor }), total_count: total },
    ...(filters.messages.length > 0 && { messages: [...filters.messages] }),
  };
}

const emptyPage = ({ messages }: AppliedFilters) => ({
  products: [],
  pagination: { has_next_page: false, total_count: 0 },
  ...(messages.length > 0 && { messages: [...messages] }),
});
