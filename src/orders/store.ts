import { and, asc, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../inventory/index.ts';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { offset } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';
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

/** An order with everything that a change of it goes by. */
export interface OrderWithPayments extends StoredOrder {
  readonly payments: readonly PaymentRow[];
}

const one = (tenantId: number | SQL, id: string | SQL) =>
  and(eq(orders.tenantId, tenantId), eq(orders.id, id));

/** The query for an order's row, for a batch. */
export const orderRow = (db: Database, tenantId: number | SQL, id: string | SQL) =>
  db.select().from(orders).where(one(tenantId, id));

/** The query for an order's lines, for a batch. */
export const linesOf = (db: Database, tenantId: number | SQL, id: string | SQL) =>
  db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.tenantId, tenantId), eq(orderLines.orderId, id)))
    .orderBy(asc(orderLines.id));

const paymentsOf = (db: Database, tenantId: number, id: string) =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.tenantId, tenantId), eq(payments.orderId, id)))
    .orderBy(asc(payments.createdAt));

const wholeOrder = (db: Database, tenantId: number, id: string) =>
  [orderRow(db, tenantId, id), linesOf(db, tenantId, id), paymentsOf(db, tenantId, id)] as const;

/** The tenant's order with lines and payments, in one round trip; `order_not_found`. */
export async function orderById(
  db: Database,
  tenantId: number,
  id: string,
): Promise<Result<OrderWithPayments>> {
  const [[row], lines, paid] = await db.batch([...wholeOrder(db, tenantId, id)]);
  return row ? ok({ row, lines, payments: paid }) : fail('order_not_found');
}

/** The order with the reservation that it holds, in one round trip: what every change of it is made from. */
export async function readForChange(db: Database, tenantId: number, id: string) {
  const held = db.select({ id: orders.reservationId }).from(orders).where(one(tenantId, id));
  const [[row], lines, paid, [reservation]] = await db.batch([
    ...wholeOrder(db, tenantId, id),
    reservationById(db, tenantId, sql`(${held})`),
  ]);
  if (!row) return fail('order_not_found');
  return ok({ row, lines, payments: paid, reservation: reservation ?? releasedReservationOf(row) });
}

/** What stands for the reservation of an order that was given up long ago: given back, and not to be taken again. */
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

/** A page of the tenant's orders, newest first, with their lines, and how many there are. */
export async function listOrders(
  db: Database,
  tenantId: number,
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

/** The URL of a file of a paid order; `null` when it isn't paid (any more), or there is no such file. */
export async function purchasedFileUrl(
  db: Database,
  tenantId: number,
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

/** A place in the list of {@link pendingNotifications}, as `<updated at> <order id>`. */
const afterCursor = (after: string) => {
  const [at = '0', id = ''] = after.split(' ');
  return sql`(${orders.updatedAt}, ${orders.id}) > (${Number(at)}, ${id})`;
};

/** Orders whose cart has to be told yet for longer than `olderThan` (ms), oldest first, after a place of the list. */
export const pendingNotifications = (db: Database, olderThan: number, after: string, limit: number) =>
  db
    .select({
      tenantId: orders.tenantId,
      id: orders.id,
      place: sql<string>`${orders.updatedAt} || ' ' || ${orders.id}`,
    })
    .from(orders)
    .where(
      sql`${orders.cartNotice} IS NOT NULL AND ${orders.updatedAt} < ${now() - olderThan} AND ${afterCursor(after)}`,
    )
    .orderBy(asc(orders.updatedAt), asc(orders.id))
    .limit(limit);

/** How an order stands: what its cart goes by. */
export type OrderStanding = Pick<OrderRow, 'tenantId' | 'id' | 'cartId' | 'revision' | 'status'>;

const standingQuery = (db: Database, tenantId: number, id: string) =>
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

/** Returns how an order stands; null when there is none. */
export async function orderStanding(
  db: Database,
  tenantId: number,
  id: string,
): Promise<OrderStanding | null> {
  const [row] = await standingQuery(db, tenantId, id);
  return row ?? null;
}

/**
 * Notes that the cart has been told this status (a newer one that it doesn't know yet stays), and returns how
 * the order stands now, in one round trip.
 */
export async function markNotified(
  db: Database,
  tenantId: number,
  id: string,
  status: OrderStatus,
): Promise<OrderStanding | null> {
  const known = db
    .update(orders)
    .set({ cartNotice: null })
    .where(and(one(tenantId, id), eq(orders.cartNotice, status)));
  const [, [row]] = await db.batch([known, standingQuery(db, tenantId, id)]);
  return row ?? null;
}

/** What is claimed is left to its message for this long (ms); then it is due again. */
const CLAIM_DURATION_MS = 2 * MINUTE;

/**
 * Claims pending orders whose time is up for whoever calls, at most `limit`: of each tenant the oldest, then of
 * each the second, so that none waits for another's. What is claimed is not found again for two minutes.
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

/** Lets a pending order wait longer, until `until` (ms). */
export const extendDeadline = (db: Database, tenantId: number, id: string, until: number) =>
  db
    .update(orders)
    .set({ expiresAt: until })
    .where(and(one(tenantId, id), eq(orders.status, 'pending'), lt(orders.expiresAt, until)));

/** The same for payments whose money has to go back, the next attempt being due; returns their orders. */
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
 * The statement that takes a customer's person out of the books: name, e-mail, phone and address but for
 * its country go, what was sold and paid stays.
 */
export const forgetCustomer = (db: Database, tenantId: number, customerId: number) =>
  db
    .update(orders)
    .set({
      customerId: null,
      // A change that began before this begins anew, and raises no event that names the person.
      revision: sql`${orders.revision} + 1`,
      name: null,
      email: null,
      phone: null,
      shippingAddress: sql`CASE WHEN shipping_address IS NULL THEN NULL
        ELSE json_object('country', shipping_address ->> 'country') END`,
    })
    .where(and(eq(orders.tenantId, tenantId), eq(orders.customerId, customerId)));
