import { expect, it } from 'vitest';
import { moveClock } from '../../../../src/kernel/core/clock.ts';
import { stockOf } from '../../../support/fixtures/catalog/products.ts';
import {
  browse,
  cron,
  orderEvents,
  readReturn,
  sandboxShop,
} from '../../../support/fixtures/selling/checkout.ts';
import { orderOf, sendStripeEvent } from '../../../support/fixtures/selling/refunds.ts';
import { event } from '../../../support/fixtures/selling/stripe.ts';
import { callback, paying, stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

it('accepts only callbacks signed by Stripe within five minutes', async () => {
  const [shop, other] = await Promise.all([stripeShop(), stripeShop()]);
  const { session, id } = await paying(stripe, shop);
  stripe.finish(session);
  const type = 'checkout.session.completed';
  const good = event(type, session);
  const refused = [
    event(type, session, { secret: 'whsec_another_secret_of_another_shop' }),
    event(type, session, { age: 301 }),
    { ...good, body: good.body.replace('"paid"', '"paid" ') },
    { ...good, signature: null },
    { ...good, signature: 't=1,v1=00' },
  ];
  for (const one of refused) {
    const answer = await callback(shop.slug, one);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, 'invalid_signature']);
  }
  expect((await callback('nobody', good)).status).toBe(404);
  expect((await browse('/payments/paypal/x', undefined, { method: 'POST', body: '{}' })).status).toBe(404);
  // Signed by another shop's own account: it has no such order.
  expect((await callback(other.slug, good)).status).toBe(204);
  expect((await orderOf({ shop, id })).status).toBe('pending');
  // A payment link takes the reference that its customer writes into its URL.
  await sendStripeEvent(shop, type, { ...session, id: 'cs_link', metadata: {}, client_reference_id: id });
  expect((await orderOf({ shop, id })).status).toBe('pending');
  expect((await callback(shop.slug, event(type, session, { age: 290 }))).status).toBe(204);
  expect((await orderOf({ shop, id })).status).toBe('paid');
});

it('stays paid when an older callback arrives later', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(stripe, shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  await sendStripeEvent(shop, 'checkout.session.expired', session);
  await sendStripeEvent(shop, 'checkout.session.async_payment_failed', session);
  expect((await orderOf({ shop, id })).status).toBe('paid');
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
});

it("cancels when Stripe's session expires, and takes the stock again for a late payment", async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(stripe, shop);
  await sendStripeEvent(shop, 'checkout.session.expired', { ...session, id: 'cs_of_another_submit' });
  expect((await orderOf({ shop, id })).status).toBe('pending');
  await sendStripeEvent(shop, 'checkout.session.expired', session);
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect(stripe.refunds).toEqual([]);
});

it('refunds a late payment when its stock is sold out', async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(stripe, shop);
  await sendStripeEvent(shop, 'checkout.session.expired', session);
  const other = (await shop.get(`/products/${cup}`)).body;
  await shop.post('/inventory/adjustments', { items: [{ sku: other.sku, stock: 1 }] });
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(await orderOf({ shop, id })).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect(stripe.refunds).toMatchObject([
    { charge: `pi_${session.id}`, amount: 2000, status: 'succeeded', metadata: { order_id: id } },
  ]);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
});

it('throttles a network that names invented shops or signs nothing, and not the provider of a shop', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(stripe, shop);
  const other = await stripeShop();
  const send = (slug: string, signed: { body: string; signature: string | null }, from = '203.0.113.7') =>
    browse(`/payments/stripe/${slug}`, undefined, {
      method: 'POST',
      body: signed.body,
      headers: { 'cf-connecting-ip': from, 'stripe-signature': signed.signature ?? 't=1,v1=0' },
    });
  const forged = { body: '{}', signature: null };
  const statuses = async (slug: (n: number) => string, last: number) => {
    const found: number[] = [];
    for (let n = 0; n < 150 && found.at(-1) !== last; n++) found.push((await send(slug(n), forged)).status);
    return found;
  };
  const invented = await statuses((n) => `nobody-${n}`, 429);
  expect([invented[59], invented.at(-1)]).toEqual([404, 429]);
  expect((await send('nobody-else', forged, '203.0.113.8')).status).toBe(404);
  // The isolate knows this shop only from the next request on, which another network sends.
  expect((await send(shop.slug, forged, '203.0.113.8')).status).toBe(401);
  const unsigned = await statuses(() => shop.slug, 429);
  expect([unsigned[59], unsigned.at(-1)]).toEqual([401, 429]);
  expect((await send(other.slug, forged, '203.0.113.8')).status).toBe(401);
  expect((await send(other.slug, forged)).status).toBe(401);
  stripe.finish(session);
  const paid = event('checkout.session.completed', session);
  expect((await send(shop.slug, paid, '203.0.113.8')).status).toBe(204);
  expect((await orderOf({ shop, id })).status).toBe('paid');
});

it('throttles a network that calls back to a shop without that provider', async () => {
  const shop = await sandboxShop();
  const send = (from: string) =>
    browse(`/payments/stripe/${shop.slug}`, undefined, {
      method: 'POST',
      body: '{}',
      headers: { 'cf-connecting-ip': from, 'stripe-signature': 't=1,v1=0' },
    });
  const statuses: number[] = [];
  for (let n = 0; n < 150 && statuses.at(-1) !== 429; n++) statuses.push((await send('203.0.113.9')).status);
  expect([statuses[59], statuses.at(-1)]).toEqual([503, 429]);
  expect((await send('203.0.113.10')).status).toBe(503);
});

it.each([
  ['checkout.session.async_payment_succeeded', 'paid'],
  ['checkout.session.async_payment_failed', 'cancelled'],
])('waits for a delayed payment until %s', async (type, status) => {
  const shop = await stripeShop();
  const { session, id, path } = await paying(stripe, shop);
  stripe.finish(session, false);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(readReturn(await browse(`${path}/return`)).status).toBe('pending');
  moveClock(40 * 60_000);
  await cron();
  expect((await orderOf({ shop, id })).status).toBe('pending');
  if (status === 'paid') session.payment_status = 'paid';
  await sendStripeEvent(shop, type, session);
  expect((await orderOf({ shop, id })).status).toBe(status);
});
