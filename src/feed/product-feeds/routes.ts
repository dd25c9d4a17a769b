import { iso } from '../../kernel/core/clock.ts';
import { ok } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { requireTenant } from '../../tenants/index.ts';
import { productFeedExamples } from './examples.ts';
import { feedPath } from './feed-token.ts';
import { lengthOf, productRows } from './product-rows.ts';
import {
  FeedCreate,
  FeedParams,
  FeedPreview,
  FeedProblemList,
  MAX_PREVIEW_SKUS,
  PreviewQuery,
  ProblemQuery,
  ProductFeed,
  ProductFeedList,
  problemCursor,
} from './schemas.ts';
import { createFeed, deleteFeed, feedById, listFeeds, MAX_FILES_PER_HOUR } from './store.ts';
import type { FeedRow } from './tables.ts';
import { feedShopOf, findProblems, previewItems } from './write-feed.ts';

const FEEDS = { tag: 'Product feeds', access: 'settings:write', changesCatalog: false } as const;

const presentFeed = ({ c, env }: Call, row: FeedRow): ProductFeed => ({
  id: row.id,
  url: new URL(feedPath(env, row), c.req.url).href,
  format: row.format,
  created_at: iso(row.createdAt),
});

const list = endpoint(
  {
    ...FEEDS,
    method: 'get',
    path: '/v1/feeds',
    id: 'listProductFeeds',
    summary: 'List product feeds',
    answer: ProductFeedList,
    example: productFeedExamples.list,
  },
  async (call) => ok({ data: (await listFeeds(call)).map((row) => presentFeed(call, row)) }),
);

const create = endpoint(
  {
    ...FEEDS,
    method: 'post',
    path: '/v1/feeds',
    id: 'createProductFeed',
    summary: 'Create a product feed',
    description: `Responds with the signed address of a file with all products on sale in the attributes of Google Merchant Center, which other services fetch without a token. The file is written while it is read, in the main currency, one item for each SKU. It needs the setting \`feeds.product_url\`. SKUs that Google would refuse are left out, see \`GET /v1/feeds/{id}/problems\`. A file can be read ${MAX_FILES_PER_HOUR} times an hour (then 429 with \`Retry-After\`); with \`If-None-Match\`, an unchanged catalogue is 304 and not counted. Deleting the feed ends the address.`,
    body: FeedCreate,
    status: 201,
    answer: ProductFeed,
    errors: ['quota_exceeded', 'feed_not_found'],
    example: productFeedExamples.create,
  },
  async (call) => {
    const created = await createFeed(call, call.body.format, call.once);
    return created.ok ? ok(presentFeed(call, created.value)) : created;
  },
);

const remove = endpoint(
  {
    ...FEEDS,
    method: 'delete',
    path: '/v1/feeds/{id}',
    id: 'deleteProductFeed',
    summary: 'Delete a product feed',
    description: 'Its address responds with 404 from now on.',
    params: FeedParams,
    status: 204,
    errors: ['feed_not_found'],
    example: productFeedExamples.remove,
  },
  (call) => deleteFeed(call, call.params.id),
);

const problems = endpoint(
  {
    ...FEEDS,
    method: 'get',
    path: '/v1/feeds/{id}/problems',
    readsMany: true,
    id: 'listProductFeedProblems',
    summary: 'List the SKUs that a product feed leaves out',
    description:
      "Judged by Google's product data specification: what it would refuse, with every reason. Grouped products and bookings are listed too.",
    params: FeedParams,
    query: ProblemQuery,
    answer: FeedProblemList,
    errors: ['feed_not_found'],
    example: productFeedExamples.problems,
  },
  async (call) => {
    const { params, query } = call;
    const after = query.cursor ?? 0;
    // At once, which is one round trip.
    const [feed, tenant, first] = await Promise.all([
      feedById(call, params.id),
      requireTenant(call),
      productRows(call, after),
    ]);
    if (!feed.ok) return feed;
    call.c.set('heldLength', lengthOf(first));
    const { limit } = query;
    const found = await findProblems(call, feedShopOf(tenant), { after, first, limit });
    const next_cursor = found.after === null ? null : problemCursor.encode(found.after);
    return ok({ data: found.data, meta: { next_cursor } });
  },
);

const preview = endpoint(
  {
    ...FEEDS,
    method: 'get',
    path: '/v1/feeds/{id}/preview',
    readsMany: true,
    id: 'previewProductFeed',
    summary: 'Preview the first items of a product feed',
    description: `The first items of the file, with their attributes. It looks at the first ${MAX_PREVIEW_SKUS} SKUs, so that it can have fewer items than \`limit\` if the feed leaves some out.`,
    params: FeedParams,
    query: PreviewQuery,
    answer: FeedPreview,
    errors: ['feed_not_found'],
    example: productFeedExamples.preview,
  },
  async (call) => {
    // At once, which is one round trip.
    const [feed, tenant, rows] = await Promise.all([
      feedById(call, call.params.id),
      requireTenant(call),
      productRows(call, 0, MAX_PREVIEW_SKUS),
    ]);
    call.c.set('heldLength', lengthOf(rows));
    return feed.ok ? ok({ data: previewItems(rows, feedShopOf(tenant), call.query.limit) }) : feed;
  },
);

/** The endpoints for product feeds. */
export const productFeedEndpoints: readonly Endpoint[] = [list, create, remove, problems, preview];
