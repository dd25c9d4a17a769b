import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { evict } from '../../support/faults/injector.ts';
import { createProduct, fiveCups } from '../../support/fixtures/catalog/products.ts';
import { cartIdOf, cartObject } from '../../support/fixtures/selling/cart.ts';
import {
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import {
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../../support/fixtures/selling/customers.ts';
import { deliveries, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { largestResponse } from '../../support/storage/database-usage.ts';
import { dumpStores, storesWith } from '../../support/storage/storage-dump.ts';
import { send, type World } from '../../support/world.ts';

const unique = () => crypto.randomUUID().slice(0, 8);

/** A customer with everything that is kept of one, and the paid order. */
async function shopper(shop: World) {
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup);
  const ada = await registerCustomer(shop, { cart_token: cart });
  const session = withSession(ada.token);
  await logIn(shop, ada.email);
  await shop.post('/customers/password-resets', { email: ada.email });
  await shop.post('/customers/me/addresses', { country: 'DE', city: 'Berlin' }, session);
  await shop.patch(`/customers/${ada.id}`, { metadata: { crm: '7' } });
  await shop.post('/coupons', { code: 'TENOFF', kind: 'percent', value: 10 });
  await shop.post(`/cart/${cart}/coupon`, { code: 'TENOFF' }, session);
  await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const next = await cartWith(shop, cup, 2);
  await shop.put('/customers/me/cart', { cart_token: next }, session);
  await shop.put(`/cart/${next}/shipping-address`, { country: 'DE', line1: 'Ring 1' }, session);
  const email = `moved-${unique()}@example.com`;
  await shop.patch('/customers/me', { email, current_password: PASSWORD }, session);
  const [{ id: placed }] = (await shop.get(`/orders?customer_id=${ada.id}`)).body.data;
  await shop.post(`/orders/${placed}/notes`, { text: 'Calls on Mondays' });
  const order = (await shop.get(`/orders/${placed}`)).body;
  return { ...ada, email, session, order, next };
}

it('exports everything that is kept about a person', async () => {
  const shop = await sandboxShop();
  const { id, email, session, order, next } = await shopper(shop);
  const { status, body, headers } = await shop.get(`/customers/${id}/export`);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body.customer).toEqual((await shop.get(`/customers/${id}`)).body);
  expect(body.customer).toMatchObject({ id, email, metadata: { crm: '7' } });
  expect(body.addresses).toEqual((await shop.get('/customers/me/addresses', session)).body.data);
  expect(body.sessions.length).toBe(1);
  // The new e-mail ended them.
  expect(body.password_resets).toEqual([]);
  expect(body.orders).toEqual([order]);
  const { data: timeline } = (await shop.get(`/orders/${order.id}/timeline`)).body;
  expect(timeline.at(-1).details).toEqual({ text: 'Calls on Mondays' });
  expect(body.timeline).toEqual(
    timeline.toReversed().map((entry: object) => ({ ...entry, order_id: order.id })),
  );
  expect(body.redemptions).toMatchObject([{ order_id: order.id }]);
  expect(body.checkouts).toMatchObject([{ order_id: order.id, status: 'ordered' }]);
  const carts = body.carts.map(({ cart_token }: { cart_token: string }) => cart_token);
  expect(carts).toContain(next);
  const open = body.carts.find(({ cart_token }: { cart_token: string }) => cart_token === next);
  expect(open).toMatchObject({ email, shipping_address: { line1: 'Ring 1' } });
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['order.created', 'order.paid', 'customer.email_changed']),
  );
  expect(body.incomplete).toEqual([]);
  expect(JSON.stringify(body)).not.toMatch(/scrypt|cs_/);
});

it('reads a few MiB of large events at once, newest first', async () => {
  const shop = await sandboxShop();
  const { id } = await registerCustomer(shop);
  const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
  await storeOf(shop)
    .prepare(
      `INSERT INTO outbox (id, tenant_id, type, resource, sequence, data, occurred_at, batch)
      SELECT 'evt_' || ?1 || '_' || value, ?1, 'customer.email_changed', ?2, value,
        json_object('n', value, 'text', hex(zeroblob(500000))), 1000 * value, 'bat_' || ?1 FROM json_each(?3)`,
    )
    .bind(shop.tenantId, `customer:${id}`, JSON.stringify(numbers))
    .run();
  let events: { data: { n: number } }[] = [];
  const largest = await largestResponse(async () => {
    ({ events } = (await shop.get(`/customers/${id}/export`)).body);
  });
  expect(events.flatMap(({ data: { n } }) => n ?? [])).toEqual(numbers.toReversed());
  expect(largest).toBeLessThan(6_000_000);
});

it("exports nothing of another customer, nor of another customer's cart", async () => {
  const shop = await sandboxShop();
  const ada = await shopper(shop);
  const eve = await registerCustomer(shop, { name: 'Eve' });
  await shop.put('/customers/me/cart', { cart_token: ada.next }, withSession(eve.token));
  const { body } = await shop.get(`/customers/${eve.id}/export`);
  expect(body).toMatchObject({
    carts: [],
    orders: [],
    events: [{ type: 'customer.created', data: { id: eve.id } }],
    checkouts: [],
    addresses: [],
    redemptions: [],
  });
  expect(JSON.stringify(body)).not.toContain(ada.email);
  const head = await send('HEAD', `/v1/customers/${ada.id}/export`, {
    token: shop.token,
  });
  expect([head.status, head.body]).toEqual([200, null]);
});

/** Lets a cart's alarm report it as abandoned. */
async function abandon(shop: World, cart: string): Promise<void> {
  moveClock(61 * MINUTE);
  const object = cartObject(shop, cart);
  await evict(object);
  await runDurableObjectAlarm(object);
}

it.each([
  ['was refused', async () => undefined],
  [
    'was cut off before it was refused',
    async (shop: World, customerId: number, cartId: string) => {
      const record = 'INSERT INTO customer_carts (tenant_id, customer_id, cart_id) VALUES (?, ?, ?)';
      await storeOf(shop).prepare(record).bind(shop.tenantId, customerId, cartId).run();
    },
  ],
] as const)("keeps the report of another customer's cart from whoever %s when taking it", async (_, died) => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  const eve = await registerCustomer(shop, { name: 'Eve' });
  const taken = await shop.put('/customers/me/cart', { cart_token: cart }, withSession(eve.token));
  expectProblem(taken, 404, 'cart_not_found');
  await died(shop, eve.id, cartIdOf(shop, cart));
  await abandon(shop, cart);
  const report = async () => (await shop.get('/events?types=cart.abandoned')).body.data[0]?.data;
  const kept = await report();
  expect(kept).toMatchObject({ cart_token: cart, customer_id: ada.id, email: ada.email });
  const { body } = await shop.get(`/customers/${eve.id}/export`);
  expect(body.events.map(({ type }: { type: string }) => type)).toEqual(['customer.created']);
  expect((await shop.delete(`/customers/${eve.id}`)).status).toBe(204);
  expect(await report()).toEqual(kept);
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  expect(await report()).toMatchObject({ cart_token: null, email: null });
});

it('erases a customer for a server as the customer would', async () => {
  const shop = await sandboxShop();
  const { id, session, order } = await shopper(shop);
  expect((await shop.delete(`/customers/${id}`)).status).toBe(204);
  expectProblem(await shop.get('/customers/me', session), 401, 'invalid_customer_token');
  expectProblem(await shop.get(`/customers/${id}`), 404, 'customer_not_found');
  expectProblem(await shop.get(`/customers/${id}/export`), 404, 'customer_not_found');
  expectProblem(await shop.delete(`/customers/${id}`), 404, 'customer_not_found');
  expect((await shop.get(`/orders/${order.id}`)).body.customer).toEqual({
    id: null,
    name: null,
    email: null,
    phone: null,
  });
  for (const table of ['customer_addresses', 'customer_terms', 'customer_sessions', 'customer_carts']) {
    const { results } = await storeOf(shop)
      .prepare(`SELECT * FROM ${table} WHERE customer_id = ?`)
      .bind(id)
      .all();
    expect(results, table).toEqual([]);
  }
});

it.each([
  ['an order', null],
  ['an order of the time when orders had one coupon', 'UPDATE orders SET promotions = NULL WHERE id = ?'],
])(
  'leaves nothing that ties %s to the id or the e-mail of the customer who redeemed a code with it',
  async (_, aged) => {
    const shop = await sandboxShop();
    const { id, order } = await shopper(shop);
    if (aged) await storeOf(shop).prepare(aged).bind(order.id).run();
    const rowsOf = async (table: string) =>
      (await storeOf(shop).prepare(`SELECT * FROM ${table} WHERE tenant_id = ?`).bind(shop.tenantId).all())
        .results;
    const customer = `c${id}`;
    expect(JSON.stringify(await rowsOf('promotion_redemptions'))).toContain(customer);
    expect((await shop.delete(`/customers/${id}`)).status).toBe(204);
    expect(await rowsOf('promotion_redemptions')).toMatchObject([{ order_id: order.id, shoppers: '[]' }]);
    const counted = (await rowsOf('promotion_shoppers')).map(({ shopper: key }) => key);
    expect(counted).not.toContain(customer);
    // Whoever registers with this e-mail again still meets a limit for each customer.
    expect(counted).toEqual([expect.stringMatching(/^e/)]);
  },
);

it('erases what the customer had written on the goods, and keeps what they chose', async () => {
  const shop = await sandboxShop();
  const receiver = new Receiver();
  const hook = await subscribe(shop, receiver.url, ['order.created', 'cart.abandoned']);
  const shirt = await createProduct(shop, {
    type: 'configurable',
    variants: [{ sku: 'RED', price: 10, stock: 9, attributes: { color: 'Red' } }],
  });
  const [{ id: variant }] = shirt.body.variants;
  const ada = await registerCustomer(shop);
  const chosen = { variant_id: variant };
  const take = async (text: string) => {
    const options = { ...chosen, engraving: text };
    const cart = await cartWith(shop, shirt, 1, { options });
    await shop.put('/customers/me/cart', { cart_token: cart }, withSession(ada.token));
    return cart;
  };
  const texts = ['To Wilhelmina', 'For Theophrastus'];
  await submitCheckout(await checkoutPath(shop, await take('To Wilhelmina')), 'pay');
  const open = await take('For Theophrastus');
  await checkoutPath(shop, open);
  await abandon(shop, open);
  await until(async () => expect(await deliveries(shop, hook.id)).toHaveLength(2));
  expect(storesWith(await dumpStores(shop), texts)).not.toEqual([]);
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), texts)).toEqual([]);
  const [order] = (await shop.get('/orders')).body.data;
  const [line] = order.items;
  expect(line.options).toMatchObject(chosen);
  expect(line.selected).toEqual([{ name: 'color', value: 'Red' }]);
  const { data: events } = (await shop.get('/events?types=order.created,cart.abandoned')).body;
  for (const { data } of events) expect(data.items[0].options).toEqual(line.options);
  expect((await shop.get(`/cart/${open}`)).body.items[0].options).toEqual(line.options);
});

it('keeps no response to a registration that was saved under an idempotency key', async () => {
  const shop = await sandboxShop();
  const who = registration();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const made = await shop.post('/customers/register', who, { token: shop.token, headers });
  expect((await shop.delete('/customers/me', withSession(made.body.token))).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [who.email])).toEqual([]);
});

it("keeps no address that a tenant's server saved under an idempotency key", async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop);
  const address = { country: 'DE', line1: `Vanishing Lane ${crypto.randomUUID()}` };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const saved = await shop.post(`/customers/${ada.id}/addresses`, address, { token: shop.token, headers });
  expect(saved.status).toBe(201);
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [address.line1])).toEqual([]);
});

it("keeps no reason of a refund and no note that a tenant's server saved under an idempotency key", async () => {
  const shop = await sandboxShop();
  const { id, order } = await shopper(shop);
  const words = `She moved to Vanishing Lane ${crypto.randomUUID()}`;
  for (const [path, body] of [
    ['refunds', { amount: 1, reason: words }],
    ['notes', { text: words }],
  ] as const) {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const saved = await shop.post(`/orders/${order.id}/${path}`, body, { token: shop.token, headers });
    expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  }
  expect(storesWith(await dumpStores(shop), [words])).not.toEqual([]);
  expect((await shop.delete(`/customers/${id}`)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [words])).toEqual([]);
});
