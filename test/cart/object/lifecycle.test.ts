import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { DAY, HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { evict } from '../../support/faults/injector.ts';
import { NEWEST, seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartObject, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { world } from '../../support/world.ts';

it("computes tax and shipping for the address's country", async () => {
  const shop = await world({
    settings: {
      tax: { mode: 'exclusive', rate_percent: 18, rates_by_country: { DE: 19 } },
      shipping: { flat: 4.9, free_over: 100, by_country: { CH: { flat: 20, free_over: null } } },
    },
  });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const filled = await addToCart(shop, mug, { quantity: 2 });
  expect(filled.body.totals).toMatchObject({ subtotal: 20, tax: 3.6, shipping: 4.9, grand_total: 28.5 });
  const { cart_token } = filled.body;
  const to = (address: object) => shop.put(`/cart/${cart_token}/shipping-address`, address);
  const german = await to({ country: 'DE', first_name: 'Ada', line1: 'Hauptstr. 1', city: 'Berlin' });
  expect(german.body.totals).toMatchObject({ tax: 3.8, shipping: 4.9, grand_total: 28.7 });
  // Without the customer's session the address is not shown.
  expect(german.body.shipping_address).toEqual({ country: 'DE' });
  expect((await to({ country: 'CH' })).body.totals).toMatchObject({ shipping: 20, grand_total: 43.6 });
  const free = await addToCart(shop, mug, { cart_token, quantity: 8 });
  expect(free.body.totals).toMatchObject({ subtotal: 100, shipping: 20 });
  expect((await to({ country: 'FR' })).body.totals).toMatchObject({ shipping: 0, tax: 18, grand_total: 118 });
});

it('follows a price change and warns of it until the next edit', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const bowl = await stockedProduct(shop, { name: 'Bowl', price: 3 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2 })).body;
  const both = await addToCart(shop, bowl, { cart_token });
  const dearer = await shop.patch(`/products/${mug.body.id}`, { price: 12.5 });
  const moved = await shop.get(`/cart/${cart_token}`, seeing(dearer));
  expect(moved.body.items[0]).toMatchObject({ unit_price: 12.5, total: 25 });
  expect(moved.body.totals.grand_total).toBe(28);
  const warning = {
    code: 'price_changed',
    item_id: 1,
    previous_unit_price: 10,
    message: expect.stringMatching(/Mug.*€10\.00.*€12\.50/),
  };
  expect(moved.body.warnings).toEqual([warning]);
  expect(moved.headers.get('etag')).not.toBe(both.headers.get('etag'));
  const again = await shop.get(`/cart/${cart_token}`, seeing(dearer));
  expect(again.body.warnings).toEqual([warning]);

  const dearest = await shop.patch(`/products/${bowl.body.id}`, { price: 4 });
  const edited = await shop.patch('/cart/items/1', { cart_token, quantity: 1 }, seeing(dearest));
  expect(edited.body.warnings).toMatchObject([{ code: 'price_changed', item_id: 2 }]);
  const back = await shop.patch(`/products/${bowl.body.id}`, { price: 3 });
  expect((await shop.get(`/cart/${cart_token}`, seeing(back))).body.warnings).toEqual([]);
});

it('follows a price change among more products than are looked up one by one', async () => {
  const shop = await world();
  const cups = await Promise.all(
    Array.from({ length: 21 }, (_, n) => stockedProduct(shop, { name: `Cup ${n}`, price: 10 })),
  );
  const items = cups.map(({ body }) => ({ product_id: body.id, quantity: 1 }));
  const made = await shop.post('/cart', { items }, NEWEST);
  expect(made.body.totals.subtotal).toBe(210);
  const dearer = await shop.patch(`/products/${items[7]?.product_id}`, { price: 12 });
  const { body } = await shop.get(`/cart/${made.body.cart_token}`, seeing(dearer));
  expect(body.totals.subtotal).toBe(212);
  expect(body.warnings).toMatchObject([{ code: 'price_changed', item_id: 8 }]);
});

it('sells a line no more whose total a new price makes larger than the largest amount', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10, inventory_policy: 'continue' });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 9_999 })).body;
  const dearer = await shop.patch(`/products/${mug.body.id}`, { price: 100_000_000_000 });
  const { status, body } = await shop.get(`/cart/${cart_token}`, seeing(dearer));
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.warnings).toMatchObject([{ code: 'out_of_stock', item_id: 1 }]);
  expect(body.totals.subtotal).toBe(99_990);
});

it('warns of missing stock and of products that are no longer sold', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 5 });
  const bowl = await stockedProduct(shop, { name: 'Bowl' });
  const cup = await stockedProduct(shop, { name: 'Cup', price: 1 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  await addToCart(shop, mug, { cart_token, quantity: 2, options: { gift: true } });
  await addToCart(shop, bowl, { cart_token });
  await addToCart(shop, cup, { cart_token });
  await shop.patch(`/products/${mug.body.id}`, { stock: 4 });
  await shop.patch(`/products/${bowl.body.id}`, { status: 'inactive' });
  const last = await shop.patch(`/products/${cup.body.id}`, { stock: 0 });
  const seen = await shop.get(`/cart/${cart_token}`, seeing(last));
  expect(seen.body.warnings).toEqual([
    { code: 'not_enough_stock', item_id: 2, available: 1, message: 'Only 1 of Mug can be bought.' },
    { code: 'out_of_stock', item_id: 3, available: 0, message: 'Bowl is sold out.' },
    { code: 'out_of_stock', item_id: 4, available: 0, message: 'Cup is sold out.' },
  ]);
  expect(seen.body.totals.subtotal).toBe(61);
  const refused = await shop.patch('/cart/items/3', { cart_token, quantity: 2 });
  expect([refused.status, refused.body.details.available]).toEqual([409, 0]);
  expect((await shop.patch('/cart/items/2', { cart_token, quantity: 1 })).status).toBe(200);
  const { body } = await shop.delete(`/cart/items/3?cart_token=${cart_token}`);
  expect(body.warnings).toMatchObject([{ code: 'out_of_stock', item_id: 4 }]);
});

it('changes the cart only if it matches If-Match', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const first = await addToCart(shop, mug, {});
  const { cart_token } = first.body;
  const etag = first.headers.get('etag') ?? '';
  const change = (ifMatch: string, quantity: number) =>
    shop.patch('/cart/items/1', { cart_token, quantity }, { headers: { 'if-match': ifMatch } });
  const done = await change(etag, 2);
  expect(done.status).toBe(200);
  for (const stale of [etag, `W/${etag}`, '"x"']) {
    const refused = await change(stale, 3);
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
  }
  expect((await change(`"x", ${done.headers.get('etag')}`, 3)).status).toBe(200);
  expect((await change('*', 4)).body.items).toMatchObject([{ quantity: 4 }]);
  // As a compressing proxy marks it.
  const { headers } = await shop.get(`/cart/${cart_token}`);
  expect((await change(`W/${headers.get('etag')}`, 5)).status).toBe(200);
});

it('answers 304 while the cart is unchanged', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const first = await addToCart(shop, mug, {});
  const path = `/cart/${first.body.cart_token}`;
  const etag = first.headers.get('etag') ?? '';
  const same = await shop.get(path, { headers: { 'if-none-match': etag } });
  expect([same.status, same.body]).toEqual([304, null]);
  const dearer = await shop.patch(`/products/${mug.body.id}`, { price: 11 });
  const other = await shop.get(path, seeing(dearer, { headers: { 'if-none-match': etag } }));
  expect([other.status, other.body.totals.subtotal]).toEqual([200, 11]);
});

it.each([
  ['an empty cart', 6 * HOUR, 0],
  ['a cart with lines', 30 * DAY, 1],
])('expires %s and later deletes it', async (_, life, lines) => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const made = lines ? await addToCart(shop, mug, {}) : await shop.post('/cart');
  const { cart_token } = made.body;
  const object = cartObject(shop, cart_token);
  moveClock(life - 60_000);
  await runDurableObjectAlarm(object);
  expect((await shop.get(`/cart/${cart_token}`)).status).toBe(200);
  moveClock(60_000);
  for (const alarm of [false, true]) {
    if (alarm) await runDurableObjectAlarm(object);
    const read = await shop.get(`/cart/${cart_token}`);
    expect([read.status, read.body.code]).toEqual([410, 'cart_expired']);
    const added = await tryAddToCart(shop, mug, { cart_token });
    expect([added.status, added.body.code]).toEqual([410, 'cart_expired']);
  }
  moveClock(30 * DAY);
  expect((await shop.get(`/cart/${cart_token}`)).body.code).toBe('cart_not_found');
  await runDurableObjectAlarm(object);
  expect((await shop.get(`/cart/${cart_token}`)).body.code).toBe('cart_not_found');
});

it("extends the cart's lifetime with every change", async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  for (let month = 0; month < 3; month++) {
    moveClock(29 * DAY);
    await runDurableObjectAlarm(cartObject(shop, cart_token));
    expect((await addToCart(shop, mug, { cart_token })).status).toBe(200);
  }
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toMatchObject([{ quantity: 4 }]);
});

it('survives the eviction of its object, with prices and stored responses', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const once = { 'idempotency-key': 'k' };
  const body = { product_id: mug.body.id, quantity: 2, options: { n: 1 } };
  const first = await shop.post('/cart/items', body, seeing(mug, { headers: once }));
  const { cart_token } = first.body;
  await shop.put(`/cart/${cart_token}/shipping-address`, { country: 'DE' });
  const before = await shop.get(`/cart/${cart_token}`);
  await evict(cartObject(shop, cart_token));
  const after = await shop.get(`/cart/${cart_token}`);
  expect(after.body).toEqual(before.body);
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  await evict(cartObject(shop, cart_token));
  const retry = await shop.post('/cart/items', body, seeing(mug, { headers: once }));
  expect(retry.body).toEqual(first.body);
  expect((await shop.get(`/cart/${cart_token}`)).body).toEqual(before.body);
});
