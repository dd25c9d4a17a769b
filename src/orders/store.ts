import { and, asc, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../inventory/index.ts';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { offset } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { OrderListQuery } from './schemas.ts';
import {
  type OrderLineRow,
  type OrderRow,
  type OrderStatus,
  orderLines,
  orders,
  type PaymentRow,
  payments,
} from './tables.ts';

/** An order with its lines. */
export interface StoredOrder {
  readonly row: OrderRow;
  readonly lines: readonly OrderLineRow[];
}

/** An order with its lines and payments. */
export interface OrderWithPayments extends StoredOrder {
  readonly payments: readonly PaymentRow[];
}

const one = (tenantId: number | SQL, id: string | SQL) =>
  and(eq(orders.tenantId, tenantId), eq(orders.id, id));

/** Returns the query for an order's row, to use in a batch. */
export const orderRow = (db: Database, tenantId: number | SQL, id: string | SQL) =>
  db.select().from(orders).where(one(tenantId, id));

/** Returns the query for an order's lines, to use in a batch. */
export const linesOf = (db: Database, tenantId: number | SQL, id: string | SQL) =>
  db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.tenantId, tenantId), eq(orderLines.orderId, id)))
    .orderBy(asc(orderLines.id));

const paymentsOf = ({ db, tenantId }: TenantDatabase, id: string) =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.tenantId, tenantId), eq(payments.orderId, id)))
    .orderBy(asc(payments.createdAt));

const wholeOrder = (ctx: TenantDatabase, id: string) =>
  [orderRow(ctx.db, ctx.tenantId, id), linesOf(ctx.db, ctx.tenantId, id), paymentsOf(ctx, id)] as const;

/** Returns a tenant's order with lines and payments, read in one round trip; `order_not_found`. */
export async function orderById(ctx: TenantDatabase, id: string): Promise<Result<OrderWithPayments>> {
  const { db } = ctx;
  const [[row], lines, paid] = await db.batch([...wholeOrder(ctx, id)]);
  return row ? ok({ row, lines, payments: paid }) : fail('order_not_found');
}

/** Returns an order with its reservation, read in one round trip, as the basis of a change. */
export async function readForChange(ctx: TenantDatabase, id: string) {
  const { db, tenantId } = ctx;
  const held = db.select({ id: orders.reservationId }).from(orders).where(one(tenantId, id));
  const [[row], lines, paid, [reservation]] = await db.batch([
    ...wholeOrder(ctx, id),
    reservationById(db, tenantId, sql`(${held})`),
  ]);
  if (!row) return fail('order_not_found');
  return ok({ row, lines, payments: paid, reservation: reservation ?? releasedReservationOf(row) });
}

/**
 * Returns a substitute for a reservation that was deleted long after its order ended: released, without
 * lines.
 */
const releasedReservationOf = ({
  tenantId,
  reservationId,
  cartId,
  cartVersion,
  createdAt,
}: OrderRow): Reservation => ({
  id: reservationId,
  tenantId,
  cartId,
  cartVersion,
  status: 'released',
  lines: [],
  revision: 0,
  heldFrom: 0,
  expiresAt: createdAt,
  createdAt,
});

/** Returns a page of the tenant's orders with their lines, newest first, and the total count. */
export async function listOrders(
  { tenantId, db }: TenantDatabase,
  query: OrderListQuery,
): Promise<{ orders: StoredOrder[]; total: number }> {
  const mine = matching(tenantId, query);
  const page = db
    .select()
    .from(orders)
    .where(mine)
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(query.limit)
    .offset(offset(query));
  const ids = db
    .select({ id: orders.id })
    .from(orders)
    .where(mine)
    .orderBy(desc(orders.createdAt), desc(orders.number))
    .limit(query.limit)
    .offset(offset(query));
  const [rows, lines, [counted]] = await db.batch([
    page,
    db
      .select()
      .from(orderLines)
      .where(and(eq(orderLines.tenantId, tenantId), sql`${orderLines.orderId} IN ${ids}`))
      .orderBy(asc(orderLines.id)),
    db.select({ total: count() }).from(orders).where(mine),
  ]);
  const byOrder = Map.groupBy(lines, (line) => line.orderId);
  return {
    orders: rows.map((row) => ({ row, lines: byOrder.get(row.id) ?? [] })),
    total: counted?.total ?? 0,
  };
}

function matching(tenantId: number, query: OrderListQuery): SQL | undefined {
  const { status, payment_status, created_from, created_to, customer_id, email, number } = query;
  return and(
    eq(orders.tenantId, tenantId),
    ...(status === undefined ? [] : [eq(orders.status, status)]),
    ...(payment_status === undefined ? [] : [eq(orders.paymentStatus, payment_status)]),
    ...(created_from === undefined ? [] : [gte(orders.createdAt, created_from)]),
    ...(created_to === undefined ? [] : [lt(orders.createdAt, created_to)]),
    ...(customer_id === undefined ? [] : [eq(orders.customerId, customer_id)]),
    ...(email === undefined ? [] : [eq(orders.email, email.toLowerCase())]),
    ...(number === undefined ? [] : [eq(orders.number, number)]),
  );
}

/** Returns the URL of a file in a paid order; `null` if the order is not paid or has no such file. */
export async function purchasedFileUrl(
  { db, tenantId }: TenantDatabase,
  orderId: string,
  lineId: number,
  linkId: number,
): Promise<string | null> {
  const [found] = await db
    .select({ links: orderLines.links })
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.tenantId, orderLines.tenantId), eq(orders.id, orderLines.orderId)))
    .where(
      and(
        eq(orderLines.tenantId, tenantId),
        eq(orderLines.orderId, orderId),
        eq(orderLines.id, lineId),
        eq(orders.status, 'paid'),
      ),
    );
  return found?.links.find((link) => link.id === linkId)?.url ?? null;
}

/** The condition for rows after a cursor of {@link pendingNotifications}, `<updated at> <order id>`. */
const afterCursor = (after: string) => {
  const [at = '0', id = ''] = after.split(' ');
  return sql`(${orders.updatedAt}, ${orders.id}) > (${Number(at)}, ${id})`;
};

/**
 * Returns orders whose cart notification has been pending for longer than `olderThan` (ms), oldest first,
 * after a cursor.
 */
export const pendingNotifications = (db: Database, olderThan: number, after: string, limit: number) =>
  db
    .select({
      tenantId: orders.tenantId,
      id: orders.id,
      cursor: sql<string>`${orders.updatedAt} || ' ' || ${orders.id}`,
    })
    .from(orders)
    .where(
      sql`${orders.cartNotice} IS NOT NULL AND ${orders.updatedAt} < ${now() - olderThan} AND ${afterCursor(after)}`,
    )
    .orderBy(asc(orders.updatedAt), asc(orders.id))
    .limit(limit);

/** The order status that its cart tracks; carts ignore older revisions. */
export type OrderStatusUpdate = Pick<OrderRow, 'tenantId' | 'id' | 'cartId' | 'revision' | 'status'>;

const statusQuery = ({ db, tenantId }: TenantDatabase, id: string) =>
  db
    .select({
      tenantId: orders.tenantId,
      id: orders.id,
      cartId: orders.cartId,
      revision: orders.revision,
      status: orders.status,
    })
    .from(orders)
    .where(one(tenantId, id));

/** Returns an order's current status; null if the order doesn't exist. */
export async function orderStanding(ctx: TenantDatabase, id: string): Promise<OrderStatusUpdate | null> {
  const [row] = await statusQuery(ctx, id);
  return row ?? null;
}

/**
 * Records that the cart received this status, and returns the order's current one in the same round trip. A
 * newer pending status stays pending.
 */
export async function markNotified(
  ctx: TenantDatabase,
  id: string,
  status: OrderStatus,
): Promise<OrderStatusUpdate | null> {
  const { db, tenantId } = ctx;
  const known = db
    .update(orders)
    .set({ cartNotice: null })
    .where(and(one(tenantId, id), eq(orders.cartNotice, status)));
  const [, [row]] = await db.batch([known, statusQuery(ctx, id)]);
  return row ?? null;
}

/** How long a claim lasts before the order is due again (ms). */
const CLAIM_DURATION_MS = 2 * MINUTE;

/**
 * Claims at most `limit` expired pending orders. Takes each tenant's oldest, then each tenant's second, so
 * that no tenant delays another. A claimed order is not returned again for {@link CLAIM_DURATION_MS}.
 */
export const claimDueOrders = (db: Database, limit: number) =>
  db
    .update(orders)
    .set({ claimedUntil: now() + CLAIM_DURATION_MS })
    .where(
      sql`${orders.status} = 'pending' AND ${orders.id} IN (
        SELECT id FROM (SELECT id, expires_at,
            row_number() OVER (PARTITION BY tenant_id ORDER BY expires_at) AS turn
          FROM orders WHERE status = 'pending' AND expires_at <= ${now()}
            AND coalesce(claimed_until, 0) <= ${now()})
        ORDER BY turn, expires_at LIMIT ${limit})`,
    )
    .returning({ tenantId: orders.tenantId, id: orders.id });

/** Extends a pending order's deadline to `until` (ms); never shortens it. */
export const extendDeadline = ({ db, tenantId }: TenantDatabase, id: string, until: number) =>
  db
    .update(orders)
    .set({ expiresAt: until })
    .where(and(one(tenantId, id), eq(orders.status, 'pending'), lt(orders.expiresAt, until)));

/** Claims due refunds in the same way, and returns their orders. */
export const claimDueRefunds = (db: Database, limit: number) =>
  db
    .update(payments)
    .set({ nextTryAt: now() + CLAIM_DURATION_MS })
    .where(
      sql`${payments.state} = 'refund_due' AND ${payments.id} IN (
        SELECT id FROM (SELECT id, next_try_at,
            row_number() OVER (PARTITION BY tenant_id ORDER BY next_try_at) AS turn
          FROM payments WHERE state = 'refund_due' AND next_try_at <= ${now()})
        ORDER BY turn, next_try_at LIMIT ${limit})`,
    )
    .returning({ tenantId: payments.tenantId, id: payments.orderId });

/**
 * Returns the statement that removes a customer's personal data from their orders: name, e-mail, phone, and
 * the address except its country. Lines and amounts stay.
 */
export const forgetCustomer = ({ db, tenantId }: TenantDatabase, customerId: number) =>
  db
    .update(orders)
    .set({
      customerId: null,
      // Makes concurrent transitions retry, so that none emits an event with the personal data.
      revision: sql`${orders.revision} + 1`,
      name: null,
      email: null,
      phone: null,
      shippingAddress: sql`CASE WHEN shipping_address IS NULL THEN NULL
        ELSE json_object('country', shipping_address ->> 'country') END`,
    })
    .where(and(eq(orders.tenantId, tenantId), eq(orders.customerId, customerId)));
