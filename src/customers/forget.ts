import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { customerSessions, customers, passwordResets } from './tables.ts';

/** The empty row of an erased customer is kept this long (ms), so that what refers to it finds it erased. */
const ERASED_AGE = 30 * DAY;

/** The chore that deletes sessions that have ended, of all tenants. */
export const forgetSessions = deletes(customerSessions, () => sql`${customerSessions.expiresAt} <= ${now()}`);

/** The chore that deletes resets that have expired, of all tenants. */
export const forgetResets = deletes(passwordResets, () => sql`${passwordResets.expiresAt} <= ${now()}`);

/** The chore that deletes the rows of customers who were erased 30 days ago, of all tenants. */
export const forgetErased = deletes(customers, () => sql`${customers.erasedAt} < ${now() - ERASED_AGE}`);
