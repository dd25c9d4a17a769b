import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import type { Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { advanceClock, clockTick } from '../tenants/index.ts';
import { type CustomerRow, customers } from './tables.ts';

/** Selects the tenant's accounts that match a condition and are not erased. */
const live = (tenantId: number, condition: SQL) =>
  and(eq(customers.tenantId, tenantId), condition, isNull(customers.erasedAt));

/** Selects the tenant's account by id. */
export const byId = (tenantId: number, id: number) => live(tenantId, eq(customers.id, id));
/** Selects the tenant's account by its e-mail, in lower case. */
export const byEmail = (tenantId: number, email: string) => live(tenantId, eq(customers.email, email));

/** Returns the statements that mark an account as changed, for lists of changes. */
export const markChanged = (ctx: TenantDatabase, id: number): Statement[] => [
  advanceClock(ctx, 1),
  ctx.db
    .update(customers)
    .set({ updatedAt: clockTick(ctx.tenantId, 1, 0) })
    .where(byId(ctx.tenantId, id)),
];

async function findCustomer(
  { db }: TenantDatabase,
  which: ReturnType<typeof live>,
): Promise<CustomerRow | null> {
  const [row] = await db.select().from(customers).where(which);
  return row ?? null;
}

/** Returns the customer with this id, or null when there is none or the account is erased. */
export const customerById = (ctx: TenantDatabase, id: number) => findCustomer(ctx, byId(ctx.tenantId, id));

/** Returns the customer with this e-mail (lower case), or null when no account has it. */
export const customerByEmail = (ctx: TenantDatabase, email: string) =>
  findCustomer(ctx, byEmail(ctx.tenantId, email));

/** Replaces a stale hash with a fresh hash of the same password. */
export const replacePassword = (
  { db, tenantId }: TenantDatabase,
  id: number,
  { stale, fresh }: { readonly stale: string; readonly fresh: string },
) =>
  db
    .update(customers)
    .set({ password: fresh })
    .where(and(byId(tenantId, id), eq(customers.password, stale)));

/** Retention of an erased customer's empty row (ms), so that references still resolve to an erased account. */
const ERASED_RETENTION_MS = 30 * DAY;

/** The maintenance chore that deletes rows of customers erased more than 30 days ago, of all tenants. */
export const forgetErased = deletes(
  customers,
  () => sql`${customers.erasedAt} < ${now() - ERASED_RETENTION_MS}`,
);
