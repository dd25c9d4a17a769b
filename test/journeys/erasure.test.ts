import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { shardOf } from '../../src/kernel/shards/shard-map.ts';
import { databaseNames } from '../../src/kernel/shards/shard-names.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  RETURN_URL,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import {
  fromAddress,
  fromOwnAddress,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { Receiver, subscribe, until } from '../support/fixtures/webhooks.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';
import type { World } from '../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

const NAME = 'Zenobia';
const PHONE = '+49 30 5551234';
const STREET = 'Vanishing Lane 9';
const WORDS = [NAME, PHONE, STREET, 'Thistlewood', 'zenobia-'];
const FORM = {
  ...ADDRESS,
  first_name: NAME,
  last_name: 'Thistlewood',
  line1: STREET,
  phone: PHONE,
  billing_first_name: NAME,
  billing_last_name: 'Thistlewood',
  billing_line1: STREET,
  billing_postal_code: '10115',
  billing_city: 'Berlin',
  billing_country: 'AT',
  note: `Please leave it with ${NAME}`,
};
const SHIPPING = {
  country: 'DE',
  first_name: NAME,
  last_name: 'Thistlewood',
  line1: STREET,
  city: 'Berlin',
  postal_code: '10115',
  phone: PHONE,
};

const key = () => ({ 'idempotency-key': crypto.randomUUID() });

/** Leaves a person in every store that there is; returns the session and the paid order. */
async function live(shop: World) {
  const email = `zenobia-${crypto.randomUUID()}@example.com`;
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 99 });
  const guests = await cartWith(shop, cup);
  const keyed = { token: shop.token, headers: { ...fromOwnAddress(), ...key() } };
  const who = registration({ email, name: `${NAME} Thistlewood`, phone: PHONE, cart_token: guests });
  const { token } = (await shop.post('/customers/register', who, keyed)).body;
  const session = withSession(token, key());
  await shop.put(`/cart/${guests}/shipping-address`, SHIPPING, session);
  // A kept answer that names her, in a cart that is merged away afterwards.
  await shop.post('/cart/items', { product_id: cup.body.id, quantity: 1, cart_token: guests }, session);
  const mine = await cartWith(shop, cup, 2);
  await shop.post('/customers/login', { email, password: PASSWORD, cart_token: mine }, keyed);
  await shop.put(`/cart/${mine}/shipping-address`, SHIPPING, withSession(token));
  await shop.post(
    '/cart/items',
    { product_id: cup.body.id, quantity: 1, cart_token: mine },
    withSession(token, key()),
  );
  await shop.post('/customers/password-resets', { email }, { token: shop.token, headers: key() });
  await startCheckout(shop, mine);
  const path = await checkoutPath(shop, mine);
  expect((await submitCheckout(path, 'pay', { ...FORM, email })).status).toBe(303);
  const [order] = (await shop.get('/customers/me/orders', withSession(token))).body.data;
  await shop.post('/customers/me/addresses', { ...SHIPPING, label: NAME }, withSession(token, key()));
  // Systems of the tenant note her name.
  const { id } = (await shop.get('/customers/me', withSession(token))).body;
  const noted = { metadata: { contact: NAME } };
  const labelled = { ...noted, tags: [NAME] };
  expect((await shop.patch(`/customers/${id}`, noted)).body).toMatchObject(noted);
  expect((await shop.patch(`/orders/${order.id}`, labelled)).body).toMatchObject(labelled);
  const parcel = { tracking: { number: `for ${NAME}` } };
  const sent = await shop.post(`/orders/${order.id}/fulfilments`, parcel, {
    token: shop.token,
    headers: key(),
  });
  expect(sent.status).toBe(201);
  await shop.post(`/orders/${order.id}/cancel`, undefined, { token: shop.token, headers: key() });
  // Another cart, on whose open checkout page she has typed.
  const next = await cartWith(shop, cup);
  await shop.put('/customers/me/cart', { cart_token: next }, withSession(token));
  await shop.put(`/cart/${next}/shipping-address`, SHIPPING, withSession(token));
  const departure = { cart_token: next, return_url: RETURN_URL };
  expect((await shop.post('/checkout/seamless', departure, withSession(token))).status).toBe(200);
  const moved = `zenobia-${crypto.randomUUID()}@example.com`;
  await shop.patch('/customers/me', { email: moved, current_password: PASSWORD }, withSession(token));
  await logIn(shop, moved, 'a wrong guess', fromAddress('203.0.113.50'));
  return { token, email: moved, order, next, cup };
}

it('leaves no name, e-mail, street or phone of an erased customer in any store', async () => {
  const [shop, receiver] = [await sandboxShop(), new Receiver()];
  receiver.respond = ({ body }) => new Response(body, { status: 500 });
  const hook = await subscribe(shop, receiver.url, [
    'order.created',
    'order.paid',
    'order.cancelled',
    'order.fulfilled',
    'customer.created',
    'customer.email_changed',
  ]);
  const bystander = await registerCustomer(shop, { name: 'Benedict Bystander' });
  const { token, email, order, next, cup } = await live(shop);
  await until(async () => {
    const { data } = (await shop.get(`/webhooks/${hook.id}/deliveries`)).body;
    expect(data.length).toBe(7);
    expect(data.every(({ attempts }: { attempts: number }) => attempts > 0)).toBe(true);
  });
  // Kept answers with what the receiver echoed.
  for (const { id } of (await shop.get(`/webhooks/${hook.id}/deliveries`)).body.data) {
    const replay = `/webhooks/${hook.id}/deliveries/${id}/replay`;
    const replayed = await shop.post(replay, undefined, { token: shop.token, headers: key() });
    expect(replayed.body.log[0].response_body).toContain('"data"');
  }
  const before = storesWith(await dumpStores(shop), WORDS);
  const [rows] = databaseNames(env, await shardOf(env, shop.tenantId));
  for (const store of [
    ...[
      'customers',
      'customer_addresses',
      'orders',
      'order_terms',
      'order_fulfilments',
      'outbox',
      'checkout_sessions',
    ].map((table) => `${rows}.${table}:`),
    ...['opened idempotency_keys:', 'WEBHOOK_ENDPOINT ', 'CART '],
  ]) {
    expect(
      before.some((found) => found.startsWith(store)),
      store,
    ).toBe(true);
  }

  expect((await shop.delete('/customers/me', withSession(token))).status).toBe(204);
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);

  // The books stay, and what is sent from now on says no more than they do.
  const kept = (await shop.get(`/orders/${order.id}`)).body;
  expect(kept.totals).toEqual(order.totals);
  expect(kept.customer).toEqual({ id: null, name: null, email: null, phone: null });
  expect(kept.addresses).toEqual({ shipping: { country: 'DE' } });
  expect(kept).toMatchObject({ billing_address: { country: 'AT' }, note: null, tags: [] });
  expect(kept.fulfilments).toMatchObject([{ tracking: null, items: [{ line_id: 1 }] }]);
  const { data: story } = (await shop.get(`/orders/${order.id}/timeline`)).body;
  expect(story[0]).toMatchObject({ type: 'placed', by: { kind: 'shopper' } });
  expect(story[0].by).not.toHaveProperty('id');
  receiver.received.length = 0;
  await shop.post(`/webhooks/${hook.id}/replay`, {
    from: '2020-01-01T00:00:00Z',
    to: '2100-01-01T00:00:00Z',
  });
  await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(5));
  const paid = receiver.received
    .map(({ body }) => JSON.parse(body))
    .find(({ type }) => type === 'order.paid');
  expect(paid.data.totals).toEqual(order.totals);
  expect([paid.data.customer, paid.data.addresses]).toEqual([kept.customer, kept.addresses]);
  // Others are as they were; the cart goes on as a guest's.
  expect((await logIn(shop, bystander.email)).body.customer.name).toBe('Benedict Bystander');
  expect((await shop.get(`/cart/${next}`)).body.items.length).toBe(1);
  expect((await cartWith(shop, cup, 1, { cart_token: next })).length).toBeGreaterThan(0);
  const anew = await registerCustomer(shop, { email });
  expect((await shop.get('/customers/me/orders', withSession(anew.token))).body.data).toEqual([]);
});

it("keeps the stored responses of another customer's cart whose token was passed", async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 9 });
  const [ada, eve] = [await registerCustomer(shop), await registerCustomer(shop)];
  const hers = await cartWith(shop, cup);
  await shop.put('/customers/me/cart', { cart_token: hers }, withSession(ada.token));
  const once = withSession(ada.token, key());
  const body = { product_id: cup.body.id, quantity: 1, cart_token: hers };
  const added = await shop.post('/cart/items', body, once);
  expect((await shop.put('/customers/me/cart', { cart_token: hers }, withSession(eve.token))).status).toBe(
    404,
  );
  expect((await shop.delete('/customers/me', withSession(eve.token))).status).toBe(204);
  const again = await shop.post('/cart/items', body, once);
  expect(again.body).toEqual(added.body);
  expect((await shop.get(`/cart/${hers}`, withSession(ada.token))).body.email).toBe(ada.email);
});

it("finds the customer's events and checkouts through an index", async () => {
  const plans = async (query: string) => {
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).all<{ detail: string }>();
    return results.map(({ detail }) => detail).join('; ');
  };
  const orders = 'SELECT id FROM orders WHERE tenant_id = 1 AND customer_id = 1';
  const events = await plans(`UPDATE outbox SET data = data WHERE tenant_id = 1
    AND type NOT IN ('product.updated', 'category.updated', 'stock.changed') AND resource IN (SELECT 'order:' || id FROM (${orders}))`);
  expect(events).toMatch(/INDEX outbox_resource \(tenant_id=\? AND resource=\?\)/);
  const sessions = await plans(`UPDATE checkout_sessions SET buyer = '{}' WHERE tenant_id = 1
    AND cart_id IN (SELECT cart_id FROM customer_carts WHERE tenant_id = 1 AND customer_id = 1)`);
  expect(sessions).toMatch(/INDEX checkout_sessions_by_cart \(tenant_id=\? AND cart_id=\?\)/);
});
