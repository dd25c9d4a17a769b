import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { type CustomerRow, customers } from './tables.ts';

/** Selects the tenant's accounts that match a condition and are not erased. */
const live = (tenantId: number, condition: SQL) =>
  and(eq(customers.tenantId, tenantId), condition, isNull(customers.erasedAt));

/** Selects the tenant's account by id, or by e-mail in lower case. */
export const byId = (tenantId: number, id: number) => live(tenantId, eq(customers.id, id));
export const byEmail = (tenantId: number, email: string) => live(tenantId, eq(customers.email, email));

/** Returns the customer, or null when there is none or the account is erased. */
export async function findCustomer(
  db: Database,
  which: ReturnType<typeof byId>,
): Promise<CustomerRow | null> {
  const [row] = await db.select().from(customers).where(which);
  return row ?? null;
}

/** Replaces a stale hash with a fresh hash of the same password. */
export const replacePassword = ({ db, tenantId }: TenantDatabase, id: number, stale: string, fresh: string) =>
  db
    .update(customers)
    .set({ password: fresh })
    .where(and(byId(tenantId, id), eq(customers.password, stale)));
