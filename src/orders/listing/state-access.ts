import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { OrderListQuery } from '../schemas.ts';
import { MAX_MATCHES } from './search-orders.ts';
import { sortOf } from './sorting.ts';
import { orderCounts } from './tables.ts';

/** Orders that are more than this share of all are found soon in the order of the list. */
const RARE_SHARE = 0.1;

/** So many orders in other states are passed over by each query for a page and its parts, rather than by one before them. */
const MAX_OTHERS = 1_000;

/** The number of orders that an index finds, of all that are in the states which a query asks for. */
interface Counted {
  readonly total: number;
  /** Those in the states that are asked for. */
  readonly matching: number;
  /** Those of the same fulfilment and payment status. */
  readonly alike: number;
  /** How many pairs of fulfilment and payment status these are. */
  readonly pairs: number;
  readonly open: number;
  readonly pending: number;
}

/** The states that a query asks for. */
type StatesAsked = Partial<
  Pick<OrderListQuery, 'status' | 'payment_status' | 'fulfilment_status' | 'archived'>
>;

/** Returns the condition for the counts of the states that a query asks for. */
export const countsOf = (
  tenantId: number,
  { status, payment_status, fulfilment_status, archived }: StatesAsked,
): SQL | undefined =>
  and(
    eq(orderCounts.tenantId, tenantId),
    status && eq(orderCounts.status, status),
    payment_status && inArray(orderCounts.paymentStatus, payment_status),
    fulfilment_status && eq(orderCounts.fulfilmentStatus, fulfilment_status),
    archived === undefined ? undefined : eq(orderCounts.archived, archived),
  );

/** Returns whether a list is limited to no states, or walks an index that has all those of its state in its order. */
function isIndexed(query: OrderListQuery): boolean {
  const { status, payment_status, fulfilment_status, archived } = query;
  const states = [status, payment_status, fulfilment_status, archived].filter((one) => one !== undefined);
  const isByTime = ['newest', 'oldest'].includes(sortOf(query));
  const hasIndex = archived === false || status === 'pending' || payment_status?.length === 1;
  return states.length === 0 || (isByTime && states.length === 1 && hasIndex);
}

/** How a list that is limited to states is read. */
export interface StateAccess {
  /** The query for the ids of a few orders among which are all of the list; null if they are not few. */
  readonly rare: SQL | null;
  /**
   * The query for the fulfilment and payment statuses of the list's orders, if few other orders have them, and reading
   * each pair to the end of the page is less than passing over the other orders: see {@link firstOfStates}.
   */
  readonly pairs: SQL | null;
  /** Whether many orders in other states may be before those of a page. */
  readonly isFar: boolean;
}

/** How a list is read that is limited to no states. */
export const WALKED: StateAccess = { rare: null, pairs: null, isFar: false };

/** Returns how a list is read by the states that it is limited to, if it is. */
export async function stateAccess(ctx: TenantDatabase, query: OrderListQuery): Promise<StateAccess> {
  if (isIndexed(query)) return WALKED;
  const { db, tenantId } = ctx;
  const asked = countsOf(tenantId, query);
  const alike = sql`SELECT DISTINCT fulfilment_status, payment_status FROM order_counts WHERE ${asked}`;
  const [counted] = await rows<Counted>(
    db,
    sql`SELECT coalesce(sum(total), 0) AS total,
        coalesce(sum(total) FILTER (WHERE ${asked}), 0) AS matching,
        coalesce(sum(total) FILTER (WHERE (fulfilment_status, payment_status) IN (${alike})), 0) AS alike,
        (SELECT count(*) FROM (${alike})) AS pairs,
        coalesce(sum(total) FILTER (WHERE NOT archived), 0) AS open,
        coalesce(sum(total) FILTER (WHERE status = 'pending'), 0) AS pending
      FROM order_counts WHERE tenant_id = ${tenantId}`,
  );
  if (!counted) return WALKED;
  const rare = rareStates(ctx, query, { counted, alike });
  if (rare !== null) return { ...WALKED, rare };
  const others = counted.total - counted.matching;
  const isFar = others > MAX_OTHERS;
  const isByTime = ['newest', 'oldest'].includes(sortOf(query));
  const isLess = counted.pairs * query.page * query.limit < others && counted.alike <= 2 * counted.matching;
  return { rare, isFar, pairs: isFar && isByTime && isLess ? alike : null };
}

/** Returns the query for the ids of the orders that are not archived. */
export const openOrders = (tenantId: number): SQL =>
  sql`SELECT id FROM orders INDEXED BY orders_open WHERE tenant_id = ${tenantId} AND archived_at IS NULL`;

/**
 * Returns the query for the ids of a few orders among which are all in the states that a list is limited to; null if they
 * are not few. Walking the list in its order, all others would be read before the last of these.
 */
function rareStates(
  { tenantId }: TenantDatabase,
  query: OrderListQuery,
  { counted, alike }: { readonly counted: Counted; readonly alike: SQL },
): SQL | null {
  const most = Math.min(MAX_MATCHES, counted.total * RARE_SHARE);
  if (counted.alike <= most) {
    return sql`SELECT o.id FROM (${alike}) states CROSS JOIN orders o INDEXED BY orders_fulfilment
      ON o.tenant_id = ${tenantId} AND o.fulfilment_status = states.fulfilment_status
        AND o.payment_status = states.payment_status`;
  }
  if (query.archived === false && counted.open <= most) {
    return openOrders(tenantId);
  }
  return query.status === 'pending' && counted.pending <= most
    ? sql`SELECT id FROM orders INDEXED BY orders_pending WHERE tenant_id = ${tenantId} AND status = 'pending'`
    : null;
}

/** A page of a list in the order of time. */
interface PageOfStates {
  readonly tenantId: number;
  /** The condition for the list's orders, from the first of the page on if a cursor names it. */
  readonly shown: SQL | undefined;
  readonly order: SQL;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns the query for a page's orders, and when they changed, from the first ones of each pair of fulfilment and payment
 * status.
 */
export const firstOfStates = (pairs: SQL, { tenantId, shown, order, offset, limit }: PageOfStates): SQL =>
  sql`SELECT orders.id, orders.updated_at AS at FROM (${pairs}) states CROSS JOIN orders ON orders.rowid IN (
    SELECT rowid FROM orders INDEXED BY orders_fulfilment WHERE tenant_id = ${tenantId}
      AND fulfilment_status = states.fulfilment_status AND payment_status = states.payment_status AND ${shown}
    ORDER BY ${order} LIMIT ${offset + limit})
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
