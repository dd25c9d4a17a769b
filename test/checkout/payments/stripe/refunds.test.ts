/** Refunds and disputes at Stripe: in parts, slow, refused, by hand, and with lost calls. */

import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { DAY, HOUR, MINUTE, moveClock } from '../../../../src/kernel/core/clock.ts';
import { expectConsistent, expectMoneyToAddUp } from '../../../support/auditor/index.ts';
import { cron, orderEvents } from '../../../support/fixtures/selling/checkout.ts';
import {
  onHand,
  orderOf,
  refund,
  sendStripeEvent,
  soldAtStripe,
  statusOf,
  unit,
} from '../../../support/fixtures/selling/refunds.ts';
import { stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

let errors: MockInstance;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  errors = vi.spyOn(console, 'error').mockReturnValue();
});

const refundsOf = async (sold: Parameters<typeof orderOf>[0]) => (await orderOf(sold)).refunds;

describe('a refund through Stripe', () => {
  it('is of its amount, and names the order', async () => {
    const sold = await soldAtStripe(stripe);
    const { body } = await refund(sold, { ...unit(2), shipping: true });
    expect(body).toMatchObject({ status: 'succeeded', amount: 24.9 });
    expect(stripe.refunds).toMatchObject([
      { amount: 2490, currency: 'eur', metadata: { order_id: sold.id, refund_id: body.id } },
    ]);
    await sendStripeEvent(sold.shop, 'refund.created', stripe.refunds[0] ?? {});
    await sendStripeEvent(sold.shop, 'charge.refunded', { payment_intent: sold.session.payment_intent });
    expect(await refundsOf(sold)).toEqual([body]);
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is pending until Stripe has completed it, and counts as made', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.refundStatus = 'requires_action';
    expect((await refund(sold, unit(2))).body).toMatchObject({ status: 'pending', amount: 20 });
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    expect((await refund(sold, { amount: 15 })).body.details).toEqual({ requested: 15, refundable: 14.9 });
    const [made] = stripe.refunds;
    if (!made) throw new Error('a refund');
    made.status = 'succeeded';
    await sendStripeEvent(sold.shop, 'refund.updated', made);
    await sendStripeEvent(sold.shop, 'refund.updated', { ...made, status: 'pending' });
    expect(await refundsOf(sold)).toMatchObject([{ status: 'succeeded' }]);
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    expect(stripe.refunds).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is completed although the callback was lost', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.refundStatus = 'pending';
    await refund(sold, unit());
    const [made] = stripe.refunds;
    if (!made) throw new Error('a refund');
    moveClock(2 * MINUTE);
    await cron();
    expect(await refundsOf(sold)).toMatchObject([{ status: 'pending' }]);
    made.status = 'succeeded';
    moveClock(7 * HOUR);
    await cron();
    expect(await refundsOf(sold)).toMatchObject([{ status: 'succeeded' }]);
    expect(stripe.refunds).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is made once when Stripe made it and its response was lost', async () => {
    const sold = await soldAtStripe(stripe);
    let lost = 0;
    stripe.install(async (name, call) => {
      const response = await call();
      if (name !== 'STRIPE POST' || stripe.refunds.length === 0 || lost >= 2) return response;
      lost += 1;
      throw new TypeError('network error');
    });
    expect((await refund(sold, unit())).body.status).toBe('pending');
    expect((await refund(sold, { amount: 3 })).status).toBe(201);
    moveClock(3 * MINUTE);
    await cron();
    expect(await refundsOf(sold)).toMatchObject([
      { status: 'succeeded', amount: 10 },
      { status: 'succeeded', amount: 3 },
    ]);
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1000, 300]);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is retried while Stripe is down, for hours', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.down = () => Response.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 });
    const { body } = await refund(sold, unit());
    expect(body.status).toBe('pending');
    for (let n = 0; n < 6; n++) {
      moveClock(6 * HOUR);
      await cron();
    }
    expect(await refundsOf(sold)).toMatchObject([{ id: body.id, status: 'pending' }]);
    stripe.down = false;
    moveClock(6 * HOUR);
    await cron();
    expect(await refundsOf(sold)).toMatchObject([{ id: body.id, status: 'succeeded' }]);
    expect(stripe.refunds).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is made where Stripe repeats the failure of the first attempts', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.breakRefunds = true;
    const { body } = await refund(sold, unit());
    expect(body.status).toBe('pending');
    stripe.breakRefunds = false;
    for (let n = 0; n < 5; n++) {
      moveClock(HOUR);
      await cron();
    }
    expect(await refundsOf(sold)).toMatchObject([{ id: body.id, status: 'succeeded' }]);
    expect(stripe.refunds).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('that Stripe refuses has failed, and its amount can be refunded again', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.refuseRefunds = 'charge_disputed';
    const { body } = await refund(sold, unit(3, { restock: true }));
    expect(body).toMatchObject({ status: 'failed', failure_reason: 'charge_disputed' });
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    // The units are back in stock all the same, and only once.
    await expectConsistent(sold.shop);
    stripe.refuseRefunds = null;
    expect((await refund(sold, unit(3, { restock: true }))).body.status).toBe('succeeded');
    expect(await onHand(sold.item)).toBe(10);
    await expectConsistent(sold.shop);
  });

  it('that fails after it succeeded gives the money back to the shop', async () => {
    const sold = await soldAtStripe(stripe);
    await refund(sold, unit(3));
    await refund(sold, { shipping: true });
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    const [made] = stripe.refunds;
    if (!made) throw new Error('a refund');
    Object.assign(made, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
    await sendStripeEvent(sold.shop, 'refund.failed', made);
    await sendStripeEvent(sold.shop, 'refund.failed', made);
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    expect(await refundsOf(sold)).toMatchObject([
      { status: 'failed', failure_reason: 'lost_or_stolen_card' },
      { status: 'succeeded' },
    ]);
    const lines = errors.mock.calls.map(([line]) => JSON.parse(line));
    expect(lines.filter(({ event }) => event === 'refund_reversed')).toMatchObject([{ order: sold.id }]);
    expect((await refund(sold, unit(3))).body.status).toBe('succeeded');
    await expectMoneyToAddUp(sold.shop);
  });

  it('that Stripe could not express exactly is refused by name', async () => {
    const sold = await soldAtStripe(stripe, {});
    expect((await refund(sold, { amount: 0.001 })).body.errors).toHaveProperty('amount');
  });

  it('is followed by the cancellation of the rest', async () => {
    const sold = await soldAtStripe(stripe);
    await refund(sold, unit(1, { restock: true }));
    stripe.down = true;
    expect((await sold.shop.post(`/orders/${sold.id}/cancel`)).status).toBe(503);
    expect((await refund(sold, { amount: 1 })).body.code).toBe('refund_too_large');
    stripe.down = false;
    // Meanwhile somebody refunds a part in the dashboard.
    stripe.refundInDashboard(sold.session, 500);
    moveClock(2 * MINUTE);
    await cron();
    moveClock(2 * MINUTE);
    await cron();
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1000, 500, 1990]);
    expect(await onHand(sold.item)).toBe(10);
    expect(await orderEvents(sold.shop)).toMatchObject({ 'order.refunded': 3, 'order.cancelled': 1 });
    await expectMoneyToAddUp(sold.shop);
  });

  it('of a cancellation that is slow lets the order be cancelled at once', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.refundStatus = 'pending';
    const { status, body } = await sold.shop.post(`/orders/${sold.id}/cancel`);
    expect([status, body]).toMatchObject([200, { status: 'cancelled', payment_status: 'paid' }]);
    expect(await onHand(sold.item)).toBe(10);
    const [made] = stripe.refunds;
    if (!made) throw new Error('a refund');
    made.status = 'succeeded';
    await sendStripeEvent(sold.shop, 'refund.updated', made);
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
    await expectMoneyToAddUp(sold.shop);
  });
});

it('adopts a refund of a payment whose own callback was lost', async () => {
  const sold = await soldAtStripe(stripe);
  moveClock(DAY);
  stripe.refundInDashboard(sold.session, 500);
  await sendStripeEvent(sold.shop, 'charge.refunded', {
    payment_intent: sold.session.payment_intent,
    metadata: sold.session.metadata,
  });
  expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
});
