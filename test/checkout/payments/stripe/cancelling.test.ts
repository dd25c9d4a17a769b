import { expect, it } from 'vitest';
import { moveClock } from '../../../../src/kernel/core/clock.ts';
import { stockOf } from '../../../support/fixtures/catalog/products.ts';
import { cron, orderEvents } from '../../../support/fixtures/selling/checkout.ts';
import { orderOf, sendStripeEvent } from '../../../support/fixtures/selling/refunds.ts';
import { paying, stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

it('refunds a paid order once before cancelling it', async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(stripe, shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  stripe.down = true;
  const later = await shop.post(`/orders/${id}/cancel`);
  expect([later.status, later.body.code]).toEqual([503, 'unavailable']);
  expect((await orderOf({ shop, id })).status).toBe('paid');
  stripe.down = false;
  moveClock(61_000);
  await cron();
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect((await shop.post(`/orders/${id}/cancel`)).body.status).toBe('cancelled');
  await cron();
  expect(stripe.refunds).toMatchObject([
    { charge: `pi_${session.id}`, amount: 2000, status: 'succeeded', metadata: { order_id: id } },
  ]);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({
    'order.created': 1,
    'order.paid': 1,
    'order.cancelled': 1,
    'order.refunded': 1,
  });
});

it('accepts an existing refund as made, and retries a failed one', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(stripe, shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  stripe.refundStatus = 'failed';
  expect((await shop.post(`/orders/${id}/cancel`)).status).toBe(503);
  stripe.refundStatus = 'succeeded';
  stripe.refundInDashboard(session);
  expect((await shop.post(`/orders/${id}/cancel`)).body.payment_status).toBe('refunded');
});

it("follows a refund made in Stripe's dashboard", async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(stripe, shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  const charge = { payment_intent: session.payment_intent, metadata: session.metadata };
  await sendStripeEvent(shop, 'charge.refunded', { ...charge, refunded: false });
  expect((await orderOf({ shop, id })).status).toBe('paid');
  stripe.refundInDashboard(session);
  await sendStripeEvent(shop, 'charge.refunded', { ...charge, refunded: true });
  await sendStripeEvent(shop, 'charge.refunded', { ...charge, refunded: true });
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
});

it('cancels an order that is paid back, although the shop has left Stripe', async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(stripe, shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  const refund = () => shop.post(`/orders/${id}/refunds`, { amount: 10 });
  expect([(await refund()).status, (await refund()).status]).toEqual([201, 201]);
  const secrets = { stripe_secret_key: null, stripe_webhook_secret: null };
  expect((await shop.patch('/settings', { payments: 'sandbox', secrets })).status).toBe(200);
  const cancelled = await shop.post(`/orders/${id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
});
