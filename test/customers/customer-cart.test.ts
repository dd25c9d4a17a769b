import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { samples } from '../cart/samples.ts';
import { beforeBatch, refuseBatch } from '../support/faults/database.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart, cartPort, tellOrderStatus } from '../support/fixtures/selling/cart.ts';
import {
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';
import { send, type World, world } from '../support/world.ts';

async function shopWith() {
  const shop = await world();
  const [mug, bowl] = [
    await stockedProduct(shop, { name: 'Mug' }),
    await stockedProduct(shop, { name: 'Bowl' }),
  ];
  const cart = async (mugs: number, bowls = 0): Promise<string> => {
    const { cart_token } = (await addToCart(shop, mug, { quantity: mugs })).body;
    if (bowls > 0) await addToCart(shop, bowl, { cart_token, quantity: bowls });
    return cart_token;
  };
  return { shop, mug, cart };
}

const login = (shop: World, email: string, cart_token?: string | null) =>
  shop.post('/customers/login', { email, password: PASSWORD, cart_token });

const items = async (shop: World, token: string) =>
  (await shop.get(`/cart/${token}`)).body.items.map((item: { name: string; quantity: number }) => [
    item.name,
    item.quantity,
  ]);

it('binds a cart at registration, and shows its customer to nobody else', async () => {
  const { shop, cart } = await shopWith();
  const token = await cart(2);
  const who = registration({ cart_token: token });
  const made = await shop.post('/customers/register', who);
  expect([made.status, made.body.cart_token]).toEqual([201, token]);
  const session = withSession(made.body.token);
  const address = { country: 'DE', first_name: 'Ada', line1: 'Unter den Linden 1' };
  await shop.put(`/cart/${token}/shipping-address`, address, session);
  const hers = await shop.get(`/cart/${token}`, session);
  expect(hers.body).toMatchObject({ email: who.email, shipping_address: address });
  const eve = await registerCustomer(shop);
  for (const view of [
    await shop.get(`/cart/${token}`),
    await shop.get(`/cart/${token}`, withSession(eve.token)),
  ]) {
    expect(view.status).toBe(200);
    expect(JSON.stringify(view.body)).not.toMatch(/Ada|Linden|example\.com/);
  }
});

/** A call of each endpoint about a cart that is there: a new one can't be forgotten. */
const CART_CALLS = Object.entries(samples).flatMap(([name, sample]) =>
  sample.params ? [{ name, ...sample }] : [],
);

it('shows its customer to nobody else in the response of any endpoint of carts', async () => {
  const shop = await world();
  const eve = await registerCustomer(shop);
  const address = { country: 'DE', first_name: 'Ada', line1: 'Unter den Linden 1' };
  for (const { name, params, query, body } of CART_CALLS) {
    // Each cart has its own owner: a merge could change the ids of the items that the sample names.
    const ada = await registerCustomer(shop, { name: 'Ada Byron' });
    const [method = '', path = ''] = name.split(' ');
    const made = (await params?.(shop)) ?? {};
    const cart_token = String(made.cart_token);
    await shop.put('/customers/me/cart', { cart_token }, withSession(ada.token));
    const hers = await shop.put(`/cart/${cart_token}/shipping-address`, address, withSession(ada.token));
    expect(hers.body).toMatchObject({ email: ada.email, shipping_address: address });
    const sent = typeof body === 'function' ? await body(shop, made) : body;
    const url = path.replace(/\{(\w+)\}/g, (_, key: string) => String(made[key]));
    const call = (headers: Record<string, string>) =>
      send(method, `${url}${typeof query === 'function' ? query(made) : ''}`, {
        token: shop.token,
        headers,
        ...(sent !== undefined && { body: sent }),
      });
    const answers = [await call({ 'x-customer-token': eve.token }), await call({})];
    expect(answers[0]?.status, name).toBe(200);
    for (const answer of answers)
      expect(JSON.stringify(answer.body), name).not.toMatch(/Ada|Linden|example\.com/);
  }
});

it('merges the older cart at login, and a second time changes nothing', async () => {
  const { shop, cart } = await shopWith();
  const older = await cart(5, 1);
  const ada = await registerCustomer(shop, { cart_token: older });
  const newer = await cart(2, 4);
  const first = await login(shop, ada.email, newer);
  expect([first.status, first.body.cart_token]).toEqual([200, newer]);
  const merged = [
    ['Mug', 5],
    ['Bowl', 4],
  ];
  expect((await items(shop, newer)).sort()).toEqual([...merged].sort());
  expect((await login(shop, ada.email, newer)).body.cart_token).toBe(newer);
  expect((await login(shop, ada.email, older)).body.cart_token).toBe(older);
  for (const token of [newer, older]) {
    expect((await items(shop, token)).sort()).toEqual([...merged].sort());
  }
  const plain = await login(shop, ada.email);
  expect(plain.body.cart_token).toBe(newer);
  expect((await login(shop, ada.email, null)).body.cart_token).toBe(newer);
});

it("keeps the customer's cart beside one that is being paid", async () => {
  const { shop, cart } = await shopWith();
  const own = await cart(3, 1);
  const ada = await registerCustomer(shop, { cart_token: own });
  const bought = await cart(2);
  const port = cartPort(shop, bought);
  await tellOrderStatus(port, { id: 'ord', status: 'paid', revision: 1 });
  for (let twice = 0; twice < 2; twice++) {
    const answer = await login(shop, ada.email, bought);
    expect([answer.status, answer.body.cart_token]).toEqual([200, bought]);
  }
  expect(await items(shop, bought)).toEqual([['Mug', 2]]);
  expect((await shop.get(`/cart/${bought}`, withSession(ada.token))).body.email).toBe(ada.email);
  expect((await login(shop, ada.email)).body.cart_token).toBe(own);
  expect(await items(shop, own)).toEqual([
    ['Mug', 3],
    ['Bowl', 1],
  ]);
  const next = await cart(1);
  await login(shop, ada.email, next);
  expect((await items(shop, next)).sort()).toEqual([
    ['Bowl', 1],
    ['Mug', 3],
  ]);
});

it('keeps the cart of a customer whose login broke off after a merge', async () => {
  const { shop, cart } = await shopWith();
  const ada = await registerCustomer(shop, { cart_token: await cart(5) });
  refuseBatch(/update "customers" set "cart_id"/);
  expect((await login(shop, ada.email, await cart(1, 1))).status).toBe(503);
  const { cart_token } = (await login(shop, ada.email)).body;
  const kept = [
    ['Bowl', 1],
    ['Mug', 5],
  ];
  expect((await items(shop, cart_token)).sort()).toEqual(kept);
  const other = await cart(2);
  expect((await login(shop, ada.email, other)).body.cart_token).toBe(other);
  for (const token of [other, cart_token]) expect((await items(shop, token)).sort()).toEqual(kept);
  expect((await login(shop, ada.email)).body.cart_token).toBe(other);
});

it('merges the carts of two concurrent logins', async () => {
  const { shop, cart } = await shopWith();
  const ada = await registerCustomer(shop, { cart_token: await cart(1) });
  const both = [await cart(3), await cart(2, 2)];
  // One place is taken by each; both come through.
  const answers = await Promise.all(both.map((token) => login(shop, ada.email, token)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const current = (await login(shop, ada.email)).body.cart_token;
  expect((await items(shop, current)).sort()).toEqual([
    ['Bowl', 2],
    ['Mug', 3],
  ]);
});

it('merges the cart of a login that another one overtook, for a customer without a cart', async () => {
  const { shop, cart } = await shopWith();
  const ada = await registerCustomer(shop);
  const [overtaken, first] = [await cart(1), await cart(2, 2)];
  beforeBatch(/update "customers" set "cart_id"/, async () => {
    expect((await login(shop, ada.email, first)).body.cart_token).toBe(first);
  });
  expect((await login(shop, ada.email, overtaken)).body.cart_token).toBe(overtaken);
  expect((await login(shop, ada.email)).body.cart_token).toBe(overtaken);
  for (const token of [overtaken, first]) {
    expect((await items(shop, token)).sort()).toEqual([
      ['Bowl', 2],
      ['Mug', 2],
    ]);
  }
});

it('adopts a cart created during the session, as a login would', async () => {
  const { shop, cart } = await shopWith();
  const ada = await registerCustomer(shop, { cart_token: await cart(1, 3) });
  const newer = await cart(2);
  const own = (token: string, session = ada.token) =>
    shop.put('/customers/me/cart', { cart_token: token }, withSession(session));
  for (let twice = 0; twice < 2; twice++) {
    expect(await own(newer)).toMatchObject({ status: 200, body: { cart_token: newer } });
    expect(await items(shop, newer)).toEqual([
      ['Mug', 2],
      ['Bowl', 3],
    ]);
  }
  expect((await login(shop, ada.email)).body.cart_token).toBe(newer);
  const eve = await registerCustomer(shop);
  expect(await own(newer, eve.token)).toMatchObject({ status: 404, body: { code: 'cart_not_found' } });
  expect((await own(newer, 'cs_made-up')).status).toBe(401);
});

it('answers 404 for carts of others, of another tenant, and forged ones', async () => {
  const { shop, cart } = await shopWith();
  const other = await shopWith();
  const [ada, eve] = [await registerCustomer(shop), await registerCustomer(shop)];
  const hers = await cart(1);
  expect((await login(shop, ada.email, hers)).status).toBe(200);
  const foreign = await other.cart(1);
  for (const token of [hers, foreign, `ct_${'a'.repeat(22)}1${'b'.repeat(12)}`, 'nonsense', '']) {
    const bound = await login(shop, eve.email, token);
    expect([bound.status, bound.body.code]).toEqual([404, 'cart_not_found']);
    const who = registration({ cart_token: token });
    const made = await shop.post('/customers/register', who);
    expect([made.status, made.body.code]).toEqual([404, 'cart_not_found']);
    // Nothing was made, so it can be tried again.
    expect((await shop.post('/customers/register', { ...who, cart_token: null })).status).toBe(201);
  }
  // Who doesn't know the password learns nothing of carts.
  const guess = { email: eve.email, password: 'a wrong guess', cart_token: hers };
  expect((await shop.post('/customers/login', guess)).body.code).toBe('invalid_credentials');
});

it('reports that a cart has expired, and unbinds it from the customer', async () => {
  const { shop, cart } = await shopWith();
  const ada = await registerCustomer(shop, { cart_token: await cart(1) });
  const guests = await cart(1);
  moveClock(31 * DAY);
  const late = await login(shop, ada.email, guests);
  expect([late.status, late.body.code]).toEqual([410, 'cart_expired']);
  expect((await login(shop, ada.email)).body.cart_token).not.toBeNull();
  moveClock(91 * DAY);
  expect((await login(shop, ada.email)).body.cart_token).toBeNull();
});

it('updates a new e-mail in the cart, and removes an erased customer from it', async () => {
  const { shop, cart } = await shopWith();
  const [first, second] = [await cart(1), await cart(2)];
  const ada = await registerCustomer(shop, { cart_token: first });
  const email = registration().email;
  await shop.patch('/customers/me', { email, current_password: PASSWORD }, withSession(ada.token));
  expect((await shop.get(`/cart/${first}`, withSession(ada.token))).body.email).toBe(email);
  await login(shop, email, second);
  await shop.put(
    `/cart/${second}/shipping-address`,
    { country: 'DE', line1: 'Linden 1' },
    withSession(ada.token),
  );
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  // The cart is anybody's again: who finds it theirs finds nothing of the person.
  const eve = await registerCustomer(shop, { cart_token: second });
  const view = await shop.get(`/cart/${second}`, withSession(eve.token));
  expect(view.body.email).toBe(eve.email);
  expect(JSON.stringify(view.body)).not.toContain('Linden');
});

it('keeps no e-mail of a customer in a cart that is no longer recorded as theirs', async () => {
  const { shop, cart } = await shopWith();
  const bought = await cart(1);
  const ada = await registerCustomer(shop, { cart_token: bought });
  const session = withSession(ada.token);
  await tellOrderStatus(cartPort(shop, bought), { id: 'ord_1', status: 'paid', revision: 1 });
  // As many later carts as are recorded of a customer, but for one.
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 99)
        INSERT INTO customer_carts (tenant_id, customer_id, cart_id) SELECT ?, ?, 'later-' || x FROM n`,
    )
    .bind(shop.tenantId, ada.id)
    .run();
  expect((await shop.get(`/cart/${bought}`, session)).body.email).toBe(ada.email);
  const latest = await cart(2);
  expect((await shop.put('/customers/me/cart', { cart_token: latest }, session)).status).toBe(200);
  expect((await shop.get(`/cart/${latest}`, session)).body.email).toBe(ada.email);
  expect((await shop.delete('/customers/me', session)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});
