/** A cart that is ordered again, unchanged, after its order was cancelled: both orders have one reservation. */

import { expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import type { World } from '../support/world.ts';

/** Waits until the cart of a cancelled order is open again. */
const reopened = (shop: World, cart: string) =>
  vi.waitFor(async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open'), 10_000);

it('takes its stock again, also when the cart may not reserve it any more before it is ordered', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const cart = await cartWith(shop, cup, 2);
  const first = readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay')).order_id;
  expect((await shop.post(`/orders/${first}/cancel`)).body.status).toBe('cancelled');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 0 });
  await reopened(shop, cart);
  moveClock(35 * MINUTE);
  expect(readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 1, reserved: 0 });
});
