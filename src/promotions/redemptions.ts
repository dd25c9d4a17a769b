import { sql } from 'drizzle-orm';
import { digest62, keyVersions } from '../kernel/crypto/crypto.ts';
import { run, type Statement, violation } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';

/** The redeemer of a coupon: a customer, a guest identified by e-mail, or both. */
export interface Shopper {
  readonly customerId: number | null;
  readonly email: string | null;
}

/**
 * Returns the keys that a shopper's redemptions are counted under: the customer id, and a digest of the
 * e-mail address under every master key, so that counts survive a key rotation.
 */
export function shopperKeys(env: object, tenantId: number, { customerId, email }: Shopper): string[] {
  const text = `${tenantId}:${email?.trim().toLowerCase()}`;
  const digests = email === null ? [] : keyVersions(env);
  return [
    ...(customerId === null ? [] : [`c${customerId}`]),
    ...digests.map((version) => `e${digest62({ env, version, purpose: 'coupon-shopper' }, text, 22)}`),
  ];
}

/** One redemption of a coupon: the order that uses it, and the keys that identify its shopper. */
export interface Redemption {
  readonly couponId: number;
  readonly orderId: string;
  readonly shoppers: readonly string[];
}

/**
 * Returns the statements that count one redemption, for the batch that places the order. A CHECK aborts the
 * batch if the coupon is used up in total or by this shopper (see {@link couponUsedUp}). They must follow the
 * statement that rejects a repeated order, since they are not idempotent.
 */
export function redeemCoupon(
  { db, tenantId }: TenantDatabase,
  { couponId, orderId, shoppers }: Redemption,
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

/** Returns the statements that undo an order's redemption, for the batch that cancels it. Idempotent. */
export function releaseRedemption({ tenantId, db }: TenantDatabase, orderId: string): Statement[] {
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

/** Returns whether a batch failed because its coupon is used up. */
export const couponUsedUp = (error: unknown): boolean =>
  /^coupon_uses_within/.test(violation(error)?.name ?? '');
