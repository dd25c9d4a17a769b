/** A cart shows its order, and another request for its checkout leads to the same page. */

import { runInDurableObject } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import { Cart } from '../../src/index.ts';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { fail } from '../../src/kernel/core/result.ts';
import { failStatements } from '../support/faults/database.ts';
import { evict } from '../support/faults/injector.ts';
import { fiveCups, seeing, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { cartObject } from '../support/fixtures/selling/cart.ts';
import {
  ADDRESS,
  browse,
  browseAnew,
  CANCEL_URL,
  cartWith,
  checkoutPath,
  cron,
  RETURN_URL,
  readReturn,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

const statusOf = async (shop: World, cart: string) => {
  const { body } = await shop.get(`/cart/${cart}`);
  return [body.status, body.order];
};

it('answers the same URL for an unchanged cart, however often and at once', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup);
  const all = await Promise.all(Array.from({ length: 8 }, () => checkoutPath(shop, cart)));
  expect(new Set(all).size).toBe(1);
  const [first = ''] = all;
  await submitCheckout(first, 'update', ADDRESS);
  expect(await checkoutPath(shop, cart)).toBe(first);
  // A page that would soon end is extended.
  moveClock(25 * MINUTE);
  expect(await checkoutPath(shop, cart)).toBe(first);
  moveClock(20 * MINUTE);
  expect((await browse(first)).status).toBe(200);
  // A cheaper or edited cart is another checkout, and so is one that returns elsewhere.
  const cheaper = await shop.patch(`/products/${cup.body.id}`, { price: 9 });
  const second = await checkoutPath(shop, cart);
  expect([second === first, (await browse(first)).status]).toEqual([false, 410]);
  await shop.patch('/cart/items/1', { cart_token: cart, quantity: 2 }, seeing(cheaper));
  const third = await checkoutPath(shop, cart);
  const fourth = await checkoutPath(shop, cart, { return_url: `${RETURN_URL}&other` });
  expect(new Set([first, second, third, fourth]).size).toBe(4);
  expect((await browse(third)).status).toBe(410);
  expect(readReturn(await submitCheckout(fourth, 'pay')).status).toBe('paid');
});

it('answers the same URL for a checkout that the release before has opened', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const first = await checkoutPath(shop, cart);
  // It kept what nobody reads.
  await storeOf(shop)
    .prepare(
      `UPDATE checkout_sessions SET snapshot = json_set(snapshot, '$.cartToken', ?,
        '$.lines[0].totals', snapshot -> '$.totals.lines[0]') WHERE tenant_id = ?`,
    )
    .bind(cart, shop.tenantId)
    .run();
  expect(await checkoutPath(shop, cart)).toBe(first);
  expect(readReturn(await submitCheckout(first, 'pay')).status).toBe('paid');
});

it('shows its order and the link to pay it, and is locked once it is paid', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup);
  expect(await statusOf(shop, cart)).toEqual(['open', undefined]);
  const path = await checkoutPath(shop, cart);
  expect(await statusOf(shop, cart)).toEqual(['open', undefined]);
  const before = await shop.get(`/cart/${cart}`);
  await submitCheckout(path, 'decline');
  const [{ id, number }] = (await shop.get('/orders')).body.data;
  const redirect_url = `https://api.example.com${path}`;
  expect(await statusOf(shop, cart)).toEqual(['ordered', { id, number, status: 'pending', redirect_url }]);
  const stale = await shop.get(`/cart/${cart}`, {
    headers: { 'if-none-match': before.headers.get('etag') ?? '' },
  });
  expect(stale.status).toBe(200);
  const again = await startCheckout(shop, cart);
  expect([again.status, again.body]).toEqual([200, { redirect_url }]);
  const page = await browseAnew(path);
  expect(page.text).not.toMatch(/Lovelace|ada@|St James|10115/);
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  expect(await statusOf(shop, cart)).toEqual(['paid', { id, number, status: 'paid' }]);
  for (const refused of [
    await shop.post('/cart/items', { cart_token: cart, product_id: cup.body.id, quantity: 1 }),
    await startCheckout(shop, cart),
  ]) {
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'cart_locked', details: { order_id: id } },
    ]);
  }
  await shop.post(`/orders/${id}/cancel`);
  expect(await statusOf(shop, cart)).toEqual(['open', undefined]);
  expect((await shop.patch('/cart/items/1', { cart_token: cart, quantity: 2 })).status).toBe(200);
});

it('shows an order whose notice was lost, and one that a former version recorded without its number', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const path = await checkoutPath(shop, cart);
  const object = cartObject(shop, cart);
  const forgetOrder = (fields: string) =>
    runInDurableObject(object, (_, { storage: { sql } }) => {
      sql.exec(`UPDATE parts SET json = json_remove(json, ${fields}) WHERE name = 'head'`);
    });
  await submitCheckout(path, 'decline');
  const [{ id, number }] = (await shop.get('/orders')).body.data;
  await forgetOrder("'$.order.number', '$.order.payUrl'");
  await evict(object);
  expect(await statusOf(shop, cart)).toEqual(['ordered', { id, number, status: 'pending' }]);
  // As if the Worker had died right after the batch: the lock is still that of an order to be placed.
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    sql.exec(`UPDATE parts SET json = json_set(json_remove(json, '$.order.number'), '$.order.state', 'placing',
      '$.heard', NULL) WHERE name = 'head'`);
  });
  await evict(object);
  expect(await statusOf(shop, cart)).toMatchObject(['ordered', { id, number }]);
  const restore = failStatements(/from "orders"/i);
  expect(await statusOf(shop, cart)).toMatchObject(['ordered', { id, number }]);
  restore();
});

it('is still locked by an order whose notices were lost for longer than a lock holds', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const path = await checkoutPath(shop, cart);
  const notices = vi.spyOn(Cart.prototype, 'orderStatus').mockReturnValue(fail('unavailable'));
  await submitCheckout(path, 'decline');
  notices.mockRestore();
  moveClock(3 * MINUTE);
  const [{ id }] = (await shop.get('/orders')).body.data;
  const edited = await shop.patch('/cart/items/1', { cart_token: cart, quantity: 2 });
  expect([edited.status, edited.body]).toMatchObject([
    409,
    { code: 'cart_locked', details: { order_id: id } },
  ]);
  expect(new URL((await startCheckout(shop, cart)).body.redirect_url).pathname).toBe(path);
});

it('opens the cart of an order that is given up, and follows a payment that comes late, unless it was edited', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const carts = [await cartWith(shop, cup), await cartWith(shop, cup)];
  for (const cart of carts) await submitCheckout(await checkoutPath(shop, cart), 'decline');
  moveClock(70 * MINUTE);
  await cron();
  const notices = await Promise.all(carts.map((cart) => statusOf(shop, cart)));
  expect(notices).toEqual([
    ['open', undefined],
    ['open', undefined],
  ]);
  const [kept = '', edited = ''] = carts;
  await shop.patch('/cart/items/1', { cart_token: edited, quantity: 2 });
  for (const [cart, status] of [
    [kept, 'paid'],
    [edited, 'open'],
  ] as const) {
    const id = `ord_${status}`;
    const late = { id, number: 1003, status: 'paid', revision: 5, cartVersion: 1, payUrl: null } as const;
    await cartObject(shop, cart).orderStatus(late);
    expect((await statusOf(shop, cart))[0]).toBe(status);
  }
});

it('gives the last unit to another cart as soon as its shopper leaves the page', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 1 });
  const [left, other] = [await cartWith(shop, cup), await cartWith(shop, cup)];
  const path = await checkoutPath(shop, left);
  expect((await startCheckout(shop, other)).body.code).toBe('insufficient_stock');
  expect((await submitCheckout(path, 'cancel', {})).location).toBe(CANCEL_URL);
  const taken = await checkoutPath(shop, other);
  expect((await shop.get(`/cart/${left}`)).body.warnings).toMatchObject([{ available: 0 }]);
  await submitCheckout(taken, 'cancel', {});
  expect(readReturn(await submitCheckout(await checkoutPath(shop, left), 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 0, reserved: 0 });
});
