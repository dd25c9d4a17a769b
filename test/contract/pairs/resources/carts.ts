import { cartWith } from '../../../support/fixtures/selling/checkout.ts';
import { PASSWORD, registerCustomer } from '../../../support/fixtures/selling/customers.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';
import { bodyOf, cupsAndMugs } from './shop.ts';

/**
 * The cart of a guest with two lines, and that of a customer. No checkout starts: one that meets an edit reserves stock,
 * releases it and begins again.
 */
export const carts: MakeCopy = async () => {
  const { shop, cup, mug, item } = await cupsAndMugs();
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  await shop.post('/coupons', { code: 'FIX', kind: 'fixed', value: 3 });
  const { token: session } = await registerCustomer(shop, { email: 'ada@example.com' });
  const cart = await cartWith(shop, cup, 1);
  bodyOf(await shop.post('/cart/items', { cart_token: cart, product_id: mug.body.id, quantity: 1 }));
  const other = await cartWith(shop, mug, 2);
  bodyOf(
    await shop.put('/customers/me/cart', { cart_token: other }, { headers: { 'x-customer-token': session } }),
  );
  const reads = [`/cart/${cart}`, `/cart/${cart}/explain`, `/cart/${other}`];
  const writes: Copy['writes'] = {
    addCup: {
      method: 'POST',
      path: '/cart/items',
      body: { cart_token: cart, product_id: item, quantity: 2 },
    },
    addCup2: {
      method: 'POST',
      path: '/cart/items',
      body: { cart_token: cart, product_id: item, quantity: 1 },
    },
    addKeyed: {
      method: 'POST',
      path: '/cart/items',
      body: { cart_token: cart, product_id: item, quantity: 1, options: { engraving: 'A' } },
      headers: { 'idempotency-key': 'k' },
    },
    set: { method: 'PATCH', path: '/cart/items/1', body: { cart_token: cart, quantity: 3 } },
    remove: { method: 'DELETE', path: `/cart/items/1?cart_token=${cart}` },
    coupon: { method: 'POST', path: `/cart/${cart}/coupon`, body: { code: 'TEN' } },
    couponFix: { method: 'POST', path: `/cart/${cart}/coupon`, body: { code: 'FIX' } },
    noCoupon: { method: 'DELETE', path: `/cart/${cart}/coupon` },
    address: { method: 'PUT', path: `/cart/${cart}/shipping-address`, body: { country: 'DE' } },
    method: { method: 'PUT', path: `/cart/${cart}/shipping-method`, body: { id: 'standard' } },
    batch: {
      method: 'POST',
      path: `/cart/${cart}/batch`,
      body: {
        operations: [
          { op: 'set', item_id: 2, quantity: 4 },
          { op: 'add', product_id: item, quantity: 1 },
          { op: 'coupon', code: 'TEN' },
        ],
      },
    },
    bind: {
      method: 'PUT',
      path: '/customers/me/cart',
      body: { cart_token: cart },
      headers: { 'x-customer-token': session },
    },
    login: {
      method: 'POST',
      path: '/customers/login',
      body: { email: 'ada@example.com', password: PASSWORD, cart_token: cart },
    },
    addOther: {
      method: 'POST',
      path: '/cart/items',
      body: { cart_token: other, product_id: mug.body.id, quantity: 1 },
    },
    eraseMe: { method: 'DELETE', path: '/customers/me', headers: { 'x-customer-token': session } },
    logout: { method: 'POST', path: '/customers/logout', headers: { 'x-customer-token': session } },
    take: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'CUP', stock: 2 }] } },
  };
  return { shop, reads, writes };
};
