/** Orders of a tenant's own checkout that charges through the same Stripe account, whose callbacks come here as well. */

import { expect, it, vi } from 'vitest';
import { stockedProduct, stockOf } from '../../../support/fixtures/catalog/products.ts';
import { cartWith, cron, startCheckout } from '../../../support/fixtures/selling/checkout.ts';
import { orderOf, sendStripeEvent } from '../../../support/fixtures/selling/refunds.ts';
import type { Session } from '../../../support/fixtures/selling/stripe-objects.ts';
import { stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

/** A pending order of two cups out of three in the own checkout, which has made a session at Stripe that names it. */
async function placed() {
  const shop = await stripeShop();
  const checkout = { allowed_hosts: ['shop.example.com'], external_url: 'https://pay.example.com/go' };
  const secrets = { checkout_secret: 'the-secret-of-the-checkout-outside' };
  expect((await shop.patch('/settings', { checkout, secrets })).status).toBe(200);
  const cup = await stockedProduct(shop, { stock: 3 });
  const { redirect_url } = (await startCheckout(shop, await cartWith(shop, cup, 2))).body;
  const [, payload = ''] = (new URL(redirect_url).searchParams.get('session_token') ?? '').split('.');
  const { session } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const { id, totals } = (await shop.post('/orders', { session })).body;
  const atStripe: Session = {
    id: 'cs_own_1',
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    client_reference_id: id,
    metadata: { order_id: id },
    amount_total: totals.grand_total * 100,
    currency: 'eur',
    expires_at: 0,
    url: null,
  };
  stripe.sessions.set(atStripe.id, atStripe);
  const report = (status: string) => shop.post(`/orders/${id}/payments`, { status, reference: atStripe.id });
  return { shop, id, cup: cup.body.id as number, atStripe, report };
}

it('stays open to another attempt when the session of a declined one ends', async () => {
  const { shop, id, cup, atStripe, report } = await placed();
  expect((await report('failed')).body.status).toBe('pending');
  stripe.end(atStripe);
  await sendStripeEvent(shop, 'checkout.session.expired', atStripe);
  expect((await orderOf({ shop, id })).status).toBe('pending');
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 2 });
});

it('leaves it to that checkout to return a payment which came too late', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const { shop, id, atStripe, report } = await placed();
  await shop.post(`/orders/${id}/cancel`);
  stripe.finish(atStripe);
  expect((await report('paid')).body).toMatchObject({ status: 'cancelled', refund_due: 20 });
  await sendStripeEvent(shop, 'checkout.session.completed', atStripe);
  await cron();
  expect(stripe.refunds).toEqual([]);
  expect((await orderOf({ shop, id })).refund_due).toBe(20);
});
