import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../../inventory/index.ts';
import { DAY, HOUR, now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { assertInBatch, type Database, type Statement } from '../../kernel/data/database.ts';
import { linesOf, type OrderLineRow, type OrderRow, orderRow, type StoredOrder } from '../../orders/index.ts';
import { type TenantRow, tenants } from '../../tenants/index.ts';
import type { BuyerDraft } from '../pages/buyer.ts';
import { checkoutSessions, type SessionRow } from '../tables.ts';
import { isSessionToken } from './token.ts';

/** How long a session can place an order (ms). */
export const SESSION_LIFETIME_MS = 30 * 60_000;
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

/** A session with its tenant, reservation and order, read in one round trip. */
export interface LoadedSession {
  readonly token: string;
  readonly session: SessionRow;
  readonly tenant: TenantRow;
  readonly reservation: Reservation;
  /** The order, once placed. */
  readonly order: StoredOrder | null;
}

const byDigest = (digest: string) => eq(checkoutSessions.digest, digest);

/** Loads a session of any tenant by its token; `session_not_found`. */
export async function loadSession(env: Env, db: Database, token: string): Promise<Result<LoadedSession>> {
  if (!isSessionToken(env, token)) return fail('session_not_found');
  const digest = sha256(token);
  const sessionColumn = (column: 'tenant_id' | 'order_id' | 'reservation_id') =>
    sql`(SELECT ${sql.raw(column)} FROM checkout_sessions WHERE digest = ${digest})`;
  const [[session], [tenant], [reservation], [row], lines] = await db.batch([
    db.select().from(checkoutSessions).where(byDigest(digest)),
    db
      .select()
      .from(tenants)
      .where(eq(tenants.id, sessionColumn('tenant_id'))),
    reservationById(db, sessionColumn('tenant_id'), sessionColumn('reservation_id')),
    orderRow(db, sessionColumn('tenant_id'), sessionColumn('order_id')),
    linesOf(db, sessionColumn('tenant_id'), sessionColumn('order_id')),
  ]);
  if (!session || !tenant || !reservation) return fail('session_not_found');
  return ok({ token, session, tenant, reservation, order: orderOf(row, lines) });
}

const orderOf = (row: OrderRow | undefined, lines: OrderLineRow[]): StoredOrder | null =>
  row ? { row, lines } : null;

/**
 * The columns of a session that has ended or was ordered: frozen lines and buyer input are removed. From then
 * on, the page shows the order.
 */
const REDACTED = {
  snapshot: sql`json_set(snapshot, '$.lines', json('[]'), '$.demands', json('[]'),
    '$.totals.lines', json('[]'), '$.address', NULL, '$.email', NULL, '$.coupon', NULL)`,
  pricing: { tax: { mode: 'exclusive', rate_percent: 0 }, shipping: { flat: 0 } },
  buyer: {},
} as const;

/**
 * Returns the statements that store a session and end the cart's other ones. They keep the cart's last
 * MAX_ENDED_SESSIONS ended sessions, and abort the batch if the tenant's sessions exceed MAX_SESSION_BYTES.
 */
export function openSession(db: Database, row: SessionRow): Statement[] {
  const { tenantId, cartId } = row;
  const ofCart = (status: SessionRow['status']) =>
    and(
      eq(checkoutSessions.tenantId, tenantId),
      eq(checkoutSessions.cartId, cartId),
      eq(checkoutSessions.status, status),
    );
  const newest = db
    .select({ digest: checkoutSessions.digest })
    .from(checkoutSessions)
    .where(ofCart('void'))
    .orderBy(desc(checkoutSessions.createdAt))
    .limit(MAX_ENDED_SESSIONS);
  return [
    db
      .update(checkoutSessions)
      .set({ status: 'void', ...REDACTED })
      .where(ofCart('open')),
    db.delete(checkoutSessions).where(and(ofCart('void'), notInArray(checkoutSessions.digest, newest))),
    db.insert(checkoutSessions).values(row),
    assertInBatch(
      db,
      sql`(SELECT bytes FROM checkout_usage WHERE tenant_id = ${tenantId}) <= ${MAX_SESSION_BYTES}`,
    ),
  ];
}

/** Ends an open session without an order. */
export const voidSession = (db: Database, { digest }: SessionRow) =>
  db
    .update(checkoutSessions)
    .set({ status: 'void', ...REDACTED })
    .where(and(byDigest(digest), eq(checkoutSessions.status, 'open')));

/** Stores the buyer input of an open session. */
export const saveBuyer = (db: Database, { digest }: SessionRow, buyer: BuyerDraft) =>
  db
    .update(checkoutSessions)
    .set({ buyer })
    .where(and(byDigest(digest), eq(checkoutSessions.status, 'open')));

/**
 * Returns the statements that mark a session as ordered. They abort the order's batch unless the session is
 * open.
 */
export const useSession = (db: Database, { digest }: SessionRow): Statement[] => [
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM checkout_sessions WHERE digest = ${digest} AND status = 'open')`,
  ),
  db
    .update(checkoutSessions)
    .set({ status: 'ordered', ...REDACTED })
    .where(byDigest(digest)),
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
