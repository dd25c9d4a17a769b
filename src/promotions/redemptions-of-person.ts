import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { couponUses } from './tables.ts';

/** A coupon that an order redeemed. */
export interface PersonalRedemption {
  readonly orderId: string;
  readonly couponId: number;
}

/** Returns the redemptions of these orders (a query for their ids), at most `limit`. */
export const redemptionsOfPerson = (
  { db, tenantId }: TenantDatabase,
  orders: SQL,
  limit: number,
): Promise<PersonalRedemption[]> =>
  db
    .select({ orderId: couponUses.orderId, couponId: couponUses.couponId })
    .from(couponUses)
    .where(and(eq(couponUses.tenantId, tenantId), sql`${couponUses.orderId} IN (${orders})`))
    .orderBy(asc(couponUses.orderId))
    .limit(limit);
