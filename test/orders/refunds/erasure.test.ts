import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../../../src/kernel/data/database.ts';
import { markPaid } from '../../../src/orders/index.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { eventsOfType, placedOrder } from '../../support/fixtures/selling/orders.ts';
import { contextOf, databaseOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

it('forgets the reasons of refunds with their customer, and keeps the amounts', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const customer = { customerId: ada.id, name: 'Ada', email: ada.email, phone: null };
  const { row } = await placedOrder(shop, cup, { customer, quantity: 2 });
  await markPaid(contextOf(shop), row.id, { provider: 'sandbox', reference: 'p' });
  const reason = 'Mrs Lovelace moved to Marylebone';
  const made = await shop.post(`/orders/${row.id}/refunds`, { amount: 5, reason });
  expect([made.status, made.body.reason]).toEqual([201, reason]);
  expect((await shop.post(`/orders/${row.id}/notes`, { text: `Call: ${reason}` })).status).toBe(201);
  const mine = await shop.get('/customers/me/orders', withSession(ada.token));
  expect(mine.body.data[0].refunds).toMatchObject([{ amount: 5 }]);
  expect(JSON.stringify(mine.body)).not.toContain(reason);
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  expect((await shop.get(`/orders/${row.id}`)).body.refunds).toMatchObject([{ amount: 5, reason: null }]);
  const [event] = await eventsOfType(shop, 'order.refunded');
  expect(event).toMatchObject({ refunds: [{ reason: null }], refund: { amount: 5, reason: null } });
  const kept = await rows<{ text: string }>(
    databaseOf(shop),
    sql`SELECT data AS text FROM outbox WHERE tenant_id = ${shop.tenantId}
      UNION ALL SELECT details FROM order_timeline WHERE tenant_id = ${shop.tenantId}
      UNION ALL SELECT reason FROM refunds WHERE tenant_id = ${shop.tenantId}`,
  );
  expect(JSON.stringify(kept)).not.toContain('Marylebone');
});
