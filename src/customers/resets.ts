import { and, eq, gt, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { assertInBatch, batch, type Database, guardFailed, type Statement } from '../kernel/data/database.ts';
import { endSessions, insertSession } from './sessions.ts';
import { byId } from './store.ts';
import { type CustomerRow, customers, passwordResets } from './tables.ts';

/** A reset is good this long (ms). */
const LIFE = 3600_000;

const good = (tenantId: number, hash: string) =>
  and(
    eq(passwordResets.hash, hash),
    eq(passwordResets.tenantId, tenantId),
    gt(passwordResets.expiresAt, now()),
  );

/** Notes a reset for a customer; those before it stay good, as mails overtake each other. Answers its end (ms). */
export async function createReset(
  db: Database,
  tenantId: number,
  customerId: number,
  hash: string,
): Promise<number> {
  const expiresAt = now() + LIFE;
  await db.insert(passwordResets).values({ hash, tenantId, customerId, expiresAt });
  return expiresAt;
}

/** The customer whom a reset lets in, or null when it was used, voided or has expired. */
export async function findReset(db: Database, tenantId: number, hash: string): Promise<CustomerRow | null> {
  const [row] = await db
    .select({ customer: customers })
    .from(passwordResets)
    .innerJoin(customers, eq(customers.id, passwordResets.customerId))
    .where(and(good(tenantId, hash), eq(customers.tenantId, tenantId)));
  return row?.customer ?? null;
}

/**
 * Uses a reset, once: sets the password (a hash), ends every session, voids the customer's other resets and
 * opens one new session. Answers whether it was still good. `noted` are further statements of the batch.
 */
export async function useReset(
  db: Database,
  { tenantId, id }: CustomerRow,
  reset: { readonly hash: string; readonly password: string; readonly session: string },
  noted: readonly Statement[],
): Promise<boolean> {
  const mine = byId(tenantId, id);
  try {
    await batch(db, [
      assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${passwordResets} WHERE ${good(tenantId, reset.hash)})`),
      ...noted,
      db.update(customers).set({ password: reset.password, updatedAt: now() }).where(mine),
      endSessions(db, tenantId, id),
      voidResets(db, tenantId, id),
      insertSession(db, mine, reset.session),
    ]);
    return true;
  } catch (error) {
    if (guardFailed(error) && !(await findReset(db, tenantId, reset.hash))) return false;
    throw error;
  }
}

/** A statement that voids all resets of a customer. */
export const voidResets = (db: Database, tenantId: number, customerId: number): Statement =>
  db
    .delete(passwordResets)
    .where(and(eq(passwordResets.tenantId, tenantId), eq(passwordResets.customerId, customerId)));
