import { placedOrder } from '../support/fixtures/orders.ts';
import { createProduct } from '../support/fixtures/products.ts';
import type { Samples } from '../support/sample.ts';
import type { World } from '../support/world.ts';

const anOrder = async (shop: World) => {
  const { id: cup } = (await createProduct(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 9 })).body;
  return { id: (await placedOrder(shop, cup)).row.id };
};

export const samples: Samples = {
  'GET /v1/orders': {},
  'GET /v1/orders/{id}': { params: anOrder, foreign: 'order_not_found' },
  'GET /v1/orders/{id}/refunds': { params: anOrder, foreign: 'order_not_found' },
  'PATCH /v1/orders/{id}': {
    params: anOrder,
    body: { metadata: { invoice: '1' } },
    foreign: 'order_not_found',
  },
};
