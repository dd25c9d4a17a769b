import type { Samples } from '../support/contract/sample.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import type { World } from '../support/world.ts';

const foreign = 'cart_not_found';
const newMug = (shop: World) => stockedProduct(shop, { name: 'Mug', sku: crypto.randomUUID() });

/** A cart with one line. */
const filled = async (shop: World) => {
  const { body } = await addToCart(shop, await newMug(shop), {});
  return { cart_token: body.cart_token as string, id: body.items[0].id as number };
};
const cart = async (shop: World) => ({ cart_token: (await filled(shop)).cart_token });
const coupon = async (shop: World) => {
  const code = crypto.randomUUID();
  await shop.post('/coupons', { code, kind: 'percent', value: 10 });
  return code;
};

export const samples: Samples = {
  'POST /v1/cart': { body: { currency: 'EUR' } },
  'GET /v1/cart/{cart_token}': { params: cart, foreign },
  'GET /v1/cart/{cart_token}/history': { params: cart, foreign },
  'GET /v1/cart/{cart_token}/explain': { params: cart, foreign },
  'POST /v1/cart/{cart_token}/batch': {
    params: cart,
    body: { operations: [{ op: 'set', item_id: 1, quantity: 2 }] },
    foreign,
  },
  'POST /v1/cart/items': {
    body: async (shop) => ({ product_id: (await newMug(shop)).body.id, quantity: 2, cart_token: null }),
  },
  'PATCH /v1/cart/items/{id}': {
    params: filled,
    body: (_, { cart_token }) => ({ cart_token, quantity: 2 }),
    foreign,
  },
  'DELETE /v1/cart/items/{id}': {
    params: filled,
    query: ({ cart_token }) => `?cart_token=${cart_token ?? 'ct_none'}`,
    foreign,
  },
  'POST /v1/cart/{cart_token}/coupon': {
    params: cart,
    body: async (shop) => ({ code: await coupon(shop) }),
    foreign,
  },
  'DELETE /v1/cart/{cart_token}/coupon': { params: cart, foreign },
  'GET /v1/cart/{cart_token}/shipping-methods': { params: cart, foreign },
  'PUT /v1/cart/{cart_token}/shipping-method': { params: cart, body: { id: 'standard' }, foreign },
  'PUT /v1/cart/{cart_token}/shipping-address': { params: cart, body: { country: 'DE' }, foreign },
};
