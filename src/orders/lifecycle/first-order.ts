import { type SQL, sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type Shopper, type SpentPromotion, shopperKeys, spentPromotions } from '../../promotions/index.ts';

/**
 * Returns the condition that a shopper, by customer id or by e-mail address, has paid an order other than
 * `exceptId`; a refund later does not change that. A payment that its order couldn't use, which is returned, does not
 * count. Two indexes of `orders` answer it.
 */
export const hasPaidOrder = (
  tenantId: number,
  { customerId, email }: Shopper,
  exceptId: string | null = null,
): SQL => {
  const paid = sql`SELECT 1 FROM orders WHERE tenant_id = ${tenantId}
    AND (status = 'paid' OR paid_at IS NOT NULL) AND id IS NOT ${exceptId}`;
  const address = email === null ? null : email.trim().toLowerCase();
  return sql`(EXISTS (${paid} AND customer_id = ${customerId}) OR EXISTS (${paid} AND email = ${address}))`;
};

/** Returns whether a shopper has paid an order. */
export async function buyerHasPaid({ db, tenantId }: TenantDatabase, shopper: Shopper): Promise<boolean> {
  const [row] = await rows<{ paid: number }>(db, sql`SELECT ${hasPaidOrder(tenantId, shopper)} AS paid`);
  return row?.paid === 1;
}

/**
 * Returns which of these promotions an order of this shopper could not redeem: used up in total or by the shopper, or
 * for a first order only. Null stands for the active automatic ones that are limited by shopper.
 */
export const spentFor = (
  ctx: Pick<TenantContext, 'env'> & TenantDatabase,
  promotionIds: readonly number[] | null,
  shopper: Shopper,
): Promise<SpentPromotion[]> =>
  spentPromotions(ctx, promotionIds, {
    shoppers: shopperKeys(ctx.env, ctx.tenantId, shopper),
    hasPaid: hasPaidOrder(ctx.tenantId, shopper),
  });
