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

/** How long an order can be placed with a session (ms). */
export const SESSION_LIFETIME_MS = 30 * 60_000;
/** A session is kept this long after its end (ms): its page says that it has ended. */
const KEPT_WITHOUT_ORDER = HOUR;
/** One with an order is kept this long after its end (ms): its buyer may come back to it. */
const KEPT_WITH_ORDER = 30 * DAY;
/** How many ended sessions without an order a cart keeps. */
const MAX_ENDED_SESSIONS = 5;
/** How many bytes a tenant's sessions without an order may take: some 100,000 small carts an hour. */
export const MAX_SESSION_BYTES = 256 * 1024 * 1024;

/** A session with all that the next step may need, read in one round trip. */
export interface LoadedSession {
  readonly token: string;
  readonly session: SessionRow;
  readonly tenant: TenantRow;
  readonly reservation: Reservation;
  /** Its order, once it is placed. */
  readonly order: StoredOrder | null;
}

const byDigest = (digest: string) => eq(checkoutSessions.digest, digest);

/** The session of a token, of whichever tenant it is; `session_not_found`. */
export async function loadSession(env: Env, db: Database, token: string): Promise<Result<LoadedSession>> {
  if (!isSessionToken(env, token)) return fail('session_not_found');
  const digest = sha256(token);
  const of = (column: 'tenant_id' | 'order_id' | 'reservation_id') =>
    sql`(SELECT ${sql.raw(column)} FROM checkout_sessions WHERE digest = ${digest})`;
  const [[session], [tenant], [reservation], [row], lines] = await db.batch([
    db.select().from(checkoutSessions).where(byDigest(digest)),
    db
      .select()
      .from(tenants)
      .where(eq(tenants.id, of('tenant_id'))),
    reservationById(db, of('tenant_id'), of('reservation_id')),
    orderRow(db, of('tenant_id'), of('order_id')),
    linesOf(db, of('tenant_id'), of('order_id')),
  ]);
  if (!session || !tenant || !reservation) return fail('session_not_found');
  return ok({ token, session, tenant, reservation, order: orderOf(row, lines) });
}

const orderOf = (row: OrderRow | undefined, lines: OrderLineRow[]): StoredOrder | null =>
  row ? { row, lines } : null;

/**
 * What a session keeps once it has ended or has its order: neither what was frozen nor what was typed. The page
 * of an order shows the order.
 */
const BARE = {
  snapshot: sql`json_set(snapshot, '$.lines', json('[]'), '$.demands', json('[]'),
    '$.totals.lines', json('[]'), '$.address', NULL, '$.email', NULL, '$.coupon', NULL)`,
  pricing: { tax: { mode: 'exclusive', rate_percent: 0 }, shipping: { flat: 0 } },
  buyer: {},
} as const;

/**
 * The statements that make a session the cart's only open one. They keep the cart's last few ended ones, so
 * that their pages can say so, and abort the batch where the tenant's sessions take too much.
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
      .set({ status: 'void', ...BARE })
      .where(ofCart('open')),
    db.delete(checkoutSessions).where(and(ofCart('void'), notInArray(checkoutSessions.digest, newest))),
    db.insert(checkoutSessions).values(row),
    assertInBatch(
      db,
      sql`(SELECT bytes FROM checkout_usage WHERE tenant_id = ${tenantId}) <= ${MAX_SESSION_BYTES}`,
    ),
  ];
}

/** Ends a session without an order. */
export const voidSession = (db: Database, { digest }: SessionRow) =>
  db
    .update(checkoutSessions)
    .set({ status: 'void', ...BARE })
    .where(and(byDigest(digest), eq(checkoutSessions.status, 'open')));

/** Keeps what the shopper has typed. */
export const keepBuyer = (db: Database, { digest }: SessionRow, buyer: BuyerDraft) =>
  db
    .update(checkoutSessions)
    .set({ buyer })
    .where(and(byDigest(digest), eq(checkoutSessions.status, 'open')));

/** The statements that make a session its order's, for the order's batch: refused unless it is still open. */
export const useSession = (db: Database, { digest }: SessionRow): Statement[] => [
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM checkout_sessions WHERE digest = ${digest} AND status = 'open')`,
  ),
  db
    .update(checkoutSessions)
    .set({ status: 'ordered', ...BARE })
    .where(byDigest(digest)),
];

/** Whether a session can't be ordered with any more (its order apart). */
export const isOver = ({ status, expiresAt }: SessionRow): boolean =>
  status === 'void' || (status === 'open' && expiresAt <= now());

/** The chore that deletes sessions an hour after their end, those with an order after a month. */
export const forgetCheckouts = deletes(
  checkoutSessions,
  () => sql`(status <> 'ordered' AND expires_at < ${now() - KEPT_WITHOUT_ORDER})
    OR expires_at < ${now() - KEPT_WITH_ORDER}`,
);
