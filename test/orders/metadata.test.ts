import { describe, expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { eventsOfType, placedOrder } from '../support/fixtures/selling/orders.ts';
import { send, type World, world } from '../support/world.ts';

async function orderOf(shop: World, customerId: number | null = null): Promise<string> {
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const customer = { customerId, name: 'Ada', email: 'ada@example.com', phone: null };
  return (await placedOrder(shop, cup, { customer })).row.id;
}

const TOO_MUCH: readonly (readonly [string, object])[] = [
  ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v']))],
  ['a key of 41 characters', { ['k'.repeat(41)]: 'v' }],
  ['a value of 501 characters', { k: 'v'.repeat(501) }],
  ['a number', { k: 1 }],
];

describe('metadata of an order', () => {
  it('is merged by key', async () => {
    const shop = await world();
    const path = `/orders/${await orderOf(shop)}`;
    const before = (await shop.get(path)).body;
    expect(before.metadata).toEqual({});
    const patch = async (metadata: object | null) => (await shop.patch(path, { metadata })).body.metadata;
    expect(await patch({ invoice: '1', erp: '2' })).toEqual({ invoice: '1', erp: '2' });
    expect(await patch({ erp: '', crm: '3' })).toEqual({ invoice: '1', crm: '3' });
    const { updated_at, ...after } = (await shop.get(path)).body;
    expect({ ...after, updated_at: before.updated_at }).toEqual({
      ...before,
      metadata: { invoice: '1', crm: '3' },
    });
    expect(await patch(null)).toEqual({});
    expect((await shop.patch('/orders/ord_x', { metadata: {} })).body.code).toBe('order_not_found');
    expect((await shop.patch(path, { status: 'paid' })).body.errors).toHaveProperty('status');
  });

  it("begins as its cart's, whose token no order and no event of one has", async () => {
    const shop = await sandboxShop();
    const cart = await cartWith(shop, await createProduct(shop, { stock: 1 }));
    const metadata = { visit: '7f3a', source: 'newsletter' };
    const changed = await shop.post(`/cart/${cart}/batch`, { operations: [{ op: 'metadata', metadata }] });
    expect(changed.body.metadata).toEqual(metadata);
    const page = await submitCheckout(await checkoutPath(shop, cart), 'pay');
    const order = (await shop.get(`/orders/${readReturn(page).order_id}`)).body;
    const events = [
      ...(await eventsOfType(shop, 'order.created')),
      ...(await eventsOfType(shop, 'order.paid')),
    ];
    expect([order, ...events].map((one) => one.metadata)).toEqual([metadata, metadata, metadata]);
    expect(JSON.stringify([order, events])).not.toContain(cart);
  });

  it.each(TOO_MUCH)('is refused by name: %s', async (_, metadata) => {
    const shop = await world();
    const refused = await shop.patch(`/orders/${await orderOf(shop)}`, { metadata });
    expect([refused.status, Object.keys(refused.body.errors)[0]?.split('.')[0]]).toEqual([422, 'metadata']);
  });

  it('is limited in all, over several writes', async () => {
    const shop = await world();
    const path = `/orders/${await orderOf(shop)}`;
    const keys = (from: number) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${from + n}`, 'v']));
    expect((await shop.patch(path, { metadata: keys(0) })).status).toBe(200);
    expect((await shop.patch(path, { metadata: keys(30) })).body.errors).toHaveProperty('metadata');
  });

  it('is for servers: its customer does not see it, and subscribers do', async () => {
    const shop = await world();
    const ada = await registerCustomer(shop);
    const id = await orderOf(shop, ada.id);
    await shop.patch(`/orders/${id}`, { metadata: { margin: '40' } });
    const mine = await shop.get('/customers/me/orders', withSession(ada.token));
    expect(mine.body.data[0]).not.toHaveProperty('metadata');
    expect(JSON.stringify(mine.body)).not.toContain('margin');
    const { token } = await shop.register({ kind: 'storefront' });
    const refused = await send('PATCH', `/v1/orders/${id}`, { token, body: { metadata: {} } });
    expect(refused.body.details).toEqual({ required_scope: 'orders:write' });
    await shop.post(`/orders/${id}/cancel`);
    expect((await eventsOfType(shop, 'order.cancelled'))[0].metadata).toEqual({ margin: '40' });
  });
});

describe('metadata of a customer', () => {
  it('is merged by key, for servers only', async () => {
    const shop = await world();
    const ada = await registerCustomer(shop);
    const path = `/customers/${ada.id}`;
    expect((await shop.get(path)).body).toMatchObject({ id: ada.id, email: ada.email, metadata: {} });
    const patched = await shop.patch(path, { metadata: { crm: 'C-1', tier: 'gold' } });
    expect(patched.body.metadata).toEqual({ crm: 'C-1', tier: 'gold' });
    expect((await shop.patch(path, { metadata: { tier: null } })).body.metadata).toEqual({ crm: 'C-1' });
    expect((await shop.patch(path, {})).body.metadata).toEqual({ crm: 'C-1' });
    const me = await shop.get('/customers/me', withSession(ada.token));
    expect(JSON.stringify(me.body)).not.toContain('C-1');
    const own = await shop.patch('/customers/me', { metadata: {} }, withSession(ada.token));
    expect(own.body.errors).toHaveProperty('metadata');
    const { token } = await shop.register({ kind: 'storefront' });
    for (const method of ['GET', 'PATCH']) {
      const refused = await send(method, `/v1${path}`, { token, ...(method === 'PATCH' && { body: {} }) });
      expect(refused.body.details).toEqual({ required_scope: 'customers:admin' });
    }
    await shop.delete('/customers/me', withSession(ada.token));
    expect((await shop.patch(path, { metadata: { crm: '2' } })).body.code).toBe('customer_not_found');
  });

  it.each(TOO_MUCH)('is refused by name: %s', async (_, metadata) => {
    const shop = await world();
    const { id } = await registerCustomer(shop);
    const refused = await shop.patch(`/customers/${id}`, { metadata });
    expect([refused.status, Object.keys(refused.body.errors)[0]?.split('.')[0]]).toEqual([422, 'metadata']);
  });

  it('keeps the keys of concurrent writes', async () => {
    const shop = await world();
    const { id } = await registerCustomer(shop);
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(keys.map((key) => shop.patch(`/customers/${id}`, { metadata: { [key]: '1' } })));
    expect(Object.keys((await shop.get(`/customers/${id}`)).body.metadata).sort()).toEqual(keys);
  });
});
