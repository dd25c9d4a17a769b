import { beforeAll, expect, it } from 'vitest';
import { fetchWith, recordedBindings } from '../support/faults/bindings.ts';
import { BINDINGS } from '../support/faults/injector.ts';
import { seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { type Answer, type World, world } from '../support/world.ts';

/** Objects whose calls serve all requests of a time: leases, and the log of requests. */
const SHARED: readonly (keyof Env)[] = ['RATE_LIMITER', 'REQUEST_LOG'];

let shop: World;
let mug: Answer;
let cart_token: string;
beforeAll(async () => {
  shop = await world({ currencies: ['EUR', 'USD'] });
  mug = await stockedProduct(shop, { name: 'Mug' });
  cart_token = (await addToCart(shop, mug, {})).body.cart_token;
});

const cart = async () => (await shop.get(`/cart/${cart_token}`)).body;
const adding = (body: object) =>
  shop.post('/cart/items', { product_id: mug.body.id, quantity: 1, cart_token, ...body }, seeing(mug));

/** Asserts that a call is refused, and that the cart is what it was. */
async function refuses(call: () => Promise<Answer>, status: number, code: string, field?: string) {
  const before = await cart();
  const answer = await call();
  expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([status, code]);
  if (field) expect(Object.keys(answer.body.errors)).toContain(field);
  expect(await cart()).toEqual(before);
}

it.each([0, -1, 1.5, '2', 10_000, null, [1], true, 1e21, undefined])(
  'rejects a quantity of %j',
  async (quantity) => {
    await refuses(() => adding({ quantity }), 422, 'validation_error', 'quantity');
    const { id } = (await cart()).items[0];
    const change = () => shop.patch(`/cart/items/${id}`, { cart_token, quantity });
    await refuses(change, 422, 'validation_error', 'quantity');
  },
);

it('rejects a line of more than 9,999 pieces and a cart of more than 100 lines', async () => {
  const [plenty, many] = await Promise.all([
    stockedProduct(shop, { name: 'Nail', stock: 100_000, price: 0.01 }),
    stockedProduct(shop, { name: 'Screw', stock: 100_000, price: 0.01 }),
  ]);
  const full = await addToCart(shop, plenty, { quantity: 9_999 });
  const token = full.body.cart_token;
  const more = await adding({ cart_token: token, product_id: plenty.body.id });
  expect([more.status, Object.keys(more.body.errors)]).toEqual([422, ['quantity']]);
  for (let n = 1; n < 100; n++) {
    await addToCart(shop, many, { cart_token: token, options: { n } });
  }
  const tooMany = await adding({ cart_token: token, product_id: many.body.id, options: { n: 100 } });
  expect([tooMany.status, Object.keys(tooMany.body.errors)]).toEqual([422, ['product_id']]);
  expect((await shop.get(`/cart/${token}`)).body.items).toHaveLength(100);
});

it.each(['7', 1.5, -1, null, {}])('rejects %j as a product id', async (product_id) => {
  await refuses(() => adding({ product_id }), 422, 'validation_error', 'product_id');
});

it('names a missing product beside the other fields that are not valid', async () => {
  const empty = await shop.post('/cart/items', {});
  expect(Object.keys(empty.body.errors).sort()).toEqual(['product_id', 'quantity']);
  const operations = [{ op: 'add', quantity: 0 }];
  const [made, batch] = [
    await shop.post('/cart', { items: [{ quantity: 1, size: 'M' }] }),
    await shop.post(`/cart/${cart_token}/batch`, { operations }),
  ];
  expect(Object.keys(made.body.errors).sort()).toEqual(['items.0.product_id', 'items.0.size']);
  expect(Object.keys(batch.body.errors).sort()).toEqual(['operations.0.product_id', 'operations.0.quantity']);
  // A product that is named wrongly is not missing.
  const wrong = await shop.post('/cart/items', { product_id: '7' });
  expect(wrong.body.errors.product_id).toEqual(['must be a number']);
  expect((await shop.post('/cart/items', [])).body.errors).toEqual({ body: ['must be an object'] });
});

it('answers 404 for unknown, inactive and foreign products', async () => {
  const other = await world();
  const theirs = await stockedProduct(other, { name: 'Theirs' });
  const hidden = await stockedProduct(shop, { name: 'Hidden', status: 'inactive' });
  const deleted = await stockedProduct(shop, { name: 'Deleted' });
  const gone = await shop.delete(`/products/${deleted.body.id}`);
  for (const id of [999_999_999, theirs.body.id, hidden.body.id, deleted.body.id]) {
    const call = () => shop.post('/cart/items', { product_id: id, quantity: 1, cart_token }, seeing(gone));
    await refuses(call, 404, 'product_not_found');
  }
});

it.each([
  ['a text', 'x'],
  ['a list', [1]],
  ['nothing', null],
  ['a number', 7],
  ['an object in it', { a: { b: 1 } }],
  ['a list in it', { a: [1] }],
  ['too much', { note: 'x'.repeat(4_096) }],
  ['too much in UTF-8', { note: 'ç'.repeat(2_045) }],
])('rejects options that are %s', async (_, options) => {
  const before = await cart();
  const answer = await adding({ options });
  expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([422, 'validation_error']);
  expect(Object.keys(answer.body.errors)[0]).toMatch(/^options/);
  expect(await cart()).toEqual(before);
});

it.each([
  ['{"__proto__": {"admin": true}}', 'options.__proto__'],
  ['{"__proto__": "x"}', 'options.__proto__'],
  ['{"attributes": {"__proto__": {"admin": true}}}', 'options.attributes.__proto__'],
  ['{"size": 1e400}', 'options'],
  [`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 'options'],
  [`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'options'],
])('rejects hostile options: %.40s', async (options, field) => {
  const raw = `{"product_id": ${mug.body.id}, "quantity": 1, "cart_token": "${cart_token}", "options": ${options}}`;
  const headers = { 'content-type': 'application/json' };
  const call = () => shop.post('/cart/items', undefined, { raw, headers });
  await refuses(call, 422, 'validation_error', field);
  expect({}).not.toHaveProperty('admin');
});

it('keeps options whose names are inherited by objects', async () => {
  const options = { constructor: 'x', toString: 'y', hasOwnProperty: true };
  const added = await addToCart(shop, mug, { options });
  expect(added.body.items[0].options).toEqual(options);
});

it('accepts options of exactly 4 KiB', async () => {
  const options = { note: 'x'.repeat(4_096 - '{"note":""}'.length) };
  expect((await addToCart(shop, mug, { options })).body.items[0].options).toEqual(options);
});

it('answers 404 for a forged token and one of another tenant', async () => {
  const other = await world();
  const end = cart_token.at(-1) === 'a' ? 'b' : 'a';
  const forged = [
    `${cart_token.slice(0, -1)}${end}`,
    `ct_${'0'.repeat(35)}`,
    'ct_',
    'x',
    '',
    `${cart_token}a`,
    cart_token.replace('ct_', 'CT_'),
  ];
  for (const token of forged) {
    const answer = await adding({ cart_token: token });
    expect([token, answer.status, answer.body.code]).toEqual([token, 404, 'cart_not_found']);
    if (token) expect((await shop.get(`/cart/${token}`)).body.code).toBe('cart_not_found');
  }
  expect((await other.get(`/cart/${cart_token}`)).status).toBe(404);
  const theirs = await stockedProduct(other, { name: 'Theirs' });
  const mixed = await other.post('/cart/items', { product_id: theirs.body.id, quantity: 1, cart_token });
  expect([mixed.status, mixed.body.code]).toEqual([404, 'cart_not_found']);
});

it('calls neither object nor database for a forged cart token', async () => {
  const token = `${cart_token.slice(0, -1)}${cart_token.at(-1) === 'a' ? 'b' : 'a'}`;
  const { env, calls } = recordedBindings(BINDINGS.filter((name) => !SHARED.includes(name)));
  const refused = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body ? { headers, body: JSON.stringify(body) } : {};
    const response = await fetchWith(env, method, `/v1${path}`, shop.token, init);
    const { code } = await response.json<{ code: string }>();
    expect([response.status, code], `${method} ${path}`).toEqual([404, 'cart_not_found']);
  };
  await refused('GET', `/cart/${token}`);
  await refused('GET', `/cart/${token}/history`);
  await refused('POST', '/cart/items', { product_id: mug.body.id, quantity: 1, cart_token: token });
  await refused('PATCH', '/cart/items/1', { quantity: 1, cart_token: token });
  await refused('DELETE', `/cart/items/1?cart_token=${token}`);
  await refused('POST', `/cart/${token}/coupon`, { code: 'X' });
  await refused('PUT', `/cart/${token}/shipping-address`, { country: 'DE' });
  expect(calls).toEqual([]);
});

it.each([
  ['an unknown one', 'XTS'],
  ['one in small letters', 'usd'],
  ['no text', 7],
])('rejects a currency: %s', async (_, currency) => {
  const answer = await shop.post('/cart', { currency });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['currency']]);
});

it("rejects a product without a price in the cart's currency", async () => {
  const dollars = await shop.post('/cart', { currency: 'USD' });
  expect(dollars.body.currency).toBe('USD');
  const answer = await adding({ cart_token: dollars.body.cart_token });
  expect([answer.status, answer.body.errors]).toEqual([422, { product_id: ['Mug has no price in USD'] }]);
});

it('rejects a line whose total exceeds the largest amount', async () => {
  const palace = await stockedProduct(shop, { name: 'Palace', price: 900_000_000 });
  const answer = await adding({ product_id: palace.body.id, quantity: 9_000 });
  expect(answer.status).toBe(409);
  const castle = await stockedProduct(shop, {
    name: 'Castle',
    price: 900_000_000,
    inventory_policy: 'untracked',
  });
  const dear = await shop.post(
    '/cart/items',
    { product_id: castle.body.id, quantity: 9_000, cart_token },
    seeing(castle),
  );
  expect([dear.status, Object.keys(dear.body.errors)]).toEqual([422, ['quantity']]);
});

it.each([
  [{}, 'country'],
  [{ country: 'de' }, 'country'],
  [{ country: 'Germany' }, 'country'],
  [{ country: 'DE', city: 7 }, 'city'],
  [{ country: 'DE', planet: 'Earth' }, 'planet'],
  [{ country: 'DE', line1: 'x'.repeat(256) }, 'line1'],
])('rejects the address %j', async (address, field) => {
  const call = () => shop.put(`/cart/${cart_token}/shipping-address`, address);
  await refuses(call, 422, 'validation_error', field);
});
