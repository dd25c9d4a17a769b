import { and, asc, count, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { type ListPage, rowsBefore } from '../../kernel/core/pagination.ts';
import { namedBatch, ofTenant } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { hasRedeemed } from '../../promotions/index.ts';
import { orderFulfilments } from '../fulfilments/tables.ts';
import { refunds } from '../refunds/tables.ts';
import type { OrderKey, OrderListQuery, OrderSort } from '../schemas.ts';
import type { StoredOrder } from '../store.ts';
import { orderLines, orders } from '../tables.ts';
import { tagged } from './order-terms.ts';
import { searchCondition } from './search-orders.ts';
import { afterKey, orderTermsOf } from './sorting.ts';

/** A page of orders with their lines, and the number of orders on all pages. */
export interface OrderPage {
  readonly orders: readonly StoredOrder[];
  readonly total: number;
}

/** The filters of a list, and its order: newest first by default. */
export type OrderSelection = Omit<OrderListQuery, 'sort'> & { readonly sort?: OrderSort };

/** Returns a page of the tenant's orders. */
export async function listOrders(
  ctx: TenantDatabase,
  query: OrderSelection,
  page: ListPage<OrderKey>,
): Promise<OrderPage> {
  const { db } = ctx;
  const { sort = 'newest' } = query;
  const matches = await matching(ctx, query);
  const sorted = orderTermsOf(sort);
  const { after } = page;
  const limit = page.limit + 1;
  const shown = and(matches, after === null ? undefined : afterKey(sort, after));
  const ids = sql`(SELECT id FROM orders WHERE ${shown} ORDER BY ${sql.join(sorted, sql`, `)}
    LIMIT ${limit} OFFSET ${rowsBefore(page)})`;
  const { listed, lines, fulfilments, refunded, counted } = await namedBatch(db, {
    listed: db
      .select()
      .from(orders)
      .where(shown)
      .orderBy(...sorted)
      .limit(limit)
      .offset(rowsBefore(page)),
    ...partsOf(ctx, ids),
    counted: db.select({ total: count() }).from(orders).where(matches),
  });
  const byOrder = <Part extends { orderId: string }>(parts: readonly Part[]) =>
    Map.groupBy(parts, ({ orderId }) => orderId);
  const [linesBy, fulfilmentsBy, refundsBy] = [byOrder(lines), byOrder(fulfilments), byOrder(refunded)];
  return {
    orders: listed.map((row) => ({
      row,
      lines: linesBy.get(row.id) ?? [],
      fulfilments: fulfilmentsBy.get(row.id) ?? [],
      refunds: refundsBy.get(row.id) ?? [],
    })),
    total: counted[0]?.total ?? 0,
  };
}

/** Returns the queries for the lines, fulfilments and refunds of the orders that a subquery selects. */
const partsOf = ({ db, tenantId }: TenantDatabase, ids: SQL) => ({
  lines: db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.tenantId, tenantId), sql`${orderLines.orderId} IN ${ids}`))
    .orderBy(asc(orderLines.id)),
  fulfilments: db
    .select()
    .from(orderFulfilments)
    .where(and(eq(orderFulfilments.tenantId, tenantId), sql`${orderFulfilments.orderId} IN ${ids}`))
    .orderBy(asc(orderFulfilments.position)),
  refunded: db
    .select()
    .from(refunds)
    .where(and(eq(refunds.tenantId, tenantId), sql`${refunds.orderId} IN ${ids}`))
    .orderBy(asc(refunds.createdAt), asc(refunds.id)),
});

async function matching(ctx: TenantDatabase, query: OrderSelection): Promise<SQL | undefined> {
  const { q, status, payment_status, fulfilment_status, customer_id, email, number, tag } = query;
  const { from, to, created_from, created_to, promotion_id, archived } = query;
  return and(
    // No index of the list's order may compete with that of `q`.
    q === undefined ? eq(orders.tenantId, ctx.tenantId) : ofTenant(orders.tenantId, ctx.tenantId),
    ...(q === undefined ? [] : [await searchCondition(ctx, q)]),
    ...(fulfilment_status === undefined ? [] : [eq(orders.fulfilmentStatus, fulfilment_status)]),
    ...(from === undefined ? [] : [gte(orders.createdAt, from)]),
    ...(to === undefined ? [] : [lt(orders.createdAt, to)]),
    ...(status === undefined ? [] : [eq(orders.status, status)]),
    ...(payment_status === undefined ? [] : [inArray(orders.paymentStatus, payment_status)]),
    ...(created_from === undefined ? [] : [gte(orders.createdAt, created_from)]),
    ...(created_to === undefined ? [] : [lt(orders.createdAt, created_to)]),
    ...(archived === undefined ? [] : [sql`archived_at IS ${sql.raw(archived ? 'NOT NULL' : 'NULL')}`]),
    ...(customer_id === undefined ? [] : [eq(orders.customerId, customer_id)]),
    ...(email === undefined ? [] : [eq(orders.email, email.toLowerCase())]),
    ...(number === undefined ? [] : [eq(orders.number, number)]),
    ...(promotion_id === undefined ? [] : [hasRedeemed(ctx.tenantId, promotion_id, orders.id)]),
    ...(tag === undefined ? [] : [tagged(ctx.tenantId, tag)]),
  );
}
