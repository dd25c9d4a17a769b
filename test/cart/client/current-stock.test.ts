/** A shortage is decided by the stock of now, not by what the catalogue's cache still shows. */

import { describe, expect, it } from 'vitest';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { type Answer, type World, world } from '../../support/world.ts';

/** A cart with two of five mugs, whose stock the cache has. */
async function twoOfFive() {
  const shop = await world();
  const mug = await stockedProduct(shop, { stock: 5 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2 })).body;
  return { shop, mug, cart_token };
}

const restock = (shop: World, sku: string, stock: number) =>
  shop.post('/inventory/adjustments', { items: [{ sku, stock }] });

it('takes what has just been restocked, into a cart and into a new one', async () => {
  const { shop, mug, cart_token } = await twoOfFive();
  expect((await tryAddToCart(shop, mug, { cart_token, quantity: 4 })).status).toBe(409);
  await restock(shop, mug.body.sku, 50);
  const more = await tryAddToCart(shop, mug, { cart_token, quantity: 4 });
  expect([more.status, more.body.items?.[0].quantity]).toEqual([200, 6]);
  expect((await tryAddToCart(shop, mug, { quantity: 7 })).status).toBe(200);
  const made = await shop.post('/cart', { items: [{ product_id: mug.body.id, quantity: 50 }] });
  expect([made.status, made.body.total_quantity]).toEqual([201, 50]);
});

it('refuses by the stock of now, and says how much there is', async () => {
  const { shop, mug, cart_token } = await twoOfFive();
  await shop.patch(`/products/${mug.body.id}`, { stock: 8 });
  const refused = await tryAddToCart(shop, mug, { cart_token, quantity: 7 });
  expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_stock']);
  expect(refused.body.details).toEqual({
    product_id: mug.body.id,
    variant_id: null,
    requested: 7,
    in_cart: 2,
    available: 8,
  });
  expect((await shop.get(`/cart/${cart_token}`)).body.items[0].quantity).toBe(2);
});

it('sets the quantity of a line to what has just been restocked', async () => {
  const { shop, mug, cart_token } = await twoOfFive();
  await restock(shop, mug.body.sku, 9);
  const set = await shop.patch('/cart/items/1', { cart_token, quantity: 9 });
  expect([set.status, set.body.items?.[0].quantity]).toEqual([200, 9]);
  const beyond = await shop.patch('/cart/items/1', { cart_token, quantity: 10 });
  expect([beyond.status, beyond.body.details?.available]).toEqual([409, 9]);
});

it('makes a batch of changes with what has just been restocked', async () => {
  const { shop, mug, cart_token } = await twoOfFive();
  const other = await stockedProduct(shop, { name: 'Plate', stock: 1 });
  await addToCart(shop, other, {});
  await restock(shop, mug.body.sku, 9);
  await restock(shop, other.body.sku, 3);
  const operations = [
    { op: 'set', item_id: 1, quantity: 8 },
    { op: 'add', product_id: other.body.id, quantity: 3 },
    { op: 'add', product_id: mug.body.id, quantity: 1 },
  ];
  const made = await shop.post(`/cart/${cart_token}/batch`, { operations });
  expect([made.status, made.body.items?.map((item: { quantity: number }) => item.quantity)]).toEqual([
    200,
    [9, 3],
  ]);
});

it('keeps the code of a cart whose shortage was looked up', async () => {
  const { shop, mug, cart_token } = await twoOfFive();
  const made = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  await shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' }, seeing(made));
  await restock(shop, mug.body.sku, 9);
  const more = await tryAddToCart(shop, mug, { cart_token, quantity: 6 });
  expect([more.status, more.body.items?.[0].quantity]).toEqual([200, 8]);
  expect(more.body.coupons).toMatchObject([{ code: 'TEN', applies: true }]);
});

it('keeps the answer of the stock of now for an idempotency key', async () => {
  const { shop, mug, cart_token } = await twoOfFive();
  await restock(shop, mug.body.sku, 9);
  const options = { headers: { 'idempotency-key': crypto.randomUUID() } };
  const body = { cart_token, product_id: mug.body.id, quantity: 6 };
  const [first, again] = [
    await shop.post('/cart/items', body, options),
    await shop.post('/cart/items', body, options),
  ];
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(first.body);
  expect(again.body.items[0].quantity).toBe(8);
});

describe('a cart that has learned of less stock than the cache still shows', () => {
  /** Six cups, also in pairs, of which the cache still shows ten; a pair is in no cache. */
  async function fewerCups() {
    const shop = await world();
    const cup = await stockedProduct(shop, { stock: 10 });
    const bundle_groups = [{ title: 'Cups', items: [{ product_id: cup.body.id, quantity: 2 }] }];
    const pair = await stockedProduct(shop, { name: 'Pair', type: 'bundled', bundle_groups });
    const [group] = pair.body.bundle_groups;
    const options = { bundle_options: { [group.id]: [group.items[0].id] } };
    const one = { product_id: cup.body.id, quantity: 1 };
    const { cart_token } = (await shop.post('/cart/items', one, seeing(pair))).body;
    await restock(shop, cup.body.sku, 6);
    return { shop, cup, pair, options, cart_token };
  }

  const refusal = ({ status, body }: Answer) => [status, body.details?.in_cart, body.details?.available];

  it('adds no more to the same item', async () => {
    const { shop, cup, cart_token } = await fewerCups();
    const many = await shop.patch('/cart/items/1', { cart_token, quantity: 11 });
    expect(refusal(many)).toEqual([409, 0, 6]);
    const more = await shop.post('/cart/items', { cart_token, product_id: cup.body.id, quantity: 6 });
    expect(refusal(more)).toEqual([409, 1, 6]);
  });

  it('adds no more of the parts of another item', async () => {
    const { shop, cup, pair, options } = await fewerCups();
    const pairs = { product_id: pair.body.id, quantity: 3, options };
    const { cart_token } = (await shop.post('/cart/items', pairs)).body;
    const more = await shop.post('/cart/items', { cart_token, product_id: cup.body.id, quantity: 1 });
    expect(refusal(more)).toEqual([409, 6, 6]);
  });

  it('sets no larger quantity beside an item with the same parts', async () => {
    const { shop, pair, options, cart_token } = await fewerCups();
    const pairs = { cart_token, product_id: pair.body.id, quantity: 2, options };
    expect((await shop.post('/cart/items', pairs)).status).toBe(200);
    const more = await shop.patch('/cart/items/1', { cart_token, quantity: 3 });
    expect(refusal(more)).toEqual([409, 4, 6]);
    expect((await shop.patch('/cart/items/1', { cart_token, quantity: 2 })).body.warnings).toEqual([]);
  });
});

it('takes the places of a slot and the variants that were added just now', async () => {
  const shop = await world();
  const tee = await shop.post('/products', {
    name: 'Tee',
    type: 'configurable',
    price: 9,
    variants: [{ sku: 'T-S', price: 9, stock: 2, attributes: { size: 'S' } }],
  });
  const options = { attributes: { size: 'S' } };
  expect((await tryAddToCart(shop, tee, { options })).status).toBe(200);
  await restock(shop, 'T-S', 5);
  expect((await tryAddToCart(shop, tee, { options, quantity: 5 })).status).toBe(200);
  const [from, to] = [1, 2].map((hour) => new Date(Date.now() + hour * 3_600_000).toISOString());
  const tour = await shop.post('/products', {
    name: 'Tour',
    type: 'booking',
    price: 9,
    booking: { timezone: 'UTC', slots: [{ from, to, capacity: 2 }] },
  });
  const booking = { options: { booking: { from, to } } };
  expect((await tryAddToCart(shop, tour, booking)).status).toBe(200);
  const full = await tryAddToCart(shop, tour, { ...booking, quantity: 3 });
  expect([full.status, full.body.code, full.body.details.available]).toEqual([409, 'slot_unavailable', 2]);
});

it('refuses what is sold out without looking again', async () => {
  const shop = await world();
  const calls: (string | null)[] = [];
  for (const stock of [0, 5]) {
    const mug = await stockedProduct(shop, { stock });
    const headers = { ...seeing(mug).headers, 'x-server-timing': '1' };
    const refused = () => shop.post('/cart/items', { product_id: mug.body.id, quantity: 6 }, { headers });
    expect((await refused()).status).toBe(409);
    calls.push((await refused()).headers.get('server-timing'));
  }
  expect(calls[0]).not.toMatch(/db;/);
  expect(calls[1]).toMatch(/db;/);
});
