import { and, eq, type SQL, sql } from 'drizzle-orm';
import { redactEvents } from '../events/index.ts';
import { DAY, now } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { batch, directory, jsonList, rows, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { orders } from './tables.ts';
import { redactTimelines } from './timeline/store.ts';

/** Returns the query for the ids of a customer's orders. */
export const ordersOf = (tenantId: number, customerId: number): SQL =>
  sql`SELECT id FROM orders WHERE tenant_id = ${tenantId} AND customer_id = ${customerId}`;

/**
 * Returns the statement that removes a customer's personal data from the events of their orders. The address
 * keeps only its country.
 */
export const redactOrderEvents = (ctx: TenantDatabase, customerId: number): Statement =>
  redactEvents(
    ctx,
    sql`SELECT 'order:' || id FROM (${ordersOf(ctx.tenantId, customerId)})`,
    sql`json_set(json_replace(data, '$.refund.reason', NULL), '$.metadata', json('{}'),
      '$.customer', json('{"id":null,"name":null,"email":null,"phone":null}'),
      '$.refunds', (SELECT json_group_array(json_set(value, '$.reason', NULL)) FROM json_each(data, '$.refunds')),
      '$.addresses.shipping', CASE WHEN data -> '$.addresses.shipping' = 'null' THEN NULL
        ELSE json_object('country', data ->> '$.addresses.shipping.country') END)`,
  );

/**
 * Returns the statements that remove a customer's personal data from their orders and the orders' timelines:
 * name, e-mail, phone, the metadata, the reasons of refunds, and the address except its country. Lines and amounts
 * stay.
 */
export const forgetCustomer = (ctx: TenantDatabase, customerId: number): Statement[] => [
  // First, while the orders still name the customer.
  redactTimelines(ctx, ordersOf(ctx.tenantId, customerId)),
  redactRefunds(ctx, ordersOf(ctx.tenantId, customerId)),
  redactOrders(ctx, customerId),
];

const redactRefunds = ({ db, tenantId }: TenantDatabase, orderIds: SQL): Statement =>
  run(
    db,
    sql`UPDATE refunds SET reason = NULL WHERE tenant_id = ${tenantId} AND order_id IN (${orderIds})
      AND reason IS NOT NULL`,
  );

const redactOrders = ({ db, tenantId }: TenantDatabase, customerId: number) =>
  db
    .update(orders)
    .set({
      customerId: null,
      // Makes concurrent transitions retry, so that none emits an event with the personal data.
      revision: sql`${orders.revision} + 1`,
      name: null,
      email: null,
      phone: null,
      metadata: {},
      shippingAddress: sql`CASE WHEN shipping_address IS NULL THEN NULL
        ELSE json_object('country', shipping_address ->> 'country') END`,
    })
    .where(and(eq(orders.tenantId, tenantId), eq(orders.customerId, customerId)));

/** How long a cancelled order that was never paid is kept after its last change (ms). */
const ABANDONED_RETENTION_MS = 400 * DAY;
/** How many orders one step deletes. */
const ORDERS_PER_STEP = 100;

/** The chore that deletes cancelled orders that were never paid. Paid orders are kept. */
export const forgetAbandonedOrders: Chore = async ({ env }) => {
  const db = directory(env);
  const abandoned = sql`status = 'cancelled' AND payment_status = 'unpaid' AND updated_at < ${now() - ABANDONED_RETENTION_MS}`;
  const found = await rows<{ id: string }>(
    db,
    sql`SELECT id FROM orders WHERE ${abandoned} LIMIT ${ORDERS_PER_STEP}`,
  );
  if (found.length === 0) return {};
  const ids = sql`SELECT id FROM orders WHERE ${abandoned} AND id IN (${jsonList(found.map(({ id }) => id))})`;
  const ofThose = sql`(tenant_id, order_id) IN (SELECT tenant_id, id FROM orders WHERE id IN (${ids}))`;
  await batch(db, [
    run(db, sql`DELETE FROM order_lines WHERE ${ofThose}`),
    run(db, sql`DELETE FROM payments WHERE ${ofThose}`),
    run(db, sql`DELETE FROM order_timeline WHERE ${ofThose}`),
    run(db, sql`DELETE FROM orders WHERE id IN (${ids})`),
  ]);
  return { more: found.length < ORDERS_PER_STEP ? undefined : {} };
};
