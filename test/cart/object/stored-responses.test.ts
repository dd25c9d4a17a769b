/** What a Cart object stores: responses by Idempotency-Key, and the cart itself. */

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { bindCart, forgetPerson } from '../../../src/cart/index.ts';
import { HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { evict } from '../../support/faults/injector.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartIdOf, cartObject } from '../../support/fixtures/selling/cart.ts';
import { countObjectRows } from '../../support/storage/object-rows.ts';
import { type World, world } from '../../support/world.ts';

/** Runs SQL in the cart's object. */
const inCart = <Row extends Record<string, SqlStorageValue>>(
  shop: World,
  token: string,
  query: string,
  ...values: SqlStorageValue[]
): Promise<Row[]> =>
  runInDurableObject(cartObject(shop, token), (_, { storage }) =>
    storage.sql.exec<Row>(query, ...values).toArray(),
  );

const KEPT =
  'SELECT count(*) AS answers, coalesce(sum(length(CAST(reply AS BLOB))), 0) AS bytes FROM answers';
const kept = async (shop: World, token: string) =>
  (await inCart<{ answers: number; bytes: number }>(shop, token, KEPT))[0];

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

/** A cart of fifty lines of 4 KB each. */
async function heavyCart(shop: World) {
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 10_000 });
  const { cart_token } = (await addToCart(shop, mug, { options: { note: 'x'.repeat(4000) } })).body;
  for (let n = 1; n < 50; n++) {
    await addToCart(shop, mug, { cart_token, options: { note: `${n} ${'x'.repeat(4000)}` } });
  }
  const body = { cart_token, product_id: mug.body.id, quantity: 1, options: { small: 1 } };
  const post = (key: string) => shop.post('/cart/items', body, { ...seeing(mug), ...keyed(key) });
  return { mug, cart_token, post };
}

const small = (answer: { body: { items: { options: { small?: number }; quantity: number }[] } }) =>
  answer.body.items.find(({ options }) => options.small === 1)?.quantity;

it('bounds the bytes of stored responses, and applies a key once although its response was dropped', async () => {
  const shop = await world({ plan: 'enterprise' });
  const { cart_token, post } = await heavyCart(shop);
  const first = await post('k0');
  for (let n = 1; n < 60; n++) await post(`k${n}`);
  expect((await kept(shop, cart_token))?.bytes).toBeLessThan(256 * 1024 + 60 * 100);
  expect((await kept(shop, cart_token))?.answers).toBe(60);
  const last = await post('k59');
  expect([last.status, last.headers.get('idempotent-replayed'), small(last)]).toEqual([200, 'true', 60]);
  const again = await post('k0');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  // What it answered is gone: it answers the cart as it is.
  expect([small(first), small(again)]).toEqual([1, 60]);
  expect(small(await shop.get(`/cart/${cart_token}`))).toBe(60);
});

it('drops the response that is one too many, and writes no others', async () => {
  const rows = await countObjectRows();
  const shop = await world({ plan: 'enterprise' });
  const { cart_token, post } = await heavyCart(shop);
  for (let n = 0; n < 30; n++) await post(`k${n}`);
  rows.reset();
  await post('k30');
  // The new one and its index; the oldest with a cart.
  expect(await rows.written(cartObject(shop, cart_token), 'answers')).toBeLessThan(6);
  vi.restoreAllMocks();
  expect((await kept(shop, cart_token))?.bytes).toBeLessThan(256 * 1024 + 60 * 100);
});

it('follows a merge for a dropped response, and applies nothing there', async () => {
  const shop = await world({ plan: 'enterprise' });
  const { mug, cart_token: older, post } = await heavyCart(shop);
  for (let n = 0; n < 3; n++) await post(`k${n}`);
  const newer = (await addToCart(shop, mug, { options: { other: 1 } })).body.cart_token;
  const call = {
    ...tenantContext({ env, ctx: { waitUntil: () => undefined } }, shop.tenantId),
    caller: { tenantId: shop.tenantId, catalogVersion: 0 },
  } as unknown as Parameters<typeof bindCart>[0]; // The part of a call that binding reads.
  const owner = { id: 7, email: 'ada@example.com' };
  const merged = await bindCart(call, cartIdOf(shop, newer), { owner, olderId: cartIdOf(shop, older) });
  expect(merged.ok).toBe(true);
  const again = await post('k0');
  expect([again.status, small(again), again.body.cart_token]).toEqual([200, 3, newer]);
  expect(small(await shop.get(`/cart/${newer}`))).toBe(3);
});

it('deletes responses in its alarm a day later, and stays a cart', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await shop.post('/cart/items', { cart_token, product_id: mug.body.id, quantity: 1 }, keyed('k'));
  expect((await kept(shop, cart_token))?.answers).toBe(1);
  await evict(cartObject(shop, cart_token));
  await shop.patch('/cart/items/1', { cart_token, quantity: 5 });
  const alarm = await runInDurableObject(cartObject(shop, cart_token), (_, { storage }) =>
    storage.getAlarm(),
  );
  expect((alarm ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThanOrEqual(24 * HOUR);
  moveClock(25 * HOUR);
  expect(await runDurableObjectAlarm(cartObject(shop, cart_token))).toBe(true);
  expect((await kept(shop, cart_token))?.answers).toBe(0);
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toMatchObject([{ quantity: 5 }]);
  const next = await runInDurableObject(cartObject(shop, cart_token), (_, { storage }) => storage.getAlarm());
  expect(next).toBeGreaterThan(Date.now() + 25 * 24 * HOUR);
});

it('rejects more keys a day than it stores, so that none is applied twice', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const body = { cart_token, product_id: mug.body.id, quantity: 1 };
  await shop.post('/cart/items', body, keyed('first'));
  await inCart(
    shop,
    cart_token,
    `INSERT INTO answers (key, fingerprint, reply, at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1
      FROM n WHERE i < 999) SELECT 'made-up-' || i, 'x', '{"ok":true}', (SELECT max(at) FROM answers) FROM n`,
  );
  await evict(cartObject(shop, cart_token));
  const refused = await shop.post('/cart/items', body, keyed('one more'));
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
  expect((await shop.post('/cart/items', body, keyed('first'))).status).toBe(200);
  expect((await shop.post('/cart/items', body)).body.items).toMatchObject([{ quantity: 3 }]);
  moveClock(24 * HOUR);
  expect((await shop.post('/cart/items', body, keyed('one more'))).body.items).toMatchObject([
    { quantity: 4 },
  ]);
});

it('stores no response body once its customer is erased, and still applies a key once', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const body = { cart_token, product_id: mug.body.id, quantity: 1 };
  await shop.post('/cart/items', body, keyed('k'));
  await forgetPerson({ env, tenantId: shop.tenantId }, cartIdOf(shop, cart_token), 7);
  const [row] = await inCart<{ reply: string }>(shop, cart_token, 'SELECT reply FROM answers');
  expect(JSON.parse(row?.reply ?? '')).toEqual({ ok: true });
  expect((await shop.post('/cart/items', body, keyed('k'))).body.items).toMatchObject([{ quantity: 2 }]);
});

it('rejects what would make a cart larger than a checkout can store', async () => {
  const shop = await world({ plan: 'enterprise' });
  const links = Array.from({ length: 60 }, (_, n) => ({
    title: `Song ${n}`,
    price: 1,
    url: `https://files.example.com/${'x'.repeat(1900)}${n}`,
  }));
  const album = await stockedProduct(shop, { name: 'Album', type: 'downloadable', links });
  const ids = album.body.links.map(({ id }: { id: number }) => id);
  let cart_token: string | undefined;
  let refused = null;
  for (let n = 0; n < 20 && !refused; n++) {
    const options = { links: ids, note: n };
    const body = { product_id: album.body.id, quantity: 1, options, ...(cart_token && { cart_token }) };
    const added = await shop.post('/cart/items', body, seeing(album));
    if (added.status === 200) cart_token = added.body.cart_token;
    else refused = added;
  }
  expect([refused?.status, Object.keys(refused?.body.errors ?? {})]).toEqual([422, ['options']]);
  expect((await shop.get(`/cart/${cart_token}`)).body.items.length).toBeGreaterThan(5);
});
