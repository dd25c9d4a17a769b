import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createReset } from '../../src/customers/sessions/resets.ts';
import { mintToken } from '../../src/customers/sessions/token.ts';
import { customerById } from '../../src/customers/store.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import {
  customerWithCart,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { type World, world } from '../support/world.ts';

const NEXT = 'a brand new password';

const request = async (shop: World, email: string): Promise<string> => {
  const made = await shop.post('/customers/password-resets', { email });
  expect(made.status).toBe(201);
  return made.body.token;
};

const reset = (shop: World, token: string, password = NEXT) =>
  shop.post(`/customers/password-resets/${token}`, { password });

it('sets a new password, ends every session and opens one', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const token = await request(shop, ada.email.toUpperCase());
  const done = await reset(shop, token);
  expect([done.status, done.body.customer.id]).toEqual([200, ada.id]);
  expect((await shop.get('/customers/me', withSession(ada.token))).status).toBe(401);
  expect((await shop.get('/customers/me', withSession(done.body.token))).status).toBe(200);
  expect((await logIn(shop, ada.email)).status).toBe(401);
  expect((await logIn(shop, ada.email, NEXT)).status).toBe(200);
});

it('is valid once, and for an hour', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const [used, sibling] = [await request(shop, ada.email), await request(shop, ada.email)];
  expect((await reset(shop, used)).status).toBe(200);
  for (const token of [used, sibling]) {
    const again = await reset(shop, token, 'yet another password');
    expect([again.status, again.body.code]).toEqual([404, 'not_found']);
  }
  const late = await request(shop, ada.email);
  moveClock(3600_000);
  expect((await reset(shop, late)).status).toBe(404);
  expect((await logIn(shop, ada.email, NEXT)).status).toBe(200);
});

it("takes the shopper's cart along, and is not used up by one that is gone or another customer's", async () => {
  const shop = await world();
  const mug = await stockedProduct(shop);
  const [ada, bob] = [await registerCustomer(shop), await registerCustomer(shop)];
  const resetWith = async (token: string, cart_token?: string) =>
    (await shop.post(`/customers/password-resets/${token}`, { password: NEXT, cart_token })).body;
  const { cart_token: cart } = (await addToCart(shop, mug, { quantity: 2 })).body;
  expect((await resetWith(await request(shop, ada.email), cart)).cart_token).toBe(cart);
  // It is the customer's own by now.
  expect((await resetWith(await request(shop, ada.email), cart)).cart_token).toBe(cart);
  const { cart_token: bobs } = (await addToCart(shop, mug, { quantity: 1 })).body;
  await shop.put('/customers/me/cart', { cart_token: bobs }, withSession(bob.token));
  const token = await request(shop, ada.email);
  for (const lost of ['ct_gone', bobs]) expect((await resetWith(token, lost)).code).toBe('cart_not_found');
  const done = await resetWith(token);
  expect([done.customer?.id, done.cart_token]).toEqual([ada.id, cart]);
});

it('takes a cart along that another device has merged into a newer one', async () => {
  const shop = await world();
  const ada = await customerWithCart(shop);
  const { cart_token: newer } = (await addToCart(shop, await stockedProduct(shop), { quantity: 1 })).body;
  await shop.put('/customers/me/cart', { cart_token: newer }, withSession(ada.token));
  const body = { password: NEXT, cart_token: ada.cart };
  const done = await shop.post(`/customers/password-resets/${await request(shop, ada.email)}`, body);
  expect([done.status, done.body.cart_token]).toEqual([200, ada.cart]);
  expect((await shop.get(`/cart/${ada.cart}`)).body.cart_token).toBe(newer);
});

it('is not made for an e-mail that the customer has just changed', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const ctx = tenantContext({ env, ctx: { waitUntil: () => undefined } }, shop.tenantId);
  const read = await customerById(ctx, ada.id);
  if (!read) throw new Error('The customer is missing');
  const change = { email: registration().email, current_password: PASSWORD };
  expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
  const { token, hash } = mintToken(ctx, 'pr');
  await createReset(ctx, read, hash);
  expect((await reset(shop, token)).status).toBe(404);
  expect((await logIn(shop, change.email)).status).toBe(200);
});

it('is used by one of two concurrent requests', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const token = await request(shop, ada.email);
  const answers = await Promise.all([reset(shop, token, 'password one'), reset(shop, token, 'password two')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const winner = answers[0]?.status === 200 ? 'password one' : 'password two';
  expect((await logIn(shop, ada.email, winner)).status).toBe(200);
});

it.each([
  ['a new password', { password: 'changed password', current_password: PASSWORD }],
  ['a new e-mail', { email: registration().email, current_password: PASSWORD }],
])('is invalidated by %s', async (_, change) => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const token = await request(shop, ada.email);
  expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
  expect((await reset(shop, token)).status).toBe(404);
});

it("admits a customer who was throttled by another's guesses", async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  while ((await logIn(shop, ada.email, 'a wrong guess')).status === 401);
  expect((await logIn(shop, ada.email)).status).toBe(429);
  expect((await reset(shop, await request(shop, ada.email))).status).toBe(200);
  expect((await logIn(shop, ada.email, NEXT)).status).toBe(200);
});

it("is created only for this tenant's customers, with the required scope", async () => {
  const [shop, other] = [await world(), await world()];
  const ada = await registerCustomer(shop);
  const unknown = await other.post('/customers/password-resets', { email: ada.email });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'customer_not_found']);
  const token = await request(shop, ada.email);
  expect((await reset(other, token)).body.code).toBe('not_found');
  expect((await reset(shop, `pr_${'a'.repeat(32)}1${'b'.repeat(12)}`)).body.code).toBe('not_found');
  expect((await reset(shop, ada.token)).body.code).toBe('not_found');
  const storefront = await shop.register();
  const refused = await shop.post(
    '/customers/password-resets',
    { email: ada.email },
    { token: storefront.token },
  );
  expect(refused.body.details).toEqual({ required_scope: 'customers:admin' });
  expect((await reset(shop, token)).status).toBe(200);
});
