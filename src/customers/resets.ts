import { and, eq, gt, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { assertInBatch, batch, type Database, guardFailed, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { endSessions, insertSession } from './sessions.ts';
import { byId } from './store.ts';
import { type CustomerRow, customers, passwordResets } from './tables.ts';

/** Lifetime of a password reset. */
const RESET_LIFETIME_MS = 3600_000;

const valid = (tenantId: number, hash: string) =>
  and(
    eq(passwordResets.hash, hash),
    eq(passwordResets.tenantId, tenantId),
    gt(passwordResets.expiresAt, now()),
  );

/** Creates a reset and returns its expiry (ms). Earlier resets stay valid, because mails can arrive out of order. */
export async function createReset(
  { db, tenantId }: TenantDatabase,
  customerId: number,
  hash: string,
): Promise<number> {
  const expiresAt = now() + RESET_LIFETIME_MS;
  await db.insert(passwordResets).values({ hash, tenantId, customerId, expiresAt });
  return expiresAt;
}

/** Returns the customer of a valid reset; null when it was used, voided or has expired. */
export async function findReset({ db, tenantId }: TenantDatabase, hash: string): Promise<CustomerRow | null> {
  const [row] = await db
    .select({ customer: customers })
    .from(passwordResets)
    .innerJoin(customers, eq(customers.id, passwordResets.customerId))
    .where(and(valid(tenantId, hash), eq(customers.tenantId, tenantId)));
  return row?.customer ?? null;
}

/**
 * Redeems a reset once: sets the password (a hash), ends every session, voids all resets of the customer and
 * opens a new session. Returns whether the reset was still valid. `extra` statements run in the same batch.
 */
export async function useReset(
  db: Database,
  { tenantId, id }: CustomerRow,
  reset: { readonly hash: string; readonly password: string; readonly session: string },
  extra: readonly Statement[],
): Promise<boolean> {
  const mine = byId(tenantId, id);
  try {
    await batch(db, [
      assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${passwordResets} WHERE ${valid(tenantId, reset.hash)})`),
      ...extra,
      db.update(customers).set({ password: reset.password, updatedAt: now() }).where(mine),
      endSessions({ db, tenantId }, id),
      voidResets({ db, tenantId }, id),
      insertSession(db, mine, reset.session),
    ]);
    return true;
  } catch (error) {
    if (guardFailed(error) && !(await findReset({ db, tenantId }, reset.hash))) return false;
    throw error;
  }
}

/** Returns a statement that voids all resets of a customer. */
export const voidResets = ({ db, tenantId }: TenantDatabase, customerId: number): Statement =>
  db
    .delete(passwordResets)
    .where(and(eq(passwordResets.tenantId, tenantId), eq(passwordResets.customerId, customerId)));
