/** What a cart shows of itself: its last versions, the derivation of its totals, and its holder's metadata. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { HistoryStore } from '../../src/cart/object/storage/history-store.ts';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { evict } from '../support/faults/injector.ts';
import { fiveCups, seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart, cartObject } from '../support/fixtures/selling/cart.ts';
import { cartWith, checkoutPath, sandboxShop, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { type World, world } from '../support/world.ts';

const rowsOf = (shop: World, token: string) =>
  runInDurableObject(cartObject(shop, token), (_, { storage: { sql } }) =>
    sql.exec('SELECT json FROM history').toArray(),
  );

it('keeps about 200 versions', async () => {
  const shop = await world();
  const { cart_token } = (await addToCart(shop, await fiveCups(shop), {})).body;
  const versions = await runInDurableObject(cartObject(shop, cart_token), (_, { storage: { sql } }) => {
    const history = new HistoryStore(sql, true);
    const [entry] = history.list();
    if (!entry) throw new Error('The cart has no history');
    for (let version = 2; version <= 300; version++) history.add(version, entry);
    return history.rows().map(({ version }) => version);
  });
  expect([versions[0], versions.length]).toEqual([101, 200]);
});

it('lists each version: what was done, by whom and when, and its totals', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2, options: { note: 'For Ada' } })).body;
  const path = `/cart/${cart_token}`;
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  await shop.put(`${path}/shipping-address`, { country: 'DE', line1: 'Ringstrasse 1' });
  await shop.post(`${path}/batch`, {
    operations: [
      { op: 'set', item_id: 1, quantity: 3 },
      { op: 'coupon', code: 'TEN' },
      { op: 'metadata', metadata: { gift: 'for Ada' } },
    ],
  });
  // Neither a failure, nor what changes nothing, nor a new price is a version.
  await shop.patch('/cart/items/7', { cart_token, quantity: 1 });
  await shop.patch('/cart/items/1', { cart_token, quantity: 3 });
  const dearer = await shop.patch(`/products/${mug.body.id}`, { price: 20 });
  await shop.get(path, seeing(dearer));
  await evict(cartObject(shop, cart_token));
  const { status, body } = await shop.get(`${path}/history`);
  expect(status).toBe(200);
  const by = expect.any(Number);
  expect(body.currency).toBe('EUR');
  expect(body.data).toMatchObject([
    {
      version: 3,
      application_id: by,
      totals: { subtotal: 30, discount: 3, grand_total: 27 },
      operations: [{ op: 'set', item_id: 1, quantity: 3 }, { op: 'coupon', code: 'TEN' }, { op: 'metadata' }],
    },
    { version: 2, operations: [{ op: 'address' }], totals: { grand_total: 20 } },
    {
      version: 1,
      operations: [{ op: 'create' }, { op: 'add', product_id: mug.body.id, variant_id: null, quantity: 2 }],
    },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/Ada|Ringstrasse|note|gift/);
});

it('keeps the last 200 versions, and none of an expired cart', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  for (let n = 2; n <= 206; n++) {
    await shop.patch('/cart/items/1', { cart_token, quantity: 1 + (n % 2) });
  }
  const { data } = (await shop.get(`/cart/${cart_token}/history`)).body;
  expect([data.length, data[0].version, data.at(-1).version]).toEqual([200, 205, 6]);
  expect((await rowsOf(shop, cart_token)).length).toBeLessThan(250);
  moveClock(31 * DAY);
  await runDurableObjectAlarm(cartObject(shop, cart_token));
  expect(await rowsOf(shop, cart_token)).toEqual([]);
  expect((await shop.get(`/cart/${cart_token}/history`)).status).toBe(410);
});

it('begins the history of a cart that was stored without one at its next change', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await runInDurableObject(cartObject(shop, cart_token), (_, { storage: { sql } }) => {
    sql.exec(
      "DROP TABLE history; UPDATE parts SET json = json_remove(json, '$.metadata') WHERE name = 'head'",
    );
  });
  await evict(cartObject(shop, cart_token));
  expect((await shop.get(`/cart/${cart_token}/history`)).body.data).toEqual([]);
  const edited = await shop.patch('/cart/items/1', { cart_token, quantity: 2 });
  expect(edited.body.metadata).toEqual({});
  expect((await shop.get(`/cart/${cart_token}/history`)).body.data).toMatchObject([{ version: 2 }]);
});

it('explains a coupon that does not apply, and why', async () => {
  const shop = await world({ settings: { shipping: { flat: 5, free_over: 25 } } });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2 })).body;
  await shop.post('/coupons', { code: 'BIG', kind: 'fixed', value: 5, minimum_subtotal: 20 });
  await shop.post(`/cart/${cart_token}/coupon`, { code: 'BIG' });
  await shop.patch('/cart/items/1', { cart_token, quantity: 1 });
  const { body } = await shop.get(`/cart/${cart_token}/explain`);
  expect(body.discount).toEqual({
    amount: 0,
    rule: 'not_applicable',
    code: 'BIG',
    percent: null,
    fixed: null,
    eligible_subtotal: null,
    minimum_subtotal: 20,
    reason: 'below_minimum_subtotal',
  });
  expect(body.shipping).toEqual({
    amount: 5,
    rule: 'flat_rate',
    flat_rate: 5,
    free_over: 25,
    method: { id: 'standard', name: 'Standard' },
    tier: null,
    weight: 0,
  });
});

it('copies metadata to the order, and merges what is written', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const write = (metadata: object | null) =>
    shop.post(`/cart/${cart}/batch`, { operations: [{ op: 'metadata', metadata }] });
  await write({ a: '1', b: '2' });
  expect((await write({ b: null, c: '3' })).body.metadata).toEqual({ a: '1', c: '3' });
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'x']));
  const full = await write(keys(49));
  expect([full.status, Object.keys(full.body.errors)]).toEqual([422, ['operations.0.metadata']]);
  const path = await checkoutPath(shop, cart);
  const edited = await write({ late: 'yes' });
  expect(edited.status).toBe(200);
  expect((await submitCheckout(path, 'pay')).status).toBe(410);
  await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const [order] = (await shop.get('/orders')).body.data;
  expect(order.metadata).toEqual({ a: '1', c: '3', late: 'yes' });
});

it('forgets metadata with the person', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  await shop.post(`/cart/${cart}/batch`, {
    operations: [{ op: 'metadata', metadata: { gift: 'for Ada' } }],
  });
  await shop.delete('/customers/me', withSession(ada.token));
  expect((await shop.get(`/cart/${cart}`)).body.metadata).toEqual({});
});
