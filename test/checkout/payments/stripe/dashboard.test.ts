import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../../../src/kernel/core/clock.ts';
import { expectMoneyToAddUp } from '../../../support/auditor/index.ts';
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
import { silenceConsole } from '../../../support/fixtures/selling/shopper.ts';
import { stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

beforeEach(silenceConsole);

const refundsOf = async (sold: Parameters<typeof orderOf>[0]) => (await orderOf(sold)).refunds;

describe("a refund in Stripe's dashboard", () => {
  it('in parts is adopted, each part once', async () => {
    const sold = await soldAtStripe(stripe);
    const charge = { payment_intent: sold.session.payment_intent, metadata: sold.session.metadata };
    const first = stripe.refundInDashboard(sold.session, 500);
    await sendStripeEvent(sold.shop, 'charge.refunded', charge);
    await sendStripeEvent(sold.shop, 'refund.created', first);
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    expect(await refundsOf(sold)).toMatchObject([{ source: 'provider', amount: 5, items: [], shipping: 0 }]);
    // The callback of the second part is lost; the next refund finds it.
    stripe.refundInDashboard(sold.session, 1000);
    expect((await refund(sold, unit(1))).body.status).toBe('succeeded');
    expect(await refundsOf(sold)).toMatchObject([{ amount: 5 }, { amount: 10 }, { amount: 10 }]);
    stripe.refundInDashboard(sold.session);
    await sendStripeEvent(sold.shop, 'charge.refunded', charge);
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    expect(await onHand(sold.item)).toBe(7);
    expect(await orderEvents(sold.shop)).toMatchObject({ 'order.refunded': 4 });
    await expectMoneyToAddUp(sold.shop);
  });

  it('that is reported again changes nothing, as a dispute of which nothing is left', async () => {
    const sold = await soldAtStripe(stripe);
    const first = stripe.refundInDashboard(sold.session, 490);
    await sendStripeEvent(sold.shop, 'refund.created', first);
    await refund(sold, unit(3));
    const dispute = stripe.dispute(sold.session, 500);
    dispute.status = 'lost';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    const before = await orderOf(sold);
    moveClock(MINUTE);
    await sendStripeEvent(sold.shop, 'refund.updated', first);
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    expect(await orderOf(sold)).toEqual(before);
  });

  it('takes precedence over one that could not be made yet', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.down = true;
    const { body } = await refund(sold, unit(3));
    stripe.down = false;
    stripe.refundInDashboard(sold.session, 3000);
    moveClock(2 * MINUTE);
    await cron();
    expect(await refundsOf(sold)).toMatchObject([
      { id: body.id, status: 'failed', failure_reason: 'already_refunded' },
      { source: 'provider', status: 'succeeded', amount: 30 },
    ]);
    expect(stripe.refunds).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('leaves a cancellation the rest, in place of a smaller refund that could not be made either', async () => {
    const sold = await soldAtStripe(stripe);
    stripe.down = true;
    await refund(sold, { amount: 10 });
    expect((await sold.shop.post(`/orders/${sold.id}/cancel`)).status).toBe(503);
    stripe.down = false;
    stripe.refundInDashboard(sold.session, 3000);
    moveClock(2 * MINUTE);
    await cron();
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
    expect(await refundsOf(sold)).toMatchObject([
      { source: 'request', status: 'failed', amount: 10, failure_reason: 'already_refunded' },
      { source: 'cancellation', status: 'succeeded', amount: 4.9 },
      { source: 'provider', status: 'succeeded', amount: 30 },
    ]);
    expect(await onHand(sold.item)).toBe(10);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is asked for again by Stripe while this service cannot read it', async () => {
    const sold = await soldAtStripe(stripe);
    const made = stripe.refundInDashboard(sold.session, 500);
    stripe.down = true;
    await sendStripeEvent(sold.shop, 'refund.created', made, 503);
    stripe.down = false;
    await sendStripeEvent(sold.shop, 'refund.created', made);
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
  });

  it('of a payment that came twice is none of its order', async () => {
    const sold = await soldAtStripe(stripe);
    const twice = { ...sold.session, id: 'cs_test_twice', payment_intent: 'pi_twice' };
    stripe.sessions.set(twice.id, twice);
    stripe.refuseRefunds = 'charge_disputed';
    await sendStripeEvent(sold.shop, 'checkout.session.completed', twice);
    stripe.refuseRefunds = null;
    await sendStripeEvent(sold.shop, 'refund.created', stripe.refundInDashboard(twice, 1000));
    moveClock(2 * MINUTE);
    await cron();
    expect(stripe.refunds.map(({ amount }) => amount)).toEqual([1000, 2490]);
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    expect(await refundsOf(sold)).toEqual([]);
    expect(await orderEvents(sold.shop)).not.toHaveProperty('order.refunded');
    expect((await sold.shop.get('/insights')).body.sales).toMatchObject([{ orders: 1, sales: 34.9 }]);
    expect((await refund(sold, unit(3))).body).toMatchObject({ status: 'succeeded', amount: 30 });
    await expectMoneyToAddUp(sold.shop);
  });

  it("of another system's charge is ignored", async () => {
    const sold = await soldAtStripe(stripe);
    await sendStripeEvent(sold.shop, 'refund.created', {
      id: 're_x',
      payment_intent: 'pi_other',
      metadata: {},
    });
    await sendStripeEvent(sold.shop, 'charge.refunded', {
      payment_intent: 'pi_other',
      metadata: { order_id: sold.id },
    });
    await sendStripeEvent(sold.shop, 'refund.created', { id: 're_y', payment_intent: null, metadata: null });
    expect(await refundsOf(sold)).toEqual([]);
  });
});

describe('a dispute', () => {
  it('is shown with the order, and counts as refunded when it is lost', async () => {
    const sold = await soldAtStripe(stripe);
    expect((await orderOf(sold)).dispute).toBeNull();
    const dispute = stripe.dispute(sold.session);
    await sendStripeEvent(sold.shop, 'charge.dispute.created', dispute);
    expect((await orderOf(sold)).dispute).toMatchObject({
      status: 'open',
      reason: 'fraudulent',
      amount: 34.9,
    });
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    dispute.status = 'lost';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    expect((await orderOf(sold)).dispute).toMatchObject({ status: 'lost' });
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    expect(await refundsOf(sold)).toMatchObject([{ source: 'dispute', status: 'succeeded', amount: 34.9 }]);
    expect((await refund(sold, { amount: 1 })).body.code).toBe('refund_too_large');
    await expectMoneyToAddUp(sold.shop);
  });

  it('that is won leaves the money with the shop, also after an appeal', async () => {
    const sold = await soldAtStripe(stripe);
    const dispute = stripe.dispute(sold.session, 1000);
    dispute.status = 'lost';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    dispute.status = 'won';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    expect((await orderOf(sold)).dispute).toMatchObject({ status: 'won', amount: 10 });
    await expectMoneyToAddUp(sold.shop);
  });

  it('that is lost again after it was won counts as refunded again', async () => {
    const sold = await soldAtStripe(stripe);
    const dispute = stripe.dispute(sold.session, 1000);
    for (const status of ['lost', 'won', 'lost'] as const) {
      dispute.status = status;
      await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    }
    expect((await orderOf(sold)).dispute).toMatchObject({ status: 'lost' });
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    expect(await refundsOf(sold)).toMatchObject([
      { source: 'dispute', status: 'succeeded', amount: 10, failure_reason: null },
    ]);
    expect((await refund(sold, { amount: 25 })).body.code).toBe('refund_too_large');
    await expectMoneyToAddUp(sold.shop);
  });

  it('that is lost again takes only what refunds have left meanwhile', async () => {
    const sold = await soldAtStripe(stripe);
    const dispute = stripe.dispute(sold.session);
    for (const status of ['lost', 'won'] as const) {
      dispute.status = status;
      await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    }
    await refund(sold, unit(3));
    dispute.status = 'lost';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    expect(await refundsOf(sold)).toMatchObject([{ source: 'dispute', amount: 4.9 }, { amount: 30 }]);
    await expectMoneyToAddUp(sold.shop);
  });

  it('that is lost stays so while it is appealed, and when the appeal is lost', async () => {
    const sold = await soldAtStripe(stripe);
    const dispute = stripe.dispute(sold.session, 1000);
    for (const status of ['lost', 'appeal_needs_response', 'appeal_under_review', 'lost'] as const) {
      dispute.status = status;
      await sendStripeEvent(sold.shop, 'charge.dispute.updated', dispute);
      expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
      expect((await orderOf(sold)).dispute.status).toBe(status === 'lost' ? 'lost' : 'open');
    }
    expect((await refund(sold, { amount: 25 })).body.code).toBe('refund_too_large');
    expect(await orderEvents(sold.shop)).toMatchObject({ 'order.refunded': 1 });
    await expectMoneyToAddUp(sold.shop);
  });

  it('that was prevented counts as refunded if its money was withdrawn', async () => {
    const sold = await soldAtStripe(stripe);
    const blocked = stripe.dispute(sold.session, 500);
    blocked.status = 'prevented';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', blocked);
    expect((await orderOf(sold)).dispute).toMatchObject({ status: 'won' });
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    // The card network resolved this one by paying the shopper back.
    const resolved = stripe.dispute(sold.session, 1000);
    resolved.balance_transactions.push({ amount: -1000 });
    resolved.status = 'prevented';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', resolved);
    expect((await orderOf(sold)).dispute).toMatchObject({ status: 'lost', amount: 10 });
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    expect((await refund(sold, { amount: 25 })).body.code).toBe('refund_too_large');
    await expectMoneyToAddUp(sold.shop);
  });

  it('takes only what refunds have left', async () => {
    const sold = await soldAtStripe(stripe);
    await refund(sold, unit(3));
    const dispute = stripe.dispute(sold.session);
    dispute.status = 'lost';
    await sendStripeEvent(sold.shop, 'charge.dispute.closed', dispute);
    expect(await refundsOf(sold)).toMatchObject([{ amount: 30 }, { source: 'dispute', amount: 4.9 }]);
    await expectMoneyToAddUp(sold.shop);
  });
});
