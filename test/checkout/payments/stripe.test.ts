import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stripeAmount } from '../../../src/checkout/payments/stripe-amount.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fiveCups, stockedProduct, stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  CANCEL_URL,
  cartWith,
  checkoutPath,
  cron,
  orderEvents,
  readReturn,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { event, SECRET_KEY, StripeStub, WEBHOOK_SECRET } from '../../support/fixtures/selling/stripe.ts';
import type { World } from '../../support/world.ts';

let stripe: StripeStub;
beforeEach(() => {
  stripe = new StripeStub();
  stripe.install();
});
afterEach(() => vi.restoreAllMocks());

async function stripeShop(): Promise<World> {
  const shop = await sandboxShop();
  const secrets = { stripe_secret_key: SECRET_KEY, stripe_webhook_secret: WEBHOOK_SECRET };
  expect((await shop.patch('/settings', { payments: 'stripe', secrets })).status).toBe(200);
  return shop;
}

/** An order of two cups out of three that is being paid at Stripe. */
async function paying(shop: World) {
  const cup = await stockedProduct(shop, { stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup, 2));
  const sent = await submitCheckout(path, 'pay');
  expect(sent.status, sent.text).toBe(303);
  const session = stripe.sessionAt(sent.location);
  const id = (await shop.get('/orders')).body.data[0].id;
  return { cup: cup.body.id as number, path, session, id };
}

const callback = (slug: string, { body, signature }: { body: string; signature: string | null }) =>
  browse(`/payments/stripe/${slug}`, undefined, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
  });

const sendStripeEvent = async (shop: World, type: string, object: object) =>
  expect((await callback(shop.slug, event(type, object))).status).toBe(204);

const orderOf = async (shop: World, id: string) => (await shop.get(`/orders/${id}`)).body;

it('redirects to Stripe, and is paid once by its callback', async () => {
  const shop = await stripeShop();
  const { session, id, path, cup } = await paying(shop);
  expect(session).toMatchObject({
    amount_total: 2000,
    currency: 'eur',
    client_reference_id: id,
    metadata: { order_id: id, tenant: shop.slug },
  });
  expect(await orderOf(shop, id)).toMatchObject({ status: 'pending', test: true });
  stripe.finish(session);
  const paid = event('checkout.session.completed', session);
  for (let n = 0; n < 3; n++) expect((await callback(shop.slug, paid)).status).toBe(204);
  await Promise.all(
    [1, 2, 3].map(() => sendStripeEvent(shop, 'checkout.session.async_payment_succeeded', session)),
  );
  expect(await orderOf(shop, id)).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(readReturn(await browse(`${path}/return`)).status).toBe('paid');
});

it('queries Stripe when the shopper returns before the callback', async () => {
  const shop = await stripeShop();
  const { session, id, path } = await paying(shop);
  expect((await browse(`${path}/return`)).location).toBe(path);
  stripe.finish(session);
  const back = readReturn(await browse(`${path}/return`));
  expect([back.status, back.order_id]).toEqual(['paid', id]);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
});

it('reuses the Stripe session when the shopper returns to pay', async () => {
  const shop = await stripeShop();
  const { session, path } = await paying(shop);
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

it('accepts only callbacks signed by Stripe within five minutes', async () => {
  const [shop, other] = await Promise.all([stripeShop(), stripeShop()]);
  const { session, id } = await paying(shop);
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
  expect((await orderOf(shop, id)).status).toBe('pending');
  // A payment link takes the reference that its customer writes into its URL.
  await sendStripeEvent(shop, type, { ...session, id: 'cs_link', metadata: {}, client_reference_id: id });
  expect((await orderOf(shop, id)).status).toBe('pending');
  expect((await callback(shop.slug, event(type, session, { age: 290 }))).status).toBe(204);
  expect((await orderOf(shop, id)).status).toBe('paid');
});

it('stays paid when an older callback arrives later', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  await sendStripeEvent(shop, 'checkout.session.expired', session);
  await sendStripeEvent(shop, 'checkout.session.async_payment_failed', session);
  expect((await orderOf(shop, id)).status).toBe('paid');
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
});

it("cancels when Stripe's session expires, and takes the stock again for a late payment", async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(shop);
  await sendStripeEvent(shop, 'checkout.session.expired', { ...session, id: 'cs_of_another_submit' });
  expect((await orderOf(shop, id)).status).toBe('pending');
  await sendStripeEvent(shop, 'checkout.session.expired', session);
  expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(await orderOf(shop, id)).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect(stripe.refunds).toEqual([]);
});

it('refunds a late payment when its stock is sold out', async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(shop);
  await sendStripeEvent(shop, 'checkout.session.expired', session);
  const other = (await shop.get(`/products/${cup}`)).body;
  await shop.post('/inventory/adjustments', { items: [{ sku: other.sku, stock: 1 }] });
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect(stripe.refunds).toMatchObject([
    { charge: `pi_${session.id}`, amount: 2000, status: 'succeeded', metadata: { order_id: id } },
  ]);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
});

it("keeps the order until Stripe's session has ended, and expires the session at the deadline", async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(shop);
  moveClock(31 * 60_000);
  await cron();
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 2 });
  moveClock(2 * 60_000);
  await cron();
  expect(session.status).toBe('expired');
  expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
});

it('reconciles a payment whose callback was lost', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(shop);
  stripe.finish(session);
  moveClock(33 * 60_000);
  await cron();
  expect((await orderOf(shop, id)).status).toBe('paid');
});

it('waits ten more minutes while Stripe is unreachable', async () => {
  const shop = await stripeShop();
  const { id } = await paying(shop);
  stripe.down = true;
  moveClock(33 * 60_000);
  await cron();
  expect((await orderOf(shop, id)).status).toBe('pending');
  moveClock(11 * 60_000);
  await cron();
  expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
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

it('holds up a network that names invented shops or signs nothing, and not the provider of a shop', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(shop);
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
  expect((await orderOf(shop, id)).status).toBe('paid');
});

it("expires Stripe's session when the shopper cancels; a payment at the last moment stays paid", async () => {
  const shop = await stripeShop();
  const first = await paying(shop);
  expect((await submitCheckout(first.path, 'cancel')).location).toBe(CANCEL_URL);
  expect(first.session.status).toBe('expired');
  expect(await orderOf(shop, first.id)).toMatchObject({ status: 'cancelled', cancel_reason: 'shopper' });

  const second = await paying(shop);
  stripe.finish(second.session);
  const late = await submitCheckout(second.path, 'cancel');
  expect(readReturn(late).status).toBe('paid');
  expect(await orderOf(shop, second.id)).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(stripe.refunds).toHaveLength(0);
});

it('refunds a paid order once before cancelling it', async () => {
  const shop = await stripeShop();
  const { session, id, cup } = await paying(shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  stripe.down = true;
  const later = await shop.post(`/orders/${id}/cancel`);
  expect([later.status, later.body.code]).toEqual([503, 'unavailable']);
  expect((await orderOf(shop, id)).status).toBe('paid');
  stripe.down = false;
  moveClock(61_000);
  await cron();
  expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect((await shop.post(`/orders/${id}/cancel`)).body.status).toBe('cancelled');
  await cron();
  expect(stripe.refunds).toMatchObject([
    { charge: `pi_${session.id}`, amount: 2000, status: 'succeeded', metadata: { order_id: id } },
  ]);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({
    ...{ 'order.created': 1, 'order.paid': 1, 'order.cancelled': 1, 'order.refunded': 1 },
  });
});

it('accepts an existing refund as made, and retries a failed one', async () => {
  const shop = await stripeShop();
  const { session, id } = await paying(shop);
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
  const { session, id, cup } = await paying(shop);
  stripe.finish(session);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  const charge = { payment_intent: session.payment_intent, metadata: session.metadata };
  await sendStripeEvent(shop, 'charge.refunded', { ...charge, refunded: false });
  expect((await orderOf(shop, id)).status).toBe('paid');
  stripe.refundInDashboard(session);
  await sendStripeEvent(shop, 'charge.refunded', { ...charge, refunded: true });
  await sendStripeEvent(shop, 'charge.refunded', { ...charge, refunded: true });
  expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
});

it.each([
  ['checkout.session.async_payment_succeeded', 'paid'],
  ['checkout.session.async_payment_failed', 'cancelled'],
])('waits for a delayed payment until %s', async (type, status) => {
  const shop = await stripeShop();
  const { session, id, path } = await paying(shop);
  stripe.finish(session, false);
  await sendStripeEvent(shop, 'checkout.session.completed', session);
  expect(readReturn(await browse(`${path}/return`)).status).toBe('pending');
  moveClock(40 * 60_000);
  await cron();
  expect((await orderOf(shop, id)).status).toBe('pending');
  if (status === 'paid') session.payment_status = 'paid';
  await sendStripeEvent(shop, type, session);
  expect((await orderOf(shop, id)).status).toBe(status);
});

it("sends exact amounts in Stripe's units", async () => {
  const amounts = [
    [1990, 'EUR', 1990],
    [500, 'JPY', 500],
    [1235, 'KWD', null],
    [1230, 'KWD', 1230],
    [5, 'ISK', 500],
    [5, 'UGX', 500],
    [500, 'MGA', 5],
    [550, 'MGA', null],
  ] as const;
  for (const [minor, currency, amount] of amounts)
    expect(stripeAmount(minor, currency), currency).toBe(amount);
  const secrets = { stripe_secret_key: SECRET_KEY, stripe_webhook_secret: WEBHOOK_SECRET };
  const shop = await sandboxShop({ currency: 'KWD' });
  expect((await shop.patch('/settings', { payments: 'stripe', secrets })).status).toBe(200);
  const cart = await cartWith(shop, await stockedProduct(shop, { price: 1.235 }));
  expect((await startCheckout(shop, cart)).status).toBe(503);
});

it("places no order whose total with the country's tax Stripe can't charge", async () => {
  const tax = { mode: 'exclusive', rate_percent: 0, rates_by_country: { DE: 19 } };
  const shop = await sandboxShop({ currency: 'KWD', settings: { tax } });
  const secrets = { stripe_secret_key: SECRET_KEY, stripe_webhook_secret: WEBHOOK_SECRET };
  expect((await shop.patch('/settings', { payments: 'stripe', secrets })).status).toBe(200);
  const cup = await stockedProduct(shop, { price: 1.23, stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup));
  const asked = await submitCheckout(path, 'pay');
  expect(asked.status).toBe(409);
  expect(asked.text).toContain('1.464, which can');
  const sent = await browse(path, { ...ADDRESS, shown_total: '1464', action: 'pay' });
  expect(sent.status).toBe(409);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it.each(['amount_too_small', 'amount_too_large'])(
  'gives the stock back when Stripe refuses a total (%s), and says that it can not be paid',
  async (code) => {
    const shop = await stripeShop();
    const cup = await stockedProduct(shop, { price: 0.3, stock: 3 });
    const cart = await cartWith(shop, cup);
    const path = await checkoutPath(shop, cart);
    stripe.refuseSessions = code;
    const refused = await submitCheckout(path, 'pay');
    expect([refused.status, refused.text.includes('be paid here')], refused.text).toEqual([409, true]);
    expect(await stockOf(cup.body.id as number)).toEqual({ on_hand: 3, reserved: 0 });
    expect((await shop.get('/orders')).body.data).toMatchObject([
      { status: 'cancelled', cancel_reason: 'timeout', payment_status: 'unpaid' },
    ]);
    stripe.refuseSessions = null;
    const reopened = async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open');
    await vi.waitFor(reopened, 10_000);
    expect((await submitCheckout(await checkoutPath(shop, cart), 'pay')).location).toContain('stripe.com');
  },
);

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
  expect(await orderOf(shop, order_id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect(stripe.requests).toEqual([]);
});
