import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { checkoutSessions, type SessionRow } from '../tables.ts';
import type { ErasureScope } from './store.ts';

/** A checkout session with what was entered on its page. */
export type PersonalCheckout = Pick<SessionRow, 'orderId' | 'status' | 'buyer' | 'createdAt' | 'expiresAt'>;

/** Returns the newest checkout sessions of a customer, at most `limit`. */
export const checkoutsOfPerson = (
  { db, tenantId }: TenantDatabase,
  { customerId, carts, orders }: ErasureScope,
  limit: number,
): Promise<PersonalCheckout[]> =>
  db
    .select({
      orderId: checkoutSessions.orderId,
      status: checkoutSessions.status,
      buyer: checkoutSessions.buyer,
      createdAt: checkoutSessions.createdAt,
      expiresAt: checkoutSessions.expiresAt,
    })
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.tenantId, tenantId), or(ofOrders(orders), ofCarts(carts, customerId))))
    .orderBy(desc(checkoutSessions.createdAt), desc(checkoutSessions.orderId))
    .limit(limit);

const ofOrders = (orders: SQL): SQL => sql`${checkoutSessions.orderId} IN (${orders})`;

/** Selects the customer's own sessions of carts that may have had other owners. */
const ofCarts = (carts: SQL, customerId: number | null): SQL =>
  sql`(${checkoutSessions.cartId} IN (${carts}) AND ${checkoutSessions.snapshot} ->> 'customerId' = ${customerId})`;
