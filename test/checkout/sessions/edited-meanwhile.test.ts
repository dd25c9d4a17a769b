/** Carts that are edited or ordered while their checkout starts or ends. */
import { expect, it } from 'vitest';
import { HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { afterBatch, beforeBatch, beforeRun } from '../../support/faults/database.ts';
import { stockedProduct, stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  cron,
  RETURN_URL,
  readReturn,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';

const RESERVES = /INSERT INTO reservations/;
const OPENS_SESSION = /insert into "checkout_sessions"/;

it('keeps no stock of a cart that is emptied while its checkout starts', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 1 });
  const cart = await cartWith(shop, cup);
  afterBatch(RESERVES, async () => {
    expect((await shop.delete(`/cart/items/1?cart_token=${cart}`)).status).toBe(200);
  });
  const started = await startCheckout(shop, cart);
  expect([started.status, started.body.code]).toEqual([409, 'cart_empty']);
  // Nobody buys it, so that another shopper can.
  await checkoutPath(shop, await cartWith(shop, cup));
});

it('sells a cart as it is after an edit while its checkout starts', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const cart = await cartWith(shop, cup);
  afterBatch(RESERVES, async () => {
    expect((await shop.patch('/cart/items/1', { cart_token: cart, quantity: 2 })).status).toBe(200);
  });
  const path = await checkoutPath(shop, cart);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 2 });
  expect((await submitCheckout(path, 'pay')).status).toBe(303);
});

it('leads to the order that is placed while its checkout starts again', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop);
  const orderMeanwhile = async (action: string) => {
    const cart = await cartWith(shop, cup);
    const path = await checkoutPath(shop, cart);
    beforeBatch(OPENS_SESSION, async () => void (await submitCheckout(path, action)));
    const { status, body } = await startCheckout(shop, cart, { return_url: `${RETURN_URL}&other` });
    const { order } = (await shop.get(`/cart/${cart}`)).body;
    return { path, status, body, orderId: order.id };
  };
  const declined = await orderMeanwhile('decline');
  expect([declined.status, new URL(declined.body.redirect_url).pathname]).toEqual([200, declined.path]);
  const paid = await orderMeanwhile('pay');
  expect([paid.status, paid.body.code]).toEqual([409, 'cart_locked']);
  expect(paid.body.details).toEqual({ order_id: paid.orderId });
});

it('leads to the order that is paid while the shopper leaves the page', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 1 });
  const path = await checkoutPath(shop, await cartWith(shop, cup));
  const paid = beforeRun(/update "checkout_sessions" set "status"/i, async () => {
    expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  });
  expect(readReturn(await submitCheckout(path, 'cancel', {})).status).toBe('paid');
  await paid;
  // A session without an order would be deleted by then.
  moveClock(3 * HOUR);
  await cron();
  expect(readReturn(await browse(path)).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 0, reserved: 0 });
});
