import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { customerSessions, customers, passwordResets } from './tables.ts';

/** Retention of an erased customer's empty row, so that references still resolve to an erased account. */
const ERASED_RETENTION_MS = 30 * DAY;

/** The maintenance chore that deletes expired sessions of all tenants. */
export const forgetSessions = deletes(customerSessions, () => sql`${customerSessions.expiresAt} <= ${now()}`);

/** The maintenance chore that deletes expired password resets of all tenants. */
export const forgetResets = deletes(passwordResets, () => sql`${passwordResets.expiresAt} <= ${now()}`);

/** The maintenance chore that deletes rows of customers erased more than 30 days ago, of all tenants. */
export const forgetErased = deletes(
  customers,
  () => sql`${customers.erasedAt} < ${now() - ERASED_RETENTION_MS}`,
);
