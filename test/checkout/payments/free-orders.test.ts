/** Orders for which nothing had to be paid: they wait for no payment, and their refunds show units, no money. */

import { beforeEach, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { expectMoneyToAddUp } from '../../support/auditor/index.ts';
import { failStatements } from '../../support/faults/database.ts';
import { stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  cron,
  orderEvents,
  readReturn,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { cupShop, orderOf, refund, type Sold, unit } from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';

beforeEach(silenceConsole);

/** Starts the checkout of three cups for which nothing has to be paid. */
async function giftOfCups() {
  const { shop, cup } = await cupShop({ shipping: { flat: 0 } });
  await shop.post('/coupons', { code: 'GIFT', kind: 'percent', value: 100 });
  const cart = await cartWith(shop, cup, 3);
  await shop.post(`/cart/${cart}/coupon`, { code: 'GIFT' });
  return { shop, path: await checkoutPath(shop, cart), item: cup.body.id };
}

/** Gives three cups away, with free shipping. */
async function givenCups(): Promise<Sold> {
  const { shop, path, item } = await giftOfCups();
  return { shop, id: readReturn(await submitCheckout(path, 'pay')).order_id, item };
}

/** Confirms an order of three cups whose process ends before the order is paid. */
async function interruptedGift() {
  const { shop, path, item } = await giftOfCups();
  const restore = failStatements(/update "payments" set .*"state"/i);
  await submitCheckout(path, 'pay');
  restore();
  const [{ id, status }] = (await shop.get('/orders')).body.data;
  expect(status).toBe('pending');
  return { shop, path, item, id };
}

async function expectGivenOnce({ shop, id, item }: Sold): Promise<void> {
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(await stockOf(item)).toEqual({ on_hand: 7, reserved: 0 });
}

it('is paid at its deadline if it was interrupted before, once', async () => {
  const sold = await interruptedGift();
  moveClock(31 * 60_000);
  await Promise.all([cron(), cron()]);
  await expectGivenOnce(sold);
  expect(readReturn(await browse(sold.path)).status).toBe('paid');
  await expectMoneyToAddUp(sold.shop);
});

/** The orders that wait for their goods. */
const TO_FULFIL = '/orders?status=paid&payment_status=paid,partially_refunded&fulfilment_status=unfulfilled';

it('stays among those to fulfil until all of its units are refunded', async () => {
  const sold = await givenCups();
  expect((await refund(sold, unit(1))).body).toMatchObject({ status: 'succeeded', amount: 0 });
  expect(await orderOf(sold)).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect((await sold.shop.get(TO_FULFIL)).body.data).toMatchObject([{ id: sold.id }]);
  await refund(sold, unit(2));
  expect(await orderOf(sold)).toMatchObject({ status: 'paid', payment_status: 'refunded' });
  expect((await sold.shop.get(TO_FULFIL)).body.data).toEqual([]);
  await expectMoneyToAddUp(sold.shop);
});

it('is refunded as a whole by a refund that names nothing, once', async () => {
  const sold = await givenCups();
  await refund(sold, unit(1));
  const rest = await refund(sold);
  expect([rest.status, rest.body]).toMatchObject([201, { amount: 0, items: [{ line_id: 1, quantity: 2 }] }]);
  expect(await orderOf(sold)).toMatchObject({ status: 'paid', payment_status: 'refunded' });
  expect((await refund(sold)).body.code).toBe('order_not_refundable');
  await expectMoneyToAddUp(sold.shop);
});

it('is refunded once it is cancelled, also after a part of it was', async () => {
  const sold = await givenCups();
  await refund(sold, unit(1));
  expect((await sold.shop.post(`/orders/${sold.id}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });
  await expectMoneyToAddUp(sold.shop);
});
