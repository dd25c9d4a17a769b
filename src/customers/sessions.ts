import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { type Database, run, type Statement } from '../kernel/data/database.ts';
import { byId } from './store.ts';
import { type CustomerRow, customerSessions, customers } from './tables.ts';

/** A session ends this long (ms) after its last use, which is noted at most once a minute. */
const LIFE = 30 * DAY;
const NOTED = 60_000;

const session = (tenantId: number, hash: string) =>
  and(eq(customerSessions.hash, hash), eq(customerSessions.tenantId, tenantId));

const sessionsOf = (tenantId: number, customerId: number) =>
  and(eq(customerSessions.tenantId, tenantId), eq(customerSessions.customerId, customerId));

/** A statement that opens a session for the customer that `which` finds, if there is one. */
export const insertSession = (db: Database, which: SQL | undefined, hash: string) =>
  run(
    db,
    sql`INSERT INTO customer_sessions (hash, tenant_id, customer_id, created_at, expires_at)
      SELECT ${hash}, tenant_id, id, ${now()}, ${now() + LIFE} FROM customers WHERE ${which}`,
  );

/** Opens a session if the account still has the password that was checked; answers whether it has. */
export async function openSession(
  db: Database,
  { tenantId, id, password }: CustomerRow,
  hash: string,
): Promise<boolean> {
  const mine = and(byId(tenantId, id), eq(customers.password, password));
  const { meta } = await insertSession(db, mine, hash);
  return meta.changes > 0;
}

/** Whose session this is, or null when it has ended. Using it moves its end. */
export async function useSession(db: Database, tenantId: number, hash: string): Promise<number | null> {
  const at = now();
  const [row] = await db
    .select()
    .from(customerSessions)
    .where(and(session(tenantId, hash), gt(customerSessions.expiresAt, at)));
  if (!row) return null;
  if (row.expiresAt < at + LIFE - NOTED) {
    await db
      .update(customerSessions)
      .set({ expiresAt: at + LIFE })
      .where(session(tenantId, hash));
  }
  return row.customerId;
}

/** Ends a session; one that has ended stays so. */
export const endSession = (db: Database, tenantId: number, hash: string) =>
  db.delete(customerSessions).where(session(tenantId, hash));

/** A statement that ends all sessions of a customer, but the one to keep. */
export const endSessions = (db: Database, tenantId: number, customerId: number, keep = ''): Statement =>
  db.delete(customerSessions).where(and(sessionsOf(tenantId, customerId), ne(customerSessions.hash, keep)));
