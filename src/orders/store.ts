import { and, asc, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../inventory/index.ts';
import { type ListPage, rowsBefore } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { type Database, namedBatch } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { type RefundRow, refunds } from './refunds/tables.ts';
import type { OrderListQuery } from './schemas.ts';
import { type OrderLineRow, type OrderRow, orderLines, orders, type PaymentRow, payments } from './tables.ts';

/** An order with its lines and refunds. */
export interface StoredOrder {
  readonly row: OrderRow;
  readonly lines: readonly OrderLineRow[];
  readonly refunds: readonly RefundRow[];
}

/** An order with its lines, refunds and payments. */
export interface OrderWithPayments extends StoredOrder {
  readonly payments: readonly PaymentRow[];
}

/** Selects one order of a tenant. */
export const orderKey = (tenantId: number | SQL, id: string | SQL) =>
  and(eq(orders.tenantId, tenantId), eq(orders.id, id));

/** A database and one of its tenants, by id or by a subquery for the id. */
interface TenantSelection {
  readonly db: Database;
  readonly tenantId: number | SQL;
}

/** Returns the query for an order's row, to use in a batch. */
export const orderRow = ({ db, tenantId }: TenantSelection, id: string | SQL) =>
  db.select().from(orders).where(orderKey(tenantId, id));

/** Returns the query for an order's lines, to use in a batch. */
export const linesOf = ({ db, tenantId }: TenantSelection, id: string | SQL) =>
  db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.tenantId, tenantId), eq(orderLines.orderId, id)))
    .orderBy(asc(orderLines.id));

/** Returns the query for an order's refunds, oldest first, to use in a batch. */
export const refundsOf = ({ db, tenantId }: TenantSelection, id: string | SQL) =>
  db
    .select()
    .from(refunds)
    .where(and(eq(refunds.tenantId, tenantId), eq(refunds.orderId, id)))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));

const paymentsOf = ({ db, tenantId }: TenantDatabase, id: string) =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.tenantId, tenantId), eq(payments.orderId, id)))
    .orderBy(asc(payments.createdAt));

/** Returns the queries for an order's row, lines, refunds and payments. */
const wholeOrder = (ctx: TenantDatabase, id: string) => ({
  order: orderRow(ctx, id),
  lines: linesOf(ctx, id),
  refunds: refundsOf(ctx, id),
  payments: paymentsOf(ctx, id),
});

/** Returns a tenant's order with all that belongs to it, read in one round trip; `order_not_found`. */
export async function orderById(ctx: TenantDatabase, id: string): Promise<Result<OrderWithPayments>> {
  const { order, ...rest } = await namedBatch(ctx.db, wholeOrder(ctx, id));
  const [row] = order;
  return row ? ok({ row, ...rest }) : fail('order_not_found');
}

/** Returns the id of the order that a provider's charge paid; null if there is none. */
export async function orderOfCharge(
  { db, tenantId }: TenantDatabase,
  provider: string,
  charge: string,
): Promise<string | null> {
  const [found] = await db
    .select({ id: payments.orderId })
    .from(payments)
    .where(and(eq(payments.tenantId, tenantId), eq(payments.provider, provider), eq(payments.charge, charge)))
    .limit(1);
  return found?.id ?? null;
}

/** Returns an order with its reservation, read in one round trip, as the basis of a change. */
export async function readForChange(ctx: TenantDatabase, id: string) {
  const { db, tenantId } = ctx;
  const held = db.select({ id: orders.reservationId }).from(orders).where(orderKey(tenantId, id));
  const { order, reservations, ...rest } = await namedBatch(db, {
    ...wholeOrder(ctx, id),
    reservations: reservationById(db, tenantId, sql`(${held})`),
  });
  const [[row], [reservation]] = [order, reservations];
  if (!row) return fail('order_not_found');
  return ok({ row, ...rest, reservation: reservation ?? releasedReservationOf(row) });
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

/** A page of orders with their lines and refunds, and the number of orders on all pages. */
export interface OrderPage {
  readonly orders: readonly StoredOrder[];
  readonly total: number;
}

/** Returns a page of the tenant's orders, newest first. */
export async function listOrders(
  { db, tenantId }: TenantDatabase,
  query: OrderListQuery,
  page: ListPage<[createdAt: number, number: number]>,
): Promise<OrderPage> {
  const matches = matching(tenantId, query);
  const newest = [desc(orders.createdAt), desc(orders.number)];
  const { after } = page;
  const limit = page.limit + 1;
  const beyond = after && sql`(${orders.createdAt}, ${orders.number}) < (${after[0]}, ${after[1]})`;
  const shown = and(matches, beyond ?? undefined);
  const ids = db
    .select({ id: orders.id })
    .from(orders)
    .where(shown)
    .orderBy(...newest)
    .limit(limit)
    .offset(rowsBefore(page));
  const { listed, lines, refunded, counted } = await namedBatch(db, {
    listed: db
      .select()
      .from(orders)
      .where(shown)
      .orderBy(...newest)
      .limit(limit)
      .offset(rowsBefore(page)),
    lines: db
      .select()
      .from(orderLines)
      .where(and(eq(orderLines.tenantId, tenantId), sql`${orderLines.orderId} IN ${ids}`))
      .orderBy(asc(orderLines.id)),
    refunded: db
      .select()
      .from(refunds)
      .where(and(eq(refunds.tenantId, tenantId), sql`${refunds.orderId} IN ${ids}`))
      .orderBy(asc(refunds.createdAt), asc(refunds.id)),
    counted: db.select({ total: count() }).from(orders).where(matches),
  });
  const linesByOrder = Map.groupBy(lines, (line) => line.orderId);
  const refundsByOrder = Map.groupBy(refunded, (refund) => refund.orderId);
  return {
    orders: listed.map((row) => ({
      row,
      lines: linesByOrder.get(row.id) ?? [],
      refunds: refundsByOrder.get(row.id) ?? [],
    })),
    total: counted[0]?.total ?? 0,
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
