import { placed, product } from '../support/fixtures/orders.ts';
import type { Samples } from '../support/sample.ts';
import type { World } from '../support/world.ts';

const anOrder = async (shop: World) => {
  const cup = await product(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 9 });
  return { id: (await placed(shop, cup)).row.id };
};

export const samples: Samples = {
  'GET /v1/orders': {},
  'GET /v1/orders/{id}': { params: anOrder, foreign: 'order_not_found' },
};
