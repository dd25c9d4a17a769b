/** The hosted page's forms take effect on what is true when they have arrived. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { markPaid } from '../../../src/orders/index.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { holdBody } from '../../support/faults/slow-request.ts';
import { stockedProduct, stockOf } from '../../support/fixtures/catalog/products.ts';
import {
  browse,
  CANCEL_URL,
  cartWith,
  checkoutPath,
  orderEvents,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { event, STRIPE_SECRETS, StripeStub } from '../../support/fixtures/selling/stripe.ts';
import { stripeShop } from '../../support/fixtures/selling/stripe-shop.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://api.example.com' };
const orderOf = async (shop: World) => (await shop.get('/orders')).body.data[0];

/** A checkout whose order waits for its payment, of two cups out of three. */
async function pending(shop: World) {
  const cup = await stockedProduct(shop, { stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup, 2));
  await submitCheckout(path, 'decline');
  return { cup: cup.body.id as number, path };
}

/** What a paid order of two out of three cups leaves. */
async function expectPaid(shop: World, cup: number): Promise<void> {
  expect(await orderOf(shop)).toMatchObject({ status: 'paid', payment_status: 'paid' });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
}

it('cancels no order that was paid while the form arrived', async () => {
  const shop = await sandboxShop();
  const { cup, path } = await pending(shop);
  const held = holdBody('POST', path, 'action=cancel', form);
  await held.reached;
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  const response = await held.finish();
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('status')).toBe('paid');
  await expectPaid(shop, cup);
});

it('cancels no order that is paid just before the cancellation is written', async () => {
  const shop = await sandboxShop();
  const { cup, path } = await pending(shop);
  const { id } = await orderOf(shop);
  const payment = { provider: 'sandbox', reference: 'sandbox_now' };
  beforeBatch(/update "orders"/i, async () => {
    expect((await markPaid(contextOf(shop), id, payment)).ok).toBe(true);
  });
  expect(readReturn(await submitCheckout(path, 'cancel')).status).toBe('paid');
  await expectPaid(shop, cup);
});

it('places no order for a cart that was edited while the form arrived', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const cart = await cartWith(shop, cup);
  const path = await checkoutPath(shop, cart);
  const held = holdBody('POST', path, 'action=pay&shown_total=1000', form);
  await held.reached;
  const { items } = (await shop.get(`/cart/${cart}`)).body;
  await shop.patch(`/cart/items/${items[0].id}`, { cart_token: cart, quantity: 2 });
  expect((await held.finish()).status).toBe(410);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('aborts a form after 30 seconds', async () => {
  const shop = await sandboxShop();
  const { path } = await pending(shop);
  const held = holdBody('POST', path, 'action=cancel', form);
  await held.reached;
  moveClock(31_000);
  const response = await held.finish();
  expect(response.status).toBe(408);
  expect(await response.text()).toContain('Please send it again');
  expect((await orderOf(shop)).status).toBe('pending');
});

it('reads no form with a forged link', async () => {
  const held = holdBody('POST', `/checkout/ck_${'a'.repeat(45)}`, 'action=cancel', form);
  expect((await held.response()).status).toBe(404);
});

it('verifies a callback with the secret at the end of its body', async () => {
  const shop = await stripeShop();
  const { body, signature } = event('checkout.session.expired', { object: 'checkout.session', id: 'cs_1' });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const held = holdBody('POST', `/payments/stripe/${shop.slug}`, body, headers);
  await held.reached;
  const rotated = { ...STRIPE_SECRETS, stripe_webhook_secret: 'whsec_anotheranotheranotheran' };
  expect((await shop.patch('/settings', { secrets: rotated })).status).toBe(200);
  expect((await held.finish()).status).toBe(401);
});

it('cancels nothing while Stripe cannot tell, or the payment is processing', async () => {
  const stripe = new StripeStub();
  stripe.install();
  const shop = await stripeShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup, 2));
  const session = stripe.sessionAt((await submitCheckout(path, 'pay')).location);
  stripe.down = true;
  expect((await browse(path, { action: 'cancel' })).text).toContain('could not be cancelled');
  expect((await orderOf(shop)).status).toBe('pending');
  stripe.down = false;
  session.status = 'complete';
  expect(readReturn(await browse(path, { action: 'cancel' })).status).toBe('pending');
  expect((await orderOf(shop)).status).toBe('pending');
  session.status = 'open';
  expect((await browse(path, { action: 'cancel' })).location).toBe(CANCEL_URL);
  expect((await orderOf(shop)).status).toBe('cancelled');
});
