import { z } from '@hono/zod-openapi';
import { ATTRIBUTE_FILTERS, ProductList, ProductSearchQuery } from '../catalog/index.ts';
import { followingRead, headerVersion } from '../kernel/cache/versioned-cache.ts';
import { fail, ok } from '../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { tenantIdOf } from '../kernel/shards/placements.ts';
import { SlugParam } from '../tenants/index.ts';
import { searchExamples } from './examples.ts';
import { startRebuild } from './indexing/indexer.ts';
import { searchProducts } from './query/search-products.ts';

const search = endpoint(
  {
    method: 'get',
    path: '/v1/search',
    id: 'searchProducts',
    tag: 'Products',
    summary: 'Search products',
    description:
      'Ranks an exact SKU first, then the name, then description, categories, attributes, tags and vendor. Matches words by prefix, ignores accents, and tolerates one typo in words of 4 letters or more. A number and its unit are found written together and apart (`250g`, `250 g`), Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese words also within text without spaces. `meta.total` is exact up to 1,000 and capped there, except with filters, facets or other sorts than `relevance`: these apply to, and count, at least the 10,000 best hits. The index follows a write within 10 seconds; the response header `X-Catalog-Version` is the version it has reached. Send that header to require a version: the request waits up to 2 seconds for the index, then responds with 503 and `Retry-After`. Pages of large products end early, as those of `GET /v1/products` do.',
    access: 'catalog:read',
    query: ProductSearchQuery,
    openQuery: ATTRIBUTE_FILTERS,
    answer: ProductList,
    cached: true,
    example: searchExamples.search,
  },
  (call) =>
    followingRead(call, {
      key: `/search?${JSON.stringify({ mainCurrency: call.caller.currency, ...call.query })}`,
      need: { scope: 'catalog:read' },
      fill: () => searchProducts(call, call.query, headerVersion(call.c)),
    }),
);

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
    const tenantId = await tenantIdOf(env, params.slug);
    if (tenantId === null) return fail('tenant_not_found');
    await startRebuild(env, tenantId);
    return ok({ status: 'queued' as const });
  },
);

/** The search endpoint, and the rebuild of its index. */
export const searchEndpoints: readonly Endpoint[] = [search, rebuild];
