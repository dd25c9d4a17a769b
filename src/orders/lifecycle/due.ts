/** Work that the cron picks up: expired orders, refunds, and notifications of carts. */
import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { type Database, namedBatch } from '../../kernel/data/database.ts';
import { settled } from '../../kernel/data/fences.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { refunds } from '../refunds/tables.ts';
import { orderKey } from '../store.ts';
import { type OrderRow, type OrderStatus, orders } from '../tables.ts';

/** How long a claim lasts before the order or refund is due again (ms). */
const CLAIM_DURATION_MS = 2 * MINUTE;

/**
 * Returns the subquery for at most `limit` due ids: each tenant's oldest, then each tenant's second, so that
 * no tenant delays another.
 */
const oldestOfEachTenant = (due: { from: SQL; since: SQL; where: SQL }, limit: number): SQL =>
  sql`SELECT id FROM (SELECT id, ${due.since} AS since,
      row_number() OVER (PARTITION BY tenant_id ORDER BY ${due.since}) AS turn
    FROM ${due.from} WHERE ${due.where})
  ORDER BY turn, since LIMIT ${limit}`;

/**
 * Claims at most `limit` expired pending orders, fairly between tenants. A claimed order is not returned again
 * for {@link CLAIM_DURATION_MS}.
 */
export function claimDueOrders(db: Database, limit: number) {
  const expired = sql`status = 'pending' AND expires_at <= ${now()} AND coalesce(claimed_until, 0) <= ${now()}
    AND ${settled()}`;
  const ids = oldestOfEachTenant({ from: sql`orders`, since: sql`expires_at`, where: expired }, limit);
  return db
    .update(orders)
    .set({ claimedUntil: now() + CLAIM_DURATION_MS })
    .where(sql`${orders.status} = 'pending' AND ${orders.id} IN (${ids})`)
    .returning({ tenantId: orders.tenantId, id: orders.id });
}

/** Claims due refunds as {@link claimDueOrders} claims orders. Returns the ids of their orders. */
export function claimDueRefunds(db: Database, limit: number) {
  const waiting = sql`status = 'pending' AND next_try_at <= ${now()} AND ${settled()}`;
  const ids = oldestOfEachTenant({ from: sql`refunds`, since: sql`next_try_at`, where: waiting }, limit);
  return db
    .update(refunds)
    .set({ nextTryAt: now() + CLAIM_DURATION_MS })
    .where(sql`${refunds.status} = 'pending' AND ${refunds.id} IN (${ids})`)
    .returning({ tenantId: refunds.tenantId, id: refunds.orderId });
}

/** Returns the statement that extends a pending order's deadline to `until` (ms). It never shortens it. */
export const extendDeadline = ({ db, tenantId }: TenantDatabase, id: string, until: number) =>
  db
    .update(orders)
    .set({ expiresAt: until })
    .where(and(orderKey(tenantId, id), eq(orders.status, 'pending'), lt(orders.expiresAt, until)));

/** Selects rows after a cursor of {@link pendingNotifications}, `<updated at> <order id>`. */
const afterCursor = (after: string) => {
  const [at = '0', id = ''] = after.split(' ');
  return sql`(${orders.updatedAt}, ${orders.id}) > (${Number(at)}, ${id})`;
};

/** A page of pending notifications. */
interface NotificationPage {
  /** How long a notification has been pending at least (ms). */
  readonly minAgeMs: number;
  /** The cursor of the previous page's last order; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Returns orders of all tenants that aren't moving whose cart has not received their status, oldest first. */
export const pendingNotifications = (db: Database, { minAgeMs, after, limit }: NotificationPage) =>
  db
    .select({
      tenantId: orders.tenantId,
      id: orders.id,
      cursor: sql<string>`${orders.updatedAt} || ' ' || ${orders.id}`,
    })
    .from(orders)
    .where(
      sql`${orders.cartNotice} IS NOT NULL AND ${orders.updatedAt} < ${now() - minAgeMs} AND ${afterCursor(after)}
        AND ${settled()}`,
    )
    .orderBy(asc(orders.updatedAt), asc(orders.id))
    .limit(limit);

/** The order status that its cart tracks; carts ignore older revisions. */
export type OrderStatusUpdate = Pick<
  OrderRow,
  'id' | 'number' | 'cartId' | 'cartVersion' | 'revision' | 'status' | 'origin' | 'paidAt'
>;

const statusQuery = ({ db, tenantId }: TenantDatabase, id: string) =>
  db
    .select({
      id: orders.id,
      number: orders.number,
      cartId: orders.cartId,
      cartVersion: orders.cartVersion,
      revision: orders.revision,
      status: orders.status,
      origin: orders.origin,
      paidAt: orders.paidAt,
    })
    .from(orders)
    .where(orderKey(tenantId, id));

/** Returns an order's current status; null if the order doesn't exist. */
export async function readOrderStatus(ctx: TenantDatabase, id: string): Promise<OrderStatusUpdate | null> {
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
  const received = db
    .update(orders)
    .set({ cartNotice: null })
    .where(and(orderKey(tenantId, id), eq(orders.cartNotice, status)));
  const { current } = await namedBatch(db, { current: statusQuery(ctx, id) }, [received]);
  return current[0] ?? null;
}
