import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { tenantById } from '../../src/tenants/index.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

const coupon = async (shop: World, body: object) => {
  const made = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made;
};
const apply = (shop: World, token: string, code = 'TEN', headers = {}) =>
  shop.post(`/cart/${token}/coupon`, { code }, { headers });

it('creates, lists, changes and deletes coupons', async () => {
  const shop = await world();
  const made = await coupon(shop, {
    code: ' Summer-10 ',
    starts_at: '2026-01-01T00:00:00+02:00',
    max_uses: 5,
  });
  expect(made.body).toEqual({
    id: expect.any(Number),
    code: 'Summer-10',
    kind: 'percent',
    value: 10,
    minimum_subtotal: null,
    starts_at: '2025-12-31T22:00:00.000Z',
    ends_at: null,
    max_uses: 5,
    max_uses_per_customer: null,
    product_ids: [],
    category_ids: [],
    uses: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const taken = await shop.post('/coupons', { code: 'SUMMER-10', kind: 'free_shipping' });
  expect([taken.status, taken.body.code]).toEqual([409, 'code_taken']);
  await coupon(shop, { code: 'Other' });
  const list = await shop.get('/coupons?limit=1&page=2');
  expect(list.body.meta).toEqual({ page: 2, limit: 1, total: 2, total_pages: 2, next_cursor: null });
  expect(list.body.data).toMatchObject([{ code: 'Other' }]);
  const path = `/coupons/${made.body.id}`;
  const changed = await shop.patch(path, { value: 12.5, max_uses: null });
  expect(changed.body).toMatchObject({ code: 'Summer-10', value: 12.5, max_uses: null });
  expect((await shop.patch(path, { code: 'other' })).body.code).toBe('code_taken');
  const gone = await shop.delete(path);
  expect(gone.status).toBe(204);
  expect((await shop.delete(path)).body.code).toBe('coupon_not_found');
  expect((await shop.patch(path, { value: 1 })).status).toBe(404);
  // What was refused has changed nothing, the catalogue's version included.
  const { catalogVersion } = await tenantById({ db: databaseOf(shop), tenantId: shop.tenantId });
  expect(gone.headers.get('x-catalog-version')).toBe(String(catalogVersion));
  const again = await coupon(shop, { code: 'summer-10' });
  expect(Number(again.headers.get('x-catalog-version'))).toBeGreaterThan(catalogVersion);
});

it.each([
  [{ value: 0 }, 'value'],
  [{ value: 100.5 }, 'value'],
  [{ value: 1.2345678 }, 'value'],
  [{ value: { EUR: 5 } }, 'value'],
  [{ kind: 'fixed', value: 0 }, 'value'],
  [{ kind: 'fixed', value: 1.234 }, 'value'],
  [{ kind: 'fixed', value: { USD: 1 } }, 'value'],
  [{ kind: 'free_shipping', value: 5 }, 'value'],
  [{ minimum_subtotal: 1.005 }, 'minimum_subtotal'],
  [{ minimum_subtotal: {} }, 'minimum_subtotal'],
  [{ code: '' }, 'code'],
  [{ code: 'two words' }, 'code'],
  [{ code: 'x'.repeat(65) }, 'code'],
  [{ kind: 'gift' }, 'kind'],
  [{ max_uses: 0 }, 'max_uses'],
  [{ max_uses: 1.5 }, 'max_uses'],
  [{ starts_at: 'now' }, 'starts_at'],
  [{ starts_at: soon(2 * MINUTE), ends_at: soon(MINUTE) }, 'ends_at'],
  [{ product_ids: [0] }, 'product_ids.0'],
])('rejects the coupon %j', async (body, field) => {
  const shop = await world();
  const answer = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10, ...body });
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
});

it('deducts a percentage, an amount or the shipping, one coupon at a time', async () => {
  const shop = await world({ settings: { shipping: { flat: 5 } } });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 19.99 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  await coupon(shop, {});
  await coupon(shop, { code: 'FIVE', kind: 'fixed', value: 5 });
  await coupon(shop, { code: 'SHIP', kind: 'free_shipping', value: 0 });
  const ten = await apply(shop, cart_token, 'ten');
  expect(ten.status).toBe(200);
  expect(ten.body.coupon).toEqual({ code: 'TEN', applies: true });
  expect(ten.body.totals).toMatchObject({ subtotal: 59.97, discount: 6, shipping: 5, grand_total: 58.97 });
  const five = await apply(shop, cart_token, 'FIVE');
  expect(five.body.totals).toMatchObject({ discount: 5, grand_total: 59.97 });
  const ship = await apply(shop, cart_token, 'SHIP');
  expect(ship.body.totals).toMatchObject({ discount: 0, shipping: 0, grand_total: 59.97 });
  const none = await shop.delete(`/cart/${cart_token}/coupon`);
  expect(none.body.totals.grand_total).toBe(64.97);
  expect(none.body.coupon).toBeUndefined();
  expect((await shop.delete(`/cart/${cart_token}/coupon`)).body).toEqual(none.body);
});

it('applies to its products and categories, subcategories included', async () => {
  const shop = await world();
  const parent = await shop.post('/categories', { name: 'Kitchen' });
  const child = await shop.post('/categories', { name: 'Cups', parent_id: parent.body.id });
  const cup = await stockedProduct(shop, { name: 'Cup', category_ids: [child.body.id] });
  const lamp = await stockedProduct(shop, { name: 'Lamp' });
  const bed = await stockedProduct(shop, { name: 'Bed' });
  await coupon(shop, { category_ids: [parent.body.id], product_ids: [lamp.body.id] });
  const { cart_token } = (await addToCart(shop, bed, {})).body;
  const refused = await apply(shop, cart_token);
  expect([refused.status, refused.body.code]).toEqual([409, 'coupon_not_applicable']);
  expect(refused.body.details).toEqual({ reason: 'no_eligible_line' });
  await addToCart(shop, cup, { cart_token });
  expect((await apply(shop, cart_token)).body.totals.discount).toBe(1);
  expect((await addToCart(shop, lamp, { cart_token })).body.totals.discount).toBe(2);
});

it('stays in the cart without effect while below its minimum', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await coupon(shop, { minimum_subtotal: 20 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const refused = await apply(shop, cart_token);
  expect([refused.status, refused.body.details]).toEqual([409, { reason: 'below_minimum_subtotal' }]);
  await addToCart(shop, mug, { cart_token });
  expect((await apply(shop, cart_token)).body.totals.discount).toBe(2);
  const less = await shop.patch('/cart/items/1', { cart_token, quantity: 1 });
  expect([less.body.coupon, less.body.totals.discount]).toEqual([{ code: 'TEN', applies: false }, 0]);
  const more = await shop.patch('/cart/items/1', { cart_token, quantity: 3 });
  expect([more.body.coupon.applies, more.body.totals.discount]).toEqual([true, 3]);
});

it('is valid only in its period', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await coupon(shop, { starts_at: soon(10 * MINUTE), ends_at: soon(20 * MINUTE) });
  expect((await apply(shop, cart_token)).body.details).toEqual({ reason: 'not_started' });
  moveClock(11 * MINUTE);
  const held = await apply(shop, cart_token);
  expect(held.body.totals.discount).toBe(1);
  moveClock(10 * MINUTE);
  const ended = await shop.get(`/cart/${cart_token}`);
  expect([ended.body.coupon, ended.body.totals.discount]).toEqual([undefined, 0]);
  expect(ended.headers.get('etag')).not.toBe(held.headers.get('etag'));
  expect((await apply(shop, cart_token)).body.details).toEqual({ reason: 'ended' });
});

it('applies only in currencies that have an amount', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const mug = await stockedProduct(shop, { name: 'Mug', prices: { USD: 12 } });
  await coupon(shop, { kind: 'fixed', value: { EUR: 3 } });
  const { cart_token } = (await shop.post('/cart', { currency: 'USD' })).body;
  await addToCart(shop, mug, { cart_token });
  expect((await apply(shop, cart_token)).body.details).toEqual({ reason: 'currency' });
});

it('follows changes and deletion of the coupon', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const made = await coupon(shop, {});
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await apply(shop, cart_token);
  const path = `/coupons/${made.body.id}`;
  const changed = await shop.patch(path, { value: 50 });
  expect((await shop.get(`/cart/${cart_token}`, seeing(changed))).body.totals.discount).toBe(5);
  const gone = await shop.delete(path);
  const after = await shop.get(`/cart/${cart_token}`, seeing(gone));
  expect([after.body.coupon, after.body.totals.discount]).toEqual([undefined, 0]);
});

it('rejects codes for some time from a cart that guesses', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await coupon(shop, {});
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  for (let n = 0; n < 9; n++) expect((await apply(shop, cart_token, `GUESS${n}`)).status).toBe(404);
  // The right one starts the count anew.
  expect((await apply(shop, cart_token)).status).toBe(200);
  for (let n = 0; n < 10; n++) {
    const wrong = await apply(shop, cart_token, `GUESS${n}`);
    expect([wrong.status, wrong.body.code]).toEqual([404, 'coupon_not_found']);
  }
  const before = await shop.get(`/cart/${cart_token}`);
  for (const code of ['TEN', 'GUESS']) {
    const refused = await apply(shop, cart_token, code);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  }
  expect((await shop.get(`/cart/${cart_token}`)).body).toEqual(before.body);
  moveClock(15 * MINUTE + 1000);
  expect((await apply(shop, cart_token)).status).toBe(200);
});

it('rejects codes from an address that guesses with new carts', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await coupon(shop, {});
  const from = (address: string) => ({ 'x-buyer-ip': address });
  const guess = async (address: string, code: string) => {
    const { cart_token } = (await addToCart(shop, mug, {})).body;
    return apply(shop, cart_token, code, from(address));
  };
  for (let n = 0; n < 60; n++) expect((await guess('203.0.113.7', `G${n}`)).status).toBe(404);
  const refused = await guess('203.0.113.7', 'TEN');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect((await guess('203.0.113.8', 'TEN')).status).toBe(200);
  moveClock(15 * MINUTE + 1000);
  expect((await guess('203.0.113.7', 'TEN')).status).toBe(200);
});

it('applies a coupon once for one Idempotency-Key', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const once = { 'idempotency-key': 'k' };
  const wrong = await apply(shop, cart_token, 'TEN', once);
  await coupon(shop, {});
  const again = await apply(shop, cart_token, 'TEN', once);
  expect([again.status, again.body.code]).toEqual([wrong.status, 'coupon_not_found']);
  expect((await apply(shop, cart_token)).status).toBe(200);
});

it('becomes free shipping without a value', async () => {
  const shop = await world();
  const path = `/coupons/${(await coupon(shop, {})).body.id}`;
  expectProblem(await shop.patch(path, { kind: 'free_shipping', value: 10 }), 422, 'validation_error');
  const changed = await shop.patch(path, { kind: 'free_shipping' });
  expect(changed.body).toMatchObject({ kind: 'free_shipping', value: 0 });
});

it.each(['दिवाली10', 'สงกรานต์', 'பொங்கல்'])(
  'takes the code %s, whose letters have vowel signs',
  async (code) => {
    const shop = await world();
    const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
    await coupon(shop, { code });
    const { cart_token } = (await addToCart(shop, mug, {})).body;
    expect((await apply(shop, cart_token, code)).body.totals.discount).toBe(1);
    // A vowel sign makes another word.
    expectProblem(await apply(shop, cart_token, code.replace(/\p{M}/u, '')), 404, 'coupon_not_found');
  },
);

it('takes no code that begins with a combining mark', async () => {
  const shop = await world();
  const made = await shop.post('/coupons', { code: '\u0301TEN', kind: 'percent', value: 10 });
  expectProblem(made, 422, 'validation_error');
});
