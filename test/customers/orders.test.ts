import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { type World, world } from '../support/world.ts';

/** An order of a customer. */
async function orderOf(shop: World, who: { id: number; email: string }): Promise<string> {
  const { id: cup } = (await createProduct(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 9 })).body;
  const { row } = await placedOrder(shop, cup, {
    customer: { customerId: who.id, name: 'Ada Lovelace', email: who.email, phone: '030 1234567' },
    shippingAddress: { country: 'DE', first_name: 'Ada', line1: 'Unter den Linden 1', city: 'Berlin' },
  });
  return row.id;
}

/** Returns an order without what is the shop's own. */
async function asCustomersSee(shop: World, id: string | undefined) {
  const { metadata: _, tags: __, archived_at: ___, ...order } = (await shop.get(`/orders/${id}`)).body;
  return order;
}

it("lists a customer's own orders, newest first, in pages", async () => {
  const shop = await world();
  const [ada, bob] = [await registerCustomer(shop), await registerCustomer(shop)];
  const mine = [await orderOf(shop, ada), await orderOf(shop, ada), await orderOf(shop, ada)];
  await orderOf(shop, bob);
  const first = await shop.get('/customers/me/orders?limit=2', withSession(ada.token));
  expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([mine[2], mine[1]]);
  expect(first.body.meta).toMatchObject({ page: 1, limit: 2, total: 3, total_pages: 2 });
  const second = await shop.get('/customers/me/orders?limit=2&page=2', withSession(ada.token));
  const order = await asCustomersSee(shop, mine[0]);
  expect(second.body.data).toEqual([order]);
  expect((await shop.get('/customers/me/orders?limit=0', withSession(ada.token))).status).toBe(422);
  expect((await shop.get('/customers/me/orders')).body.code).toBe('invalid_customer_token');
});

it("returns a customer's own order, and nobody else's", async () => {
  const shop = await world();
  const [ada, bob] = [await registerCustomer(shop), await registerCustomer(shop)];
  const [hers, his] = [await orderOf(shop, ada), await orderOf(shop, bob)];
  const order = await asCustomersSee(shop, hers);
  const own = await shop.get(`/customers/me/orders/${hers}`, withSession(ada.token));
  expect([own.status, own.body]).toEqual([200, order]);
  for (const id of [his, 'ord_made_up']) {
    const other = await shop.get(`/customers/me/orders/${id}`, withSession(ada.token));
    expect([other.status, other.body.code]).toEqual([404, 'order_not_found']);
  }
  expect((await shop.get(`/customers/me/orders/${hers}`)).body.code).toBe('invalid_customer_token');
});

it('keeps orders when a customer is erased, without personal data', async () => {
  const shop = await world();
  const [ada, bob] = [await registerCustomer(shop), await registerCustomer(shop)];
  const [hers, his] = [await orderOf(shop, ada), await orderOf(shop, bob)];
  const before = (await shop.get(`/orders/${hers}`)).body;
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  const after = (await shop.get(`/orders/${hers}`)).body;
  expect(after).toEqual({
    ...before,
    // The fixture has the goods engraved.
    items: [{ ...before.items[0], options: {} }],
    customer: { id: null, name: null, email: null, phone: null },
    addresses: { shipping: { country: 'DE' } },
    updated_at: after.updated_at,
  });
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  expect((await shop.get(`/orders/${his}`)).body.customer.email).toBe(bob.email);
  const anew = await registerCustomer(shop, { email: ada.email });
  expect((await shop.get('/customers/me/orders', withSession(anew.token))).body.data).toEqual([]);
});
