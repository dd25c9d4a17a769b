import { expect, it, vi } from 'vitest';
import { fiveCups, stockedProduct, stockOf } from '../../../support/fixtures/catalog/products.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  orderEvents,
  readReturn,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import { orderOf, sendStripeEvent } from '../../../support/fixtures/selling/refunds.ts';
import { event } from '../../../support/fixtures/selling/stripe.ts';
import { callback, paying, stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

it('redirects to Stripe, and is paid once by its callback', async () => {
  const shop = await stripeShop();
  const { session, id, path, cup } = await paying(stripe, shop);
  expect(session).toMatchObject({
    amount_total: 2000,
    currency: 'eur',
    client_reference_id: id,
    metadata: { order_id: id, tenant: shop.slug },
  });
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'pending', test: true });
  stripe.finish(session);
  const paid = event('checkout.session.completed', session);
  for (let n = 0; n < 3; n++) expect((await callback(shop.slug, paid)).status).toBe(204);
  await Promise.all(
    [1, 2, 3].map(() => sendStripeEvent(shop, 'checkout.session.async_payment_succeeded', session)),
  );
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(readReturn(await browse(`${path}/return`)).status).toBe('paid');
});

it('queries Stripe when the shopper returns before the callback', async () => {
  const shop = await stripeShop();
  const { session, id, path } = await paying(stripe, shop);
  expect((await browse(`${path}/return`)).location).toBe(path);
  stripe.finish(session);
  const back = readReturn(await browse(`${path}/return`));
  expect([back.status, back.order_id]).toEqual(['paid', id]);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
});

it('reuses the Stripe session when the shopper returns to pay', async () => {
  const shop = await stripeShop();
  const { session, path } = await paying(stripe, shop);
  const again = await browse(path);
  expect(again.text).toContain('waits for your payment');
  expect(again.text).not.toContain('Decline');
  const submitted = await Promise.all([submitCheckout(path, 'pay'), submitCheckout(path, 'pay')]);
  expect(submitted.map(({ location }) => location)).toEqual([session.url, session.url]);
  expect(stripe.sessions.size).toBe(1);
});

it('redirects two concurrent submits to one Stripe session', async () => {
  const shop = await stripeShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup, 1));
  const sent = await Promise.all([
    submitCheckout(path, 'pay'),
    submitCheckout(path, 'pay'),
    submitCheckout(path, 'pay'),
  ]);
  expect(new Set(sent.map(({ location }) => location)).size).toBe(1);
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
});

it('shows that Stripe is unreachable, keeps the one order, and continues later', async () => {
  const shop = await stripeShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  stripe.down = () => Response.json({ error: { type: 'api_error', message: 'oops' } }, { status: 500 });
  const refused = await submitCheckout(path, 'pay');
  expect([refused.status, refused.text.includes('cannot be reached')]).toEqual([200, true]);
  stripe.down = false;
  expect((await submitCheckout(path, 'pay')).location).toContain('checkout.stripe.com');
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
});

it('shows the order to a shopper who returns while Stripe is unreachable, and logs it', async () => {
  const { path } = await paying(stripe, await stripeShop());
  stripe.down = true;
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  expect(readReturn(await browse(`${path}/return`)).status).toBe('pending');
  const lines = errors.mock.calls.map(([line]) => JSON.parse(line).event);
  expect(lines).toContain('payment_unfinished');
});

it('pays an order whose e-mail address Stripe does not take', async () => {
  const shop = await stripeShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  stripe.refuseEmails = true;
  expect((await submitCheckout(path, 'pay')).location).toContain('checkout.stripe.com');
});

it('does not call Stripe for a free order', async () => {
  const shop = await stripeShop();
  await shop.post('/coupons', { code: 'ALL', kind: 'percent', value: 100 });
  const cart = await cartWith(shop, await fiveCups(shop));
  await shop.post(`/cart/${cart}/coupon`, { code: 'ALL' });
  const { order_id, status } = readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay'));
  expect(status).toBe('paid');
  await shop.post(`/orders/${order_id}/cancel`);
  expect(await orderOf({ shop, id: order_id })).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });
  expect(stripe.requests).toEqual([]);
});
