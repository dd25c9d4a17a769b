/** A cart that is ordered again, unchanged, after its order was cancelled: both orders have one reservation. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { stockedProduct, stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  cron,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { refund, sendStripeEvent, statusOf } from '../../support/fixtures/selling/refunds.ts';
import { StripeStub } from '../../support/fixtures/selling/stripe.ts';
import { stripeShop } from '../../support/fixtures/selling/stripe-shop.ts';
import type { World } from '../../support/world.ts';

/** Waits until the cart of a cancelled order is open again. */
const reopened = (shop: World, cart: string) =>
  vi.waitFor(async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open'), 30_000);

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

describe('through Stripe', () => {
  let stripe: StripeStub;
  beforeEach(() => {
    stripe = new StripeStub();
    stripe.install();
    vi.spyOn(console, 'error').mockReturnValue();
  });
  afterEach(() => vi.restoreAllMocks());

  /** Orders a cart, which is being paid at Stripe. */
  async function order({ shop, cart }: { readonly shop: World; readonly cart: string }) {
    const session = stripe.sessionAt((await submitCheckout(await checkoutPath(shop, cart), 'pay')).location);
    const id: string = (await shop.get('/orders')).body.data[0].id;
    const pay = async () => {
      stripe.finish(session);
      await sendStripeEvent(shop, 'checkout.session.completed', session);
    };
    return { shop, id, session, pay };
  }

  /** A cart of two cups, with its first order. */
  async function ordered(stock = 3) {
    const shop = await stripeShop();
    const cup = await stockedProduct(shop, { stock });
    const cart = await cartWith(shop, cup, 2);
    return { shop, cart, item: cup.body.id as number, first: await order({ shop, cart }) };
  }

  /** The same, of which the shop cancels the first order when it is paid, and whose refund fails later. */
  async function cancelledWithFailedRefund() {
    const { shop, cart, item, first } = await ordered();
    await first.pay();
    stripe.refundStatus = 'pending';
    expect((await shop.post(`/orders/${first.id}/cancel`)).body.status).toBe('cancelled');
    stripe.refundStatus = 'succeeded';
    await reopened(shop, cart);
    const failRefund = async () => {
      const [made] = stripe.refunds;
      if (made) await sendStripeEvent(shop, 'refund.failed', Object.assign(made, { status: 'failed' }));
      expect(await statusOf(first)).toEqual(['cancelled', 'paid']);
    };
    return { shop, cart, item, first, failRefund };
  }

  const restock = { items: [{ line_id: 1, quantity: 2, restock: true }] };

  it('returns a late payment of the first order after the second one gave its stock back', async () => {
    const { shop, cart, item, first } = await ordered();
    await sendStripeEvent(shop, 'checkout.session.expired', first.session);
    await reopened(shop, cart);
    const second = await order({ shop, cart });
    await second.pay();
    expect((await shop.post(`/orders/${second.id}/cancel`)).body.status).toBe('cancelled');
    await first.pay();
    expect(await statusOf(first)).toEqual(['cancelled', 'refunded']);
    expect(await stockOf(item)).toEqual({ on_hand: 3, reserved: 0 });
  });

  it('takes the stock for a late payment of the first order while nobody else ordered the cart', async () => {
    const { shop, cart, item, first } = await ordered();
    await sendStripeEvent(shop, 'checkout.session.expired', first.session);
    await reopened(shop, cart);
    await submitCheckout(await checkoutPath(shop, cart), 'cancel');
    await first.pay();
    expect(await statusOf(first)).toEqual(['paid', 'paid']);
    expect(await stockOf(item)).toEqual({ on_hand: 1, reserved: 0 });
  });

  it('is locked by the first order whose late payment arrives while the second one is placed', async () => {
    const { shop, cart, item, first } = await ordered();
    await sendStripeEvent(shop, 'checkout.session.expired', first.session);
    await reopened(shop, cart);
    const path = await checkoutPath(shop, cart);
    moveClock(16 * MINUTE);
    await cron();
    beforeBatch(/insert into "orders"/i, first.pay);
    expect((await submitCheckout(path, 'pay')).text).toContain('This cart already has an order.');
    expect(await statusOf(first)).toEqual(['paid', 'paid']);
    expect(await stockOf(item)).toEqual({ on_hand: 1, reserved: 0 });
    const edited = await shop.patch('/cart/items/1', { cart_token: cart, quantity: 1 });
    expect(edited.body).toMatchObject({ code: 'cart_locked', details: { order_id: first.id } });
  });

  it('keeps the stock of the second order when the first one is refunded', async () => {
    const { shop, cart, item, first, failRefund } = await cancelledWithFailedRefund();
    await (await order({ shop, cart })).pay();
    await failRefund();
    expect((await refund(first, restock)).body.status).toBe('succeeded');
    expect(await stockOf(item)).toEqual({ on_hand: 1, reserved: 0 });
  });

  it('keeps the stock that a checkout without hold time will take when the refund of the first order fails', async () => {
    const { shop, cart, item, first } = await ordered(5);
    await first.pay();
    stripe.refundStatus = 'pending';
    await refund(first, { items: [{ line_id: 1, quantity: 2 }] });
    expect((await shop.post(`/orders/${first.id}/cancel`)).body.status).toBe('cancelled');
    await reopened(shop, cart);
    moveClock(35 * MINUTE);
    const second = await checkoutPath(shop, cart);
    const [made] = stripe.refunds;
    if (made) await sendStripeEvent(shop, 'refund.failed', Object.assign(made, { status: 'failed' }));
    stripe.finish(stripe.sessionAt((await submitCheckout(second, 'pay')).location));
    expect(readReturn(await browse(`${second}/return`)).status).toBe('paid');
    expect(await stockOf(item)).toEqual({ on_hand: 1, reserved: 0 });
  });

  it('returns no stock twice when the cart was only about to be ordered again', async () => {
    const { shop, cart, item, first, failRefund } = await cancelledWithFailedRefund();
    await submitCheckout(await checkoutPath(shop, cart), 'cancel');
    await failRefund();
    expect((await refund(first, restock)).body.status).toBe('succeeded');
    expect(await stockOf(item)).toEqual({ on_hand: 3, reserved: 0 });
  });
});
