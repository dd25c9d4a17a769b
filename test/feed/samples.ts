import type { Samples } from '../support/contract/sample.ts';
import type { World } from '../support/world.ts';

const aFeed = async (shop: World) => {
  const { id } = (await shop.post('/feeds', { format: 'csv' })).body;
  return { id };
};
const foreign = 'feed_not_found';

export const samples: Samples = {
  'GET /v1/marketplace/products': {},
  'GET /v1/feeds': {},
  'POST /v1/feeds': { body: { format: 'xml' } },
  'DELETE /v1/feeds/{id}': { params: aFeed, foreign },
  'GET /v1/feeds/{id}/problems': { params: aFeed, foreign },
  'GET /v1/feeds/{id}/preview': { params: aFeed, foreign },
};
