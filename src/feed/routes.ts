import { cachedRead } from '../kernel/data/versioned-cache.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { Feed, FeedQuery } from './schemas.ts';
import { readFeed } from './store.ts';

const list = endpoint(
  {
    method: 'get',
    path: '/v1/marketplace/products',
    tag: 'Marketplace',
    summary: 'Product feed for marketplaces',
    description:
      'One row for each thing that can be bought, sold-out ones included, in the order of their last change. Follow `meta.next_updated_since` to miss nothing. Grouped products are bought as their members, so they have no row.',
    access: 'feed:read',
    feature: 'feed',
    query: FeedQuery,
    answer: Feed,
    cached: true,
  },
  (call) => {
    const { query, caller } = call;
    const since = query.updated_since === undefined ? null : Date.parse(query.updated_since);
    const page = { page: query.page, limit: query.limit, since };
    return cachedRead(call, {
      key: `/marketplace/products?${JSON.stringify(page)}`,
      need: { scope: 'feed:read', feature: 'feed' },
      keep: since === null ? 'kv' : 'memory',
      hot: true,
      fill: (db) => readFeed(db, caller, page),
    });
  },
);

/** The marketplace feed. */
export const feedEndpoints: readonly Endpoint[] = [list];
