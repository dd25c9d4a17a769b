import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { OrderListQuery } from '../schemas.ts';
import { MAX_MATCHES } from './search-orders.ts';
import { sortOf } from './sorting.ts';
import { orderCounts } from './tables.ts';

/** Orders that are more than this share of all are found soon in the order of the list. */
const RARE_SHARE = 0.1;

/** The number of orders that an index finds, of all that are in the states which a query asks for. */
interface Counted {
  readonly total: number;
  /** Those of the same fulfilment and payment status. */
  readonly alike: number;
  readonly open: number;
  readonly pending: number;
}

/** Returns the condition for the counts of the states that a query asks for. */
export const countsOf = (
  tenantId: number,
  { status, payment_status, fulfilment_status, archived }: OrderListQuery,
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

/**
 * Returns the query for the ids of a few orders among which are all in the states that a list is limited to; null if it is
 * not limited, or they are not few. Walking the list in its order, all others would be read before the last of these.
 */
export async function rareStates(
  { db, tenantId }: TenantDatabase,
  query: OrderListQuery,
): Promise<SQL | null> {
  if (isIndexed(query)) return null;
  const alike = sql`SELECT DISTINCT fulfilment_status, payment_status FROM order_counts WHERE ${countsOf(tenantId, query)}`;
  const [counted] = await rows<Counted>(
    db,
    sql`SELECT coalesce(sum(total), 0) AS total,
        coalesce(sum(total) FILTER (WHERE (fulfilment_status, payment_status) IN (${alike})), 0) AS alike,
        coalesce(sum(total) FILTER (WHERE NOT archived), 0) AS open,
        coalesce(sum(total) FILTER (WHERE status = 'pending'), 0) AS pending
      FROM order_counts WHERE tenant_id = ${tenantId}`,
  );
  if (!counted) return null;
  const most = Math.min(MAX_MATCHES, counted.total * RARE_SHARE);
  if (counted.alike <= most) {
    return sql`SELECT o.id FROM (${alike}) states CROSS JOIN orders o INDEXED BY orders_fulfilment
      ON o.tenant_id = ${tenantId} AND o.fulfilment_status = states.fulfilment_status
        AND o.payment_status = states.payment_status`;
  }
  if (query.archived === false && counted.open <= most) {
    return sql`SELECT id FROM orders INDEXED BY orders_open WHERE tenant_id = ${tenantId} AND archived_at IS NULL`;
  }
  return query.status === 'pending' && counted.pending <= most
    ? sql`SELECT id FROM orders INDEXED BY orders_pending WHERE tenant_id = ${tenantId} AND status = 'pending'`
    : null;
}
