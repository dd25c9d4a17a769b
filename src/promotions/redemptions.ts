import { sql } from 'drizzle-orm';
import { digest62, keyVersions } from '../kernel/crypto/crypto.ts';
import { type Database, run, type Statement, violation } from '../kernel/data/database.ts';

/** Who uses a coupon: a customer, or a guest by e-mail, or both. */
export interface Shopper {
  readonly customerId: number | null;
  readonly email: string | null;
}

/**
 * What a shopper's uses are counted under: the customer's id, and a keyed digest of the e-mail address under
 * every master key, so that a use counts before and after one is added or removed.
 */
export function shopperKeys(env: object, tenantId: number, { customerId, email }: Shopper): string[] {
  const text = `${tenantId}:${email?.trim().toLowerCase()}`;
  const digests = email === null ? [] : keyVersions(env);
  return [
    ...(customerId === null ? [] : [`c${customerId}`]),
    ...digests.map((version) => `e${digest62(env, version, 'coupon-shopper', text, 22)}`),
  ];
}

/**
 * The statements that count one use, for the batch that places the order. A CHECK aborts the batch when
 * the coupon is used up, in all or by this shopper ({@link couponUsedUp} tells). Put them behind the
 * statement that makes a repeated order fail: an order uses a coupon once.
 */
export function redeemCoupon(
  db: Database,
  tenantId: number,
  couponId: number,
  orderId: string,
  shoppers: readonly string[],
): Statement[] {
  const keys = JSON.stringify(shoppers);
  return [
    run(db, sql`UPDATE coupons SET uses = uses + 1 WHERE tenant_id = ${tenantId} AND id = ${couponId}`),
    run(
      db,
      sql`INSERT INTO coupon_shoppers (tenant_id, coupon_id, shopper, uses, most)
        SELECT c.tenant_id, c.id, s.value, 1, c.max_uses_per_customer FROM coupons c, json_each(${keys}) s
        WHERE c.tenant_id = ${tenantId} AND c.id = ${couponId}
        ON CONFLICT DO UPDATE SET uses = uses + 1, most = excluded.most`,
    ),
    run(
      db,
      sql`INSERT INTO coupon_uses (tenant_id, order_id, coupon_id, shoppers)
        VALUES (${tenantId}, ${orderId}, ${couponId}, ${keys})`,
    ),
  ];
}

/** The statements that give an order's use back, for the batch that cancels it; harmless without one. */
export function releaseRedemption(db: Database, tenantId: number, orderId: string): Statement[] {
  const mine = sql`tenant_id = ${tenantId} AND order_id = ${orderId}`;
  return [
    run(
      db,
      sql`UPDATE coupons SET uses = uses - 1 WHERE tenant_id = ${tenantId}
        AND id = (SELECT coupon_id FROM coupon_uses WHERE ${mine})`,
    ),
    run(
      db,
      sql`UPDATE coupon_shoppers SET uses = uses - 1 WHERE tenant_id = ${tenantId}
        AND coupon_id = (SELECT coupon_id FROM coupon_uses WHERE ${mine})
        AND shopper IN (SELECT s.value FROM coupon_uses u, json_each(u.shoppers) s
          WHERE u.tenant_id = ${tenantId} AND u.order_id = ${orderId})`,
    ),
    run(db, sql`DELETE FROM coupon_uses WHERE ${mine}`),
  ];
}

/** Whether a batch was refused because its coupon is used up. */
export const couponUsedUp = (error: unknown): boolean =>
  /^coupon_uses_within/.test(violation(error)?.name ?? '');
