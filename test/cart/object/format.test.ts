/** Stored carts outlive a deploy: older formats are upgraded, newer ones left alone. */

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { evict } from '../../support/faults/injector.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartObject } from '../../support/fixtures/selling/cart.ts';
import { type World, world } from '../../support/world.ts';

interface Parts {
  head: Record<string, unknown>;
  lines: Record<string, unknown>[];
}

/** Everything that is stored of a cart. */
const read = (shop: World, token: string): Promise<Parts> =>
  runInDurableObject(cartObject(shop, token), (_, { storage: { sql } }) => {
    const [head] = sql.exec<{ json: string }>("SELECT json FROM parts WHERE name = 'head'").toArray();
    const lines = sql.exec<{ json: string }>('SELECT json FROM lines ORDER BY id').toArray();
    return { head: JSON.parse(head?.json ?? ''), lines: lines.map(({ json }) => JSON.parse(json)) };
  });

/** Stores a cart as another version of the service would have, and lets its object start anew. */
async function store(shop: World, token: string, { head, lines }: Parts): Promise<void> {
  await runInDurableObject(cartObject(shop, token), (_, { storage: { sql } }) => {
    sql.exec("UPDATE parts SET json = ? WHERE name = 'head'", JSON.stringify(head));
    lines.forEach((line, n) => {
      sql.exec('UPDATE lines SET json = ? WHERE id = ?', JSON.stringify(line), n + 1);
    });
  });
  await evict(cartObject(shop, token));
}

async function cartOfTwo() {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, { options: { a: 1 } })).body;
  await addToCart(shop, mug, { cart_token, options: { a: 2 } });
  return { shop, mug, cart_token, path: `/cart/${cart_token}` };
}

it('upgrades a cart stored before formats were numbered', async () => {
  const { shop, mug, cart_token, path } = await cartOfTwo();
  const before = await shop.get(path);
  const { head, lines } = await read(shop, cart_token);
  const { format, heard, reserved, guesses, seen, movedTo, expired, ...older } = head;
  expect(format).toBe(3);
  await store(shop, cart_token, { head: older, lines: lines.map(({ was, gone, ...line }) => line) });
  expect((await shop.get(path)).body).toEqual(before.body);
  const added = await addToCart(shop, mug, { cart_token, options: { a: 1 } });
  expect(added.body.items).toMatchObject([{ quantity: 2 }, { quantity: 1 }]);
  // All of it is of one format then, lines that were not edited too.
  const after = await read(shop, cart_token);
  expect(after.head).toMatchObject({ format: 3, heard: null, reserved: null });
  expect(after.lines).toMatchObject([{ gone: false }, { was: null, gone: false }]);
});

it('derives the types of lines that were stored without them', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const voucher = await stockedProduct(shop, { name: 'Voucher', type: 'virtual' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await addToCart(shop, voucher, { cart_token });
  const { head, lines } = await read(shop, cart_token);
  const untyped = lines.map(({ offer, ...line }) => {
    const { type, ...rest } = offer as Record<string, unknown>;
    return { ...line, offer: rest };
  });
  await store(shop, cart_token, { head, lines: untyped });
  const types = (await shop.get(`/cart/${cart_token}`)).body.items.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['simple', 'virtual']);
});

it('upgrades a cart that could hold one coupon', async () => {
  const { shop, cart_token, path } = await cartOfTwo();
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  const before = await shop.post(`${path}/coupon`, { code: 'TEN' });
  expect(before.body.totals.discount).toBeGreaterThan(0);
  const { head, lines } = await read(shop, cart_token);
  const { codes, running, barred, ...older } = head as { codes: Record<string, unknown>[] } & typeof head;
  const [{ name, priority, combinable, terms, ...coupon } = {}] = codes;
  const { buy, get, minimum_quantity, ...known } = terms as Record<string, unknown>;
  await store(shop, cart_token, {
    head: { ...older, format: 2, coupon: { ...coupon, terms: known } },
    lines,
  });
  expect((await shop.get(path)).body).toEqual(before.body);
  const sale = { name: 'Sale', trigger: 'automatic', effect: { kind: 'percent', value: 50 } };
  const made = await shop.post('/promotions', sale);
  const headers = { 'x-catalog-version': made.headers.get('x-catalog-version') ?? '' };
  expect((await shop.get(path, { headers })).body).toMatchObject({
    coupon: { code: 'TEN', applies: false },
    applied_promotions: [{ name: 'Sale' }],
  });
});

it('upgrades a cart stored before there were shipping methods, and weighs its items', async () => {
  const shop = await world({
    settings: {
      shipping: {
        methods: [
          {
            id: 'light',
            name: 'Letter',
            tiers: [
              { from_weight: 0, price: 2 },
              { from_weight: 500, price: 9 },
            ],
          },
          { id: 'heavy', name: 'Parcel', price: 5 },
        ],
      },
    },
  });
  const mug = await stockedProduct(shop, { name: 'Mug', weight: 300 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2 })).body;
  const path = `/cart/${cart_token}`;
  const before = await shop.get(path);
  expect(before.body.shipping_method).toEqual({ id: 'heavy', name: 'Parcel', price: 5 });
  const { head, lines } = await read(shop, cart_token);
  const { shippingMethod, ...older } = head;
  expect(shippingMethod).toBeNull();
  const unweighed = lines.map(({ offer, ...line }) => {
    const { weight: _, ...rest } = offer as Record<string, unknown>;
    return { ...line, offer: rest };
  });
  await store(shop, cart_token, { head: { ...older, format: 1 }, lines: unweighed });
  expect((await shop.get(path)).body).toEqual(before.body);
  const chosen = await shop.put(`${path}/shipping-method`, { id: 'light' });
  expect(chosen.body.shipping_method).toEqual({ id: 'light', name: 'Letter', price: 9 });
  expect((await read(shop, cart_token)).head).toMatchObject({ format: 3, shippingMethod: 'light' });
});

it('answers 503 for a cart stored by a newer version, and loses nothing', async () => {
  const { shop, mug, cart_token, path } = await cartOfTwo();
  const parts = await read(shop, cart_token);
  const newer = { ...parts, head: { ...parts.head, format: 99, lines: 'elsewhere' } };
  await store(shop, cart_token, newer);
  const body = { cart_token, product_id: mug.body.id, quantity: 1 };
  const key = { headers: { 'idempotency-key': 'k' } };
  for (const answer of [
    await shop.get(path),
    await shop.post('/cart/items', body),
    await shop.post('/cart/items', body, key),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).not.toBeNull();
  }
  moveClock(400 * 24 * 3_600_000);
  await runDurableObjectAlarm(cartObject(shop, cart_token));
  expect(await read(shop, cart_token)).toEqual(newer);
  moveClock(-400 * 24 * 3_600_000);
  await store(shop, cart_token, parts);
  expect((await shop.get(path)).body.items).toHaveLength(2);
});

it('has another ETag once another release renders it differently, and edits it with the one before', async () => {
  const { shop, cart_token, path } = await cartOfTwo();
  const before = await shop.get(path);
  const etag = before.headers.get('etag') ?? '';
  const unchanged = () => shop.get(path, { headers: { 'if-none-match': etag } });
  expect((await unchanged()).status).toBe(304);
  const { head, lines } = await read(shop, cart_token);
  const renamed = lines.map((line) => ({ ...line, offer: { ...Object(line.offer), name: 'Another mug' } }));
  await store(shop, cart_token, { head, lines: renamed });
  const after = await unchanged();
  expect([after.status, after.body.items?.[0].name]).toEqual([200, 'Another mug']);
  const headers = { 'if-match': etag };
  expect((await shop.put(`${path}/shipping-address`, { country: 'FR' }, { headers })).status).toBe(200);
  expect((await shop.put(`${path}/shipping-address`, { country: 'DE' }, { headers })).status).toBe(412);
});
