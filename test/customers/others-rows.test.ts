/** What is done with the data of one customer reads and changes that customer's rows, whatever others the shop has. */
import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import {
  customerWithCart,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { copyOrders, placedOrder } from '../support/fixtures/selling/orders.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { plansOf } from '../support/storage/query-plans.ts';
import { type World, world } from '../support/world.ts';

/** A customer with one order in a shop with 500 orders of others. */
async function shopWithOrders() {
  const shop: World = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const ada = await registerCustomer(shop);
  await placedOrder(shop, cup, {
    customer: { customerId: ada.id, name: 'Ada', email: ada.email, phone: null },
  });
  await copyOrders(shop, 500);
  await storeOf(shop)
    .prepare('UPDATE orders SET customer_id = NULL, email = number WHERE tenant_id = ? AND number > 1001')
    .bind(shop.tenantId)
    .run();
  return { shop, path: `/customers/${ada.id}` };
}

it('erases a customer without reading the orders of others', async () => {
  const { shop, path } = await shopWithOrders();
  const { read } = await measureDatabase(async () => {
    expect((await shop.delete(path)).status).toBe(204);
  });
  expect(read).toBeLessThan(400);
  const { data } = (await shop.get('/orders?number=1001')).body;
  expect(data).toMatchObject([{ customer: { id: null, email: null } }]);
});

/** Steps that read all of a tenant's rows in a table. */
const WHOLE_TENANT = /\(tenant_id=\?\)$/;

it('exports what is kept of a customer without reading all of a table', async () => {
  const { shop, path } = await shopWithOrders();
  const plans = await plansOf(async () => {
    const { status, body } = await shop.get(`${path}/export`);
    expect([status, body.orders.length]).toEqual([200, 1]);
  });
  for (const [sql, plan] of plans) {
    const whole = plan.filter((step) => WHOLE_TENANT.test(step) && !/ (tenants|webhooks) /.test(step));
    expect(whole, sql).toEqual([]);
  }
});

const ADDRESSES = '/customers/me/addresses';

/** A customer with a cart, two addresses and a password reset. */
async function settledCustomer(shop: World) {
  const bob = await customerWithCart(shop);
  const session = withSession(bob.token);
  for (const country of ['AT', 'JP']) await shop.post(ADDRESSES, { country }, session);
  const { token: reset } = (await shop.post('/customers/password-resets', { email: bob.email })).body;
  return { ...bob, shop, session, reset };
}

/** Makes every change of an account that a customer can make, and erases it. */
async function liveOneLife(shop: World): Promise<void> {
  const ada = await customerWithCart(shop);
  const session = withSession(ada.token);
  const [first, second] = [
    await shop.post(ADDRESSES, { country: 'DE' }, session),
    await shop.post(ADDRESSES, { country: 'FR', is_default: true }, session),
  ];
  const email = registration().email;
  const change = { name: 'Countess', email, password: 'a new password', current_password: PASSWORD };
  const { token } = (await shop.post('/customers/login', { email: ada.email, password: PASSWORD })).body;
  const answers = [
    await shop.patch(`${ADDRESSES}/${first.body.id}`, { is_default: true, city: 'Ulm' }, session),
    await shop.delete(`${ADDRESSES}/${first.body.id}`, session),
    await shop.post('/customers/logout', undefined, withSession(token)),
    await shop.patch('/customers/me', change, session),
    await logIn(shop, email, change.password),
    await shop.post('/customers/password-resets', { email }),
  ];
  const reset = answers.at(-1)?.body.token;
  answers.push(
    await shop.post(`/customers/password-resets/${reset}`, { password: PASSWORD }),
    await shop.delete(`/customers/${ada.id}`),
  );
  expect([second, ...answers].map(({ status }) => status)).toEqual([
    201, 200, 204, 200, 200, 200, 201, 200, 204,
  ]);
}

it('changes nothing of other customers, of the shop or of another', async () => {
  const [shop, other] = [await world(), await world()];
  const others = [await settledCustomer(shop), await settledCustomer(other)];
  const kept = () =>
    Promise.all(
      others.map(async (bob) => {
        const { exported_at: _, ...data } = (await bob.shop.get(`/customers/${bob.id}/export`)).body;
        return data;
      }),
    );
  const before = await kept();
  const addresses = [{ is_default: true }, { is_default: false }];
  expect(before).toMatchObject(
    others.map(({ id }) => ({ customer: { id }, addresses, password_resets: [{}] })),
  );
  await liveOneLife(shop);
  expect(await kept()).toEqual(before);
  for (const bob of others) {
    expect((await bob.shop.get('/customers/me', bob.session)).body.email).toBe(bob.email);
    expect((await logIn(bob.shop, bob.email)).status).toBe(200);
    const redeemed = await bob.shop.post(`/customers/password-resets/${bob.reset}`, { password: PASSWORD });
    expect(redeemed.body.customer?.id).toBe(bob.id);
  }
});
