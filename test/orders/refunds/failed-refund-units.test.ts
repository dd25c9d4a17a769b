/** Units of refunds that fail at the payment provider: they are sold, as if nobody had asked for their refund. */

import { beforeEach, expect, it } from 'vitest';
import { expectConsistent } from '../../support/auditor/index.ts';
import {
  onHand,
  refund,
  type Sold,
  sendStripeEvent,
  soldAtStripe,
} from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { stubStripe } from '../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();
beforeEach(silenceConsole);

const units = (quantity: number, restock: boolean) => ({ items: [{ line_id: 1, quantity, restock }] });

/** Requests a refund that Stripe refuses. */
async function refuse(sold: Sold, body: object): Promise<void> {
  stripe.refuseRefunds = 'expired_or_canceled_card';
  expect((await refund(sold, body)).body.status).toBe('failed');
  stripe.refuseRefunds = null;
}

/** Reports that the bank returned the money of the first refund. */
async function returnMoney({ shop }: Sold): Promise<void> {
  const [made] = stripe.refunds;
  if (!made) throw new Error('a refund');
  Object.assign(made, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  await sendStripeEvent(shop, 'refund.failed', made);
}

const cancel = async ({ shop, id }: Sold): Promise<void> =>
  expect((await shop.post(`/orders/${id}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });

it('return to stock with the cancellation of the order', async () => {
  const sold = await soldAtStripe(stripe);
  await refuse(sold, units(2, false));
  expect(await onHand(sold.item)).toBe(7);
  await cancel(sold);
  expect(await onHand(sold.item)).toBe(10);
  await expectConsistent(sold.shop);
});

it('return to stock with a later refund that says so', async () => {
  const sold = await soldAtStripe(stripe);
  await refuse(sold, units(3, false));
  expect((await refund(sold, units(3, true))).body.status).toBe('succeeded');
  expect(await onHand(sold.item)).toBe(10);
  await expectConsistent(sold.shop);
});

it('are sold again when the money comes back after the refund had succeeded', async () => {
  const sold = await soldAtStripe(stripe);
  await refund(sold, units(2, false));
  await returnMoney(sold);
  expect(await onHand(sold.item)).toBe(7);
  await cancel(sold);
  expect(await onHand(sold.item)).toBe(10);
  await expectConsistent(sold.shop);
});

it('return to stock once, when their refund returned them before it failed', async () => {
  const sold = await soldAtStripe(stripe);
  await refuse(sold, units(1, true));
  await refuse(sold, units(3, false));
  expect(await onHand(sold.item)).toBe(8);
  await cancel(sold);
  expect(await onHand(sold.item)).toBe(10);
  await expectConsistent(sold.shop);
});

it('stay out of stock when another refund has covered them', async () => {
  const sold = await soldAtStripe(stripe);
  await refuse(sold, units(2, false));
  await refund(sold, units(1, false));
  await cancel(sold);
  expect(await onHand(sold.item)).toBe(9);
  await expectConsistent(sold.shop);
});

it('return to stock, once, when their refund fails after the order was cancelled', async () => {
  const sold = await soldAtStripe(stripe);
  await refund(sold, units(2, false));
  await cancel(sold);
  expect(await onHand(sold.item)).toBe(8);
  await returnMoney(sold);
  await returnMoney(sold);
  expect(await onHand(sold.item)).toBe(10);
  expect((await refund(sold, units(2, true))).body.status).toBe('succeeded');
  expect(await onHand(sold.item)).toBe(10);
  await expectConsistent(sold.shop);
});

it('are not sold again when the money of a cancelled order comes back', async () => {
  const sold = await soldAtStripe(stripe);
  await cancel(sold);
  await returnMoney(sold);
  await sendStripeEvent(sold.shop, 'refund.created', stripe.refundInDashboard(sold.session));
  await expectConsistent(sold.shop);
});

it('are not sold either when the refund of their cancellation was slow, and failed', async () => {
  const sold = await soldAtStripe(stripe);
  stripe.refundStatus = 'pending';
  await sold.shop.post(`/orders/${sold.id}/cancel`);
  await returnMoney(sold);
  stripe.refundStatus = 'succeeded';
  expect((await refund(sold, { amount: 34.9 })).body.status).toBe('succeeded');
  await expectConsistent(sold.shop);
});
