/** A cart's lock ends with its order, whatever notice comes late; a session says when its cart has moved on. */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { notifyCart, retryNotices } from '../../../src/checkout/placing/notify-cart.ts';
import { Cart } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { ok } from '../../../src/kernel/core/result.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { type OrderRow, orderById } from '../../../src/orders/index.ts';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import { cartPort } from '../../support/fixtures/selling/cart.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  OWN_CHECKOUT,
  sandboxShop,
  sessionOf,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { watchLog } from '../../support/runtime/log-scan.ts';
import { choreContext, databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

const orders = async (shop: World): Promise<{ id: string; status: string }[]> =>
  (await shop.get('/orders')).body.data;

/** Two orders of one cart, one after the other, both cancelled; returns the first one's row as it was placed. */
async function twoCancelled(shop: World, cart: string): Promise<OrderRow> {
  await submitCheckout(await checkoutPath(shop, cart), 'decline');
  const [{ id = '' } = {}] = await orders(shop);
  const placed = await orderById({ db: databaseOf(shop), tenantId: shop.tenantId }, id);
  if (!placed.ok) throw new Error('no order');
  await shop.post(`/orders/${id}/cancel`);
  await submitCheckout(await checkoutPath(shop, cart), 'decline');
  const second = (await orders(shop)).find((order) => order.id !== id);
  await shop.post(`/orders/${second?.id}/cancel`);
  return placed.value.row;
}

const edit = (shop: World, cart: string) => shop.patch('/cart/items/1', { cart_token: cart, quantity: 2 });

it('unlocks a cart that a late notice of a cancelled order has locked', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const row = await twoCancelled(shop, cart);
  const late = () => cartPort(shop, cart).orderStatus({ ...row, status: 'pending', payUrl: null });
  await late();
  const edited = await edit(shop, cart);
  expect([edited.status, edited.body.code]).toEqual([200, undefined]);
  await late();
  expect((await startCheckout(shop, cart)).status).toBe(200);
  const key = { headers: { 'idempotency-key': 'once' } };
  const { product_id } = edited.body.items[0];
  const add = () => shop.post('/cart/items', { cart_token: cart, product_id, quantity: 1 }, key);
  const added = await add();
  expect([added.status, (await add()).body]).toEqual([200, added.body]);
});

it("removes a cancelled order's lock when the next order is placed", async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const row = await twoCancelled(shop, cart);
  const path = await checkoutPath(shop, cart);
  await cartPort(shop, cart).orderStatus({ ...row, status: 'pending', payUrl: null });
  expect((await submitCheckout(path, 'pay')).location).toContain('status=paid');
});

it('keeps the lock of a live order, and names the order', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  await submitCheckout(await checkoutPath(shop, cart), 'decline');
  const [order] = await orders(shop);
  for (let twice = 0; twice < 2; twice++) {
    expect((await edit(shop, cart)).body).toMatchObject({
      code: 'cart_locked',
      details: { order_id: order?.id },
    });
  }
});

it('re-reads the order after notifying the cart, and corrects the cart', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const row = await twoCancelled(shop, cart);
  const ctx = createExecutionContext();
  notifyCart(tenantContext({ env, ctx }, row.tenantId), ok({ row: { ...row, cartNotice: 'pending' } }));
  await waitOnExecutionContext(ctx);
  const standing = await cartPort(shop, cart).standing();
  expect(standing).toMatchObject({ ok: true, value: { order: null } });
  await cron();
  expect((await edit(shop, cart)).status).toBe(200);
});

it('logs each notice that the cron could not deliver, and goes on with the others', async () => {
  const shop = await sandboxShop();
  for (let n = 0; n < 2; n++) {
    await submitCheckout(await checkoutPath(shop, await cartWith(shop, await fiveCups(shop))), 'decline');
  }
  const pending = 'UPDATE orders SET cart_notice = status WHERE tenant_id = ?';
  await storeOf(shop).prepare(pending).bind(shop.tenantId).run();
  moveClock(60_000);
  const lines = watchLog('warn');
  // The chore retries the notices of other tests' orders too.
  const own = (await orders(shop)).map(({ id }) => id);
  const notified: string[] = [];
  const { orderStatus } = Cart.prototype;
  vi.spyOn(Cart.prototype, 'orderStatus').mockImplementation(function (this: Cart, notice) {
    if (own.includes(notice.id) && notified.push(notice.id) === 1) throw new Error('down');
    return orderStatus.call(this, notice);
  });
  await retryNotices(await choreContext(shop), {});
  expect(notified.toSorted()).toEqual(own.toSorted());
  expect(lines()).toEqual([{ event: 'cart_notification_failed', tenant: shop.tenantId, order: notified[0] }]);
});

it('shows that a session has ended once its cart is edited, and places no order', async () => {
  const { checkout } = OWN_CHECKOUT;
  const shop = await sandboxShop({ settings: { checkout } });
  await shop.patch('/settings', { secrets: { checkout_secret: 'the-secret-of-the-checkout-outside' } });
  const cart = await cartWith(shop, await fiveCups(shop));
  const session = await sessionOf(shop, cart);
  const status = async () => (await shop.get(`/checkout/sessions/${session}`)).body.status;
  expect(await status()).toBe('open');
  await edit(shop, cart);
  expect((await shop.get(`/checkout/sessions/${session}`)).body).toMatchObject({
    status: 'ended',
    items: [],
  });
  const placed = await shop.post('/orders', { session });
  expect([placed.status, placed.body.code]).toEqual([404, 'session_not_found']);
  expect(await status()).toBe('ended');
});
