/** What happens to a customer while they are erased: nothing of it leaves their data anywhere. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { readCartToken } from '../../src/cart/index.ts';
import { createReset } from '../../src/customers/sessions/resets.ts';
import { mintToken } from '../../src/customers/sessions/token.ts';
import { customerById } from '../../src/customers/store.ts';
import { Cart } from '../../src/index.ts';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { ok } from '../../src/kernel/core/result.ts';
import { sha256 } from '../../src/kernel/crypto/crypto.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { afterBatch, beforeBatch, beforeRun, loseResponse } from '../support/faults/database.ts';
import { fiveCups, stockedProduct } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  RETURN_URL,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { PASSWORD, registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { cartSeeing, promote } from '../support/fixtures/selling/promotions.ts';
import { deliveries, Receiver, subscribe, until } from '../support/fixtures/webhooks.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';
import type { World } from '../support/world.ts';

/** The statement that ends an erasure. */
const ERASES = /update "customers" set .*"erased_at"/i;

it('redacts an event that is raised and delivered before the account ends', async () => {
  const [shop, receiver] = [await sandboxShop(), new Receiver()];
  receiver.respond = () => new Response(null, { status: 500 });
  const hook = await subscribe(shop, receiver.url, ['customer.email_changed']);
  const ada = await registerCustomer(shop);
  const moved = `moved-${crypto.randomUUID()}@example.com`;
  beforeBatch(ERASES, async () => {
    const change = { email: moved, current_password: PASSWORD };
    expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
    await until(async () => expect(await deliveries(shop, hook.id)).toHaveLength(1));
  });
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [ada.email, moved])).toEqual([]);
});

/** Returns how much is stored about the logins to an e-mail. */
const guarded = (shop: World, email: string) =>
  runInDurableObject(
    env.LOGIN_GUARD.getByName(`${shop.tenantId}:${sha256(email)}`),
    async (_, { storage }) => (await storage.list()).size,
  );

it('keeps nothing of the logins of a customer whose erasure was interrupted just after its commit', async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop);
  expect(await guarded(shop, ada.email)).toBeGreaterThan(0);
  loseResponse(ERASES);
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(503);
  expect((await shop.get(`/customers/${ada.id}`)).status).toBe(404);
  expect(await guarded(shop, ada.email)).toBe(0);
});

it('keeps nothing of the logins to an e-mail that a customer took while they were erased', async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop);
  const moved = `moved-${ada.email}`;
  beforeBatch(ERASES, async () => {
    const change = { email: moved, current_password: PASSWORD };
    expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
  });
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  expect([await guarded(shop, ada.email), await guarded(shop, moved)]).toEqual([0, 0]);
});

it('saves no address of a customer who is erased meanwhile', async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop);
  const address = { country: 'DE', line1: `Vanishing Lane ${crypto.randomUUID()}` };
  beforeBatch(/insert into customer_addresses/i, async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const saved = await shop.post('/customers/me/addresses', address, withSession(ada.token));
  expect([saved.status, saved.body.code]).toEqual([401, 'invalid_customer_token']);
  expect(storesWith(await dumpStores(shop), [address.line1])).toEqual([]);
});

/** Runs `work` just before the next cart is assigned to a customer. */
function beforeBind(work: () => Promise<void>): void {
  const { bind } = Cart.prototype;
  const spy = vi.spyOn(Cart.prototype, 'bind');
  const late = async function (this: Cart, ...owner: Parameters<typeof bind>) {
    spy.mockRestore();
    await work();
    return bind.apply(this, owner);
  };
  // An object's caller awaits every method, also those that return their result at once.
  spy.mockImplementation(late as never);
}

it('leaves no cart with the e-mail of a customer who was erased while they logged in with it', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const ada = await registerCustomer(shop);
  const cart_token = await cartWith(shop, cup);
  beforeBind(async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const login = await shop.post('/customers/login', { email: ada.email, password: PASSWORD, cart_token });
  expect([login.status, login.body.code]).toEqual([401, 'invalid_credentials']);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
  expect((await shop.get(`/cart/${cart_token}`)).body.items).toHaveLength(1);
});

it('leaves no cart with the new e-mail of a customer who was erased just after the change', async () => {
  const shop = await sandboxShop();
  const cart_token = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token });
  const moved = `moved-${crypto.randomUUID()}@example.com`;
  beforeBind(async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const change = { email: moved, current_password: PASSWORD };
  await shop.patch('/customers/me', change, withSession(ada.token));
  expect(storesWith(await dumpStores(shop), [ada.email, moved])).toEqual([]);
});

it('erases a cart that is assigned after it was looked at, and before the account ends', async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop);
  const cart_token = await cartWith(shop, await fiveCups(shop));
  beforeBatch(ERASES, async () => {
    const taken = await shop.put('/customers/me/cart', { cart_token }, withSession(ada.token));
    expect(taken.status).toBe(200);
  });
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});

it('takes no password reset that was requested just before the customer was erased', async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop);
  const ctx = tenantContext({ env, ctx: { waitUntil: () => undefined } }, shop.tenantId);
  const { token, hash } = mintToken(ctx, 'pr');
  const read = await customerById(ctx, ada.id);
  if (!read) throw new Error('The customer is missing');
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  await createReset(ctx, read, hash);
  const answer = await shop.post(`/customers/password-resets/${token}`, { password: PASSWORD });
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

it('opens no checkout with the e-mail of a customer who was erased after their cart was read', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  beforeBatch(/insert into "checkout_sessions"/i, async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const late = await startCheckout(shop, cart);
  expect([late.status, late.body.code]).toEqual([409, 'conflict']);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
  expect((await startCheckout(shop, cart)).status).toBe(200);
});

it('opens the checkout of a cart that missed the erasure of its customer, once the cart knows it', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  const { forgetPerson } = Cart.prototype;
  const spy = vi.spyOn(Cart.prototype, 'forgetPerson').mockImplementation(() => ok(undefined));
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  spy.mockImplementation(forgetPerson);
  expect((await startCheckout(shop, cart)).status).toBe(409);
  expect((await startCheckout(shop, cart)).status).toBe(200);
  spy.mockRestore();
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});

it('places the order of a customer who was erased after the cart was locked as a guest, with what they typed', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  const operations = [{ op: 'metadata', metadata: { gift: 'For Eve' } }];
  expect((await shop.post(`/cart/${cart}/batch`, { operations })).status).toBe(200);
  const path = await checkoutPath(shop, cart);
  beforeBatch(/insert into "orders"/i, async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  expect((await submitCheckout(path, 'pay')).status).toBe(303);
  const { data } = (await shop.get('/orders')).body;
  expect(data).toMatchObject([{ status: 'paid', customer: { id: null, name: 'Ada Lovelace' } }]);
  expect(storesWith(await dumpStores(shop), [ada.email, 'For Eve'])).toEqual([]);
});

it('takes an ended promotion out of a checkout without writing back what an erasure has removed meanwhile', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop);
  const seen = await promote(shop, { conditions: { first_order: true } });
  const order = (path: string) => submitCheckout(path, 'pay', { ...ADDRESS, email: 'eve@example.com' });
  expect((await order(await checkoutPath(shop, await cartWith(shop, cup)))).status).toBe(303);
  const cart = await cartWith(shop, cup);
  await cartSeeing(shop, cart, seen);
  const ada = await registerCustomer(shop, { cart_token: cart });
  const body = { cart_token: cart, return_url: RETURN_URL };
  const started = await shop.post('/checkout/seamless', body, withSession(ada.token));
  const erased = beforeRun(/update "checkout_sessions" set "snapshot"/i, async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  await order(new URL(started.body.redirect_url).pathname);
  await erased;
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});

it('keeps no response about an order for a retry once its customer is erased', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const [{ id }] = (await shop.get('/orders')).body.data;
  afterBatch(/insert into "order_fulfilments"/i, async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const keyed = { token: shop.token, headers: { 'idempotency-key': crypto.randomUUID() } };
  const tracking = { number: 'Thistlewood-7' };
  const send = () => shop.post(`/orders/${id}/fulfilments`, { tracking }, keyed);
  expect(await send()).toMatchObject({ status: 201, body: { tracking } });
  expect(storesWith(await dumpStores(shop), [tracking.number])).toEqual([]);
  expect(await send()).toMatchObject({ status: 201, body: { tracking: null } });
  expect((await shop.get(`/orders/${id}`)).body.fulfilments).toHaveLength(1);
});

it('reports no abandoned cart of a customer who was erased after it was read', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  moveClock(61 * MINUTE);
  beforeBatch(/INSERT INTO "outbox"/, async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const name = `${shop.tenantId}:${readCartToken(env, shop.tenantId, cart)}`;
  await runDurableObjectAlarm(env.CART.getByName(name));
  expect((await shop.get('/events?types=cart.abandoned')).body.data).toEqual([]);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});
