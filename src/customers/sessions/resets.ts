import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { HOUR, now } from '../../kernel/core/clock.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { assertInBatch, batch, guardFailed, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { advanceClock, clockTick } from '../../tenants/index.ts';
import { byId } from '../store.ts';
import { type CustomerRow, customers, passwordResets } from '../tables.ts';
import { endSessions, insertSession } from './store.ts';

/** Lifetime of a password reset (ms). */
const RESET_LIFETIME_MS = HOUR;

const valid = (tenantId: number, hash: string) =>
  and(
    eq(passwordResets.hash, hash),
    eq(passwordResets.tenantId, tenantId),
    gt(passwordResets.expiresAt, now()),
  );

/**
 * Creates a reset and returns its expiry (ms); null if the account's e-mail, which the token is mailed to, is another one
 * by now. Earlier resets stay valid, because mails can arrive out of order.
 */
export async function createReset(
  { db, tenantId }: TenantDatabase,
  { id, email }: CustomerRow,
  hash: string,
): Promise<number | null> {
  const expiresAt = now() + RESET_LIFETIME_MS;
  const { meta } = await run(
    db,
    sql`INSERT INTO password_resets (hash, tenant_id, customer_id, expires_at)
      SELECT ${hash}, tenant_id, id, ${expiresAt} FROM customers
      WHERE ${and(byId(tenantId, id), eq(customers.email, email))}`,
  );
  return meta.changes > 0 ? expiresAt : null;
}

/** Returns the customer of a valid reset; null when it was used, voided or has expired, or the customer was erased. */
export async function findReset({ db, tenantId }: TenantDatabase, hash: string): Promise<CustomerRow | null> {
  const [row] = await db
    .select({ customer: customers })
    .from(passwordResets)
    .innerJoin(customers, eq(customers.id, passwordResets.customerId))
    .where(and(valid(tenantId, hash), eq(customers.tenantId, tenantId), isNull(customers.erasedAt)));
  return row?.customer ?? null;
}

/** A reset to redeem. Tokens are given by their SHA-256. */
interface Redemption {
  /** The reset's token. */
  readonly hash: string;
  /** The hash of the new password. */
  readonly password: string;
  /** The token of the session to open. */
  readonly session: string;
  /** Statements to commit in the same batch. */
  readonly statements: readonly Statement[];
}

/**
 * Redeems a reset once: sets the password, ends every session, voids all resets of the customer and opens a new
 * session. Returns whether the reset was still valid.
 */
export async function useReset(
  ctx: TenantDatabase,
  { id }: CustomerRow,
  { hash, password, session, statements }: Redemption,
): Promise<boolean> {
  const { db, tenantId } = ctx;
  const account = byId(tenantId, id);
  try {
    await batch(db, [
      assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${passwordResets} WHERE ${valid(tenantId, hash)})`),
      ...statements,
      advanceClock(ctx, 1),
      db
        .update(customers)
        .set({ password, updatedAt: clockTick(tenantId, 1, 0) })
        .where(account),
      endSessions(ctx, id),
      voidResets(ctx, id),
      insertSession(ctx, account, session),
    ]);
    return true;
  } catch (error) {
    if (guardFailed(error) && !(await findReset(ctx, hash))) return false;
    throw error;
  }
}

/** Returns when a customer's password resets expire (ms). At most 20: a trigger enforces the limit. */
export const resetTimes = ({ db, tenantId }: TenantDatabase, customerId: number) =>
  db
    .select({ expiresAt: passwordResets.expiresAt })
    .from(passwordResets)
    .where(and(eq(passwordResets.tenantId, tenantId), eq(passwordResets.customerId, customerId)))
    .orderBy(asc(passwordResets.expiresAt));

/** Returns a statement that voids all resets of a customer. */
export const voidResets = ({ db, tenantId }: TenantDatabase, customerId: number): Statement =>
  db
    .delete(passwordResets)
    .where(and(eq(passwordResets.tenantId, tenantId), eq(passwordResets.customerId, customerId)));

/** The maintenance chore that deletes expired password resets of all tenants. */
export const forgetResets = deletes(passwordResets, () => sql`${passwordResets.expiresAt} <= ${now()}`);
