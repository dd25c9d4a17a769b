import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { forgetReservations } from '../../src/inventory/index.ts';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { deleteRows } from '../../src/kernel/data/chore.ts';
import { rows } from '../../src/kernel/data/database.ts';
import {
  cancelPending,
  forgetAbandonedOrders,
  markPaid,
  recordRefunded,
  requestRefund,
} from '../../src/orders/index.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { choreContext, contextOf, databaseOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** Runs the chore until nothing is left to delete, as the cron's messages do. */
async function forget(shop: World): Promise<void> {
  const context = await choreContext(shop);
  while ((await forgetAbandonedOrders(context, {})).more);
}

/** How many rows an order has in each of the tables that it is stored in. */
const stored = ({ tenantId }: World, id: string) => {
  const tables = ['order_lines', 'payments', 'order_timeline', 'order_terms'].map(
    (table) =>
      sql`SELECT count(*) AS n FROM ${sql.raw(table)} WHERE tenant_id = ${tenantId} AND order_id = ${id}`,
  );
  return rows<{ n: number }>(databaseOf({ tenantId }), sql.join(tables, sql` UNION ALL `));
};

it('takes the stock of an order whose payment comes days after its deadline', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 3 })).body;
  const { row } = await placedOrder(shop, cup, { quantity: 2 });
  const ctx = contextOf(shop);
  await cancelPending(ctx, row.id, { reason: 'timeout' });
  moveClock(5 * DAY);
  await deleteRows(databaseOf(shop), forgetReservations);
  await markPaid(ctx, row.id, { provider: 'sandbox', reference: 'late' });
  expect((await shop.get(`/orders/${row.id}`)).body.status).toBe('paid');
  expect(await stockOf(cup)).toEqual({ on_hand: 1, reserved: 0 });
});

it('deletes cancelled orders that nobody paid 400 days later, and keeps those whose payment was refunded', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const place = async () => (await placedOrder(shop, cup)).row.id;
  const [abandoned, paid, refunded] = [await place(), await place(), await place()];
  const ctx = contextOf(shop);
  await cancelPending(ctx, abandoned, { reason: 'timeout' });
  for (const id of [paid, refunded]) await markPaid(ctx, id, { provider: 'sandbox', reference: id });
  await requestRefund(ctx, refunded, 'tenant');
  await recordRefunded(ctx, refunded, { provider: 'sandbox', reference: refunded });
  const shown = async () => {
    const answers = [abandoned, paid, refunded].map((id) => shop.get(`/orders/${id}`));
    return (await Promise.all(answers)).map(({ body }) => body.code ?? body.payment_status);
  };
  moveClock(399 * DAY);
  await forget(shop);
  expect(await shown()).toEqual(['unpaid', 'paid', 'refunded']);
  moveClock(2 * DAY);
  await forget(shop);
  expect(await shown()).toEqual(['order_not_found', 'paid', 'refunded']);
  expect((await stored(shop, abandoned)).map(({ n }) => n)).toEqual([0, 0, 0, 0]);
  for (const { n } of await stored(shop, refunded)) expect(n).toBeGreaterThan(0);
});
