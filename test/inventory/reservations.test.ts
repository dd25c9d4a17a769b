import { waitOnExecutionContext } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { releaseCart, setReservationStatus } from '../../src/inventory/index.ts';
import { releaseCarts } from '../../src/inventory/reservations/release.ts';
import { reserveAll } from '../../src/inventory/reservations/reserve.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { batch, guardFailed, rows } from '../../src/kernel/data/database.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { reserveForCart } from '../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { contextOf, databaseOf, runtime } from '../support/runtime/runtime.ts';
import { world } from '../support/world.ts';
import { turn } from './turn.ts';

const events = (tenantId: number) =>
  rows<{ old: number; new: number; reason: string }>(
    databaseOf({ tenantId }),
    sql`SELECT data ->> 'old_stock' AS old, data ->> 'new_stock' AS new, data ->> 'reason' AS reason
      FROM outbox WHERE tenant_id = ${tenantId} AND type = 'stock.changed' ORDER BY sequence`,
  );

it('reserves stock once for a cart version, releases it once, and raises an event for both', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 5 });
  const [first, second] = [
    await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }]),
    await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }]),
  ];
  expect(first.ok && second.ok && first.value.id === second.value.id).toBe(true);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 3 });
  await releaseCart(contextOf(shop), 'a', 2);
  await releaseCart(contextOf(shop), 'a', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
  expect(await events(shop.tenantId)).toEqual([
    { old: 5, new: 2, reason: 'checkout' },
    { old: 2, new: 5, reason: 'cart_changed' },
  ]);
});

it('names the item that is short, and reserves nothing', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 5 });
  const {
    body: { id: plate },
  } = await createProduct(shop, { name: 'Plate', stock: 1 });
  const refused = await reserveForCart(shop, 'a', [
    { itemId: cup, quantity: 3 },
    { itemId: plate, quantity: 2 },
  ]);
  expect(refused).toMatchObject({
    failure: {
      code: 'insufficient_stock',
      details: { product_id: plate, variant_id: null, sku: 'plate', requested: 2, in_cart: 2, available: 1 },
    },
  });
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
});

it('names the variant that is short', async () => {
  const shop = await world();
  const { body } = await createProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [{ sku: 'tee-s', price: 9, stock: 1, attributes: { size: 'S' } }],
  });
  const [{ id: small }] = body.variants;
  const details = { product_id: body.id, variant_id: small, sku: 'tee-s', requested: 2, available: 1 };
  expect(await reserveForCart(shop, 'a', [{ itemId: small, quantity: 2 }])).toMatchObject({
    failure: { code: 'insufficient_stock', details },
  });
});

it('takes what a version needs now in place of what it held, and leaves the rest to others', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 3 })).body;
  const { id: plate } = (await createProduct(shop, { name: 'Plate', stock: 1 })).body;
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }]);
  const demands = [
    { itemId: cup, quantity: 1 },
    { itemId: plate, quantity: 1 },
  ];
  const reserved = await reserveAll(contextOf(shop), [
    { cartId: 'a', version: 1, demands },
    { cartId: 'b', version: 1, demands: [{ itemId: cup, quantity: 2 }] },
  ]);
  expect(reserved).toMatchObject([{ ok: true, value: { lines: demands } }, { ok: true }]);
  expect(await stockOf(cup)).toEqual({ on_hand: 3, reserved: 3 });
  expect(await stockOf(plate)).toEqual({ on_hand: 1, reserved: 1 });
});

it('reserves for the others of a group when the item of one sells out meanwhile', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 1 })).body;
  const { id: plate } = (await createProduct(shop, { name: 'Plate', stock: 1 })).body;
  beforeBatch(/INSERT INTO reservations/, async () => {
    expect((await shop.patch(`/products/${cup}`, { stock: 0 })).status).toBe(200);
  });
  const claims = [cup, plate].map((itemId, n) => ({
    cartId: `cart-${n}`,
    version: 1,
    demands: [{ itemId, quantity: 1 }],
  }));
  expect(await reserveAll(contextOf(shop), claims)).toMatchObject([
    { ok: false, failure: { code: 'insufficient_stock' } },
    { ok: true, value: { status: 'held' } },
  ]);
  expect(await stockOf(plate)).toEqual({ on_hand: 1, reserved: 1 });
});

it('reuses the reservation of an older version of the same cart', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 2 });
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 2 }], 1);
  const changed = await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }], 2);
  expect(changed.ok).toBe(true);
  expect(await stockOf(cup)).toEqual({ on_hand: 2, reserved: 1 });
  expect((await reserveForCart(shop, 'b', [{ itemId: cup, quantity: 1 }])).ok).toBe(true);
  expect((await reserveForCart(shop, 'c', [{ itemId: cup, quantity: 1 }])).ok).toBe(false);
});

it('is consumed without an event, and raises one when sold stock returns', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 4 });
  const held = await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }]);
  if (!held.ok) throw new Error('not held');
  await turn(shop, held.value.id, 'ordered');
  const locked = { failure: { code: 'cart_locked' } };
  expect(await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }])).toMatchObject(locked);
  await turn(shop, held.value.id, 'consumed');
  expect(await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }])).toMatchObject(locked);
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
  expect(await events(shop.tenantId)).toHaveLength(1);
  await turn(shop, held.value.id, 'released');
  expect(await stockOf(cup)).toEqual({ on_hand: 4, reserved: 0 });
  expect(await events(shop.tenantId)).toHaveLength(2);
  await turn(shop, held.value.id, 'consumed');
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
});

it('rejects a change based on an older state of the reservation', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 4 });
  const held = await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }]);
  if (!held.ok) throw new Error('not held');
  await turn(shop, held.value.id, 'ordered');
  const cause = { tenantId: shop.tenantId, batch: 'late', reason: 'test' };
  const change = { reservation: held.value, to: 'released', orderId: 'ord_test' } as const;
  const statements = setReservationStatus({ db: databaseOf(shop), tenantId: shop.tenantId }, cause, change);
  const error = await batch(databaseOf(shop), statements).catch((e) => e);
  expect(guardFailed(error)).toBe(true);
  expect(await stockOf(cup)).toEqual({ on_hand: 4, reserved: 1 });
});

it('sells below zero under the policy continue, and ignores untracked items', async () => {
  const shop = await world();
  const {
    body: { id: more },
  } = await createProduct(shop, { name: 'More', stock: 1, inventory_policy: 'continue' });
  const {
    body: { id: free },
  } = await createProduct(shop, { name: 'Free', stock: 1, inventory_policy: 'untracked' });
  const held = await reserveForCart(shop, 'a', [
    { itemId: more, quantity: 5 },
    { itemId: free, quantity: 5 },
  ]);
  if (!held.ok) throw new Error('not held');
  expect(await stockOf(more)).toEqual({ on_hand: 1, reserved: 5 });
  expect(await stockOf(free)).toEqual({ on_hand: 1, reserved: 0 });
  // Counted from now on: what the reservation didn't take, it doesn't give back either.
  await shop.patch(`/products/${free}`, { inventory_policy: 'deny' });
  await turn(shop, held.value.id, 'ordered');
  await turn(shop, held.value.id, 'consumed');
  expect(await stockOf(more)).toEqual({ on_hand: -4, reserved: 0 });
  expect(await stockOf(free)).toEqual({ on_hand: 1, reserved: 0 });
});

it('reserves places of a slot until it begins, and shows the remaining ones', async () => {
  const shop = await world();
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = { from: at(24), to: at(26) };
  const made = await shop.post('/products', {
    name: 'Tour',
    type: 'booking',
    price: 40,
    booking: { timezone: 'Europe/Berlin', slots: [{ ...times, capacity: 3 }] },
  });
  const tour = made.body.id;
  const [slot] = await rows<{ id: number }>(
    databaseOf(shop),
    sql`SELECT id FROM slots WHERE product_id = ${tour}`,
  );
  const slotId = slot?.id ?? 0;
  const held = await reserveForCart(shop, 'a', [{ slotId, quantity: 2 }]);
  if (!held.ok) throw new Error('not held');
  const details = { product_id: tour, variant_id: null, ...times, requested: 2, in_cart: 2, available: 1 };
  expect(await reserveForCart(shop, 'b', [{ slotId, quantity: 2 }])).toEqual({
    ok: false,
    failure: { code: 'slot_unavailable', details },
  });
  expect((await stockOf(tour))?.on_hand).toBe(1);
  await turn(shop, held.value.id, 'ordered');
  await turn(shop, held.value.id, 'consumed');
  expect((await stockOf(tour))?.on_hand).toBe(1);
  await turn(shop, held.value.id, 'released');
  expect((await stockOf(tour))?.on_hand).toBe(3);
  moveClock(25 * 3_600_000);
  expect(await reserveForCart(shop, 'c', [{ slotId, quantity: 1 }])).toMatchObject({
    failure: { code: 'slot_unavailable' },
  });
});

it('cannot reserve deleted items', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 5 });
  await shop.delete(`/products/${cup}`);
  expect(await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }])).toMatchObject({
    failure: { code: 'insufficient_stock', details: { available: 0 } },
  });
});

it('reserves no item that is deleted meanwhile', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 5 })).body;
  beforeBatch(/INSERT INTO reservations/, async () => {
    expect((await shop.delete(`/products/${cup}`)).status).toBe(204);
  });
  expect(await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 1 }])).toMatchObject({
    failure: { code: 'insufficient_stock', details: { available: 0 } },
  });
});

it('releases the versions before one, the latest of several that are named, and not that one', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 5 })).body;
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }], 2);
  await releaseCart(contextOf(shop), 'a', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 3 });
  const edits = [3, 2].map((version) => ({ cartId: 'a', version }));
  await releaseCarts(contextOf(shop), edits);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
});

it('releases nothing of a reservation that has changed meanwhile', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 5 })).body;
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 3 }]);
  beforeBatch(/update "reservations"/i, async () => {
    expect((await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 4 }])).ok).toBe(true);
  });
  await releaseCart(contextOf(shop), 'a', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 4 });
  await releaseCart(contextOf(shop), 'a', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
});

it('never reserves more than the stock, however many carts request at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 16 }),
      async (stock, quantities) => {
        const shop = await world();
        const {
          body: { id: cup },
        } = await createProduct(shop, { name: 'Cup', stock });
        const held = await Promise.all(
          quantities.map((quantity, n) => reserveForCart(shop, `cart-${n}`, [{ itemId: cup, quantity }])),
        );
        const taken = held.reduce((sum, one, n) => sum + (one.ok ? (quantities[n] ?? 0) : 0), 0);
        expect(await stockOf(cup)).toEqual({ on_hand: stock, reserved: taken });
        expect(taken).toBeLessThanOrEqual(stock);
        const smallest = Math.min(...quantities.filter((_, n) => !held[n]?.ok), Number.POSITIVE_INFINITY);
        expect(smallest).toBeGreaterThan(stock - taken);
        for (const one of held) if (!one.ok) expect(one.failure.code).toBe('insufficient_stock');
      },
    ),
    { numRuns: 12 },
  );
  await waitOnExecutionContext(runtime.ctx);
});
