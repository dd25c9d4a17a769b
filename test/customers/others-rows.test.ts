/** What is done with the data of one customer reads that customer's rows, however many others the shop has. */
import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
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
