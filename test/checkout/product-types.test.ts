/** What a checkout keeps of products whose stock is in their variants, components and slots. */

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { reserve } from '../../src/inventory/index.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  orderEvents,
  readReturn,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { contextOf, databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A cart with two of a variant, a kit of three bodies and one lens, and three places of a tour. */
async function filled() {
  const shop = await sandboxShop();
  const tee = await stockedProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [{ sku: 'tee-m', price: 10, stock: 5, attributes: { size: 'M' } }],
  });
  const body = await stockedProduct(shop, { name: 'Body', stock: 9 });
  const lens = await stockedProduct(shop, { name: 'Lens', stock: 9 });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [
      { title: 'Camera', items: [{ product_id: body.body.id, quantity: 3 }] },
      { title: 'Lens', items: [{ product_id: lens.body.id }] },
    ],
  });
  const slot = { from: inHours(24), to: inHours(25) };
  const tour = await stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [{ ...slot, capacity: 4 }] },
  });
  const [camera, glass] = kit.body.bundle_groups;
  const bundle_options = { [camera.id]: [camera.items[0].id], [glass.id]: [glass.items[0].id] };
  const cart_token = await cartWith(shop, tee, 2, { options: { attributes: { size: 'M' } } });
  await cartWith(shop, kit, 1, { cart_token, options: { bundle_options } });
  await cartWith(shop, tour, 3, { cart_token, options: { booking: slot } });
  return { shop, path: await checkoutPath(shop, cart_token) };
}

/** What is on hand and reserved, by SKU; of slots, their capacity and the places taken. */
async function kept({ tenantId }: World): Promise<Record<string, [number, number]>> {
  const found = await rows<{ sku: string; on_hand: number; reserved: number }>(
    databaseOf({ tenantId }),
    sql`SELECT sku, on_hand, reserved FROM inventory_items WHERE tenant_id = ${tenantId} AND derived = 'none'
      UNION ALL SELECT 'slot', capacity, reserved FROM slots WHERE tenant_id = ${tenantId}`,
  );
  return Object.fromEntries(found.map(({ sku, on_hand, reserved }) => [sku, [on_hand, reserved]]));
}

const FREE = { 'tee-m': [5, 0], body: [9, 0], lens: [9, 0], slot: [4, 0] };
const HELD = { 'tee-m': [5, 2], body: [9, 3], lens: [9, 1], slot: [4, 3] };

it('sells variants, bundle components and slot places', async () => {
  const { shop, path } = await filled();
  expect(await kept(shop)).toEqual(HELD);
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  expect(await kept(shop)).toEqual({ 'tee-m': [3, 0], body: [6, 0], lens: [8, 0], slot: [4, 3] });
});

it('releases variants, components and places at the deadline, ordered or not', async () => {
  const [left, ordered] = [await filled(), await filled()];
  await submitCheckout(ordered.path, 'decline');
  moveClock(16 * 60_000);
  await cron();
  expect([await kept(left.shop), await kept(ordered.shop)]).toEqual([FREE, HELD]);
  expect(await orderEvents(left.shop)).toEqual({});
  moveClock(16 * 60_000);
  await cron();
  expect(await kept(ordered.shop)).toEqual(FREE);
  expect(await orderEvents(ordered.shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
});

it('restocks what is refunded', async () => {
  const { shop, path } = await filled();
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  expect((await shop.post(`/orders/${order_id}/cancel`)).body.status).toBe('cancelled');
  expect(await kept(shop)).toEqual(FREE);
});

/** A cart with a kit of three bodies out of nine, whose checkout is prepared. */
async function kitToChange() {
  const shop = await sandboxShop();
  const body = await stockedProduct(shop, { name: 'Body', stock: 9 });
  const item = { product_id: body.body.id, quantity: 3 };
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [{ title: 'Camera', items: [item] }],
  });
  const [camera] = kit.body.bundle_groups;
  const [{ id }] = camera.items;
  const cart = await cartWith(shop, kit, 1, { options: { bundle_options: { [camera.id]: [id] } } });
  const path = await checkoutPath(shop, cart);
  const stock = () => stockOf(body.body.id);
  expect(await stock()).toEqual({ on_hand: 9, reserved: 3 });
  /** Changes how many bodies the kit has, and its price with them. */
  const composedOf = async (quantity: number) => {
    const bundle_groups = [{ id: camera.id, title: 'Camera', items: [{ ...item, id, quantity }] }];
    expect((await shop.patch(`/products/${kit.body.id}`, { bundle_groups })).status).toBe(200);
  };
  return { shop, cart, path, item, stock, composedOf };
}

it('reserves the current parts of a product that changed after the cart was reserved', async () => {
  const { shop, cart, stock, composedOf } = await kitToChange();
  await composedOf(10);
  expect((await startCheckout(shop, cart)).body.code).toBe('price_changed');
  expect((await startCheckout(shop, cart)).body.code).toBe('insufficient_stock');
  await composedOf(9);
  const path = await checkoutPath(shop, cart);
  expect(await stock()).toEqual({ on_hand: 9, reserved: 9 });
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  expect(await stock()).toEqual({ on_hand: 0, reserved: 0 });
});

it('leaves the cart open when its reservation changes while an earlier checkout is being paid', async () => {
  const { shop, cart, path, item, composedOf } = await kitToChange();
  await composedOf(2);
  const [held] = await rows<{ cartId: string; version: number }>(
    databaseOf(shop),
    sql`SELECT cart_id AS cartId, cart_version AS version FROM reservations WHERE tenant_id = ${shop.tenantId}`,
  );
  if (!held) throw new Error('The cart has no reservation');
  // As a new checkout does that has read the cart before the payment locked it.
  beforeBatch(/insert into "orders"/i, async () => {
    const demands = [{ itemId: item.product_id, quantity: 2 }];
    expect((await reserve(contextOf(shop), { ...held, demands })).ok).toBe(true);
  });
  expect((await submitCheckout(path, 'pay')).status).toBe(410);
  expect(readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay')).status).toBe('paid');
});

it('sells no earlier checkout whose reservation was changed for a new one', async () => {
  const { shop, cart, path, stock, composedOf } = await kitToChange();
  await composedOf(2);
  let status = 0;
  beforeBatch(/insert into "checkout_sessions"/i, async () => {
    ({ status } = await submitCheckout(path, 'pay'));
  });
  const next = await checkoutPath(shop, cart);
  expect(status).toBe(410);
  expect(readReturn(await submitCheckout(next, 'pay')).status).toBe('paid');
  expect(await stock()).toEqual({ on_hand: 7, reserved: 0 });
});

it('reserves an item whose stock counts only since the cart was reserved', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 5, inventory_policy: 'untracked' });
  const cart = await cartWith(shop, cup, 2);
  await checkoutPath(shop, cart);
  expect((await shop.patch(`/products/${cup.body.id}`, { inventory_policy: 'deny' })).status).toBe(200);
  const path = await checkoutPath(shop, cart);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 2 });
  expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 0 });
});
