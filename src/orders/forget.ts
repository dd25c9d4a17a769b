import { and, type SQL, sql } from 'drizzle-orm';
import { redactEvents } from '../events/index.ts';
import { DAY, now } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import {
  assertInBatch,
  batch,
  jsonList,
  ofTenant,
  rows,
  run,
  type Statement,
} from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import { type DataSubject, guestSubject } from '../kernel/data/idempotency-keys.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { forgetRedeemers } from '../promotions/index.ts';
import { advanceClock, clockTick } from '../tenants/index.ts';
import { redactFulfilments } from './fulfilments/store.ts';
import { forgetPersonalTerms } from './listing/order-terms.ts';
import { redactRefunds } from './refunds/store.ts';
import { type OrderRow, orders } from './tables.ts';
import { redactTimelines } from './timeline/store.ts';

/** Returns the query for the ids of a customer's orders. */
export const ordersOf = (tenantId: number, customerId: number): SQL =>
  sql`SELECT id FROM orders WHERE tenant_id = ${tenantId} AND customer_id = ${customerId}`;

/** Returns whose data a response about an order contains. */
export const dataSubjectOf = ({
  id,
  customerId,
  ...buyer
}: Pick<OrderRow, 'id' | 'customerId' | 'email' | 'name' | 'phone'>): DataSubject =>
  customerId === null ? guestSubject(id, buyer) : { customerId };

// The row belongs to the module customers, which imports this one, carts and checkout.
const liveCustomer = (tenantId: number, customerId: number | SQL): SQL =>
  sql`SELECT 1 FROM customers WHERE id = ${customerId} AND tenant_id = ${tenantId} AND erased_at IS NULL`;

/**
 * Returns the query for the id of a guest's order, also of one that still names an erased customer; it finds nothing if
 * the order is a customer's.
 */
export const guestOrder = (tenantId: number, orderId: string): SQL =>
  sql`SELECT id FROM orders WHERE tenant_id = ${tenantId} AND id = ${orderId}
    AND (customer_id IS NULL OR NOT EXISTS (${liveCustomer(tenantId, sql`orders.customer_id`)}))`;

/**
 * Returns the guard that rolls a batch back once a customer is erased, for a write of what was read about them before.
 * None for a guest.
 */
export const notErased = ({ db, tenantId }: TenantDatabase, customerId: number | null): Statement[] =>
  customerId === null ? [] : [assertInBatch(db, sql`EXISTS (${liveCustomer(tenantId, customerId)})`)];

/**
 * Returns the guard that rolls a batch back once the buyer of a guest's order is erased, for a write of the e-mail address
 * that they gave with it. None without an order.
 */
export const guestNotErased = ({ db, tenantId }: TenantDatabase, orderId: string | null): Statement[] =>
  orderId === null
    ? []
    : [
        assertInBatch(
          db,
          sql`NOT EXISTS (SELECT 1 FROM orders WHERE tenant_id = ${tenantId} AND id = ${orderId} AND email IS NULL)`,
        ),
      ];

/** Returns whether a customer is erased. */
export const isErased = async ({ db, tenantId }: TenantDatabase, customerId: number): Promise<boolean> =>
  (await rows(db, liveCustomer(tenantId, customerId))).length === 0;

/** SQL for an address in an event's data that keeps only its country. */
const countryIn = (path: string): SQL =>
  sql`CASE WHEN data -> ${path} IS NULL OR data -> ${path} = 'null' THEN NULL
    ELSE json_object('country', data ->> ${`${path}.country`}) END`;

/** SQL for the fulfilments in an event's data without their tracking. */
const UNTRACKED = sql`(SELECT json_group_array(json_set(value, '$.tracking', NULL))
  FROM json_each(data, '$.fulfilments'))`;

/**
 * SQL for the `options` of a line without the shopper's own data, such as an engraving: all scalars but the id of a
 * variant. What the product's type offers to choose is an object or a list.
 */
const choicesIn = (options: SQL): SQL =>
  sql`(SELECT json_group_object(option.key, iif(option.type = 'integer', option.value, json(option.value)))
    FROM json_each(${options}) option
    WHERE option.type IN ('array', 'object') OR (option.key = 'variant_id' AND option.type = 'integer'))`;

/** SQL for a list of lines, of an order or a cart, without the shopper's own data in their `options`. */
export const withoutCustomData = (lines: SQL): SQL =>
  sql`(SELECT json_group_array(json_replace(line.value, '$.options', ${choicesIn(sql`line.value -> '$.options'`)}))
    FROM json_each(${lines}) line)`;

/** SQL for the refunds in an event's data without their reasons. */
const WITHOUT_REASONS = sql`(SELECT json_group_array(json_set(value, '$.reason', NULL))
  FROM json_each(data, '$.refunds'))`;

/**
 * Returns the statement that removes the buyers' personal data from the events of these orders (a query of their ids).
 * An address keeps only its country. Fields that older events lack stay absent.
 */
export const redactOrderEvents = (ctx: TenantDatabase, orderIds: SQL): Statement =>
  redactEvents(
    ctx,
    sql`SELECT 'order:' || id FROM (${orderIds})`,
    sql`json_replace(
      json_set(data, '$.metadata', json('{}'),
        '$.customer', json('{"id":null,"name":null,"email":null,"phone":null}'),
        '$.addresses.shipping', ${countryIn('$.addresses.shipping')}),
      '$.billing_address', ${countryIn('$.billing_address')}, '$.note', NULL, '$.tags', json('[]'),
      '$.items', ${withoutCustomData(sql`data -> '$.items'`)},
      '$.fulfilments', ${UNTRACKED}, '$.fulfilment.tracking', NULL,
      '$.refunds', ${WITHOUT_REASONS}, '$.refund.reason', NULL)`,
  );

/**
 * Returns the statements that remove the buyers' personal data from these orders (a query of their ids): name, e-mail, phone, note,
 * tags, metadata, tracking, the reasons of refunds, their own data in the options of lines, the addresses except their
 * countries, and for whom promotions were counted. Amounts and what was bought stay.
 */
export const forgetOrderBuyers = (ctx: TenantDatabase, orderIds: SQL): Statement[] => [
  // First, while the orders still name the customer.
  redactTimelines(ctx, orderIds),
  ...forgetRedeemers(ctx, orderIds),
  redactFulfilments(ctx, orderIds),
  redactRefunds(ctx, orderIds),
  forgetPersonalTerms(ctx, orderIds),
  redactLines(ctx, orderIds),
  advanceClock(ctx, 1),
  redactOrders(ctx, orderIds),
];

const redactLines = ({ db, tenantId }: TenantDatabase, orderIds: SQL): Statement => {
  const choices = choicesIn(sql`order_lines.options`);
  return run(
    db,
    sql`UPDATE order_lines SET options = ${choices}
      WHERE tenant_id = ${tenantId} AND order_id IN (${orderIds}) AND options <> ${choices}`,
  );
};

const countryOf = (column: 'shipping_address' | 'billing_address'): SQL =>
  sql`CASE WHEN ${sql.raw(column)} IS NULL THEN NULL
    ELSE json_object('country', ${sql.raw(column)} ->> 'country') END`;

const redactOrders = ({ db, tenantId }: TenantDatabase, orderIds: SQL) =>
  db
    .update(orders)
    .set({
      customerId: null,
      // Makes concurrent transitions retry, so that none emits an event with the personal data.
      revision: sql`${orders.revision} + 1`,
      updatedAt: clockTick(tenantId, 1, 0),
      name: null,
      email: null,
      phone: null,
      note: null,
      tags: [],
      metadata: {},
      shippingAddress: countryOf('shipping_address'),
      billingAddress: countryOf('billing_address'),
    })
    .where(and(ofTenant(orders.tenantId, tenantId), sql`${orders.id} IN (${orderIds})`));

/** How long a cancelled order that was never paid is kept after its last change (ms). */
const ABANDONED_RETENTION_MS = 400 * DAY;
/** How many orders one step deletes. */
const ORDERS_PER_STEP = 100;

/** The chore that deletes cancelled orders that were never paid. Paid orders are kept. */
export const forgetAbandonedOrders: Chore = async ({ db }) => {
  const abandoned = sql`status = 'cancelled' AND payment_status = 'unpaid' AND updated_at < ${now() - ABANDONED_RETENTION_MS}
    AND ${settled()}`;
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
    run(db, sql`DELETE FROM order_fulfilments WHERE ${ofThose}`),
    run(db, sql`DELETE FROM order_terms WHERE ${ofThose}`),
    run(db, sql`DELETE FROM orders WHERE id IN (${ids})`),
  ]);
  return { more: found.length < ORDERS_PER_STEP ? undefined : {} };
};
