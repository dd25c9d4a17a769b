/** Failures on our side after the shopper has pressed "pay": nobody is told that a paid order is not paid. */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { checkoutPort, readCartToken } from '../../src/cart/index.ts';
import { justBefore, loseAnswer, refuseStatements } from '../support/faults.ts';
import type { World } from '../support/world.ts';
import {
  browse,
  cartWith,
  checkoutOf,
  orderEvents,
  press,
  product,
  returned,
  sandboxShop,
  stockOf,
} from './shop.ts';

const READS_SECRETS = /from "tenant_secrets"/i;
const NOTES_PAYMENT = /update "payments" set .*"state"/i;

async function started() {
  const shop = await sandboxShop();
  const cup = await product(shop);
  const cart = await cartWith(shop, cup, 2);
  return { shop, cart, item: cup.body.id, path: await checkoutOf(shop, cart) };
}

async function expectPaidOnce(shop: World, item: number): Promise<void> {
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'paid' }]);
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(await stockOf(item)).toEqual({ on_hand: 3, reserved: 0 });
}

it('leads home from a payment whose answer was lost on the way', async () => {
  const { shop, item, path } = await started();
  loseAnswer(NOTES_PAYMENT);
  expect(returned(await press(path, 'pay')).status).toBe('paid');
  await expectPaidOnce(shop, item);
});

it('says that the order is paid where it cannot lead home', async () => {
  const { shop, item, path } = await started();
  const restore = refuseStatements(READS_SECRETS);
  const page = await press(path, 'pay');
  restore();
  expect([page.status, page.text]).toEqual([200, expect.stringMatching(/order 1001 is paid/)]);
  expect(page.text).not.toMatch(/cannot be reached|name="action"/);
  await expectPaidOnce(shop, item);
  expect(returned(await browse(path)).status).toBe('paid');
});

it('asks for another try where it was not paid yet, and does not blame the provider', async () => {
  const { shop, item, path } = await started();
  const restore = refuseStatements(NOTES_PAYMENT);
  const page = await press(path, 'pay');
  restore();
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('you will not be charged twice')]);
  expect(page.text).not.toContain('cannot be reached');
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'pending' }]);
  expect(returned(await press(path, 'pay')).status).toBe('paid');
  await expectPaidOnce(shop, item);
});

it('locks the cart for as long as its order waits, without waiting for the cron', async () => {
  const { shop, cart, path } = await started();
  await press(path, 'decline');
  const desk = checkoutPort({ env, tenantId: shop.tenantId }, readCartToken(env, shop.tenantId, cart) ?? '');
  await vi.waitFor(async () =>
    expect(await desk.standing()).toMatchObject({ value: { order: { state: 'pending' } } }),
  );
});

it('shows the page of an order that waits to who comes back without having paid', async () => {
  const { shop, path } = await started();
  await press(path, 'decline');
  const back = await browse(`${path}/return`);
  expect([back.status, back.location]).toEqual([303, path]);
  expect((await shop.get('/orders')).body.data).toMatchObject([{ status: 'pending' }]);
});

it('frees the cart when its checkout ends at the moment of paying', async () => {
  const { shop, cart, item, path } = await started();
  justBefore(/insert into "orders"/i, async () => void (await press(path, 'cancel')));
  expect((await press(path, 'pay')).status).toBe(410);
  expect(await stockOf(item)).toEqual({ on_hand: 5, reserved: 0 });
  expect(returned(await press(await checkoutOf(shop, cart), 'pay')).status).toBe('paid');
});
