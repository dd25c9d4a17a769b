import { expect, it, vi } from 'vitest';
import { LoginGuard } from '../../src/index.ts';
import { fetchWith, interceptBindings } from '../support/faults/bindings.ts';
import { connectionLost } from '../support/faults/injector.ts';
import { sandboxShop } from '../support/fixtures/selling/checkout.ts';
import {
  customerWithCart,
  fromAddress,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { watchLog } from '../support/runtime/log-scan.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { world } from '../support/world.ts';

const events = async (tenantId: number) =>
  (
    await storeOf({ tenantId })
      .prepare("SELECT resource, data FROM outbox WHERE tenant_id = ? AND type = 'customer.email_changed'")
      .bind(tenantId)
      .all<{ resource: string; data: string }>()
  ).results.map(({ resource, data }) => ({ resource, data: JSON.parse(data) }));

it('requires the password to change the e-mail', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const email = registration().email;
  const bare = await shop.patch('/customers/me', { email }, withSession(ada.token));
  expect([bare.status, Object.keys(bare.body.errors)]).toEqual([422, ['current_password']]);
  const wrong = await shop.patch(
    '/customers/me',
    { email, current_password: 'a guess' },
    withSession(ada.token),
  );
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
  expect((await shop.get('/customers/me', withSession(ada.token))).body.email).toBe(ada.email);
  expect(await events(shop.tenantId)).toEqual([]);
});

it('takes the present e-mail without the password, as a form sends it back', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  for (const email of [ada.email, ada.email.toUpperCase()]) {
    const saved = await shop.patch('/customers/me', { name: 'Countess', email }, withSession(ada.token));
    expect([saved.status, saved.body.name, saved.body.email]).toEqual([200, 'Countess', ada.email]);
  }
  expect(await events(shop.tenantId)).toEqual([]);
});

it('counts wrong current passwords as wrong logins', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const codes: number[] = [];
  for (let count = 0; count < 7; count++) {
    const patch = { email: registration().email, current_password: `guess ${count}` };
    codes.push((await shop.patch('/customers/me', patch, withSession(ada.token))).status);
  }
  expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429]);
  // The thief of a session slows that device down, not its owner elsewhere.
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress('192.0.2.77'))).status).toBe(200);
});

it('opens no session for a login with the old address that the change overtakes', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const { verify } = LoginGuard.prototype;
  const spy = vi.spyOn(LoginGuard.prototype, 'verify');
  spy.mockImplementation(async function (this: LoginGuard, attempt: Parameters<typeof verify>[0]) {
    spy.mockRestore();
    const verified = await verify.call(this, attempt);
    const change = { email: registration().email, current_password: PASSWORD };
    expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
    return verified;
  });
  const late = await logIn(shop, ada.email);
  expect([late.status, late.body.code]).toEqual([401, 'invalid_credentials']);
});

it('asks to try again, not for another password, where the same change is sent twice at once', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const change = { email: registration().email, current_password: PASSWORD };
  const send = () => shop.patch('/customers/me', change, withSession(ada.token));
  const { verify } = LoginGuard.prototype;
  vi.spyOn(LoginGuard.prototype, 'verify').mockImplementationOnce(async function (this: LoginGuard, attempt) {
    expect((await send()).status).toBe(200);
    return verify.call(this, attempt);
  });
  const second = await send();
  expect([second.status, second.body.code]).toEqual([409, 'conflict']);
  expect((await send()).status).toBe(200);
  expect(await events(shop.tenantId)).toHaveLength(1);
});

it('ends all other sessions, and raises an event with the old address', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const other = (await logIn(shop, ada.email)).body.token;
  const reset = (await shop.post('/customers/password-resets', { email: ada.email })).body.token;
  const email = registration().email;
  const changed = await shop.patch(
    '/customers/me',
    { email, name: 'Countess', current_password: PASSWORD },
    withSession(ada.token),
  );
  expect([changed.status, changed.body.email]).toEqual([200, email]);
  expect((await shop.get('/customers/me', withSession(ada.token))).status).toBe(200);
  expect((await shop.get('/customers/me', withSession(other))).body.code).toBe('invalid_customer_token');
  const used = await shop.post(`/customers/password-resets/${reset}`, { password: 'another one' });
  expect(used.status).toBe(404);
  expect(await events(shop.tenantId)).toEqual([
    {
      resource: `customer:${ada.id}`,
      data: { customer_id: ada.id, name: 'Countess', old_email: ada.email, new_email: email },
    },
  ]);
  // The same address again changes nothing, and is no event.
  const same = { email: email.toUpperCase(), current_password: PASSWORD };
  expect((await shop.patch('/customers/me', same, withSession(ada.token))).status).toBe(200);
  expect((await events(shop.tenantId)).length).toBe(1);
});

it('requires customers:admin to subscribe a webhook to the change', async () => {
  const shop = await world();
  const hook = { url: 'https://example.com/hook', events: ['customer.email_changed'] };
  expect((await shop.post('/webhooks', hook)).status).toBe(201);
  const { token } = await shop.register({
    kind: 'integration',
    scopes: ['webhooks:write', 'catalog:read', 'orders:read'],
  });
  const refused = await shop.post('/webhooks', hook, { token });
  expect([refused.status, refused.body.details]).toEqual([403, { required_scope: 'customers:admin' }]);
});

/** Changes e-mail address and password of a customer. The first `failures` calls of their cart fail. */
async function changeUnreached(failures: number) {
  const warned = watchLog('warn');
  const shop = await sandboxShop();
  const ada = await customerWithCart(shop);
  const email = registration().email;
  let refused = 0;
  const broken = interceptBindings(['CART'], (name, call) => {
    if (name !== 'CART.bind' || refused === failures) return call();
    refused += 1;
    return Promise.reject(connectionLost());
  });
  const headers = { 'content-type': 'application/json', 'x-customer-token': ada.token };
  const body = JSON.stringify({ email, password: 'a new password', current_password: PASSWORD });
  const changed = await fetchWith(broken, 'PATCH', '/v1/customers/me', shop.token, { headers, body });
  expect([changed.status, await changed.json()]).toMatchObject([200, { email }]);
  return { shop, ada, email, warned };
}

it('answers a change that was made although the cart cannot be reached, and tells the cart later', async () => {
  const { shop, ada, email } = await changeUnreached(1);
  expect((await logIn(shop, email, 'a new password')).status).toBe(200);
  expect((await shop.get(`/cart/${ada.cart}`, withSession(ada.token))).body.email).toBe(email);
});

it('logs that a cart keeps the former address, and sends the new one with the next change', async () => {
  const { shop, ada, email, warned } = await changeUnreached(4);
  expect(warned()).toEqual([
    { event: 'cart_email_not_sent', tenant: shop.tenantId, customer: expect.any(Number) },
  ]);
  const cart = () => shop.get(`/cart/${ada.cart}`, withSession(ada.token));
  expect((await cart()).body.email).not.toBe(email);
  const next = registration().email;
  await shop.patch(
    '/customers/me',
    { email: next, current_password: 'a new password' },
    withSession(ada.token),
  );
  expect((await cart()).body.email).toBe(next);
});

it('leaves the cart with the later of two addresses, whichever reaches it first', async () => {
  const shop = await sandboxShop();
  const ada = await customerWithCart(shop);
  const [earlier, later] = [registration().email, registration().email];
  const changeTo = (email: string) => ({ email, current_password: PASSWORD });
  let overtaking: Promise<unknown> | undefined;
  const overtaken = interceptBindings(['CART'], (name, call) => {
    if (name !== 'CART.bind' || overtaking) return call();
    overtaking = shop.patch('/customers/me', changeTo(later), withSession(ada.token)).then(({ status }) => {
      expect(status).toBe(200);
      return call();
    });
    return overtaking;
  });
  const headers = { 'content-type': 'application/json', 'x-customer-token': ada.token };
  const sent = { headers, body: JSON.stringify(changeTo(earlier)) };
  await fetchWith(overtaken, 'PATCH', '/v1/customers/me', shop.token, sent);
  expect((await shop.get(`/cart/${ada.cart}`, withSession(ada.token))).body.email).toBe(later);
});
