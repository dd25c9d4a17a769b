import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../kernel/data/database.ts';
import { type CustomerRow, customers } from './tables.ts';

/** The tenant's account for which something holds; an erased one is none. */
const live = (tenantId: number, condition: SQL) =>
  and(eq(customers.tenantId, tenantId), condition, isNull(customers.erasedAt));

/** The tenant's account of this id, of this e-mail (in lower case). */
export const byId = (tenantId: number, id: number) => live(tenantId, eq(customers.id, id));
export const byEmail = (tenantId: number, email: string) => live(tenantId, eq(customers.email, email));

/** The customer, or null when there is none (any more). */
export async function findCustomer(
  db: Database,
  which: ReturnType<typeof byId>,
): Promise<CustomerRow | null> {
  const [row] = await db.select().from(customers).where(which);
  return row ?? null;
}

/** Puts a fresh hash of the same password in the place of a stale one. */
export const replacePassword = (db: Database, tenantId: number, id: number, stale: string, fresh: string) =>
  db
    .update(customers)
    .set({ password: fresh })
    .where(and(byId(tenantId, id), eq(customers.password, stale)));
