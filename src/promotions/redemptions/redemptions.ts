import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { digest62, keyVersions } from '../../kernel/crypto/crypto.ts';
import { jsonList, run, type Statement, violation } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { advanceVersion } from '../../tenants/index.ts';
import { promotionRedemptions } from '../tables.ts';

/** The redeemer of a promotion: a customer, a guest identified by e-mail, or both. */
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

/** The redemption of an order's promotions, and the keys that identify its shopper. */
export interface Redemption {
  readonly promotionIds: readonly number[];
  readonly orderId: string;
  readonly shoppers: readonly string[];
  /** The condition that the shopper has paid another order: promotions for a first order are refused then. */
  readonly hasPaid: SQL;
}

/**
 * Returns the statements that count one redemption of each promotion, for the batch that places the order. A CHECK
 * aborts the batch if one is used up in total or by this shopper, or is for a first order and this is none (see
 * {@link promotionSpent}). They must follow the statement that rejects a repeated order, since they are not
 * idempotent. An automatic promotion that is used up advances the catalogue version: every cart loses it.
 */
export function redeemPromotions(
  { db, tenantId }: TenantDatabase,
  { promotionIds, orderId, shoppers, hasPaid }: Redemption,
): Statement[] {
  if (promotionIds.length === 0) return [];
  const keys = JSON.stringify(shoppers);
  const ids = jsonList(promotionIds);
  const redeemed = sql`p.tenant_id = ${tenantId} AND p.id IN (${ids})`;
  // Unlimited automatic promotions would leave a row for every shopper.
  const counted = sql`(NOT p.automatic OR p.first_order OR p.max_uses_per_customer IS NOT NULL)`;
  return [
    advanceVersion(
      { db, tenantId },
      sql`EXISTS (SELECT 1 FROM promotions p WHERE ${redeemed} AND p.automatic AND p.uses + 1 = p.max_uses)`,
    ),
    run(db, sql`UPDATE promotions SET uses = uses + 1 WHERE tenant_id = ${tenantId} AND id IN (${ids})`),
    run(
      db,
      sql`INSERT INTO promotion_shoppers (tenant_id, promotion_id, shopper, uses, most)
        SELECT p.tenant_id, p.id, s.value, 1,
          CASE WHEN NOT p.first_order THEN p.max_uses_per_customer WHEN ${hasPaid} THEN 0 ELSE 1 END
        FROM promotions p, json_each(${keys}) s WHERE ${redeemed} AND ${counted}
        ON CONFLICT DO UPDATE SET uses = uses + 1, most = excluded.most`,
    ),
    run(
      db,
      sql`INSERT INTO promotion_redemptions (tenant_id, order_id, promotion_id, shoppers)
        SELECT p.tenant_id, ${orderId}, p.id, iif(${counted}, ${keys}, '[]') FROM promotions p WHERE ${redeemed}`,
    ),
  ];
}

/** Returns the statements that undo an order's redemptions, for the batch that cancels it. Idempotent. */
export function releaseRedemptions({ tenantId, db }: TenantDatabase, orderId: string): Statement[] {
  const ofOrder = sql`r.tenant_id = ${tenantId} AND r.order_id = ${orderId}`;
  const ids = sql`SELECT r.promotion_id FROM promotion_redemptions r WHERE ${ofOrder}`;
  return [
    advanceVersion(
      { db, tenantId },
      sql`EXISTS (SELECT 1 FROM promotions WHERE tenant_id = ${tenantId} AND id IN (${ids}) AND automatic
        AND uses = max_uses)`,
    ),
    run(db, sql`UPDATE promotions SET uses = uses - 1 WHERE tenant_id = ${tenantId} AND id IN (${ids})`),
    run(
      db,
      sql`UPDATE promotion_shoppers SET uses = uses - 1 WHERE tenant_id = ${tenantId}
        AND (promotion_id, shopper) IN (SELECT r.promotion_id, s.value
          FROM promotion_redemptions r, json_each(r.shoppers) s WHERE ${ofOrder})`,
    ),
    run(db, sql`DELETE FROM promotion_redemptions WHERE tenant_id = ${tenantId} AND order_id = ${orderId}`),
  ];
}

/**
 * Returns the statements that untie these orders (a query of their ids) from the shoppers who redeemed promotions with
 * them. The orders must still name their customers. A digest of an e-mail address stays counted, so that limits hold.
 */
export const forgetRedeemers = ({ tenantId, db }: TenantDatabase, orderIds: SQL): Statement[] => [
  run(
    db,
    sql`DELETE FROM promotion_shoppers WHERE tenant_id = ${tenantId} AND (promotion_id, shopper) IN (
      SELECT p.value ->> 'id', 'c' || o.customer_id
      FROM orders o, json_each(coalesce(o.promotions, json_array(json_object('id', o.coupon_id)))) p
      WHERE o.id IN (${orderIds}))`,
  ),
  run(
    db,
    sql`UPDATE promotion_redemptions SET shoppers = '[]'
      WHERE tenant_id = ${tenantId} AND order_id IN (${orderIds}) AND shoppers <> '[]'`,
  ),
];

/** Returns the query for the `order_id` of the orders that have redeemed a promotion. */
export const redeemedBy = (tenantId: number, promotionId: number): SQL =>
  sql`SELECT order_id FROM promotion_redemptions WHERE tenant_id = ${tenantId} AND promotion_id = ${promotionId}`;

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

/** Returns whether a batch failed because one of its promotions is used up or for a first order. */
export const promotionSpent = (error: unknown): boolean =>
  /^coupon_uses_within/.test(violation(error)?.name ?? '');
