import { expect, it } from 'vitest';
import { HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { type Answer, world } from '../../support/world.ts';
import { refused } from './refused.ts';

const at = (hours: number) => new Date(Math.ceil(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();

it('prices a bundle by its selection, and counts its components over the whole cart', async () => {
  const shop = await world();
  const body = await stockedProduct(shop, { name: 'Body', price: 100, stock: 3 });
  const lens = await stockedProduct(shop, { name: 'Lens', price: 50.5, stock: 10 });
  const zoom = await stockedProduct(shop, { name: 'Zoom', price: 80, stock: 10 });
  const film = await stockedProduct(shop, { name: 'Film', price: 4, stock: 10 });
  const item = (made: Answer, quantity = 1) => ({ product_id: made.body.id, quantity });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    price: 1,
    bundle_groups: [
      { title: 'Camera', items: [item(body)] },
      { title: 'Lens', items: [item(lens), item(zoom)] },
      { title: 'Extras', required: false, multiple: true, items: [item(film, 2), item(lens)] },
    ],
  });
  const [camera, lenses, extras] = kit.body.bundle_groups;
  const chosen = { [camera.id]: [camera.items[0].id], [lenses.id]: [lenses.items[0].id] };
  const plain = await addToCart(shop, kit, { options: { bundle_options: chosen } });
  expect(plain.body.items).toMatchObject([{ name: 'Kit', quantity: 1, unit_price: 150.5 }]);
  const { cart_token } = plain.body;
  const rich = {
    bundle_options: { ...chosen, [extras.id]: [extras.items[0].id] },
    bundle_option_qty: { [extras.id]: 3 },
  };
  const more = await addToCart(shop, kit, { cart_token, options: rich });
  expect(more.body.items[1]).toMatchObject({ unit_price: 174.5, total: 174.5 });

  // One body is left; a single one of it and another kit are too many together.
  await addToCart(shop, kit, { cart_token, product_id: body.body.id });
  const short = await tryAddToCart(shop, kit, { cart_token, options: { bundle_options: chosen } });
  expect(short.status).toBe(409);
  expect(short.body.details).toMatchObject({
    product_id: body.body.id,
    requested: 1,
    in_cart: 3,
    available: 3,
  });

  const lensOption = `options.bundle_options.${lenses.id}`;
  await refused(shop, kit, {}, `options.bundle_options.${camera.id}`, /is required \(Camera\)/);
  await refused(
    shop,
    kit,
    { bundle_options: { [camera.id]: [camera.items[0].id] } },
    lensOption,
    /Lens.*Zoom/,
  );
  const two = { ...chosen, [lenses.id]: lenses.items.map(({ id }: { id: number }) => id) };
  await refused(shop, kit, { bundle_options: two }, lensOption, /only one/);
  await refused(
    shop,
    kit,
    { bundle_options: { ...chosen, [lenses.id]: [77] } },
    lensOption,
    /77 is not one of/,
  );
  await refused(shop, kit, { bundle_options: { ...chosen, [lenses.id]: 2 } }, lensOption, /must be an array/);
  await refused(
    shop,
    kit,
    { bundle_options: { ...chosen, 77: [1] } },
    'options.bundle_options.77',
    /must be a group/,
  );
  await refused(shop, kit, { bundle_options: [1] }, 'options.bundle_options', /object/);
  const qty = (count: unknown) => ({ bundle_options: chosen, bundle_option_qty: { [lenses.id]: count } });
  const qtyOption = `options.bundle_option_qty.${lenses.id}`;
  for (const count of [0, -1, 1.5, '2', 10_000])
    await refused(shop, kit, qty(count), qtyOption, /must be an integer/);
  const unchosen = { bundle_options: chosen, bundle_option_qty: { [extras.id]: 1 } };
  await refused(shop, kit, unchosen, `options.bundle_option_qty.${extras.id}`, /requires a chosen item/);
});

it('names the choice that a bundle lacks', async () => {
  const shop = await world();
  const film = await stockedProduct(shop, { name: 'Film', price: 4, stock: 10 });
  const items = [{ product_id: film.body.id, quantity: 1 }];
  const bundle = (name: string, required: boolean) =>
    stockedProduct(shop, {
      name,
      type: 'bundled',
      price: 1,
      bundle_groups: [{ title: 'Films', required, multiple: true, items }],
    });
  await refused(shop, await bundle('Free', false), undefined, 'options.bundle_options', /at least one item/);
  const full = await bundle('Full', true);
  const [{ id }] = full.body.bundle_groups;
  await refused(shop, full, undefined, `options.bundle_options.${id}`, /is required \(Films\): some of/);
});

it('books places of a future slot', async () => {
  const shop = await world({ settings: { shipping: { flat: 5 } } });
  const tour = await stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    price: 20,
    booking: {
      timezone: 'Europe/Berlin',
      slots: [
        { from: at(2), to: at(3), capacity: 2 },
        { from: at(4), to: at(5), capacity: 5 },
        { from: at(-9), to: at(-8), capacity: 5 },
      ],
    },
  });
  const booking = (from: number, to: number) => ({ booking: { from: at(from), to: at(to) } });
  // The same instant in another time zone.
  const elsewhere = at(2).replace('Z', '+00:00');
  const booked = await addToCart(shop, tour, { options: { booking: { from: elsewhere, to: at(3) } } });
  expect(booked.body.items).toMatchObject([{ quantity: 1, options: booking(2, 3), unit_price: 20 }]);
  expect(booked.body.totals.shipping).toBe(0);
  const { cart_token } = booked.body;
  const full = await tryAddToCart(shop, tour, { cart_token, quantity: 2, options: booking(2, 3) });
  expect([full.status, full.body.code]).toEqual([409, 'slot_unavailable']);
  expect(full.body.message).toBe('The slot does not have enough free places.');
  expect(full.body.details).toEqual({
    product_id: tour.body.id,
    variant_id: null,
    requested: 2,
    in_cart: 1,
    available: 2,
    ...booking(2, 3).booking,
  });
  await addToCart(shop, tour, { cart_token, quantity: 5, options: booking(4, 5) });

  await refused(shop, tour, undefined, 'options.booking', /is required/);
  await refused(shop, tour, booking(2, 5), 'options.booking', /must be an open slot/);
  await refused(shop, tour, booking(-9, -8), 'options.booking', /must be an open slot/);
  await refused(
    shop,
    tour,
    { booking: { from: 'tomorrow', to: at(3) } },
    'options.booking.from',
    /date-time/,
  );
  await refused(shop, tour, { booking: { from: at(2) } }, 'options.booking.to', /date-time/);
  await refused(shop, tour, { booking: [at(2), at(3)] }, 'options.booking', /is required/);
});

it('books no slot by a date that the calendar lacks', async () => {
  const shop = await world();
  const slot = { from: '2099-03-01T10:00:00Z', to: '2099-03-02T00:00:00Z' };
  const tour = await stockedProduct(shop, {
    type: 'booking',
    booking: { timezone: 'UTC', slots: [{ ...slot, capacity: 5 }] },
  });
  const field = (wrong: Partial<typeof slot>) => ({ booking: { ...slot, ...wrong } });
  await refused(shop, tour, field({ from: '2099-02-29T10:00Z' }), 'options.booking.from', /date-time/);
  await refused(shop, tour, field({ to: '2099-03-01T24:00:00Z' }), 'options.booking.to', /date-time/);
  expect((await addToCart(shop, tour, { options: field({ from: '2099-03-01T10:00Z' }) })).status).toBe(200);
});

it('sells nothing of a slot that has begun since it was put into the cart', async () => {
  const shop = await world();
  const slot = { from: at(2), to: at(3) };
  const tour = await stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    price: 20,
    booking: { timezone: 'UTC', slots: [{ ...slot, capacity: 5 }] },
  });
  const { cart_token, items } = (await addToCart(shop, tour, { options: { booking: slot } })).body;
  moveClock(3 * HOUR);
  const { body } = await shop.get(`/cart/${cart_token}`);
  expect(body.warnings).toMatchObject([{ code: 'out_of_stock', item_id: items[0].id }]);
  const more = await shop.patch(`/cart/items/${items[0].id}`, { cart_token, quantity: 2 });
  expect([more.status, more.body.code]).toEqual([409, 'slot_unavailable']);
  expect(more.body.details).toMatchObject({ ...slot, available: 0 });
});

it('is out of stock as a group or bundle whose members are all gone', async () => {
  const shop = await world();
  const [kept, gone] = [await stockedProduct(shop, { stock: 9 }), await stockedProduct(shop, { stock: 9 })];
  const group = await stockedProduct(shop, {
    type: 'grouped',
    grouped: [{ product_id: gone.body.id, default_quantity: 1 }],
  });
  const bundle = await stockedProduct(shop, {
    type: 'bundled',
    bundle_groups: [
      { title: 'Extras', required: false, items: [{ product_id: kept.body.id }] },
      { title: 'Base', items: [{ product_id: gone.body.id }] },
    ],
  });
  const removed = await shop.delete(`/products/${gone.body.id}`);
  const headers = { 'x-catalog-version': removed.headers.get('x-catalog-version') ?? '' };
  for (const { body } of [group, bundle]) {
    const product = { product_id: body.id, quantity: 2 };
    const added = await shop.post('/cart/items', product, { token: shop.token, headers });
    expect([added.status, added.body.code]).toEqual([409, 'insufficient_stock']);
    expect(added.body.details).toEqual({
      product_id: body.id,
      variant_id: null,
      requested: 2,
      in_cart: 0,
      available: 0,
    });
  }
});
