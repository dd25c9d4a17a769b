/** A cart that is ordered while a login merges it into another one: its items are in the order or the cart, not in both. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { evict } from '../../support/faults/injector.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { cartObject } from '../../support/fixtures/selling/cart.ts';
import {
  cartWith,
  checkoutPath,
  OWN_CHECKOUT,
  type Page,
  readReturn,
  sandboxShop,
  sessionOf,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import type { Answer } from '../../support/world.ts';

/** A customer's cart whose checkout page is open, and a newer cart that is about to take it over. */
async function twoCarts() {
  const shop = await sandboxShop();
  const older = await cartWith(shop, await fiveCups(shop), 2);
  const ada = await registerCustomer(shop, { cart_token: older });
  const path = await checkoutPath(shop, older);
  const newer = await cartWith(shop, await stockedProduct(shop, { name: 'Mug' }));
  const take = async (bindings: Env, cart_token = newer) => {
    const headers = { 'content-type': 'application/json', 'x-customer-token': ada.token };
    const body = JSON.stringify({ cart_token });
    const taken = await fetchWith(bindings, 'PUT', '/v1/customers/me/cart', shop.token, { headers, body });
    expect(taken.status).toBe(200);
  };
  return { shop, older, newer, path, take };
}

/** Runs `work` once, after a merge has read a cart and before another cart takes its contents over. */
function whileMerging(work: () => Promise<unknown>): Env {
  let begun = false;
  return interceptBindings(['CART'], (name, call) => {
    if (name !== 'CART.take' || begun) return call();
    begun = true;
    return work().then(call);
  });
}

it('places no order of items that the merge has copied, also if their cart restarts; the merged cart can be ordered', async () => {
  const { shop, older, newer, path, take } = await twoCarts();
  let page: Page | undefined;
  const racing = whileMerging(async () => {
    await evict(cartObject(shop, older));
    page = await submitCheckout(path, 'pay');
  });
  await take(racing);
  expect([page?.status, page?.text]).toEqual([
    503,
    expect.stringContaining('Your order could not be placed at the moment. Please try again.'),
  ]);
  const late = await submitCheckout(path, 'pay');
  expect([late.status, late.text]).toEqual([410, expect.stringContaining('start again from your cart')]);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  const { body } = await shop.get(`/cart/${older}`);
  expect([body.cart_token, body.total_quantity]).toEqual([newer, 3]);
  expect(readReturn(await submitCheckout(await checkoutPath(shop, newer), 'pay')).status).toBe('paid');
});

it('places no order of items that one login copies, although another login took nothing', async () => {
  const { shop, newer, path, take } = await twoCarts();
  const paying = await cartWith(shop, await stockedProduct(shop, { name: 'Bowl' }));
  await submitCheckout(await checkoutPath(shop, paying), 'decline');
  let page: Page | undefined;
  const racing = whileMerging(async () => {
    await take(env, paying);
    page = await submitCheckout(path, 'pay');
  });
  await take(racing);
  expect(page?.status).toBe(503);
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
  expect((await shop.get(`/cart/${newer}`)).body.total_quantity).toBe(3);
});

it('tells an own checkout to repeat its call during a merge, which places the order if the cart stays', async () => {
  const { shop, older, newer, take } = await twoCarts();
  await submitCheckout(await checkoutPath(shop, newer), 'decline');
  await shop.patch('/settings', OWN_CHECKOUT);
  const session = await sessionOf(shop, older);
  const key = { headers: { 'idempotency-key': 'once' } };
  let early: Answer | undefined;
  const racing = whileMerging(async () => {
    early = await shop.post('/orders', { session }, key);
  });
  await take(racing);
  expect([early?.status, early?.body.code, early?.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    '1',
  ]);
  expect((await shop.post('/orders', { session }, key)).status).toBe(201);
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
