import { and, desc, eq, notInArray, type SQL, sql } from 'drizzle-orm';
import { orderedReservation } from '../../inventory/index.ts';
import { DAY, HOUR, MINUTE, now } from '../../kernel/core/clock.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { assertInBatch, rows, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { notErased, withoutCustomData } from '../../orders/index.ts';
import type { BuyerDraft } from '../buyer.ts';
import { checkoutSessions, type SessionRow } from '../tables.ts';

/** How long a session can place an order (ms). */
export const SESSION_LIFETIME_MS = 30 * MINUTE;
/**
 * How long a session without an order is kept after it expires (ms), so that its page can say that it has
 * ended.
 */
const UNORDERED_RETENTION_MS = HOUR;
/**
 * How long a session with an order is kept after it expires (ms), so that its page can redirect the buyer.
 */
const ORDERED_RETENTION_MS = 30 * DAY;
/** The number of a cart's ended sessions that are kept. */
const MAX_ENDED_SESSIONS = 5;
/** The limit of a tenant's sessions without an order, in bytes: about 100,000 small carts an hour. */
export const MAX_SESSION_BYTES = 256 * 1024 * 1024;
/** The limit of a tenant's sessions of a day that were ordered, in bytes: about 200,000 orders of small carts. */
export const MAX_ORDERED_BYTES = 512 * 1024 * 1024;

const sessionKey = (tenantId: number, { digest }: SessionRow) =>
  and(eq(checkoutSessions.digest, digest), eq(checkoutSessions.tenantId, tenantId));

/** Selects a session only while it is open. */
const stillOpen = (tenantId: number, session: SessionRow) =>
  and(sessionKey(tenantId, session), eq(checkoutSessions.status, 'open'));

/**
 * The columns of a session that has ended or was ordered: frozen lines and buyer input are removed. From then
 * on, the page shows the order.
 */
const REDACTED = {
  snapshot: sql`json_set(snapshot, '$.lines', json('[]'), '$.demands', json('[]'),
    '$.totals.lines', json('[]'), '$.metadata', json('{}'), '$.address', NULL, '$.email', NULL, '$.coupon', NULL,
    '$.promotions', json('[]'), '$.alternatives', json('[]'), '$.buyer', NULL)`,
  pricing: { tax: { mode: 'exclusive', rate_percent: 0 }, shipping: { flat: 0 } },
  buyer: {},
} as const;

const sessionsOf = ({ tenantId }: TenantDatabase, cartId: string, status: SessionRow['status']) =>
  and(
    eq(checkoutSessions.tenantId, tenantId),
    eq(checkoutSessions.cartId, cartId),
    eq(checkoutSessions.status, status),
  );

/** Returns a cart's open session, or null. There is at most one. */
export async function openSessionOf(ctx: TenantDatabase, cartId: string): Promise<SessionRow | null> {
  const [row] = await ctx.db
    .select()
    .from(checkoutSessions)
    .where(sessionsOf(ctx, cartId, 'open'))
    .limit(1);
  return row ?? null;
}

/** Returns the session that placed an order, or null once it is deleted. */
export async function sessionOfOrder(
  { db, tenantId }: TenantDatabase,
  orderId: string,
): Promise<SessionRow | null> {
  const [row] = await db
    .select()
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.tenantId, tenantId), eq(checkoutSessions.orderId, orderId)))
    .limit(1);
  return row ?? null;
}

/**
 * Replaces what an open session sells: the same cart at other prices. Does nothing if its customer was erased since it was
 * read.
 */
export const replaceSnapshot = (
  { db, tenantId }: TenantDatabase,
  session: SessionRow,
  snapshot: SessionRow['snapshot'],
) =>
  db
    .update(checkoutSessions)
    .set({ snapshot })
    .where(
      and(
        stillOpen(tenantId, session),
        sql`${checkoutSessions.snapshot} ->> 'customerId' IS ${snapshot.customerId}`,
      ),
    );

/** Extends an open session to `until` (ms). */
export const extendSession = ({ db, tenantId }: TenantDatabase, session: SessionRow, until: number) =>
  db.update(checkoutSessions).set({ expiresAt: until }).where(stillOpen(tenantId, session));

/**
 * Returns the statements that store a session and end the cart's other one. They keep the cart's last
 * {@link MAX_ENDED_SESSIONS} ended sessions. They abort the batch if the cart has another open session than
 * `replaced`, if its reservation is an order's, if its customer is erased, or if the tenant's sessions exceed
 * {@link MAX_SESSION_BYTES} or {@link MAX_ORDERED_BYTES}.
 */
export function openSession(ctx: TenantDatabase, row: SessionRow, replaced: SessionRow | null): Statement[] {
  const { db, tenantId } = ctx;
  const { cartId } = row;
  const ofCart = (status: SessionRow['status']) => sessionsOf(ctx, cartId, status);
  const newest = db
    .select({ digest: checkoutSessions.digest })
    .from(checkoutSessions)
    .where(ofCart('void'))
    .orderBy(desc(checkoutSessions.createdAt))
    .limit(MAX_ENDED_SESSIONS);
  return [
    ...notErased(ctx, row.snapshot.customerId),
    assertInBatch(
      db,
      sql`NOT EXISTS (SELECT 1 FROM checkout_sessions WHERE tenant_id = ${tenantId} AND cart_id = ${cartId}
        AND status = 'open' AND digest <> ${replaced?.digest ?? ''})`,
    ),
    assertInBatch(db, sql`NOT EXISTS (${orderedReservation(tenantId, row.reservationId)})`),
    db
      .update(checkoutSessions)
      .set({ status: 'void', ...REDACTED })
      .where(ofCart('open')),
    db.delete(checkoutSessions).where(and(ofCart('void'), notInArray(checkoutSessions.digest, newest))),
    db.insert(checkoutSessions).values(row),
    assertInBatch(
      db,
      sql`EXISTS (SELECT 1 FROM checkout_usage WHERE tenant_id = ${tenantId} AND bytes <= ${MAX_SESSION_BYTES}
        AND (ordered_day < ${Math.floor(row.createdAt / DAY)} OR ordered_bytes <= ${MAX_ORDERED_BYTES}))`,
    ),
  ];
}

/** Returns whether the tenant's sessions of today that were ordered exceed {@link MAX_ORDERED_BYTES}. */
export async function hasOrderedTooMuch({ db, tenantId }: TenantDatabase): Promise<boolean> {
  const found = await rows(
    db,
    sql`SELECT 1 FROM checkout_usage WHERE tenant_id = ${tenantId}
      AND ordered_day >= ${Math.floor(now() / DAY)} AND ordered_bytes > ${MAX_ORDERED_BYTES}`,
  );
  return found.length > 0;
}

/** Ends an open session without an order. */
export const voidSession = ({ db, tenantId }: TenantDatabase, session: SessionRow) =>
  db
    .update(checkoutSessions)
    .set({ status: 'void', ...REDACTED })
    .where(stillOpen(tenantId, session));

/** Stores the buyer input of an open session. */
export const saveBuyer = ({ db, tenantId }: TenantDatabase, session: SessionRow, buyer: BuyerDraft) =>
  db.update(checkoutSessions).set({ buyer }).where(stillOpen(tenantId, session));

/**
 * Returns the statements that mark a session as ordered. They abort the order's batch unless the session is
 * open.
 */
export const useSession = ({ db, tenantId }: TenantDatabase, session: SessionRow): Statement[] => [
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM checkout_sessions
      WHERE digest = ${session.digest} AND tenant_id = ${tenantId} AND status = 'open')`,
  ),
  db
    .update(checkoutSessions)
    .set({ status: 'ordered', ...REDACTED })
    .where(sessionKey(tenantId, session)),
];

/** Returns whether a session can no longer place an order; one that was ordered is not ended. */
export const isEnded = ({ status, expiresAt }: SessionRow): boolean =>
  status === 'void' || (status === 'open' && expiresAt <= now());

/** The chore that deletes sessions an hour after they expire, and those with an order after 30 days. */
export const forgetCheckouts = deletes(
  checkoutSessions,
  () => sql`(status <> 'ordered' AND expires_at < ${now() - UNORDERED_RETENTION_MS})
    OR expires_at < ${now() - ORDERED_RETENTION_MS}`,
);

/** The customer to erase (null for a guest), with queries for the ids of their orders and, unless it is these alone, carts. */
export interface ErasureScope {
  readonly customerId: number | null;
  readonly carts?: SQL;
  readonly orders: SQL;
}

/**
 * Returns the statements that remove a customer's personal data from checkout sessions. Another customer's
 * sessions of the same carts stay unchanged.
 */
export function forgetBuyers(
  { db, tenantId }: TenantDatabase,
  { customerId, carts, orders }: ErasureScope,
): Statement[] {
  const forget = (condition: SQL) =>
    run(
      db,
      sql`UPDATE checkout_sessions SET buyer = '{}',
          snapshot = json_set(snapshot, '$.customerId', NULL, '$.email', NULL, '$.address', NULL,
            '$.metadata', json('{}'), '$.buyer', NULL, '$.lines', ${withoutCustomData(sql`snapshot -> '$.lines'`)})
        WHERE tenant_id = ${tenantId} AND ${condition}`,
    );
  const isTheirs = sql`coalesce(snapshot ->> 'customerId', ${customerId}) IS ${customerId}`;
  return [
    forget(sql`order_id IN (${orders})`),
    ...(carts ? [forget(sql`cart_id IN (${carts}) AND ${isTheirs}`)] : []),
  ];
}
