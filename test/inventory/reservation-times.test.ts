import { expect, it } from 'vitest';
import { expireReservations, releaseCart } from '../../src/inventory/index.ts';
import { HOLD_DURATION_MS } from '../../src/inventory/reservations/hold-time.ts';
import { DAY, HOUR, iso, moveClock, now } from '../../src/kernel/core/clock.ts';
import type { NextSteps, Step } from '../../src/kernel/data/chore.ts';
import { reserveForCart } from '../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { choreContext, contextOf, storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';
import { turn } from './turn.ts';

/** Gives back what a tenant held longer than its time, as the cron's messages do. */
async function expire(shop: World): Promise<void> {
  const context = await choreContext(shop);
  for (let page: Step | undefined = {}; page; ) {
    const { each = [], more }: NextSteps = await expireReservations(context, page);
    for (const step of each.filter(({ tenantId }) => tenantId === shop.tenantId))
      await expireReservations(context, step);
    page = more;
  }
}

/** Returns how many reservations of other tenants, which other tests left, are due on a tenant's shard. */
const dueOfOthers = async (shop: World): Promise<number> =>
  (await storeOf(shop)
    .prepare(
      "SELECT count(*) AS n FROM reservations WHERE status = 'held' AND expires_at <= ? AND tenant_id <> ?",
    )
    .bind(now(), shop.tenantId)
    .first<number>('n')) ?? 0;

it('expires 15 minutes after the first call, however often it is requested', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 1 });
  const again = () => reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }]);
  const first = await again();
  moveClock(HOLD_DURATION_MS - 60_000);
  expect(await again()).toEqual(first);
  await expire(shop);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 1 });
  moveClock(120_000);
  expect((await again()).ok).toBe(true);
  await Promise.all([expire(shop), expire(shop)]);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  // The cart may still be bought, while there is enough; the stock is there for others as well.
  expect(await again()).toMatchObject({ ok: true, value: { status: 'released' } });
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect((await reserveForCart(shop, 'b', [{ itemId: cup, quantity: 1 }])).ok).toBe(true);
  expect(await again()).toMatchObject({ failure: { code: 'insufficient_stock' } });
});

it('reads none of the reservations that orders keep to find those that expired', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 1 })).body;
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }]);
  const sold = JSON.stringify([...Array(1_000).keys()]);
  await storeOf(shop)
    .prepare(
      `INSERT INTO reservations (tenant_id, cart_id, cart_version, status, lines, expires_at, created_at)
        SELECT ?, 'sold-' || value, 1, 'sold', '[]', 0, 0 FROM json_each(?)`,
    )
    .bind(shop.tenantId, sold)
    .run();
  moveClock(HOLD_DURATION_MS + 1);
  const others = await dueOfOthers(shop);
  const { read } = await measureDatabase(() => expire(shop));
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect(read).toBeLessThan(500 + 3 * others);
});

it('holds the same units on when nobody has released them in time', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 1 })).body;
  const again = () => reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }]);
  await again();
  moveClock(61 * 60_000);
  expect(await again()).toMatchObject({ ok: true, value: { status: 'held' } });
  await expire(shop);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 1 });
  moveClock(HOLD_DURATION_MS);
  await expire(shop);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
});

it('gives back the places of a slot that several carts held', async () => {
  const shop = await world();
  const slot = { from: iso(now() + DAY), to: iso(now() + DAY + HOUR), capacity: 5 };
  const tour = { name: 'Tour', type: 'booking', booking: { timezone: 'UTC', slots: [slot] } };
  const { id, booking } = (await createProduct(shop, tour)).body;
  const [{ id: slotId }] = booking.slots;
  for (const cart of ['a', 'b']) await reserveForCart(shop, cart, [{ slotId, quantity: 2 }]);
  expect((await stockOf(id))?.on_hand).toBe(1);
  moveClock(HOLD_DURATION_MS);
  await expire(shop);
  expect((await stockOf(id))?.on_hand).toBe(5);
});

it('reserves for at most 30 minutes an hour, however often the cart changes', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 2 });
  let held = 0;
  for (let minute = 0; minute < 120; minute++) {
    const version = 1 + Math.floor(minute / 5);
    await releaseCart(contextOf(shop), 'a', version);
    expect(
      (await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 + (version % 2) }], version)).ok,
    ).toBe(true);
    await expire(shop);
    if ((await stockOf(cup))?.reserved !== 0) held += 1;
    moveClock(60_000);
  }
  expect(held).toBe(60);
});

it('reserves for an order although the cart has used up its time', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 1 });
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }]);
  moveClock(HOLD_DURATION_MS * 2 + 1000);
  await expire(shop);
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }], 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  const late = await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }], 2);
  if (!late.ok) throw new Error('refused');
  await turn(shop, late.value.id, 'ordered');
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 1 });
  await turn(shop, late.value.id, 'consumed');
  expect(await stockOf(cup)).toEqual({ on_hand: 0, reserved: 0 });
});

it('reserves no longer for a cart whose order was cancelled', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 1 });
  const again = () => reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }]);
  const held = await again();
  if (!held.ok) throw new Error('refused');
  await turn(shop, held.value.id, 'ordered');
  await turn(shop, held.value.id, 'released');
  await again();
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 1 });
  moveClock(HOLD_DURATION_MS + 1000);
  await expire(shop);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
});
