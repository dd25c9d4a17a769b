/** Which orders a list has, as SQL. */
import { type AnyColumn, and, count, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { redeemedBy } from '../../promotions/index.ts';
import type { OrderListQuery } from '../schemas.ts';
import { type OrderStatus, orders, type PaymentStatus } from '../tables.ts';
import { tagged } from './order-terms.ts';
import { MAX_MATCHES, searchCondition } from './search-orders.ts';
import { sortOf } from './sorting.ts';
import { countsOf, stateAccess } from './state-access.ts';
import { orderCounts } from './tables.ts';

/** The conditions for the orders of a list: for reading some of them in their order, and for counting them all. */
export interface Matching {
  readonly listed: SQL | undefined;
  readonly counted: SQL | undefined;
  /** Whether a page may take reading many orders that are not on it; a search reads a bounded number of them. */
  readonly isFar: boolean;
  /** The query for pairs of states whose first orders are the list's: see {@link stateAccess}. */
  readonly pairs: SQL | null;
}

/**
 * Returns the conditions for the orders that a query asks for. Those that a few rows of another table name, or that are
 * in rare states, are read by these; otherwise the list is walked in its order, in which a page is found soon.
 */
export async function matching(ctx: TenantDatabase, query: OrderListQuery): Promise<Matching> {
  const { q, tag, promotion_id } = query;
  const naming = [
    ...(tag === undefined ? [] : [tagged(ctx.tenantId, tag)]),
    ...(promotion_id === undefined ? [] : [redeemedBy(ctx.tenantId, promotion_id)]),
  ];
  const named = await Promise.all(naming.map(async (ids) => ({ ids, areFew: await areFew(ctx, ids) })));
  const narrow = await isNarrow(ctx, query);
  const isNamed = q !== undefined || narrow || named.some((one) => one.areFew);
  const states = isNamed ? null : await stateAccess(ctx, query);
  const rare = states?.rare ?? null;
  // No index of the list's order may compete with what is to be read first.
  const isFound = q !== undefined || rare !== null || named.some((one) => one.areFew);
  const own = isFound ? ofTenant(orders.tenantId, ctx.tenantId) : eq(orders.tenantId, ctx.tenantId);
  const among = (ids: SQL) => sql`orders.id IN (${ids})`;
  const others = [
    ...(q === undefined ? [] : [await searchCondition(ctx, q)]),
    ...(rare === null ? [] : [among(rare)]),
    ...conditionsOf(query, narrow),
  ];
  const walked = (ids: SQL) => sql`EXISTS (SELECT 1 FROM (${ids}) named WHERE named.order_id = orders.id)`;
  return {
    listed: and(own, ...named.map((one) => (one.areFew ? among(one.ids) : walked(one.ids))), ...others),
    counted: and(
      named.length > 0 ? ofTenant(orders.tenantId, ctx.tenantId) : own,
      ...named.map(({ ids }) => among(ids)),
      ...others,
    ),
    pairs: named.length === 0 ? (states?.pairs ?? null) : null,
    isFar:
      states?.isFar === true ||
      named.some((one) => !one.areFew) ||
      (query.updated_since === undefined
        ? isSortedApart(query)
        : query.sort !== undefined || hasState(query)),
  };
}

/** Returns whether a list is of a time and not in the order of time. */
const isSortedApart = (query: OrderListQuery): boolean =>
  hasTime(query) && !['newest', 'oldest'].includes(sortOf(query));

/** Returns whether a list is of a time. */
const hasTime = ({ from, to, created_from, created_to }: OrderListQuery): boolean =>
  [from, to, created_from, created_to].some((value) => value !== undefined);

/** Returns whether a list is limited to orders in some states. */
const hasState = ({ status, payment_status, fulfilment_status, archived }: OrderListQuery): boolean =>
  [status, payment_status, fulfilment_status, archived].some((value) => value !== undefined);

/** Returns whether a query of orders' ids finds at most {@link MAX_MATCHES}. */
async function areFew({ db }: TenantDatabase, ids: SQL): Promise<boolean> {
  const [row] = await rows<{ found: number }>(
    db,
    sql`SELECT count(*) AS found FROM (${ids} LIMIT ${MAX_MATCHES + 1})`,
  );
  return (row?.found ?? 0) <= MAX_MATCHES;
}

/** Returns the condition for a status. A parameter could not be answered from the index of pending orders. */
const isStatus = (status: OrderStatus): SQL =>
  status === 'pending' ? sql`status = 'pending'` : eq(orders.status, status);

/** Returns whether a list is of a shopper's orders, of one order or of changes, and these are few. */
async function isNarrow(ctx: TenantDatabase, query: OrderListQuery): Promise<boolean> {
  const { updated_since, customer_id, email, number } = query;
  if ([customer_id, email, number].some((value) => value !== undefined)) return true;
  if (updated_since === undefined || !hasState(query)) return updated_since !== undefined;
  return areFew(
    ctx,
    sql`SELECT id FROM orders WHERE tenant_id = ${ctx.tenantId} AND updated_at > ${updated_since}`,
  );
}

/**
 * Returns a condition whose index SQLite prefers. It takes both ends of a time for as selective as a shopper, and would read
 * all orders of that time.
 */
const selective = (condition: SQL): SQL => sql`unlikely(${condition})`;

/** Returns the condition for payments; the index of a single status has its orders in the order of time. */
function isPayment(column: SQL, statuses: readonly PaymentStatus[], isOfTime: boolean): SQL {
  const condition = inArray(column, statuses);
  return isOfTime && statuses.length === 1 ? selective(condition) : condition;
}

/** Returns the conditions of the filters by an order's own columns. */
function conditionsOf(query: OrderListQuery, narrow: boolean): SQL[] {
  const { status, payment_status, fulfilment_status, customer_id, email, number } = query;
  const { from, to, created_from, created_to, archived, updated_since } = query;
  // No index of a state may compete with those of what is few.
  const unindexed = (column: AnyColumn): SQL => (narrow ? sql`+${column}` : sql`${column}`);
  const isOfTime = hasTime(query);
  return [
    ...(fulfilment_status === undefined ? [] : [eq(unindexed(orders.fulfilmentStatus), fulfilment_status)]),
    ...(from === undefined ? [] : [gte(orders.createdAt, from)]),
    ...(to === undefined ? [] : [lt(orders.createdAt, to)]),
    ...(updated_since === undefined ? [] : [gt(orders.updatedAt, updated_since)]),
    ...(status === undefined ? [] : [isStatus(status)]),
    ...(payment_status === undefined
      ? []
      : [isPayment(unindexed(orders.paymentStatus), payment_status, isOfTime)]),
    ...(created_from === undefined ? [] : [gte(orders.createdAt, created_from)]),
    ...(created_to === undefined ? [] : [lt(orders.createdAt, created_to)]),
    ...(archived === undefined ? [] : [sql`archived_at IS ${sql.raw(archived ? 'NOT NULL' : 'NULL')}`]),
    ...(customer_id === undefined ? [] : [selective(eq(orders.customerId, customer_id))]),
    ...(email === undefined ? [] : [selective(eq(orders.email, email.toLowerCase()))]),
    ...(number === undefined ? [] : [eq(orders.number, number)]),
  ];
}

/** The filters whose totals are kept: see {@link orderCounts}. The others are what a page is, and in which order. */
const COUNTED: readonly string[] = [
  ...['status', 'payment_status', 'fulfilment_status', 'archived'],
  ...['page', 'limit', 'cursor', 'sort'],
];

/** Returns the query for the number of orders on all pages, which reads a few rows where the filters are of states alone. */
export function totalOf({ db, tenantId }: TenantDatabase, query: OrderListQuery, matches: SQL | undefined) {
  const filters = Object.entries(query).filter(([, value]) => value !== undefined);
  if (!filters.every(([name]) => COUNTED.includes(name)))
    return db.select({ total: count() }).from(orders).where(matches);
  return db
    .select({ total: sql<number>`coalesce(sum(${orderCounts.total}), 0)` })
    .from(orderCounts)
    .where(countsOf(tenantId, query));
}
