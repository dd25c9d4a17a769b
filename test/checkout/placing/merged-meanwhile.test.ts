/** A cart that is ordered while a login merges it into another one: its items are in the order or the cart, not in both. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  type Page,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';

/** A customer's cart whose checkout page is open, and a newer cart that is about to take it over. */
async function twoCarts() {
  const shop = await sandboxShop();
  const older = await cartWith(shop, await fiveCups(shop), 2);
  const ada = await registerCustomer(shop, { cart_token: older });
  const path = await checkoutPath(shop, older);
  const newer = await cartWith(shop, await stockedProduct(shop, { name: 'Mug' }));
  const take = async (bindings: Env) => {
    const headers = { 'content-type': 'application/json', 'x-customer-token': ada.token };
    const body = JSON.stringify({ cart_token: newer });
    const taken = await fetchWith(bindings, 'PUT', '/v1/customers/me/cart', shop.token, { headers, body });
    expect(taken.status).toBe(200);
  };
  return { shop, older, newer, path, take };
}

it('places no order of items that the merge has copied; the merged cart can be ordered', async () => {
  const { shop, older, newer, path, take } = await twoCarts();
  let page: Page | undefined;
  const racing = interceptBindings(['CART'], (name, call) => {
    if (name !== 'CART.take' || page) return call();
    return submitCheckout(path, 'pay').then((shown) => {
      page = shown;
      return call();
    });
  });
  await take(racing);
  expect([page?.status, page?.text]).toEqual([410, expect.stringContaining('start again from your cart')]);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  const { body } = await shop.get(`/cart/${older}`);
  expect([body.cart_token, body.total_quantity]).toEqual([newer, 3]);
  expect(readReturn(await submitCheckout(await checkoutPath(shop, newer), 'pay')).status).toBe('paid');
});

it('can be ordered at once after a merge into a cart that took nothing', async () => {
  const { shop, newer, path, take } = await twoCarts();
  await submitCheckout(await checkoutPath(shop, newer), 'decline');
  await take(env);
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
});

it('takes a new cart although the older one, of an earlier release, does not know that the merge has ended', async () => {
  const { shop, newer, take } = await twoCarts();
  await submitCheckout(await checkoutPath(shop, newer), 'decline');
  const missing = new TypeError('The RPC receiver does not implement the method "stay".');
  await take(
    interceptBindings(['CART'], (name, call) => (name === 'CART.stay' ? Promise.reject(missing) : call())),
  );
});
