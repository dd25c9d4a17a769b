/** Payments that begin, or were made, while their order is being cancelled: nobody pays a cancelled order. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { afterBatch, beforeBatch } from '../../support/faults/database.ts';
import { fiveCups, stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  CANCEL_URL,
  cartWith,
  checkoutPath,
  cron,
  orderEvents,
  readReturn,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { StripeStub } from '../../support/fixtures/selling/stripe.ts';
import { stripeShop } from '../../support/fixtures/selling/stripe-shop.ts';
import type { World } from '../../support/world.ts';

let stripe: StripeStub;
/** What happens after Stripe has made a session, before its response arrives. */
let afterCreation: () => Promise<void>;

beforeEach(() => {
  stripe = new StripeStub();
  afterCreation = async () => {};
  stripe.install(async (name, call) => {
    const response = await call();
    if (name === 'STRIPE POST') await afterCreation();
    return response;
  });
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

const CANCELS = /update "orders" set .*"status"/i;

async function started() {
  const shop = await stripeShop();
  const cup = await fiveCups(shop);
  return { shop, item: cup.body.id, path: await checkoutPath(shop, await cartWith(shop, cup)) };
}

/** An order whose payment could not begin, because Stripe was unreachable. */
async function unpaid() {
  const order = await started();
  stripe.down = true;
  expect((await submitCheckout(order.path, 'pay')).text).toContain('cannot be reached');
  stripe.down = false;
  return order;
}

const orderOf = async (shop: World) => (await shop.get('/orders')).body.data[0];
const statuses = () => [...stripe.sessions.values()].map(({ status }) => status);

/** The shop edits the order just before each of the next changes of its status, as often as one is retried. */
function editBeforeChanges(shop: World, id: string, times = 8): void {
  beforeBatch(CANCELS, async () => {
    await shop.patch(`/orders/${id}`, { tags: [`edit ${times}`] });
    if (times > 1) editBeforeChanges(shop, id, times - 1);
  });
}

/** The shopper presses "pay" once more just before the next cancellation is committed. */
function payBeforeCancellation(path: string): () => string | null {
  let location: string | null = null;
  beforeBatch(CANCELS, async () => {
    location = (await submitCheckout(path, 'pay')).location;
  });
  return () => location;
}

it('sends nobody to Stripe whose order was cancelled while the session was made', async () => {
  const { shop, path, item } = await started();
  afterCreation = async () => {
    const cancelled = await shop.post(`/orders/${(await orderOf(shop)).id}/cancel`);
    expect(cancelled.body.status).toBe('cancelled');
  };
  const page = await submitCheckout(path, 'pay');
  expect([page.status, page.text]).toEqual([410, expect.stringContaining('cancelled')]);
  expect(await stockOf(item)).toEqual({ on_hand: 5, reserved: 0 });
});

it("keeps an order at its deadline whose shopper was just redirected, until Stripe's session ends", async () => {
  const { shop, path, item } = await unpaid();
  moveClock(33 * MINUTE);
  const location = payBeforeCancellation(path);
  await cron();
  expect(location()).toContain('checkout.stripe.com');
  expect(await orderOf(shop)).toMatchObject({ status: 'pending' });
  moveClock(33 * MINUTE);
  await cron();
  expect(statuses()).toEqual(['expired']);
  expect(await orderOf(shop)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  expect(await stockOf(item)).toEqual({ on_hand: 5, reserved: 0 });
});

it("ends a payment that began in another tab during the shopper's cancellation", async () => {
  const { shop, path } = await unpaid();
  const location = payBeforeCancellation(path);
  expect((await submitCheckout(path, 'cancel')).location).toBe(CANCEL_URL);
  expect(location()).toContain('checkout.stripe.com');
  expect(statuses()).toEqual(['expired']);
  expect(await orderOf(shop)).toMatchObject({ status: 'cancelled', cancel_reason: 'shopper' });
});

it("ends a payment that began during the shop's cancellation", async () => {
  const { shop, path } = await unpaid();
  const { id } = await orderOf(shop);
  const location = payBeforeCancellation(path);
  expect((await shop.post(`/orders/${id}/cancel`)).body).toMatchObject({ cancel_reason: 'tenant' });
  expect(location()).toContain('checkout.stripe.com');
  expect(statuses()).toEqual(['expired']);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
});

it('cancels no order for its shopper whose payment came first and could not be recorded', async () => {
  const { shop, path } = await started();
  const session = stripe.sessionAt((await submitCheckout(path, 'pay')).location);
  const { id } = await orderOf(shop);
  stripe.finish(session);
  editBeforeChanges(shop, id);
  expect((await submitCheckout(path, 'cancel')).text).toContain('could not be cancelled');
  expect(await orderOf(shop)).toMatchObject({ status: 'pending' });
  expect(readReturn(await submitCheckout(path, 'cancel')).status).toBe('paid');
  expect(stripe.refunds).toEqual([]);
});

it('cancels an order that was placed in another tab after the session was read', async () => {
  const { shop, path, item } = await started();
  afterBatch(/from "checkout_sessions"/i, async () => void (await submitCheckout(path, 'pay')));
  expect((await browse(path, { ...ADDRESS, action: 'cancel' })).location).toBe(CANCEL_URL);
  expect(statuses()).toEqual(['expired']);
  expect(await orderOf(shop)).toMatchObject({ status: 'cancelled', cancel_reason: 'shopper' });
  expect(await stockOf(item)).toEqual({ on_hand: 5, reserved: 0 });
});
