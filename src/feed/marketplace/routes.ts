import { cachedRead } from '../../kernel/cache/versioned-cache.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { feedExample } from './examples.ts';
import { Feed, FeedQuery, feedPages } from './schemas.ts';
import { readFeed } from './store.ts';

const list = endpoint(
  {
    method: 'get',
    path: '/v1/marketplace/products',
    tag: 'Marketplace',
    summary: 'Get the marketplace product feed',
    description:
      'Returns one item for each sellable SKU, including sold-out ones, ordered by last change. Follow `meta.next_updated_since` to receive every change, except those of `category_path` alone: after `category.updated`, read the feed without `updated_since` if you show the path. A page of products with very many images ends early (about 8 MiB). A grouped product has no item of its own: its members are sold instead.',
    access: 'feed:read',
    feature: 'feed',
    query: FeedQuery,
    answer: Feed,
    cached: true,
    readsMany: true,
    example: feedExample,
  },
  (call) => {
    const { query, caller } = call;
    const since = query.updated_since === undefined ? null : Date.parse(query.updated_since);
    const page = { ...feedPages.pageOf(query), since };
    return cachedRead(call, {
      key: `/marketplace/products?${JSON.stringify(page)}`,
      need: { scope: 'feed:read', feature: 'feed' },
      keep: since === null ? 'kv' : 'memory',
      hot: true,
      fill: (from) => readFeed(from, { ...page, currency: caller.currency }),
    });
  },
);

/** The endpoint of the marketplace feed. */
export const feedEndpoints: readonly Endpoint[] = [list];
