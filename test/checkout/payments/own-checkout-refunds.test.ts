import { beforeEach, describe, expect, it } from 'vitest';
import { expectMoneyToAddUp } from '../../support/auditor/index.ts';
import { cartWith, OWN_CHECKOUT, sessionOf } from '../../support/fixtures/selling/checkout.ts';
import {
  cupShop,
  onHand,
  refund,
  sendStripeEvent,
  statusOf,
  unit,
} from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { STRIPE_SECRETS } from '../../support/fixtures/selling/stripe.ts';

beforeEach(silenceConsole);

describe('an order of the own checkout', () => {
  async function placedOutside() {
    const { shop, cup } = await cupShop(OWN_CHECKOUT);
    const session = await sessionOf(shop, await cartWith(shop, cup, 3));
    const { id } = (await shop.post('/orders', { session })).body;
    const report = (body: object) =>
      shop.post(`/orders/${id}/payments`, { status: 'refunded', reference: 'p-1', ...body });
    return { shop, id, item: cup.body.id as number, report };
  }

  async function paidOutside() {
    const placed = await placedOutside();
    expect((await placed.report({ status: 'paid' })).body.status).toBe('paid');
    return placed;
  }

  it('is not paid by a callback of the same Stripe account, where that checkout takes its payments', async () => {
    const { report, ...sold } = await placedOutside();
    expect((await sold.shop.patch('/settings', { secrets: STRIPE_SECRETS })).status).toBe(200);
    await sendStripeEvent(sold.shop, 'checkout.session.completed', {
      id: 'cs_own',
      status: 'complete',
      payment_status: 'paid',
      payment_intent: 'pi_own',
      metadata: { order_id: sold.id },
    });
    expect(await statusOf(sold)).toEqual(['pending', 'unpaid']);
    expect((await report({ status: 'paid' })).body.status).toBe('paid');
    await report({});
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is refunded in parts by reports, each once', async () => {
    const { report, ...sold } = await paidOutside();
    const part = { amount: 4.9, refund_reference: 'credit-1' };
    expect((await report(part)).body).toMatchObject({
      status: 'paid',
      payment_status: 'partially_refunded',
      refunds: [{ source: 'provider', status: 'succeeded', amount: 4.9 }],
    });
    expect((await report(part)).body.refunds).toHaveLength(1);
    expect((await report({ amount: 30.01, refund_reference: 'credit-2' })).body).toMatchObject({
      code: 'refund_too_large',
      details: { requested: 30.01, refundable: 30 },
    });
    expect((await report({ ...part, refund_reference: 'c', reference: 'p-2' })).body.code).toBe(
      'order_not_refundable',
    );
    await expectMoneyToAddUp(sold.shop);
    expect((await report({})).body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
    expect(await onHand(sold.item)).toBe(10);
    await expectMoneyToAddUp(sold.shop);
  });

  it('does not take the report of another amount for a repeated one', async () => {
    const { report, ...sold } = await paidOutside();
    const part = { amount: 4.9, refund_reference: 'credit-1' };
    await report(part);
    const other = await report({ ...part, amount: 5 });
    expect([other.status, other.body.code]).toEqual([409, 'reference_taken']);
    expect(other.body.message).toContain('refund');
    expect((await report(part)).body.refunds).toMatchObject([{ amount: 4.9 }]);
    await expectMoneyToAddUp(sold.shop);
  });

  it('that was cancelled before its payment arrived says how that goes back', async () => {
    const { report, ...sold } = await placedOutside();
    expect((await refund(sold)).body.message).toBe('The order is not paid.');
    await sold.shop.post(`/orders/${sold.id}/cancel`);
    await report({ status: 'paid' });
    expect(await statusOf(sold)).toEqual(['cancelled', 'paid']);
    const { status, body } = await refund(sold);
    expect([status, body.code]).toEqual([409, 'order_not_refundable']);
    expect(body.message).toMatch(/its payment.*goes back/);
    await report({});
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
  });

  it('is not refunded by a report of a payment that it does not have', async () => {
    const { report, ...sold } = await paidOutside();
    const { status, body } = await report({ reference: 'p-2' });
    expect([status, body.code]).toEqual([409, 'order_not_refundable']);
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    expect((await report({})).body.status).toBe('cancelled');
    expect((await report({})).body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  });

  it('is cancelled by the report of its refund also after parts that add up to all of it', async () => {
    const { report, ...sold } = await paidOutside();
    await report({ amount: 10, refund_reference: 'credit-1' });
    await report({ amount: 24.9, refund_reference: 'credit-2' });
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    for (let n = 0; n < 2; n++) expect((await report({})).body.status).toBe('cancelled');
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
    expect(await onHand(sold.item)).toBe(10);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is not all refunded when it is cancelled while a payment that came twice is with the shop', async () => {
    const { report, ...sold } = await paidOutside();
    await refund(sold);
    await report({ status: 'paid', reference: 'p-2' });
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    await sold.shop.post(`/orders/${sold.id}/cancel`);
    expect(await statusOf(sold)).toEqual(['cancelled', 'partially_refunded']);
    await expectMoneyToAddUp(sold.shop);
    await report({ reference: 'p-2' });
    expect(await statusOf(sold)).toEqual(['cancelled', 'refunded']);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is refunded through the API as well, which records what the checkout has paid back', async () => {
    const { report: _, ...sold } = await paidOutside();
    const { body } = await refund(sold, unit(2, { restock: true }));
    expect(body).toMatchObject({ status: 'succeeded', amount: 20 });
    expect(await onHand(sold.item)).toBe(9);
    expect((await sold.shop.post(`/orders/${sold.id}/cancel`)).body.code).toBe('order_not_cancellable');
    await refund(sold);
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    expect((await sold.shop.post(`/orders/${sold.id}/cancel`)).body.status).toBe('cancelled');
    await expectMoneyToAddUp(sold.shop);
  });

  it.each([
    [{ amount: 1 }, 'refund_reference'],
    [{ refund_reference: 'x' }, 'refund_reference'],
    [{ amount: 1.001, refund_reference: 'x' }, 'amount'],
    [{ amount: 0, refund_reference: 'x' }, 'amount'],
    [{ status: 'failed', amount: 1, refund_reference: 'x' }, 'amount'],
    [{ amount: 1, refund_reference: ' ' }, 'refund_reference'],
  ])('refuses the report %j', async (body, field) => {
    const { report } = await paidOutside();
    const refused = await report(body);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  });
});
