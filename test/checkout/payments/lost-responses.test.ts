/** Failures on our side after the shopper has paid: a paid order is never shown as unpaid. */

import { expect, it } from 'vitest';
import { beforeBatch, failStatements, loseResponse } from '../../support/faults/database.ts';
import { fiveCups, stockOf } from '../../support/fixtures/catalog/products.ts';
import { cartPort } from '../../support/fixtures/selling/cart.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  orderEvents,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import type { World } from '../../support/world.ts';

const READS_SECRETS = /from "tenant_secrets"/i;
const NOTES_PAYMENT = /update "payments" set .*"state"/i;

async function started() {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  return { shop, cart, item: cup.body.id, path: await checkoutPath(shop, cart) };
}

async function expectPaidOnce(shop: World, item: number): Promise<void> {
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'paid' }]);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(await stockOf(item)).toEqual({ on_hand: 3, reserved: 0 });
}

it('redirects to the shop after a payment whose response was lost', async () => {
  const { shop, item, path } = await started();
  loseResponse(NOTES_PAYMENT);
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  await expectPaidOnce(shop, item);
});

it('shows that the order is paid if the redirect fails', async () => {
  const { shop, item, path } = await started();
  const restore = failStatements(READS_SECRETS);
  const page = await submitCheckout(path, 'pay');
  restore();
  expect([page.status, page.text]).toEqual([200, expect.stringMatching(/order 1001 is paid/)]);
  expect(page.text).not.toMatch(/cannot be reached|name="action"/);
  await expectPaidOnce(shop, item);
  expect(readReturn(await browse(path)).status).toBe('paid');
});

it('asks to retry if it was not paid yet, without blaming the provider', async () => {
  const { shop, item, path } = await started();
  const restore = failStatements(NOTES_PAYMENT);
  const page = await submitCheckout(path, 'pay');
  restore();
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('you will not be charged twice')]);
  expect(page.text).not.toContain('cannot be reached');
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'pending' }]);
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  await expectPaidOnce(shop, item);
});

it('locks the cart while its order is pending, without the cron', async () => {
  const { shop, cart, path } = await started();
  await submitCheckout(path, 'decline');
  const port = cartPort(shop, cart);
  await expect.poll(() => port.standing()).toMatchObject({ value: { order: { state: 'pending' } } });
});

it('shows the page of a pending order to a shopper who returns unpaid', async () => {
  const { shop, path } = await started();
  await submitCheckout(path, 'decline');
  const back = await browse(`${path}/return`);
  expect([back.status, back.location]).toEqual([303, path]);
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'pending' }]);
});

it('unlocks the cart when its checkout ends during the payment', async () => {
  const { shop, cart, item, path } = await started();
  beforeBatch(/insert into "orders"/i, async () => void (await submitCheckout(path, 'cancel')));
  expect((await submitCheckout(path, 'pay')).status).toBe(410);
  expect(await stockOf(item)).toEqual({ on_hand: 5, reserved: 0 });
  expect(readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay')).status).toBe('paid');
});
