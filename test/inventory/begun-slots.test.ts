/** A slot that begins can no longer be booked, which nobody does: the chore takes its places off the stock. */
import { expect, it } from 'vitest';
import { beginSlots } from '../../src/inventory/index.ts';
import { HOUR, iso, MINUTE, moveClock, now } from '../../src/kernel/core/clock.ts';
import type { Step } from '../../src/kernel/data/chore.ts';
import { reserveForCart } from '../support/fixtures/catalog/inventory.ts';
import { createProduct, NEWEST } from '../support/fixtures/catalog/products.ts';
import { eventsOfType } from '../support/fixtures/selling/orders.ts';
import { choreContext } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';

/** Runs the chore's steps of one tenant, as the cron's messages do. Returns how many there were. */
async function beginDue(shop: World): Promise<number> {
  const context = await choreContext(shop);
  let taken = 0;
  for (let page: Step | undefined = {}; page; ) {
    const { each = [], more }: Awaited<ReturnType<typeof beginSlots>> = await beginSlots(context, page);
    for (const step of each.filter(({ tenantId }) => tenantId === shop.tenantId)) {
      taken += 1;
      expect(await beginSlots(context, step)).toEqual({ more: undefined });
    }
    page = more;
  }
  return taken;
}

/** A slot of two hours that many hours from now. */
const slotIn = (hours: number, capacity: number) => ({
  from: iso(now() + hours * HOUR),
  to: iso(now() + (hours + 2) * HOUR),
  capacity,
});

/** A booking with these slots. */
const tour = async (shop: World, slots: readonly object[]) =>
  (await createProduct(shop, { name: 'Tour', type: 'booking', booking: { timezone: 'UTC', slots } })).body;

it('takes the free places of each slot off the stock when it begins, once', async () => {
  const shop = await world();
  const body = await tour(shop, [slotIn(24, 3), slotIn(48, 4)]);
  const [first] = body.booking.slots;
  await reserveForCart(shop, 'a', [{ slotId: first.id, quantity: 1 }]);
  const stock = async () => (await shop.get(`/products/${body.id}`, NEWEST)).body.stock;
  expect([await beginDue(shop), await stock()]).toEqual([0, 6]);
  moveClock(25 * HOUR);
  expect([await beginDue(shop), await stock()]).toEqual([1, 4]);
  expect(await beginDue(shop)).toBe(0);
  moveClock(24 * HOUR);
  expect([await beginDue(shop), await stock()]).toEqual([1, 0]);
  expect(await eventsOfType(shop, 'stock.changed')).toMatchObject([
    { sku: body.sku, old_stock: 7, new_stock: 6, reason: 'checkout' },
    { sku: body.sku, old_stock: 6, new_stock: 4, reason: 'slot_begun' },
    { sku: body.sku, old_stock: 4, new_stock: 0, reason: 'slot_begun' },
  ]);
});

it('keeps its places off the stock and its page also where a clock is behind', async () => {
  const shop = await world();
  const { id, booking } = await tour(shop, [slotIn(24, 3), slotIn(48, 4)]);
  const { token } = await shop.register({ kind: 'storefront' });
  moveClock(24 * HOUR);
  await beginDue(shop);
  // Of another isolate, or of a write that began before the slot did.
  moveClock(-MINUTE);
  await reserveForCart(shop, 'a', [{ slotId: booking.slots[1].id, quantity: 1 }]);
  const { body } = await shop.get(`/products/${id}`, { ...NEWEST, token });
  expect([body.stock, body.booking.slots.length]).toEqual([3, 1]);
});

it('keeps them off the stock where its product is edited by a clock that is behind', async () => {
  const shop = await world();
  const { id } = await tour(shop, [slotIn(24, 3), slotIn(48, 4)]);
  moveClock(24 * HOUR);
  await beginDue(shop);
  moveClock(-MINUTE / 2);
  expect((await shop.patch(`/products/${id}`, { name: 'Walk' })).body).toMatchObject({
    name: 'Walk',
    stock: 4,
  });
  moveClock(MINUTE);
  expect(await beginDue(shop)).toBe(0);
});

it('shows a shopper no slot that has begun, and the shop all of them', async () => {
  const shop = await world();
  const [first, second] = [slotIn(24, 3), slotIn(48, 4)];
  const { id } = await tour(shop, [first, second]);
  const { token } = await shop.register({ kind: 'storefront' });
  const slots = async (more: object) => (await shop.get(`/products/${id}`, more)).body.booking.slots;
  expect(await slots({ ...NEWEST, token })).toMatchObject([first, second]);
  moveClock(25 * HOUR);
  await beginDue(shop);
  expect(await slots({ ...NEWEST, token })).toMatchObject([second]);
  expect(await slots(NEWEST)).toMatchObject([first, second]);
});

it('reads none of the slots that begin later to find those that begin', async () => {
  const shop = await world();
  const slots = Array.from({ length: 1_000 }, (_, at) => slotIn(at === 0 ? 24 : 2 * at + 100, 3));
  const body = await tour(shop, slots);
  moveClock(25 * HOUR);
  const context = await choreContext(shop);
  const { read } = await measureDatabase(async () => {
    const { each = [] } = await beginSlots(context, {});
    expect(each).toContainEqual({ tenantId: shop.tenantId });
  });
  expect(body.booking.slots).toHaveLength(1_000);
  expect(read).toBeLessThan(500);
});

it('shows no booked-up slot that has begun from a cache', async () => {
  const shop = await world();
  const [first, second] = [slotIn(24, 1), slotIn(48, 4)];
  const { id, booking } = await tour(shop, [first, second]);
  await reserveForCart(shop, 'a', [{ slotId: booking.slots[0].id, quantity: 1 }]);
  const { token } = await shop.register({ kind: 'storefront' });
  const slots = async () => (await shop.get(`/products/${id}`, { token })).body.booking.slots;
  moveClock(HOUR);
  expect(await slots()).toMatchObject([first, second]);
  moveClock(24 * HOUR);
  await beginDue(shop);
  moveClock(MINUTE);
  expect(await slots()).toMatchObject([second]);
});
