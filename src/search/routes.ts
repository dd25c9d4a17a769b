import { z } from '@hono/zod-openapi';
import { ProductListItem, SearchText } from '../catalog/index.ts';
import { PageMeta, pageMeta, pageQuery } from '../kernel/core/pagination.ts';
import { fail, ok } from '../kernel/core/result.ts';
import { database } from '../kernel/data/database.ts';
import { render, versionAsked } from '../kernel/data/versioned-cache.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { SlugParam, tenantBySlug } from '../tenants/index.ts';
import { searchAt } from './catch-up.ts';
import { startRebuild } from './indexer.ts';

const search = endpoint(
  {
    method: 'get',
    path: '/v1/search',
    tag: 'Products',
    summary: 'Search products',
    description:
      'Exact SKU first, then name, then description, categories, attributes, tags and vendor. Finds words by their beginning, with one typo in words of 4 letters or more, with or without accents. `meta.total` is exact to 1,000 and ends there. Follows a write within 10 seconds; `X-Catalog-Version` says which version the index has reached. With that header it waits for at most 2 seconds until the index has reached the version, then answers 503 with `Retry-After`.',
    access: 'catalog:read',
    query: z.object({ q: SearchText, ...pageQuery }),
    answer: z.object({ data: z.array(ProductListItem), meta: PageMeta }).openapi('SearchResults'),
    cached: true,
  },
  async ({ c, env, ctx, caller, query }) => {
    const found = await searchAt(env, ctx, caller.tenantId, query, versionAsked(c));
    if (!found) return fail('unavailable', { message: 'The index has not reached this version yet.' });
    // Items are kept as the JSON that they are answered with.
    const data = found.items.map((item) => JSON.parse(item));
    return { ok: true, rendered: render(found.version, { data, meta: pageMeta(query, found.total) }) };
  },
);

const rebuild = endpoint(
  {
    method: 'post',
    path: '/admin/v1/tenants/{slug}/search-rebuilds',
    tag: 'Platform: tenants',
    summary: "Rebuild a tenant's search index",
    description:
      'Runs in the background, step by step; search goes on meanwhile. One runs at a time: what is asked for during it makes one more follow.',
    access: 'platform',
    params: SlugParam,
    status: 202,
    answer: z.object({ status: z.literal('queued') }),
    errors: ['tenant_not_found'],
  },
  async ({ env, params }) => {
    const tenant = await tenantBySlug(database(env), params.slug);
    if (!tenant.ok) return tenant;
    await startRebuild(env, tenant.value.id);
    return ok({ status: 'queued' as const });
  },
);

/** Search, and the rebuild of its index. */
export const searchEndpoints: readonly Endpoint[] = [search, rebuild];
