import { expect } from 'vitest';
import type { Samples } from '../support/contract/sample.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { cartWith, OWN_CHECKOUT, RETURN_URL, sessionOf } from '../support/fixtures/selling/checkout.ts';
import type { World } from '../support/world.ts';

/** A shop with a checkout of its own, and a cart in it. */
export async function ready(shop: World): Promise<string> {
  await shop.patch('/settings', { checkout: OWN_CHECKOUT.checkout });
  return cartWith(shop, await stockedProduct(shop, { name: `Cup ${crypto.randomUUID()}` }));
}

/** The session of a redirect to the tenant's own checkout, with a cart of its own if none is given. */
export const session = async (shop: World, cart?: string): Promise<string> =>
  sessionOf(shop, cart ?? (await ready(shop)));

const order = async (shop: World) => ({
  id: (await shop.post('/orders', { session: await session(shop) })).body.id,
});

const paidOrder = async (shop: World) => {
  const { id } = await order(shop);
  const paid = { status: 'paid', reference: crypto.randomUUID() };
  expect((await shop.post(`/orders/${id}/payments`, paid)).status).toBe(200);
  return { id };
};

export const samples: Samples = {
  'POST /v1/checkout/seamless': {
    body: async (shop) => ({ cart_token: await ready(shop), return_url: RETURN_URL }),
  },
  'GET /v1/checkout/sessions/{id}': {
    params: async (shop) => ({ id: await session(shop) }),
    foreign: 'session_not_found',
  },
  'POST /v1/orders': { body: async (shop) => ({ session: await session(shop) }) },
  'POST /v1/orders/{id}/payments': {
    params: order,
    body: () => ({ status: 'failed', reference: crypto.randomUUID() }),
    foreign: 'order_not_found',
  },
  'POST /v1/orders/{id}/refunds': {
    params: paidOrder,
    body: { amount: 1, reason: 'A scratch' },
    foreign: 'order_not_found',
  },
  'POST /v1/orders/{id}/cancel': { params: order, foreign: 'order_not_found' },
};
