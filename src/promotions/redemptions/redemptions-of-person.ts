import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { promotionRedemptions } from '../tables.ts';

/** A promotion that an order redeemed. */
interface PersonalRedemption {
  readonly orderId: string;
  readonly promotionId: number;
}

/** Returns the redemptions of these orders (a query for their ids), at most `limit`. */
export const redemptionsOfPerson = (
  { db, tenantId }: TenantDatabase,
  orders: SQL,
  limit: number,
): Promise<PersonalRedemption[]> =>
  db
    .select({ orderId: promotionRedemptions.orderId, promotionId: promotionRedemptions.promotionId })
    .from(promotionRedemptions)
    .where(
      and(eq(promotionRedemptions.tenantId, tenantId), sql`${promotionRedemptions.orderId} IN (${orders})`),
    )
    .orderBy(asc(promotionRedemptions.orderId))
    .limit(limit);
