import { and, desc, type SQL, sql } from 'drizzle-orm';
import { ofTenant } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { checkoutSessions, type SessionRow } from '../tables.ts';
import type { ErasureScope } from './store.ts';

/** A checkout session with what was entered on its page. */
type PersonalCheckout = Pick<SessionRow, 'orderId' | 'status' | 'buyer' | 'createdAt' | 'expiresAt'>;

/**
 * Returns the newest checkout sessions of a customer, at most `limit`: those of their orders, and their own of carts
 * that may have had other owners.
 */
export function checkoutsOfPerson(
  { db, tenantId }: TenantDatabase,
  { customerId, carts, orders }: ErasureScope,
  limit: number,
): Promise<PersonalCheckout[]> {
  const ofPerson = (condition: SQL) =>
    sql`SELECT digest FROM checkout_sessions WHERE tenant_id = ${tenantId} AND ${condition}`;
  // A UNION, because SQLite would read all of the tenant's sessions for an OR.
  const digests = sql`${ofPerson(sql`order_id IN (${orders})`)}
    UNION ${ofPerson(sql`cart_id IN (${carts}) AND snapshot ->> 'customerId' = ${customerId}`)}`;
  return db
    .select({
      orderId: checkoutSessions.orderId,
      status: checkoutSessions.status,
      buyer: checkoutSessions.buyer,
      createdAt: checkoutSessions.createdAt,
      expiresAt: checkoutSessions.expiresAt,
    })
    .from(checkoutSessions)
    .where(
      and(ofTenant(checkoutSessions.tenantId, tenantId), sql`${checkoutSessions.digest} IN (${digests})`),
    )
    .orderBy(desc(checkoutSessions.createdAt), desc(checkoutSessions.orderId))
    .limit(limit);
}
