import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import { CartAggregate } from '../../../src/cart/object/aggregate.ts';
import { MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { failStatements } from '../../support/faults/database.ts';
import { evict } from '../../support/faults/injector.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartObject, cartPort, lockForOrder } from '../../support/fixtures/selling/cart.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  cron,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import type { World } from '../../support/world.ts';

let restore: () => void = () => undefined;
afterEach(() => restore());

/** Lets time pass, and runs the cart's alarm in an object that remembers nothing but its storage. */
async function pass(shop: World, token: string, ms: number): Promise<void> {
  moveClock(ms);
  await evict(cartObject(shop, token));
  await runDurableObjectAlarm(cartObject(shop, token));
}

const abandoned = async (shop: World) => (await shop.get('/events?types=cart.abandoned')).body.data;

/** A shop with a customer's filled cart. */
async function filledCart() {
  const shop = await sandboxShop();
  const mug = await stockedProduct(shop, { name: 'Mug', sku: 'mug', price: 10, stock: 9 });
  const cart = await cartWith(shop, mug, 2, { options: {} });
  const ada = await registerCustomer(shop, { cart_token: cart });
  return { shop, mug, cart, ada };
}

it('reports a filled cart of a customer after an hour without a change, once', async () => {
  const { shop, mug, cart, ada } = await filledCart();
  await pass(shop, cart, 59 * MINUTE);
  expect(await abandoned(shop)).toEqual([]);
  await addToCart(shop, mug, { cart_token: cart, quantity: 1 });
  await pass(shop, cart, 59 * MINUTE);
  expect(await abandoned(shop)).toEqual([]);
  await pass(shop, cart, 2 * MINUTE);
  const [event, ...more] = await abandoned(shop);
  expect(more).toEqual([]);
  expect(event.data).toMatchObject({
    cart_token: cart,
    customer_id: ada.id,
    email: ada.email,
    total_quantity: 3,
    currency: 'EUR',
    items: [{ sku: 'mug', quantity: 3 }],
    totals: { subtotal: 30 },
  });
  await addToCart(shop, mug, { cart_token: cart, quantity: 1 });
  for (let n = 0; n < 3; n++) await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toHaveLength(1);
  expect((await shop.get('/insights?period=7d')).body.sales).toMatchObject([{ abandoned_carts: 1 }]);
});

it("reports a guest's cart whose order was not paid, with the address that the order has", async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { stock: 9 }));
  const declined = await submitCheckout(await checkoutPath(shop, cart), 'decline');
  expect(declined.text).toContain('declined');
  expect(JSON.stringify((await shop.get(`/cart/${cart}`)).body)).not.toContain(ADDRESS.email);
  await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toEqual([]);
  await cron();
  expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open');
  await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toMatchObject([
    { data: { cart_token: cart, customer_id: null, email: ADDRESS.email, total_quantity: 1 } },
  ]);
});

it("reports a guest's cart whose order was refused, with the address that the guest gave", async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { stock: 9 }));
  const port = cartPort(shop, cart);
  await lockForOrder(port, ADDRESS.email);
  await port.unlock('ord_1');
  await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toMatchObject([{ data: { cart_token: cart, email: ADDRESS.email } }]);
});

it("reports a guest's cart whose order was never placed, because the process or the database broke", async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { stock: 9 }));
  await lockForOrder(cartPort(shop, cart), ADDRESS.email);
  const alarm = await runInDurableObject(cartObject(shop, cart), (_, { storage }) => storage.getAlarm());
  expect((alarm ?? Number.POSITIVE_INFINITY) - now()).toBeLessThanOrEqual(60 * MINUTE);
  await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toMatchObject([{ data: { cart_token: cart, email: ADDRESS.email } }]);
});

it("does not report a guest's address once the cart is a customer's", async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { stock: 9 }));
  await submitCheckout(await checkoutPath(shop, cart), 'decline');
  const [order] = (await shop.get('/orders')).body.data;
  await shop.post(`/orders/${order.id}/cancel`);
  const bea = await registerCustomer(shop, { cart_token: cart });
  await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toMatchObject([{ data: { customer_id: bea.id, email: bea.email } }]);
});

it('reports no cart of an unknown shopper, none that is empty, and none with an order', async () => {
  const shop = await sandboxShop();
  const mug = await stockedProduct(shop, { stock: 9 });
  const unknown = await cartWith(shop, mug);
  const ordered = await cartWith(shop, mug);
  const path = await checkoutPath(shop, ordered, { cancel_url: undefined });
  expect((await submitCheckout(path, 'pay')).status).toBe(303);
  const emptied = await cartWith(shop, mug);
  await registerCustomer(shop, { cart_token: emptied });
  await shop.delete(`/cart/items/1?cart_token=${emptied}`);
  for (const cart of [unknown, ordered, emptied]) await pass(shop, cart, 61 * MINUTE);
  expect(await abandoned(shop)).toEqual([]);
});

it('reports it once although the object dies before it notes the report', async () => {
  const { shop, cart } = await filledCart();
  const mark = vi.spyOn(CartAggregate.prototype, 'markAbandoned').mockImplementation(() => undefined);
  restore = () => mark.mockRestore();
  await pass(shop, cart, 61 * MINUTE);
  expect(mark).toHaveBeenCalled();
  mark.mockRestore();
  await pass(shop, cart, 2 * MINUTE);
  expect(await abandoned(shop)).toHaveLength(1);
});

it('reports it later when the database can not be reached', async () => {
  const { shop, cart } = await filledCart();
  restore = failStatements(/outbox/);
  await pass(shop, cart, 61 * MINUTE);
  restore();
  expect(await abandoned(shop)).toEqual([]);
  await pass(shop, cart, 2 * MINUTE);
  expect(await abandoned(shop)).toHaveLength(1);
});

it('shows neither e-mail nor token of a customer who was erased, also not in deliveries', async () => {
  const { shop, cart, ada } = await filledCart();
  const receiver = new Receiver();
  const { id } = await subscribe(shop, receiver.url, ['cart.abandoned']);
  await pass(shop, cart, 61 * MINUTE);
  await until(() => expect(receiver.received).toHaveLength(1));
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  const [event] = await abandoned(shop);
  expect(event.data).toMatchObject({ customer_id: ada.id, cart_token: null, email: null, total_quantity: 2 });
  const [created] = (await shop.get('/events?types=customer.created')).body.data;
  expect(created.data).toEqual({
    id: ada.id,
    name: null,
    email: null,
    phone: null,
    created_at: expect.any(String),
    sequence: created.data.sequence,
    occurred_at: created.data.occurred_at,
  });
  await shop.post(`/webhooks/${id}/replay`, { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
  await until(() => expect(receiver.received).toHaveLength(2));
  expect(receiver.received[1]?.body).not.toContain(cart);
});

it('is documented with the registration of a customer', async () => {
  const { shop, ada } = await filledCart();
  const [created] = (await shop.get('/events?types=customer.created')).body.data;
  expect(created.data).toMatchObject({
    id: ada.id,
    name: ada.name,
    email: ada.email,
    created_at: expect.any(String),
  });
});
