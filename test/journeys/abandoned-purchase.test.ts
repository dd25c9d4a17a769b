import { expect, it } from 'vitest';
import { HOLD_DURATION_MS } from '../../src/inventory/reservations/hold-time.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { fiveCups, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  CANCEL_URL,
  cartWith,
  checkoutPath,
  cron,
  orderEvents,
  readReturn,
  sandboxShop,
  shownTotal,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';

it('releases stock when the shopper cancels before ordering', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutPath(shop, cart);
  const away = await submitCheckout(path, 'cancel', {});
  expect([away.status, away.location]).toEqual([303, CANCEL_URL]);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  expect((await browse(path)).status).toBe(410);
  expect(await orderEvents(shop)).toEqual({});
  // The cart is as it was, and can be checked out again.
  expect((await browse(await checkoutPath(shop, cart))).status).toBe(200);
});

it('cancels a declined order when the shopper cancels, and unlocks the cart', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutPath(shop, cart, { cancel_url: undefined });
  await submitCheckout(path, 'decline');
  // The order can still be paid.
  expect(await checkoutPath(shop, cart)).toBe(path);
  const { url, status } = readReturn(await submitCheckout(path, 'cancel'));
  expect([url.pathname, status]).toEqual(['/thanks', 'cancelled']);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
  const dead = await submitCheckout(path, 'pay');
  expect([dead.status, dead.text.includes('cancelled')]).toEqual([410, true]);
  // A new order of the same cart.
  const again = await checkoutPath(shop, cart);
  expect(readReturn(await submitCheckout(again, 'pay')).status).toBe('paid');
  expect((await shop.get('/orders')).body.data.map((one: { number: number }) => one.number)).toEqual([
    1002, 1001,
  ]);
});

it('gives a new URL for other return URLs, and keeps the one reservation', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 2 });
  const cart = await cartWith(shop, cup, 2);
  const first = await checkoutPath(shop, cart);
  const second = await checkoutPath(shop, cart, { cancel_url: `${CANCEL_URL}?again` });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 2, reserved: 2 });
  expect((await browse(first)).status).toBe(410);
  expect((await submitCheckout(first, 'pay')).status).toBe(410);
  expect(readReturn(await submitCheckout(second, 'pay')).status).toBe('paid');
});

it('ends when the cart is edited, and releases its stock immediately', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutPath(shop, cart);
  const page = await browse(path);
  await shop.post('/cart/items', { cart_token: cart, product_id: cup.body.id, quantity: 1 });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  const late = await browse(path, { ...ADDRESS, shown_total: shownTotal(page), action: 'pay' });
  expect(late.status).toBe(410);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('releases unpaid stock after 15 minutes, and cancels an unpaid order at its deadline with an event', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 4 });
  const [left, placed] = [await cartWith(shop, cup, 2), await cartWith(shop, cup, 2)];
  const [leftAt, placedAt] = [await checkoutPath(shop, left), await checkoutPath(shop, placed)];
  await submitCheckout(placedAt, 'decline');
  moveClock(HOLD_DURATION_MS + 1000);
  await cron();
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 4, reserved: 2 });
  // The URL is good for half an hour: its stock is taken again.
  expect((await browse(leftAt)).status).toBe(200);
  moveClock(20 * 60_000);
  await cron();
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 4, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
  expect((await browse(leftAt)).status).toBe(410);
  expect((await browse(placedAt)).status).toBe(410);
  const order = (await shop.get('/orders')).body.data[0];
  expect(order).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  // The cart of the order that was given up can be bought again.
  expect((await startCheckout(shop, placed)).status).toBe(200);
});

it('reserves again for a session whose reservation has expired, or shows that it is sold out', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 2 });
  const path = await checkoutPath(shop, await cartWith(shop, cup, 2));
  moveClock(HOLD_DURATION_MS + 1000);
  await cron();
  const other = await checkoutPath(shop, await cartWith(shop, cup, 1));
  const refused = await submitCheckout(path, 'pay');
  expect([refused.status, refused.text.includes('sold out')]).toEqual([409, true]);
  await submitCheckout(other, 'cancel', {});
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 0, reserved: 0 });
});

it('does not reserve stock forever for repeated checkout starts', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 1 });
  const cart = await cartWith(shop, cup);
  let path = await checkoutPath(shop, cart);
  for (let minute = 0; minute < 30; minute += 5) {
    moveClock(5 * 60_000);
    await cron();
    path = await checkoutPath(shop, cart);
  }
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 1, reserved: 0 });
  expect((await shop.get(`/cart/${cart}`)).body.warnings).toEqual([]);
  // Who is really there can buy.
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 0, reserved: 0 });
});
