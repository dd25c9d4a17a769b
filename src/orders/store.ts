import { and, asc, eq, is, SQL, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../inventory/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { type Database, namedBatch } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { fulfilmentsOf } from './fulfilments/store.ts';
import type { FulfilmentRow } from './fulfilments/tables.ts';
import { type RefundRow, refunds } from './refunds/tables.ts';
import { type OrderLineRow, type OrderRow, orderLines, orders, type PaymentRow, payments } from './tables.ts';

/** An order with its lines, fulfilments and refunds. */
export interface StoredOrder {
  readonly row: OrderRow;
  readonly lines: readonly OrderLineRow[];
  readonly fulfilments: readonly FulfilmentRow[];
  readonly refunds: readonly RefundRow[];
}

/** An order with its payments as well. */
export interface OrderWithPayments extends StoredOrder {
  readonly payments: readonly PaymentRow[];
}

/** Selects one order of a tenant. */
export const orderKey = (tenantId: number | SQL, id: string | SQL) =>
  and(eq(orders.tenantId, tenantId), eq(orders.id, id));

/** SQL for the JSON of an order's event with the `updated_at` that its row has in the batch. */
export const withStoredTime = (
  { tenantId, id }: Pick<OrderRow, 'tenantId' | 'id'>,
  data: object | SQL,
): SQL =>
  sql`json_set(${is(data, SQL) ? data : JSON.stringify(data)}, '$.updated_at',
    (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch') FROM orders
      WHERE tenant_id = ${tenantId} AND id = ${id}))`;

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

/** Returns the query for what an order's lines sell: `product_id` and `variant_id`. */
export const soldIn = (tenantId: number, id: string): SQL =>
  sql`SELECT product_id, variant_id FROM order_lines WHERE tenant_id = ${tenantId} AND order_id = ${id}`;

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

/** Returns the queries for an order's row, lines, fulfilments, refunds and payments. */
const wholeOrder = (ctx: TenantDatabase, id: string) => ({
  order: orderRow(ctx, id),
  lines: linesOf(ctx, id),
  fulfilments: fulfilmentsOf(ctx, id),
  refunds: refundsOf(ctx, id),
  payments: paymentsOf(ctx, id),
});

/** Returns a tenant's order with all that belongs to it, read in one round trip; `order_not_found`. */
export async function orderById(ctx: TenantDatabase, id: string): Promise<Result<OrderWithPayments>> {
  const { order, ...parts } = await namedBatch(ctx.db, wholeOrder(ctx, id));
  const [row] = order;
  return row ? ok({ row, ...parts }) : fail('order_not_found');
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

/**
 * Returns whether a reservation is still an order's. After an order was cancelled, its cart may reserve the stock anew,
 * for another order. Until there is one, an order that was never paid may take that stock again.
 */
const isReservationOf = ({ orderId }: Reservation, { id, status, paidAt }: OrderRow): boolean =>
  status !== 'cancelled' || orderId === id || (orderId === null && paidAt === null);

/** Returns an order with its reservation, read in one round trip, as the basis of a change. */
export async function readForChange(ctx: TenantDatabase, id: string) {
  const { db, tenantId } = ctx;
  const held = db.select({ id: orders.reservationId }).from(orders).where(orderKey(tenantId, id));
  const { order, reservations, ...parts } = await namedBatch(db, {
    ...wholeOrder(ctx, id),
    reservations: reservationById(db, tenantId, sql`(${held})`),
  });
  const [[row], [reservation]] = [order, reservations];
  if (!row) return fail('order_not_found');
  const own = reservation && isReservationOf(reservation, row) ? reservation : releasedReservationOf(row);
  return ok({ row, ...parts, reservation: own });
}

/**
 * Returns a substitute for a reservation that was deleted long after its order ended, or that another order has now:
 * released, without lines.
 */
const releasedReservationOf = (row: OrderRow): Reservation => ({
  id: row.reservationId,
  tenantId: row.tenantId,
  cartId: row.cartId,
  cartVersion: row.cartVersion,
  status: 'released',
  lines: [],
  revision: 0,
  heldFrom: 0,
  orderId: null,
  expiresAt: row.createdAt,
  createdAt: row.createdAt,
});
