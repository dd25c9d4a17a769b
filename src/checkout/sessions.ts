import { and, eq, lt, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../inventory/index.ts';
import { DAY, now } from '../kernel/clock.ts';
import { sha256 } from '../kernel/crypto.ts';
import { type Database, must, type Statement } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { linesOf, type OrderLineRow, type OrderRow, orderRow, type StoredOrder } from '../orders/index.ts';
import { type TenantRow, tenants } from '../tenants/index.ts';
import type { BuyerDraft } from './buyer.ts';
import { checkoutSessions, type SessionRow } from './tables.ts';
import { isSessionToken } from './token.ts';

/** How long an order can be placed with a session (ms). */
export const SESSION_LIFE = 30 * 60_000;
/** A session is kept this long after its end (ms): its order's buyer may come back to it. */
const KEPT = 30 * DAY;

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

/** The statements that make a session the cart's only open one. */
export const openSession = (db: Database, row: SessionRow): Statement[] => [
  db
    .update(checkoutSessions)
    .set({ status: 'void' })
    .where(
      and(
        eq(checkoutSessions.tenantId, row.tenantId),
        eq(checkoutSessions.cartId, row.cartId),
        eq(checkoutSessions.status, 'open'),
      ),
    ),
  db.insert(checkoutSessions).values(row),
];

/** Ends a session without an order. */
export const voidSession = (db: Database, { digest }: SessionRow) =>
  db
    .update(checkoutSessions)
    .set({ status: 'void' })
    .where(and(byDigest(digest), eq(checkoutSessions.status, 'open')));

/** Keeps what the shopper has typed. */
export const keepBuyer = (db: Database, { digest }: SessionRow, buyer: BuyerDraft) =>
  db
    .update(checkoutSessions)
    .set({ buyer })
    .where(and(byDigest(digest), eq(checkoutSessions.status, 'open')));

/** The statements that make a session its order's, for the order's batch: refused unless it is still open. */
export const useSession = (db: Database, { digest }: SessionRow, buyer: BuyerDraft): Statement[] => [
  must(db, sql`EXISTS (SELECT 1 FROM checkout_sessions WHERE digest = ${digest} AND status = 'open')`),
  db.update(checkoutSessions).set({ status: 'ordered', buyer }).where(byDigest(digest)),
];

/** Whether a session can't be ordered with any more (its order apart). */
export const isOver = ({ status, expiresAt }: SessionRow): boolean =>
  status === 'void' || (status === 'open' && expiresAt <= now());

/** For the minute's cron: forgets sessions a month after their end, with what was typed into them. */
export const forgetCheckouts = (db: Database) =>
  db.delete(checkoutSessions).where(lt(checkoutSessions.expiresAt, now() - KEPT));
