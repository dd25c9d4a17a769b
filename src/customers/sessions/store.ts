import { and, asc, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import { DAY, MINUTE, now } from '../../kernel/core/clock.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { byId } from '../store.ts';
import { type CustomerRow, customerSessions, customers } from '../tables.ts';

/** Sliding lifetime of a session, and the shortest interval between two extensions (ms). */
const SESSION_LIFETIME_MS = 30 * DAY;
const EXTEND_INTERVAL_MS = MINUTE;

const sessionKey = (tenantId: number, hash: string) =>
  and(eq(customerSessions.hash, hash), eq(customerSessions.tenantId, tenantId));

const sessionsOf = (tenantId: number, customerId: number) =>
  and(eq(customerSessions.tenantId, tenantId), eq(customerSessions.customerId, customerId));

/** Returns a statement that opens a session for the customer that `which` selects, if any. */
export const insertSession = ({ db }: TenantDatabase, which: SQL | undefined, hash: string) =>
  run(
    db,
    sql`INSERT INTO customer_sessions (hash, tenant_id, customer_id, created_at, expires_at)
      SELECT ${hash}, tenant_id, id, ${now()}, ${now() + SESSION_LIFETIME_MS} FROM customers WHERE ${which}`,
  );

/** Opens a session if the account still has the e-mail and password that were checked. Returns whether it was opened. */
export async function openSession(
  ctx: TenantDatabase,
  { id, email, password }: CustomerRow,
  hash: string,
): Promise<boolean> {
  const account = byId(ctx.tenantId, id);
  const unchanged = and(account, eq(customers.email, email), eq(customers.password, password));
  const { meta } = await insertSession(ctx, unchanged, hash);
  return meta.changes > 0;
}

/** Returns the customer id of a session, or null when it has ended. Extends the session. */
export async function useSession({ db, tenantId }: TenantDatabase, hash: string): Promise<number | null> {
  const at = now();
  const [row] = await db
    .select()
    .from(customerSessions)
    .where(and(sessionKey(tenantId, hash), gt(customerSessions.expiresAt, at)));
  if (!row) return null;
  if (row.expiresAt < at + SESSION_LIFETIME_MS - EXTEND_INTERVAL_MS) {
    await db
      .update(customerSessions)
      .set({ expiresAt: at + SESSION_LIFETIME_MS })
      .where(sessionKey(tenantId, hash));
  }
  return row.customerId;
}

/** Ends a session. Idempotent. */
export const endSession = ({ db, tenantId }: TenantDatabase, hash: string) =>
  db.delete(customerSessions).where(sessionKey(tenantId, hash));

/** Returns a statement that ends all sessions of a customer except `keep`. */
export const endSessions = ({ db, tenantId }: TenantDatabase, customerId: number, keep = ''): Statement =>
  db.delete(customerSessions).where(and(sessionsOf(tenantId, customerId), ne(customerSessions.hash, keep)));

/** Returns when a customer's sessions began and end (ms). At most 100: a trigger enforces the limit. */
export const sessionTimes = ({ db, tenantId }: TenantDatabase, customerId: number) =>
  db
    .select({ createdAt: customerSessions.createdAt, expiresAt: customerSessions.expiresAt })
    .from(customerSessions)
    .where(sessionsOf(tenantId, customerId))
    .orderBy(asc(customerSessions.createdAt));

/** The maintenance chore that deletes expired sessions of all tenants. */
export const forgetSessions = deletes(customerSessions, () => sql`${customerSessions.expiresAt} <= ${now()}`);
