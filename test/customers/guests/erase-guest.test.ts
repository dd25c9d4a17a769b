import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { afterBatch, beforeBatch } from '../../support/faults/database.ts';
import { evict } from '../../support/faults/injector.ts';
import { cupShop, payOnPage, ready } from '../../support/fixtures/agents/agent.ts';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import { cartObject } from '../../support/fixtures/selling/cart.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  OWN_CHECKOUT,
  sandboxShop,
  sessionOf,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { deliveries, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { dumpStores, storesWith } from '../../support/storage/storage-dump.ts';
import type { World } from '../../support/world.ts';

const EMAIL = 'zenobia@example.com';
const WORDS = ['Zenobia', 'Thistlewood', 'Vanishing Lane'];
const FORM = {
  ...ADDRESS,
  email: EMAIL,
  first_name: 'Zenobia',
  last_name: 'Thistlewood',
  line1: 'Vanishing Lane 9',
  note: 'Zenobia is at home after six',
};

/** Buys a cup with an engraving as a guest; returns the order and the cart. */
async function guestBuys(shop: World, action = 'pay') {
  const cart = await cartWith(shop, await fiveCups(shop), 1, { options: { engraving: 'Zenobia' } });
  const home = { country: 'DE', first_name: 'Zenobia', line1: 'Vanishing Lane 9' };
  expect((await shop.put(`/cart/${cart}/shipping-address`, home)).status).toBe(200);
  await submitCheckout(await checkoutPath(shop, cart), action, FORM);
  const [order] = (await shop.get('/orders')).body.data;
  return { cart, order };
}

const key = (shop: World) => ({
  token: shop.token,
  headers: { 'idempotency-key': crypto.randomUUID() },
});

const erase = (shop: World, id: string) => shop.delete(`/orders/${id}/personal-data`);

it('erases the buyer of a guest order from every store, and keeps what was sold', async () => {
  const [shop, receiver] = [await sandboxShop(), new Receiver()];
  receiver.respond = ({ body }) => new Response(body, { status: 500 });
  const hook = await subscribe(shop, receiver.url, [
    ...(['order.created', 'order.paid', 'order.fulfilled'] as const),
    'order.tracking_changed',
  ]);
  const { order } = await guestBuys(shop);
  await shop.patch(`/orders/${order.id}`, { tags: ['Zenobia'], metadata: { crm: 'Zenobia' } });
  await shop.post(`/orders/${order.id}/notes`, { text: 'Zenobia called' });
  const fulfilments = `/orders/${order.id}/fulfilments`;
  const parcel = await shop.post(fulfilments, { tracking: { number: 'for Zenobia' } });
  await shop.patch(`${fulfilments}/${parcel.body.id}`, { tracking: { number: 'to Zenobia' } });
  await shop.post(`/orders/${order.id}/refunds`, { amount: 1, reason: 'Zenobia asked' });
  await until(async () => {
    const sent = await deliveries(shop, hook.id);
    expect(sent.map(({ attempts }: { attempts: number }) => attempts > 0)).toEqual([true, true, true, true]);
  });
  expect((await erase(shop, order.id)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);
  const kept = (await shop.get(`/orders/${order.id}`)).body;
  expect(kept).toMatchObject({
    totals: order.totals,
    customer: { id: null, name: null, email: null, phone: null },
    note: null,
    items: [{ sku: order.items[0].sku, quantity: 1 }],
    refunds: [{ amount: 1, reason: null }],
  });
  expect(kept.addresses).toEqual({ shipping: { country: 'DE' } });
  expect(Date.parse(kept.updated_at)).toBeGreaterThan(Date.parse(order.updated_at));
  expect((await shop.get(`/orders?email=${EMAIL}`)).body.data).toEqual([]);
  expect((await erase(shop, order.id)).status).toBe(204);
});

it('erases stored responses about the order, and still repeats none of their writes', async () => {
  const [shop, receiver] = [await sandboxShop(), new Receiver()];
  receiver.respond = ({ body }) => new Response(body, { status: 500 });
  const hook = await subscribe(shop, receiver.url, ['order.created']);
  const { order } = await guestBuys(shop);
  const here = `/orders/${order.id}`;
  const sent = [
    [`${here}/fulfilments`, { tracking: { number: 'for Zenobia' } }],
    [`${here}/notes`, { text: 'Zenobia called' }],
    [`${here}/refunds`, { amount: 1, reason: 'Zenobia asked' }],
    [`${here}/cancel`, undefined],
  ] as const;
  const once = sent.map(([path, body]) => [path, body, key(shop)] as const);
  for (const request of once) expect((await shop.post(...request)).status, request[0]).toBeLessThan(300);
  await until(async () => expect((await deliveries(shop, hook.id))[0]?.attempts).toBeGreaterThan(0));
  const [{ id }] = await deliveries(shop, hook.id);
  await shop.post(`/webhooks/${hook.id}/deliveries/${id}/replay`, undefined, key(shop));
  expect(storesWith(await dumpStores(shop), WORDS)).toContainEqual(expect.stringMatching(/^opened/));
  expect((await erase(shop, order.id)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);
  for (const request of once) {
    const again = await shop.post(...request);
    expect(again.status, request[0]).toBeLessThan(300);
    expect(JSON.stringify(again.body), request[0]).not.toMatch(/Zenobia/);
  }
  const kept = (await shop.get(here)).body;
  expect([kept.fulfilments.length, kept.status]).toEqual([1, 'cancelled']);
});

it('still repeats no write to the order of an erased buyer, or of one who gave no e-mail', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  const cart = await cartWith(shop, await fiveCups(shop), 1);
  const unnamed = await shop.post('/orders', { session: await sessionOf(shop, cart) }, key(shop));
  const named = await shop.post('/orders', {
    session: await sessionOf(shop, await cartWith(shop, await fiveCups(shop), 1)),
    customer: { email: EMAIL },
  });
  expect((await erase(shop, named.body.id)).status).toBe(204);
  for (const { id } of [unnamed.body, named.body]) {
    const once = key(shop);
    for (const replayed of [null, 'true']) {
      const { status, headers } = await shop.post(`/orders/${id}/notes`, { text: 'Called' }, once);
      expect([status, headers.get('idempotent-replayed')]).toEqual([201, replayed]);
    }
  }
});

it('keeps no response about an order whose buyer, who gave no e-mail, is erased before it is stored', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  const session = await sessionOf(shop, await cartWith(shop, await fiveCups(shop), 1));
  const { id } = (await shop.post('/orders', { session, customer: { name: 'Zenobia' } })).body;
  afterBatch(/insert into "payments"/i, async () => {
    expect((await erase(shop, id)).status).toBe(204);
  });
  const once = key(shop);
  const report = () => shop.post(`/orders/${id}/payments`, { status: 'paid', reference: 'r-1' }, once);
  expect(await report()).toMatchObject({ status: 200, body: { customer: { name: 'Zenobia' } } });
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);
  expect(await report()).toMatchObject({ status: 200, body: { status: 'paid', customer: { name: null } } });
});

it('erases the report of the abandoned cart, in which the e-mail is, and leaves the goods in the cart', async () => {
  const [shop, receiver] = [await sandboxShop(), new Receiver()];
  receiver.respond = ({ body }) => new Response(body, { status: 500 });
  const hook = await subscribe(shop, receiver.url, ['cart.abandoned']);
  const { cart, order } = await guestBuys(shop, 'decline');
  await shop.post(`/orders/${order.id}/cancel`);
  await until(async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open'));
  moveClock(61 * MINUTE);
  const object = cartObject(shop, cart);
  await evict(object);
  await runDurableObjectAlarm(object);
  const report = async () => (await shop.get('/events?types=cart.abandoned')).body.data[0].data;
  expect(await report()).toMatchObject({ email: EMAIL, cart_token: cart });
  await until(async () => expect((await deliveries(shop, hook.id))[0]?.attempts).toBeGreaterThan(0));
  const [{ id }] = await deliveries(shop, hook.id);
  const replayed = await shop.post(`/webhooks/${hook.id}/deliveries/${id}/replay`, undefined, key(shop));
  expect(JSON.stringify(replayed.body)).toContain(EMAIL);
  expect((await erase(shop, order.id)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [...WORDS, EMAIL])).toEqual([]);
  expect(await report()).toMatchObject({ email: null, cart_token: null });
  expect((await shop.get(`/cart/${cart}`)).body.items).toMatchObject([{ quantity: 1, options: {} }]);
});

it("erases the buyer of an agent's order, also from the agent's cart", async () => {
  const { agent, cup, ...shop } = await cupShop('REST');
  const buyer = { email: EMAIL, first_name: 'Zenobia', last_name: 'Thistlewood' };
  const home = { street_address: 'Vanishing Lane 9', address_country: 'DE' };
  const fulfillment = { methods: [{ type: 'shipping', destinations: [home] }] };
  // A code that the shop doesn't know is kept with the reason: it is text of the buyer.
  const discounts = { codes: ['OF-ZENOBIA'] };
  const { body } = await agent.checkout.create(ready(cup, { buyer, fulfillment, discounts }));
  await payOnPage(body.continue_url, { city: 'Berlin', postal_code: '10115' });
  const [order] = (await shop.get('/orders')).body.data;
  expect(order.customer).toMatchObject({ email: EMAIL, name: 'Zenobia Thistlewood' });
  expect((await erase(shop, order.id)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);
  expect((await agent.checkout.get(body.id)).body).toMatchObject({ status: 'completed' });
});

it('erases an event that is raised before the order is erased', async () => {
  const shop = await sandboxShop();
  const { order } = await guestBuys(shop);
  beforeBatch(/update "orders" set .*"name"/i, async () => {
    expect((await shop.post(`/orders/${order.id}/fulfilments`, {})).status).toBe(201);
  });
  expect((await erase(shop, order.id)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);
  expect((await shop.get(`/orders/${order.id}`)).body.fulfilment_status).toBe('fulfilled');
});

it('erases the buyer of an order that names a customer who is erased', async () => {
  const shop = await sandboxShop();
  const { order } = await guestBuys(shop);
  const ada = await registerCustomer(shop);
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  // As an earlier version placed it while the account was erased.
  await storeOf(shop).prepare('UPDATE orders SET customer_id = ? WHERE id = ?').bind(ada.id, order.id).run();
  expect((await erase(shop, order.id)).status).toBe(204);
  expect(storesWith(await dumpStores(shop), WORDS)).toEqual([]);
  expect((await shop.get(`/orders/${order.id}`)).body.customer.id).toBeNull();
});

it("refuses a customer's order, whose data are erased with the account, and leaves a cart that is theirs by now", async () => {
  const shop = await sandboxShop();
  const { cart, order } = await guestBuys(shop, 'decline');
  await shop.post(`/orders/${order.id}/cancel`);
  const ada = await registerCustomer(shop, { cart_token: cart });
  expect((await erase(shop, order.id)).status).toBe(204);
  expect((await shop.get(`/cart/${cart}`, withSession(ada.token))).body.email).toBe(ada.email);
  await submitCheckout(await checkoutPath(shop, cart), 'pay', FORM);
  const [hers] = (await shop.get(`/orders?customer_id=${ada.id}`)).body.data;
  expectProblem(await erase(shop, hers.id), 409, 'conflict');
  expect((await shop.get(`/orders/${hers.id}`)).body.customer.email).toBe(EMAIL);
  const { token } = await shop.register({ scopes: ['orders:read', 'orders:write'] });
  const path = `/orders/${order.id}/personal-data`;
  expectProblem(await shop.delete(path, { token }), 403, 'insufficient_scope');
});
