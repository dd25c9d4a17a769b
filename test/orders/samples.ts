import { markPaid } from '../../src/orders/index.ts';
import type { Samples } from '../support/contract/sample.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

const anOrder = async (shop: World) => {
  const { id: cup } = (await createProduct(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 9 })).body;
  return { id: (await placedOrder(shop, cup)).row.id };
};

const aPaidOrder = async (shop: World) => {
  const { id } = await anOrder(shop);
  await markPaid(contextOf(shop), id, { provider: 'sandbox', reference: id });
  return { id };
};

const aFulfilment = async (shop: World) => {
  const { id } = await aPaidOrder(shop);
  return { id, fulfilment_id: (await shop.post(`/orders/${id}/fulfilments`, {})).body.id };
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
  'POST /v1/orders/bulk': {
    body: async (shop) => ({ ids: [(await aPaidOrder(shop)).id], change: { fulfil: true, archived: true } }),
  },
  'GET /v1/orders/{id}/timeline': { params: anOrder, foreign: 'order_not_found' },
  'POST /v1/orders/{id}/notes': {
    params: anOrder,
    body: { text: 'Called back' },
    foreign: 'order_not_found',
  },
  'POST /v1/orders/{id}/fulfilments': {
    params: aPaidOrder,
    body: { tracking: { number: '1' } },
    foreign: 'order_not_found',
  },
  'PATCH /v1/orders/{id}/fulfilments/{fulfilment_id}': {
    params: aFulfilment,
    body: { status: 'delivered' },
    foreign: 'order_not_found',
  },
};
