import { z } from '@hono/zod-openapi';
import {
  ATTRIBUTE_FILTERS,
  isPlainSearch,
  listHits,
  ProductList,
  ProductSearchQuery,
  productPages,
} from '../catalog/index.ts';
import { rowsBefore } from '../kernel/core/pagination.ts';
import { fail, invalid, ok } from '../kernel/core/result.ts';
import { directory } from '../kernel/data/database.ts';
import { render, versionAsked } from '../kernel/data/versioned-cache.ts';
import type { Call } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { SlugParam, tenantBySlug } from '../tenants/index.ts';
import { searchExamples } from './examples.ts';
import { startRebuild } from './indexing/indexer.ts';
import { find, findRanked, productAt } from './query/find.ts';
import { searchAt } from './search-at.ts';

const search = endpoint(
  {
    method: 'get',
    path: '/v1/search',
    id: 'searchProducts',
    tag: 'Products',
    summary: 'Search products',
    description:
      'Ranks an exact SKU first, then the name, then description, categories, attributes, tags and vendor. Matches words by prefix, ignores accents, and tolerates one typo in words of 4 letters or more. `meta.total` is exact up to 1,000 and capped there; filters, facets and other sorts than `relevance` apply to the 10,000 best hits. The index follows a write within 10 seconds; the response header `X-Catalog-Version` is the version it has reached. Send that header to require a version: the request waits up to 2 seconds for the index, then responds with 503 and `Retry-After`.',
    access: 'catalog:read',
    query: ProductSearchQuery,
    openQuery: ATTRIBUTE_FILTERS,
    answer: ProductList,
    cached: true,
    example: searchExamples.search,
  },
  async (call) => {
    const { query } = call;
    const page = productPages.pageOf(query);
    if (page.after && page.after.sort !== query.sort) return invalid('cursor', 'belongs to another sort');
    return isPlainSearch(query, call.caller) ? searchByRelevance(call, page) : searchAsList(call);
  },
);

/** A call of the search endpoint. */
type SearchCall = Call<unknown, ProductSearchQuery>;

const notReached = fail('unavailable', { message: 'The index has not reached this version yet.' });

/** Responds with the documents of the index. */
async function searchByRelevance(call: SearchCall, page: ReturnType<typeof productPages.pageOf>) {
  const { q } = call.query;
  const after = page.after && ([Number(page.after.value), page.after.id] as const);
  const search = { q, offset: rowsBefore(page), limit: page.limit + 1, after };
  const found = await searchAt(call, (index) => find(index, search), versionAsked(call.c));
  if (!found) return notReached;
  const hits = found.items.map((item, n) => ({ item, rank: found.ranks[n] ?? [0, 0] }));
  const shown = productPages.cut(hits, page, {
    total: found.total,
    key: ({ rank: [tier, place] }) => ({ sort: 'relevance', value: tier, id: place }),
  });
  const data = shown.rows.map(({ item }) => JSON.parse(item));
  return { ok: true, rendered: render(found.version, { data, meta: shown.meta }) } as const;
}

/** Filters, sorts and counts the products that the index finds: one round trip more, to the catalogue. */
async function searchAsList(call: SearchCall) {
  const { query, caller } = call;
  const found = await searchAt(call, (index) => findRanked(index, query.q), versionAsked(call.c));
  if (!found) return notReached;
  const hits = found.ranks.map(([tier, place]) => ({ tier, place, productId: productAt(place) }));
  const { version, answer } = await listHits(call, { ...query, hits, mainCurrency: caller.currency });
  return answer.ok
    ? ({ ok: true, rendered: render(Math.min(version, found.version), answer.value) } as const)
    : answer;
}

const rebuild = endpoint(
  {
    method: 'post',
    path: '/admin/v1/tenants/{slug}/search-rebuilds',
    id: 'rebuildTenantSearch',
    tag: 'Platform: tenants',
    summary: "Rebuild a tenant's search index",
    description:
      'Runs in the background while search stays available. One rebuild runs at a time: requests during it enqueue one more.',
    access: 'platform',
    params: SlugParam,
    status: 202,
    answer: z.object({ status: z.literal('queued') }),
    errors: ['tenant_not_found'],
    example: searchExamples.rebuild,
  },
  async ({ env, params }) => {
    const tenant = await tenantBySlug(directory(env), params.slug);
    if (!tenant.ok) return tenant;
    await startRebuild(env, tenant.value.id);
    return ok({ status: 'queued' as const });
  },
);

/** The search endpoint, and the rebuild of its index. */
export const searchEndpoints: readonly Endpoint[] = [search, rebuild];
