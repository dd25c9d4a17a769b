import { afterEach, expect, it } from 'vitest';
import { moveClock, resetClock } from '../../../src/kernel/core/clock.ts';
import { reserveForCart } from '../../support/fixtures/catalog/inventory.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

afterEach(resetClock);

const start = Math.ceil(Date.now() / 86_400_000) * 86_400_000;

/** A slot of one hour, that many hours after the next midnight; with its id where it has one. */
const slot = (hour: number, more: object = {}) => ({
  from: new Date(start + hour * 3_600_000).toISOString(),
  to: new Date(start + (hour + 1) * 3_600_000).toISOString(),
  capacity: 4,
  ...more,
});

const booking = (...slots: object[]) => ({ booking: { timezone: 'Europe/Berlin', slots } });

const tour = async (shop: World, ...slots: object[]) =>
  (await createProduct(shop, { name: 'Tour', type: 'booking', ...booking(...slots) })).body;

it('rejects two slots of the same times, in any notation', async () => {
  const shop = await world();
  const made = await tour(shop, slot(9));
  const twice = booking(
    { from: '2035-01-01T09:00:00Z', to: '2035-01-01T10:00:00Z', capacity: 1 },
    { from: '2035-01-01T11:00:00+02:00', to: '2035-01-01T12:00:00+02:00', capacity: 1 },
  );
  const answers = [
    await shop.post('/products', { name: 'Walk', type: 'booking', price: 1, ...twice }),
    await shop.patch(`/products/${made.id}`, twice),
    await shop.patch(`/products/${made.id}`, booking(slot(9), slot(9, { id: made.booking.slots[0].id }))),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['booking.slots.1']);
  }
  const [{ id }] = made.booking.slots;
  const named = await shop.patch(`/products/${made.id}`, booking(slot(9, { id }), slot(10, { id })));
  expect(Object.keys(named.body.errors)).toEqual(['booking.slots.1.id']);
});

it("rejects the id of another product's slot", async () => {
  const shop = await world();
  const made = await tour(shop, slot(9));
  const { body: other } = await createProduct(shop, { name: 'Walk', type: 'booking', ...booking(slot(9)) });
  const [{ id }] = other.booking.slots;
  const stranger = await shop.patch(`/products/${made.id}`, booking(slot(10, { id })));
  expect(stranger.status).toBe(422);
  expect(Object.keys(stranger.body.errors)).toEqual(['booking.slots.0.id']);
  const now = await shop.get(`/products/${made.id}`);
  expect(now.body.booking).toEqual(made.booking);
});

it('lets slots swap their times, and a new one take the times of one that moves', async () => {
  const shop = await world();
  const made = await tour(shop, slot(9), slot(10));
  const [nine, ten] = made.booking.slots.map(({ id }: { id: number }) => id);
  const swapped = await shop.patch(
    `/products/${made.id}`,
    booking(slot(10, { id: nine }), slot(9, { id: ten })),
  );
  expect(swapped.status).toBe(200);
  expect(swapped.body.booking.slots).toMatchObject([slot(9, { id: ten }), slot(10, { id: nine })]);
  const moved = await shop.patch(
    `/products/${made.id}`,
    booking(slot(11, { id: nine }), slot(9), slot(10, { capacity: 1 })),
  );
  expect(moved.body.booking.slots).toMatchObject([
    slot(9, { id: ten }),
    slot(10, { capacity: 1 }),
    slot(11, { id: nine }),
  ]);
  expect(moved.body.stock).toBe(9);
});

it('accepts a slot again that was removed', async () => {
  const shop = await world();
  const made = await tour(shop, slot(9), slot(10));
  expect((await shop.patch(`/products/${made.id}`, booking(slot(10)))).body.stock).toBe(4);
  expect((await shop.patch(`/products/${made.id}`, booking(slot(9), slot(10)))).body.stock).toBe(8);
});

it('keeps the times of a booked slot, which may have more places', async () => {
  const shop = await world();
  const made = await tour(shop, slot(9), slot(12));
  const [{ id: slotId }, { id: free }] = made.booking.slots;
  expect((await reserveForCart(shop, 'a', [{ slotId, quantity: 2 }])).ok).toBe(true);
  const change = (...slots: object[]) => shop.patch(`/products/${made.id}`, booking(...slots));
  const moved = await change(slot(20, { id: slotId }), slot(12));
  expect([moved.status, moved.body.code]).toEqual([409, 'slot_unavailable']);
  const longer = { ...slot(9, { id: slotId }), to: slot(10).to };
  expect((await change(longer, slot(12))).body.code).toBe('slot_unavailable');
  expect((await shop.get(`/products/${made.id}`)).body.booking.slots).toMatchObject([slot(9), slot(12)]);
  const wider = await change(slot(9, { id: slotId, capacity: 8 }), slot(20, { id: free }));
  expect(wider.body.booking.slots).toMatchObject([
    slot(9, { id: slotId, capacity: 8, available: 6 }),
    slot(20, { id: free, available: 4 }),
  ]);
});

it('keeps a booked slot that lies ahead, and removes one that has begun', async () => {
  const shop = await world();
  const made = await tour(shop, slot(9), slot(40));
  for (const { id: slotId } of made.booking.slots)
    await reserveForCart(shop, `cart-${slotId}`, [{ slotId, quantity: 2 }]);
  const later = booking(slot(40), slot(41));
  const early = await shop.patch(`/products/${made.id}`, later);
  expect(early.status).toBe(409);
  expect(early.body.code).toBe('slot_unavailable');
  moveClock(start + 10 * 3_600_000 - Date.now());
  const patched = await shop.patch(`/products/${made.id}`, later);
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  expect(patched.body.booking.slots).toMatchObject([slot(40, { available: 2 }), slot(41, { available: 4 })]);
  expect(patched.body.stock).toBe(6);
  expect((await shop.patch(`/products/${made.id}`, booking(slot(41)))).body.code).toBe('slot_unavailable');
  expect((await shop.patch(`/products/${made.id}`, { type: 'virtual' })).body.code).toBe('slot_unavailable');
});

it('has no slots left when its type is no longer booking', async () => {
  const shop = await world();
  const made = await tour(shop, slot(9));
  const plain = await shop.patch(`/products/${made.id}`, { type: 'virtual' });
  expect(plain.body).toMatchObject({ type: 'virtual', stock: 0 });
  const version = plain.headers.get('x-catalog-version');
  expect((await shop.patch(`/products/${made.id}`, {})).headers.get('x-catalog-version')).toBe(version);
});

it('reads none of the slots that have begun for a shopper, and all for the shop', async () => {
  const shop = await world();
  const past = Array.from({ length: 200 }, (_, n) => slot(n));
  const { id } = await tour(shop, ...past, slot(300));
  moveClock(12 * 86_400_000);
  const { token: shopper } = await shop.register({ scopes: ['catalog:read'] });
  const read = async (token: string) => (await shop.get(`/products/${id}`, { token })).body.booking.slots;
  const { read: few } = await measureDatabase(async () => {
    expect(await read(shopper)).toMatchObject([slot(300)]);
  });
  expect(few).toBeLessThan(100);
  expect(await read(shop.token)).toHaveLength(201);
});
