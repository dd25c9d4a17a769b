/** Refunds of orders for which nothing had to be paid: their units show what is refunded, no money does. */

import { beforeEach, expect, it } from 'vitest';
import { expectMoneyToAddUp } from '../../support/auditor/index.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { cupShop, orderOf, refund, type Sold, unit } from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';

beforeEach(silenceConsole);

/** Gives three cups away, with free shipping. */
async function givenCups(): Promise<Sold> {
  const { shop, cup } = await cupShop({ shipping: { flat: 0 } });
  await shop.post('/coupons', { code: 'GIFT', kind: 'percent', value: 100 });
  const cart = await cartWith(shop, cup, 3);
  await shop.post(`/cart/${cart}/coupon`, { code: 'GIFT' });
  const path = await checkoutPath(shop, cart);
  return { shop, id: readReturn(await submitCheckout(path, 'pay')).order_id, item: cup.body.id };
}

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
