import { expect, it } from 'vitest';
import { loseResponse } from '../support/faults/database.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { logIn, registerCustomer, registration, withSession } from '../support/fixtures/selling/customers.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

const withKey = (shop: World, path: string, body: object, key: string) =>
  shop.post(path, body, { token: shop.token, body, headers: { 'idempotency-key': key } });

it('registers once for one key, and returns the same session', async () => {
  const shop = await world();
  const [who, key] = [registration(), crypto.randomUUID()];
  const first = await withKey(shop, '/customers/register', who, key);
  const second = await withKey(shop, '/customers/register', who, key);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect((await shop.get('/customers/me', withSession(second.body.token))).status).toBe(200);
  const other = await withKey(shop, '/customers/register', { ...who, name: 'Eve' }, key);
  expect(other.body.code).toBe('idempotency_key_reused');
});

it('returns a session for a committed registration whose response was lost', async () => {
  const shop = await world();
  const { cart_token } = (await shop.post('/cart', {})).body;
  const [who, key] = [registration({ cart_token }), crypto.randomUUID()];
  loseResponse(/insert into "customers"/);
  expect((await withKey(shop, '/customers/register', who, key)).status).toBe(503);
  const again = await withKey(shop, '/customers/register', who, key);
  expect([again.status, again.body.customer?.email]).toEqual([201, who.email]);
  expect((await shop.get(`/cart/${cart_token}`, withSession(again.body.token))).body.email).toBe(who.email);
  expect((await shop.get('/customers/me', withSession(again.body.token))).status).toBe(200);
  expect((await shop.post('/customers/register', { ...who, cart_token: null })).body.code).toBe(
    'email_taken',
  );
});

it('takes a retry in a new session of the customer for the same call', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const { cart_token } = (await shop.post('/cart', {})).body;
  const { body: mug } = await stockedProduct(shop);
  const sendAll = async (token: string) => {
    const options = withSession(token, { 'idempotency-key': 'offline-1' });
    const item = { cart_token, product_id: mug.id, quantity: 1 };
    const added = await shop.post('/cart/items', item, options);
    const saved = await shop.post('/customers/me/addresses', { country: 'DE' }, options);
    return { codes: [added.body.code, saved.body.code], bodies: [added.body, saved.body] };
  };
  const first = await sendAll(ada.token);
  await shop.post('/customers/logout', {}, withSession(ada.token));
  const refused = ['invalid_customer_token', 'invalid_customer_token'];
  expect((await sendAll(ada.token)).codes).toEqual(refused);
  const { token } = (await logIn(shop, ada.email)).body;
  expect((await sendAll(token)).bodies).toEqual(first.bodies);
  expect((await shop.get(`/cart/${cart_token}`)).body.total_quantity).toBe(1);
  expect((await shop.get('/customers/me/addresses', withSession(token))).body.data).toHaveLength(1);
});

/** A reset to "a new password" that is committed, and whose response was lost; `reset` repeats it. */
async function lostReset() {
  const shop = await world();
  const { cart_token } = (await shop.post('/cart', {})).body;
  const ada = await registerCustomer(shop);
  const { token } = (await shop.post('/customers/password-resets', { email: ada.email })).body;
  const [path, key] = [`/customers/password-resets/${token}`, crypto.randomUUID()];
  const reset = () => withKey(shop, path, { password: 'a new password', cart_token }, key);
  loseResponse(/update "customers"/);
  expect((await reset()).status).toBe(503);
  return { shop, ada, reset, cart_token };
}

it('returns a session for a committed reset whose response was lost', async () => {
  const { shop, ada, reset, cart_token } = await lostReset();
  const again = await reset();
  expect([again.status, again.body.customer.id]).toEqual([200, ada.id]);
  expect(again.body.cart_token).toBe(cart_token);
  expect((await shop.get('/customers/me', withSession(again.body.token))).status).toBe(200);
  expect((await logIn(shop, ada.email, 'a new password')).status).toBe(200);
});

it('opens no session for a repeated reset once the password is another one', async () => {
  const { shop, ada, reset } = await lostReset();
  const own = (await logIn(shop, ada.email, 'a new password')).body.token;
  const change = { password: 'another password', current_password: 'a new password' };
  expect((await shop.patch('/customers/me', change, withSession(own))).status).toBe(200);
  const again = await reset();
  expect([again.status, again.body.code]).toEqual([401, 'invalid_credentials']);
});

it('stores no readable or guessable password or token', async () => {
  const shop = await world();
  const who = registration();
  const made = await withKey(shop, '/customers/register', who, crypto.randomUUID());
  const body = JSON.stringify(who);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`\n${body}`)));
  const tables = ['customers', 'customer_sessions', 'idempotency_keys'];
  const rows = await storeOf(shop).batch(
    tables.map((table) => storeOf(shop).prepare(`SELECT * FROM ${table}`)),
  );
  const everything = JSON.stringify(rows.map(({ results }) => results));
  expect(everything).toContain(who.email);
  for (const secret of [who.password, made.body.token, Buffer.from(digest).toString('hex')]) {
    expect(everything).not.toContain(secret);
  }
});
