/** Refunds of parts of an order, in the sandbox. */

import { beforeEach, describe, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { expectConsistent, expectMoneyToAddUp } from '../../support/auditor/index.ts';
import { beforeBatch, failStatements, loseResponse } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  readReturn,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import {
  cupShop,
  onHand,
  orderOf,
  refund,
  soldCups,
  statusOf,
  unit,
} from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { expectStatuses } from '../../support/statuses.ts';
import { world } from '../../support/world.ts';

beforeEach(silenceConsole);

describe('a refund', () => {
  it('of one unit is what was paid for it, and keeps the order', async () => {
    const sold = await soldCups();
    const { status, body } = await refund(sold, { ...unit(), reason: 'Chipped' });
    expect([status, body]).toMatchObject([
      201,
      {
        status: 'succeeded',
        amount: 10,
        currency: 'EUR',
        reason: 'Chipped',
        source: 'request',
        items: [{ line_id: 1, quantity: 1, restock: false, amount: 10 }],
        shipping: 0,
      },
    ]);
    const order = await orderOf(sold);
    expect(order).toMatchObject({ status: 'paid', payment_status: 'partially_refunded', refunds: [body] });
    expect((await sold.shop.get(`/orders/${sold.id}/refunds`)).body).toEqual({ data: [body] });
    expect((await sold.shop.get('/orders?payment_status=partially_refunded')).body.data).toEqual([order]);
    const [reported, ...others] = await eventsOfType(sold.shop, 'order.refunded');
    expect([reported, others]).toEqual([{ ...order, refund: body }, []]);
    expect(await onHand(sold.item)).toBe(7);
    await expectMoneyToAddUp(sold.shop);
  });

  it('of shipping, of an amount and of units is one sum', async () => {
    const sold = await soldCups();
    const { body } = await refund(sold, { ...unit(2), shipping: true, amount: 1.23 });
    expect(body).toMatchObject({ amount: 26.13, shipping: 4.9, items: [{ amount: 20 }] });
    await expectMoneyToAddUp(sold.shop);
    expect((await refund(sold, { shipping: true })).body).toMatchObject({ code: 'order_not_refundable' });
  });

  it('contains tax that was added to the prices', async () => {
    const tax = { mode: 'exclusive', rate_percent: 7, shipping_taxed: true };
    const sold = await soldCups({ tax });
    expect((await orderOf(sold)).totals.grand_total).toBe(37.34);
    expect((await refund(sold, unit(1))).body.amount).toBe(10.7);
    expect((await refund(sold, { shipping: true })).body.amount).toBe(5.24);
    expect((await refund(sold, unit(2))).body.amount).toBe(21.4);
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    await expectMoneyToAddUp(sold.shop);
  });

  it('of a discounted line is what was paid after the discount, to the cent', async () => {
    const { shop, cup } = await cupShop();
    await shop.post('/coupons', { code: 'TEN', kind: 'fixed', value: 10 });
    const cart = await cartWith(shop, cup, 3);
    await shop.post(`/cart/${cart}/coupon`, { code: 'TEN' });
    const { order_id: id } = readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay'));
    const amounts = [];
    for (let n = 0; n < 3; n++) amounts.push((await refund({ shop, id }, unit())).body.amount);
    expect(amounts).toEqual([6.67, 6.67, 6.66]);
    await expectMoneyToAddUp(shop);
  });

  it('of nothing in particular is everything that is left', async () => {
    const sold = await soldCups();
    await refund(sold, { amount: 4 });
    const { body } = await refund(sold);
    expect(body).toMatchObject({
      amount: 30.9,
      items: [{ line_id: 1, quantity: 3, restock: false, amount: 30 }],
      shipping: 0.9,
    });
    expect(await statusOf(sold)).toEqual(['paid', 'refunded']);
    expect(await onHand(sold.item)).toBe(7);
    const again = await refund(sold);
    expect([again.status, again.body.code]).toEqual([409, 'order_not_refundable']);
    await expectMoneyToAddUp(sold.shop);
  });

  it('never exceeds what was paid or bought', async () => {
    const sold = await soldCups();
    const tooMuch = await refund(sold, { amount: 34.91 });
    expect([tooMuch.status, tooMuch.body.code, tooMuch.body.details]).toEqual([
      ...[409, 'refund_too_large', { requested: 34.91, refundable: 34.9 }],
    ]);
    expect((await refund(sold, unit(2))).status).toBe(201);
    const gone = await refund(sold, unit(2));
    expect([gone.status, gone.body.code, gone.body.details]).toEqual([
      ...[409, 'refund_too_large', { line_id: 1, requested: 2, refundable: 1 }],
    ]);
    expect((await refund(sold, { amount: 14.9 })).status).toBe(201);
    expect((await refund(sold, unit(1))).body.details).toEqual({ requested: 10, refundable: 0 });
    await expectMoneyToAddUp(sold.shop);
  });

  it('is made once, however many concurrent calls request the last cents', async () => {
    const sold = await soldCups();
    const calls = await Promise.all([1, 2, 3, 4, 5].map(() => refund(sold, { amount: 20 })));
    expect(calls.filter(({ status }) => status === 201)).toHaveLength(1);
    expectStatuses(calls, 201, 409);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is made once for one Idempotency-Key, also when the response was lost', async () => {
    const sold = await soldCups();
    const key = { headers: { 'idempotency-key': 'return-17' } };
    loseResponse(/insert into "refunds"/i);
    const lost = await refund(sold, unit(), key);
    const again = await refund(sold, unit(), key);
    expect(again.status, JSON.stringify([lost.body, again.body])).toBe(201);
    expect((await refund(sold, unit(), key)).body).toEqual(again.body);
    expect((await refund(sold, unit(2), key)).body.code).toBe('idempotency_key_reused');
    await cron();
    expect((await orderOf(sold)).refunds).toMatchObject([{ id: again.body.id, status: 'succeeded' }]);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is completed by the cron when storage failed after it was requested', async () => {
    const sold = await soldCups();
    const restore = failStatements(/update "refunds" set .*"status"/i);
    await refund(sold, unit());
    expect(await statusOf(sold)).toEqual(['paid', 'paid']);
    restore();
    moveClock(61_000);
    await cron();
    expect(await statusOf(sold)).toEqual(['paid', 'partially_refunded']);
    expect(await eventsOfType(sold.shop, 'order.refunded')).toHaveLength(1);
    await expectMoneyToAddUp(sold.shop);
  });

  it('that is decided on an older state is decided again', async () => {
    const sold = await soldCups();
    beforeBatch(/insert into "refunds"/i, async () => void (await refund(sold, { amount: 30 })));
    const late = await refund(sold, { amount: 10 });
    expect([late.status, late.body.details]).toEqual([409, { requested: 10, refundable: 4.9 }]);
    await expectMoneyToAddUp(sold.shop);
  });

  it('is refused for orders that are not paid, and for other tenants', async () => {
    const { shop, cup } = await cupShop();
    const path = await checkoutPath(shop, await cartWith(shop, cup, 1));
    await submitCheckout(path, 'decline');
    const { id } = (await shop.get('/orders')).body.data[0];
    const refused = await refund({ shop, id });
    expect([refused.status, refused.body.code]).toEqual([409, 'order_not_refundable']);
    const other = await world();
    expect((await refund({ shop: other, id })).body.code).toBe('order_not_found');
    expect((await other.get(`/orders/${id}/refunds`)).body.code).toBe('order_not_found');
  });

  it('of units that cost nothing is refused once the order is cancelled', async () => {
    const { shop, cup } = await cupShop();
    const cart = await cartWith(shop, cup, 3);
    await addToCart(shop, await createProduct(shop, { price: 0, stock: 5 }), {
      cart_token: cart,
      quantity: 2,
    });
    const path = await checkoutPath(shop, cart);
    const id = readReturn(await submitCheckout(path, 'pay')).order_id;
    await refund({ shop, id }, { amount: 34.9 });
    await shop.post(`/orders/${id}/cancel`);
    const gift = { items: [{ line_id: 2, quantity: 1 }] };
    expect((await refund({ shop, id }, gift)).body.code).toBe('order_not_refundable');
    await cron();
    await expectConsistent(shop);
  });
});

it.each([
  [{ items: [] }, 'items'],
  [{ items: [{ line_id: 2, quantity: 1 }] }, 'items.0.line_id'],
  [{ items: [{ line_id: 1, quantity: 4 }] }, 'items.0.quantity'],
  [{ items: [{ line_id: 1, quantity: 0 }] }, 'items.0.quantity'],
  [{ items: [{ line_id: 1, quantity: 1.5 }] }, 'items.0.quantity'],
  [
    {
      items: [
        { line_id: 1, quantity: 1 },
        { line_id: 1, quantity: 1 },
      ],
    },
    'items.1.line_id',
  ],
  [{ items: [{ line_id: 1, quantity: 1, restock: 'yes' }] }, 'items.0.restock'],
  [{ items: [{ line_id: 1, quantity: 1, amount: 1 }] }, 'items.0.amount'],
  [{ shipping: 1 }, 'shipping'],
  [{ amount: 0 }, 'amount'],
  [{ amount: -1 }, 'amount'],
  [{ amount: 1.001 }, 'amount'],
  [{ amount: '1' }, 'amount'],
  [{ amount: 1e300 }, 'amount'],
  [{ amount: 1, reason: ' ' }, 'reason'],
  [{ amount: 1, reason: 'x'.repeat(501) }, 'reason'],
  [{ amount: 1, currency: 'EUR' }, 'currency'],
])('a refund of %j is refused by name', async (body, field) => {
  const sold = await soldCups();
  const refused = await refund(sold, body);
  expect([refused.status, Object.keys(refused.body.errors ?? refused.body)]).toEqual([422, [field]]);
});
