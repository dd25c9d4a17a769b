/** Payments that take days: money that is on its way, fails on it, or never comes. */

import { expect, it, vi } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../../../src/kernel/core/clock.ts';
import { stockedProduct, stockOf } from '../../../support/fixtures/catalog/products.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  cron,
  orderEvents,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import { sendStripeEvent } from '../../../support/fixtures/selling/refunds.ts';
import { STRIPE_SECRETS } from '../../../support/fixtures/selling/stripe.ts';
import { stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';
import { admin, type World } from '../../../support/world.ts';

const stripe = stubStripe();

/** An order of two cups out of three whose shopper has ordered their bank to pay. */
async function ordered() {
  const shop = await stripeShop();
  const cup = await stockedProduct(shop, { stock: 3 });
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutPath(shop, cart);
  const session = stripe.sessionAt((await submitCheckout(path, 'pay')).location);
  stripe.finish(session, false);
  const id: string = (await shop.get('/orders')).body.data[0].id;
  return { shop, cup: cup.body.id as number, cart, path, session, id };
}

const statusOf = async (shop: World, id: string) => {
  const { status, payment_status, cancel_reason } = (await shop.get(`/orders/${id}`)).body;
  return [status, payment_status, cancel_reason];
};

it.each(['requires_payment_method', 'canceled'] as const)(
  'cancels an order whose payment failed (%s), although its callback was lost',
  async (status) => {
    const { shop, cup, cart, session, id } = await ordered();
    moveClock(40 * MINUTE);
    await cron();
    expect(await statusOf(shop, id)).toEqual(['pending', 'unpaid', null]);
    stripe.fail(session, status);
    moveClock(61 * MINUTE);
    await cron();
    expect(await statusOf(shop, id)).toEqual(['cancelled', 'unpaid', 'timeout']);
    expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
    expect((await shop.patch('/cart/items/1', { cart_token: cart, quantity: 1 })).status).toBe(200);
  },
);

it('detects a failed payment when the shopper returns', async () => {
  const { shop, cup, path, session, id } = await ordered();
  expect(readReturn(await browse(`${path}/return`)).status).toBe('pending');
  stripe.fail(session);
  const back = await browse(`${path}/return`);
  expect([back.status, back.text]).toEqual([410, expect.stringContaining('cancelled')]);
  expect(await statusOf(shop, id)).toEqual(['cancelled', 'unpaid', 'timeout']);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
});

it('detects a payment whose session Stripe has not updated yet', async () => {
  const { shop, path, session, id } = await ordered();
  stripe.intents.set(`pi_${session.id}`, 'succeeded');
  expect(readReturn(await browse(`${path}/return`)).status).toBe('paid');
  expect(await statusOf(shop, id)).toEqual(['paid', 'paid', null]);
});

it('keeps the order when the shopper submits again while the payment is processing', async () => {
  const { shop, path, id } = await ordered();
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('pending');
  expect(await statusOf(shop, id)).toEqual(['pending', 'unpaid', null]);
});

it('keeps an order with a processing payment while Stripe is unreachable', async () => {
  const { shop, path, session, id } = await ordered();
  expect(readReturn(await browse(`${path}/return`)).status).toBe('pending');
  stripe.down = true;
  vi.spyOn(console, 'error').mockReturnValue();
  for (let hour = 0; hour < 3; hour++) {
    moveClock(75 * MINUTE);
    await cron();
  }
  expect(await statusOf(shop, id)).toEqual(['pending', 'unpaid', null]);
  stripe.down = false;
  stripe.fail(session);
  moveClock(3 * MINUTE);
  await cron();
  expect(await statusOf(shop, id)).toEqual(['cancelled', 'unpaid', 'timeout']);
});

it('cancels an order after two weeks although Stripe is unreachable', async () => {
  const { shop, path, id } = await ordered();
  await browse(`${path}/return`);
  stripe.down = true;
  moveClock(14 * DAY + MINUTE);
  await cron();
  expect(await statusOf(shop, id)).toEqual(['cancelled', 'unpaid', 'timeout']);
});

it('waits two weeks for a payment and refunds a later one', async () => {
  const { shop, cup, cart, session, id } = await ordered();
  for (let day = 0; day < 13; day++) {
    moveClock(DAY);
    await cron();
  }
  expect(await statusOf(shop, id)).toEqual(['pending', 'unpaid', null]);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 2 });
  moveClock(DAY + 61 * MINUTE);
  await cron();
  expect(await statusOf(shop, id)).toEqual(['cancelled', 'unpaid', 'timeout']);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  expect((await shop.patch('/cart/items/1', { cart_token: cart, quantity: 1 })).status).toBe(200);
  session.payment_status = 'paid';
  await sendStripeEvent(shop, 'checkout.session.async_payment_succeeded', session);
  expect(await statusOf(shop, id)).toEqual(['cancelled', 'refunded', 'timeout']);
  expect(stripe.refunds).toMatchObject([
    { charge: `pi_${session.id}`, amount: 2000, status: 'succeeded', metadata: { order_id: id } },
  ]);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
});

it.each(['stripe_secret_key', 'stripe_webhook_secret'] as const)(
  'rejects Stripe payments without %s',
  async (name) => {
    const shop = await sandboxShop();
    const field = `secrets.${name}`;
    const { [name]: _, ...other } = STRIPE_SECRETS;
    for (const patch of [
      (body: object) => shop.patch('/settings', body),
      ({ payments, secrets }: { payments?: string; secrets?: object }) =>
        admin('PATCH', `/tenants/${shop.slug}`, {
          ...(payments && { settings: { payments } }),
          ...(secrets && { secrets }),
        }),
    ]) {
      const refused = await patch({ payments: 'stripe', secrets: other });
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [field]]);
      expect((await patch({ payments: 'sandbox', secrets: other })).status).toBe(200);
      expect((await patch({ payments: 'stripe' })).body.errors).toHaveProperty([field]);
      expect((await patch({ payments: 'stripe', secrets: STRIPE_SECRETS })).status).toBe(200);
      const taken = await patch({ secrets: { [name]: null } });
      expect([taken.status, Object.keys(taken.body.errors ?? {})]).toEqual([422, [field]]);
      expect((await patch({ payments: 'sandbox', secrets: { [name]: null } })).status).toBe(200);
    }
  },
);

it('rejects Stripe payments without any key, for a shop and for a new tenant', async () => {
  const shop = await sandboxShop();
  const refused = await shop.patch('/settings', { payments: 'stripe' });
  const fields = ['secrets.stripe_secret_key', 'secrets.stripe_webhook_secret'];
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, fields]);
  expect((await shop.get('/settings')).body.payments).toBe('sandbox');
  const made = await admin('POST', '/tenants', {
    slug: `${shop.slug}x`,
    name: 'New',
    currency: 'EUR',
    settings: { payments: 'stripe' },
  });
  expect([made.status, Object.keys(made.body.errors ?? {})]).toEqual([422, ['settings.payments']]);
});
