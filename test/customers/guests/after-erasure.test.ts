/** What happens to a guest's order once its buyer is erased: nothing of it brings their data back. */
import { beforeEach, expect, it } from 'vitest';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { refund, sendStripeEvent, soldAtStripe } from '../../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { stubStripe } from '../../support/fixtures/selling/stripe-shop.ts';
import { until } from '../../support/fixtures/webhooks.ts';
import { dumpStores, storesWith } from '../../support/storage/storage-dump.ts';
import type { World } from '../../support/world.ts';

const stripe = stubStripe();

beforeEach(silenceConsole);

const erase = async (shop: World, id: string) =>
  expect((await shop.delete(`/orders/${id}/personal-data`)).status).toBe(204);

it('takes no names from late callbacks, disputes and refunds of Stripe', async () => {
  const { shop, id, session } = await soldAtStripe(stripe);
  await erase(shop, id);
  const details = { email: 'zenobia@example.com', name: 'Zenobia', address: { line1: 'Vanishing Lane 9' } };
  const named = { ...session, customer_email: details.email, customer_details: details };
  await sendStripeEvent(shop, 'checkout.session.completed', named);
  const dispute = stripe.dispute(session, 500);
  for (const status of ['needs_response', 'lost'] as const) {
    dispute.status = status;
    const type = status === 'lost' ? 'charge.dispute.closed' : 'charge.dispute.created';
    await sendStripeEvent(shop, type, { ...dispute, evidence: { customer_name: 'Zenobia' } });
  }
  const made = stripe.refundInDashboard(session, 100);
  await sendStripeEvent(shop, 'refund.created', { ...made, metadata: { note: 'Zenobia' } });
  expect((await refund({ shop, id }, { amount: 1 })).status).toBe(201);
  const words = ['Zenobia', 'zenobia@example.com', 'Vanishing Lane'];
  expect(storesWith(await dumpStores(shop), words)).toEqual([]);
  expect((await shop.get(`/orders/${id}`)).body).toMatchObject({
    customer: { name: null, email: null },
    refunds: [{ source: 'dispute' }, { source: 'provider' }, { source: 'request' }],
  });
});

it('brings no contact data back with a declined payment, a cancellation and a new checkout of the cart', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const path = await checkoutPath(shop, cart);
  const email = `zenobia-${crypto.randomUUID()}@example.com`;
  const form = { ...ADDRESS, email };
  await submitCheckout(path, 'decline', form);
  const [order] = (await shop.get('/orders')).body.data;
  await erase(shop, order.id);
  await submitCheckout(path, 'decline', form);
  await shop.post(`/orders/${order.id}/cancel`);
  await until(async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open'));
  expect((await startCheckout(shop, cart)).status).toBe(200);
  expect(storesWith(await dumpStores(shop), [email])).toEqual([]);
});
