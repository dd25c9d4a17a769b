import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { SECOND_MASTER_KEY } from '../../support/runtime/runtime.ts';
import { type Answer, send, world } from '../../support/world.ts';

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));
const withKey = (key: string, seen?: Answer) => ({
  headers: { 'idempotency-key': key, ...(seen && seeing(seen).headers) },
});

it('applies 100 parallel additions with one key once, with the same response for all', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await shop.post('/cart')).body;
  const body = { product_id: mug.body.id, quantity: 3, cart_token };
  const answers = await times(100, () => shop.post('/cart/items', body, withKey('once', mug)));
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(99);
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toMatchObject([{ quantity: 3 }]);
});

it('creates one cart for 100 parallel first additions with one key', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const body = { product_id: mug.body.id, quantity: 2 };
  const answers = await times(100, () => shop.post('/cart/items', body, withKey('first', mug)));
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]?.body.items).toMatchObject([{ quantity: 2 }]);
  const made = await times(20, () => shop.post('/cart', {}, withKey('first')));
  expect(new Set(made.map(({ body }) => body.cart_token)).size).toBe(1);
  expect(made[0]?.body.cart_token).not.toBe(answers[0]?.body.cart_token);
});

it('rejects a key that was used with another body', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const body = { product_id: mug.body.id, quantity: 2 };
  const first = await shop.post('/cart/items', body, withKey('k', mug));
  for (const other of [
    { ...body, quantity: 3 },
    { ...body, options: { a: 1 } },
    { product_id: 999_999, quantity: 2 },
  ]) {
    const answer = await shop.post('/cart/items', other, withKey('k', mug));
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
  }
  const { cart_token } = first.body;
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toMatchObject([{ quantity: 2 }]);
});

it('separates keys by application', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const second = await shop.register({ kind: 'integration' });
  const body = { product_id: mug.body.id, quantity: 1 };
  const one = await shop.post('/cart/items', body, withKey('k', mug));
  const two = await shop.post('/cart/items', body, { ...withKey('k', mug), token: second.token });
  expect(two.status).toBe(200);
  expect(two.body.cart_token).not.toBe(one.body.cart_token);
});

it('returns the same response to a retry, whatever has changed in product and cart since', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 2 });
  const { cart_token } = (await shop.post('/cart')).body;
  const body = { product_id: mug.body.id, quantity: 2, cart_token };
  const first = await shop.post('/cart/items', body, withKey('good', mug));
  expect(first.status).toBe(200);
  const refused = await shop.post('/cart/items', body, withKey('bad', mug));
  expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_stock']);

  const changed = await shop.patch(`/products/${mug.body.id}`, { stock: 50, price: 11 });
  const stillRefused = await shop.post('/cart/items', body, withKey('bad', changed));
  expect([stillRefused.status, stillRefused.body.details]).toEqual([409, refused.body.details]);
  expect(stillRefused.headers.get('idempotent-replayed')).toBe('true');
  expectProblem(stillRefused, 409, 'insufficient_stock');
  const gone = await shop.delete(`/products/${mug.body.id}`);
  const again = await shop.post('/cart/items', body, withKey('good', gone));
  expect([again.status, again.body]).toEqual([200, first.body]);
});

it('does not store responses that a retry should get anew', async () => {
  const shop = await world();
  const tee = await stockedProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [{ sku: 'S', price: 5, stock: 9, attributes: { size: 'S' } }],
  });
  const body = { product_id: tee.body.id, quantity: 1, options: { attributes: { size: 'M' } } };
  const refused = await shop.post('/cart/items', body, withKey('k', tee));
  expect(refused.status).toBe(422);
  const more = await shop.patch(`/products/${tee.body.id}`, {
    variants: [{ sku: 'M', price: 5, stock: 9, attributes: { size: 'M' } }],
  });
  expect((await shop.post('/cart/items', body, withKey('k', more))).status).toBe(200);
});

it('treats a key older than 24 hours as new', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const body = { product_id: mug.body.id, quantity: 1 };
  const first = await shop.post('/cart/items', body, withKey('k', mug));
  moveClock(DAY + 1000);
  const second = await shop.post('/cart/items', body, withKey('k', mug));
  expect(second.status).toBe(200);
  expect(second.body.cart_token).not.toBe(first.body.cart_token);
  const retry = await shop.post('/cart/items', body, withKey('k', mug));
  expect(retry.body).toEqual(second.body);
});

it('creates no second cart for a retry after a new master key was added', async () => {
  const shop = await world();
  const rotated = { ...env, ...SECOND_MASTER_KEY };
  const made = async (bindings: Env) => {
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' };
    const response = await fetchWith(bindings, 'POST', '/v1/cart', shop.token, { body: '{}', headers });
    return (await response.json<{ cart_token: string }>()).cart_token;
  };
  expect(await made(rotated)).toBe(await made(env));
});

it('answers HEAD like GET, 304 included', async () => {
  const shop = await world();
  const { cart_token } = (await shop.post('/cart')).body;
  const get = await shop.get(`/cart/${cart_token}`);
  const headers = { 'if-none-match': get.headers.get('etag') ?? '' };
  const head = await send('HEAD', `/v1/cart/${cart_token}`, { token: shop.token, headers });
  expect([head.status, head.headers.get('etag')]).toEqual([304, get.headers.get('etag')]);
});

it('sums 50 parallel additions to one line exactly', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 120 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const body = { product_id: mug.body.id, quantity: 2, cart_token };
  const answers = await times(50, () => shop.post('/cart/items', body, seeing(mug)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toMatchObject([{ quantity: 101, total: 1010 }]);
  // Of ten more only nine fit.
  const last = await times(10, () => shop.post('/cart/items', body, seeing(mug)));
  expect(last.filter(({ status }) => status === 200)).toHaveLength(9);
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toMatchObject([{ quantity: 119 }]);
});

it('loses no line when 50 parallel additions create 50 lines', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await shop.post('/cart')).body;
  await times(50, (n) => addToCart(shop, mug, { cart_token, options: { n } }));
  const { items, totals } = (await shop.get(`/cart/${cart_token}`)).body;
  expect(new Set(items.map((item: { options: { n: number } }) => item.options.n)).size).toBe(50);
  expect(new Set(items.map((item: { id: number }) => item.id)).size).toBe(50);
  expect(totals.subtotal).toBe(500);
});
