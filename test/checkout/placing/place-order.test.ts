/** What is gone by the time it would be ordered, or paid for. */

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { rows } from '../../../src/kernel/data/database.ts';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  OWN_CHECKOUT,
  orderEvents,
  sandboxShop,
  sessionOf,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import type { Answer, World } from '../../support/world.ts';

const at = (minutes: number) => new Date(now() + minutes * MINUTE).toISOString();

/** A tour of one slot of four places. */
const tour = (shop: World, slot: object): Promise<Answer> =>
  stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [{ ...slot, capacity: 4 }] },
  });

const NO_SLOTS = { booking: { timezone: 'Europe/Berlin', slots: [] } };

/** Moves a tour's slot to other times. */
async function moveSlot(shop: World, { body: { id, booking } }: Answer): Promise<void> {
  const slots = [{ id: booking.slots[0].id, from: at(700), to: at(760), capacity: 4 }];
  const patched = await shop.patch(`/products/${id}`, { booking: { timezone: 'Europe/Berlin', slots } });
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
}

const placesTaken = async ({ tenantId }: World) =>
  (
    await rows<{ n: number }>(
      databaseOf({ tenantId }),
      sql`SELECT coalesce(sum(reserved), 0) AS n FROM slots WHERE tenant_id = ${tenantId}`,
    )
  )[0]?.n;

it.each([
  ['that has begun since', false],
  ['that has begun while it was kept', true],
])('places no order for a slot %s', async (_, kept) => {
  const shop = await sandboxShop();
  const slot = { from: at(10), to: at(70) };
  const path = await checkoutPath(
    shop,
    await cartWith(shop, await tour(shop, slot), 1, { options: { booking: slot } }),
  );
  moveClock((kept ? 12 : 16) * MINUTE);
  await cron();
  const page = await submitCheckout(path, 'pay');
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('no longer available')]);
  expect(await orderEvents(shop)).toEqual({});
});

it('names the slot that has begun since checkout', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  const slot = { from: at(10), to: at(70) };
  const booked = await tour(shop, slot);
  const session = await sessionOf(shop, await cartWith(shop, booked, 1, { options: { booking: slot } }));
  moveClock(12 * MINUTE);
  const refused = await shop.post('/orders', { session });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'slot_unavailable',
      details: { product_id: booked.body.id, ...slot, requested: 1, in_cart: 1, available: 0 },
    },
  ]);
});

it.each(['removed', 'moved'])('places no order for a slot that was %s', async (how) => {
  const shop = await sandboxShop();
  const slot = { from: at(600), to: at(660) };
  const booked = await tour(shop, slot);
  const path = await checkoutPath(shop, await cartWith(shop, booked, 1, { options: { booking: slot } }));
  moveClock(16 * MINUTE);
  await cron();
  if (how === 'moved') await moveSlot(shop, booked);
  else expect((await shop.patch(`/products/${booked.body.id}`, NO_SLOTS)).status).toBe(200);
  expect((await submitCheckout(path, 'pay')).status).toBe(409);
  expect(await orderEvents(shop)).toEqual({});
});

it('starts no checkout of a slot that moves meanwhile', async () => {
  const shop = await sandboxShop();
  const slot = { from: at(600), to: at(660) };
  const booked = await tour(shop, slot);
  const cart_token = await cartWith(shop, booked, 1, { options: { booking: slot } });
  beforeBatch(/INSERT INTO reservations/, () => moveSlot(shop, booked));
  const refused = await shop.post('/checkout/seamless', {
    cart_token,
    return_url: 'https://shop.example.com/thanks',
  });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'slot_unavailable', details: { ...slot, requested: 1, available: 0 } },
  ]);
  expect(await placesTaken(shop)).toBe(0);
});

it.each([0, 16])(
  'places no order for a deleted product, %i minutes after checkout began',
  async (minutes) => {
    const shop = await sandboxShop();
    const cup = await fiveCups(shop);
    const path = await checkoutPath(shop, await cartWith(shop, cup));
    moveClock(minutes * MINUTE);
    await cron();
    await shop.delete(`/products/${cup.body.id}`);
    const page = await submitCheckout(path, 'pay');
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('sold out')]);
    expect(await orderEvents(shop)).toEqual({});
  },
);

it('names the item that is short once its reservation has expired', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  const cup = await stockedProduct(shop, { stock: 3 });
  const cart = await cartWith(shop, cup, 2);
  const session = await sessionOf(shop, cart);
  moveClock(16 * MINUTE);
  await cron();
  await shop.post('/inventory/adjustments', { items: [{ sku: cup.body.sku, stock: 1 }] });
  const refused = await shop.post('/orders', { session });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'insufficient_stock',
      details: { product_id: cup.body.id, variant_id: null, requested: 2, in_cart: 2, available: 1 },
    },
  ]);
  // Nothing holds the cart: with less in it, it can be bought.
  expect((await shop.patch('/cart/items/1', { cart_token: cart, quantity: 1 })).status).toBe(200);
  expect((await shop.post('/orders', { session: await sessionOf(shop, cart) })).status).toBe(201);
});

it('stays locked by the order that a second request has placed, when the first one fails', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  const cup = await stockedProduct(shop, { stock: 3 });
  const cart = await cartWith(shop, cup, 2);
  const body = { session: await sessionOf(shop, cart) };
  moveClock(16 * MINUTE);
  await cron();
  const setStock = (stock: number) =>
    shop.post('/inventory/adjustments', { items: [{ sku: cup.body.sku, stock }] });
  await setStock(1);
  let order: Answer | undefined;
  const placeSecond = async () => {
    await setStock(3);
    order = await shop.post('/orders', body);
    // The cart has the order's notice.
    expect((await shop.get(`/cart/${cart}`)).body.order?.id).toBe(order.body.id);
  };
  const late = interceptBindings(['CART'], (name, call) =>
    name === 'CART.unlock' && !order ? placeSecond().then(call) : call(),
  );
  const headers = { 'content-type': 'application/json' };
  const sent = { headers, body: JSON.stringify(body) };
  expect((await fetchWith(late, 'POST', '/v1/orders', shop.token, sent)).status).toBe(409);
  expect(order?.status).toBe(201);
  const edited = await shop.patch('/cart/items/1', { cart_token: cart, quantity: 1 });
  expect(edited.body).toMatchObject({ code: 'cart_locked', details: { order_id: order?.body.id } });
});

it('names the item that is no longer sold, as what the cart holds', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart_token = await cartWith(shop, cup, 2);
  await shop.patch(`/products/${cup.body.id}`, { status: 'inactive' });
  const refused = await shop.post('/checkout/seamless', {
    cart_token,
    return_url: 'https://shop.example.com/thanks',
  });
  expect([refused.status, refused.body.details]).toEqual([
    409,
    { product_id: cup.body.id, variant_id: null, requested: 2, in_cart: 2, available: 0 },
  ]);
});

it.each(['begun slot', 'moved slot', 'product'])(
  'refunds a late payment when the %s is gone',
  async (what) => {
    const shop = await sandboxShop({ settings: OWN_CHECKOUT });
    const slot = { from: at(120), to: at(180) };
    const sold = what === 'product' ? await fiveCups(shop) : await tour(shop, slot);
    const options = what === 'product' ? {} : { booking: slot };
    const session = await sessionOf(shop, await cartWith(shop, sold, 1, { options }));
    const { id } = (await shop.post('/orders', { session })).body;
    moveClock(61 * MINUTE);
    await cron();
    if (what === 'begun slot') moveClock(60 * MINUTE);
    else if (what === 'product') await shop.delete(`/products/${sold.body.id}`);
    else await moveSlot(shop, sold);
    const late = await shop.post(`/orders/${id}/payments`, { status: 'paid', reference: 'late' });
    expect(late.body).toMatchObject({ status: 'cancelled', payment_status: 'paid' });
    expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
    expect(await placesTaken(shop)).toBe(0);
  },
);
