import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { jsonList, rows } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Amount } from '../kernel/values/money.ts';
import { type PromotionKind, type PromotionRow, promotions } from './tables.ts';

/** A promotion as stored in a cart: what pricing needs, and its validity period (ms). */
export interface CartPromotion {
  readonly id: number;
  readonly name: string;
  /** Null for an automatic promotion. */
  readonly code: string | null;
  readonly priority: number;
  readonly combinable: boolean;
  readonly terms: {
    readonly kind: PromotionKind;
    readonly value: Amount;
    readonly buy: number | null;
    readonly get: number | null;
    readonly minimum_subtotal: Amount | null;
    readonly minimum_quantity: number | null;
    readonly product_ids: readonly number[] | null;
    readonly category_ids: readonly number[] | null;
  };
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** Set if it is for a customer's first order. Absent also in carts of an earlier version. */
  readonly firstOrder?: true;
}

/** The promotion that a row describes. */
export const cartPromotionOf = (row: PromotionRow): CartPromotion => ({
  id: row.id,
  name: row.name,
  code: row.automatic ? null : row.code,
  priority: row.priority,
  combinable: row.combinable,
  terms: {
    kind: row.kind,
    value: row.value,
    buy: row.buy,
    get: row.get,
    minimum_subtotal: row.minimumSubtotal,
    minimum_quantity: row.minimumQuantity,
    product_ids: row.productIds,
    category_ids: row.categoryIds,
  },
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  ...(row.firstOrder && { firstOrder: true }),
});

/** Returns whether a promotion has redemptions left in total. */
export const hasRedemptionsLeft = ({ maxUses, uses }: PromotionRow): boolean =>
  maxUses === null || uses < maxUses;

/**
 * Returns the query for the tenant's automatic promotions, in the order that they apply: those that may apply
 * now or later. It is bounded by {@link MAX_ACTIVE_AUTOMATIC}.
 */
export const automaticPromotions = ({ db, tenantId }: TenantDatabase) =>
  db
    .select()
    .from(promotions)
    .where(sql`${activeAutomatic(tenantId)} AND (max_uses IS NULL OR uses < max_uses)`)
    .orderBy(asc(promotions.priority), asc(promotions.id));

/** The most automatic promotions of a tenant that are active and not over. Every cart carries them. */
export const MAX_ACTIVE_AUTOMATIC = 20;

/** Selects the tenant's automatic promotions that {@link MAX_ACTIVE_AUTOMATIC} counts. */
export const activeAutomatic = (tenantId: number): SQL =>
  sql`tenant_id = ${tenantId} AND automatic AND active AND deleted_at IS NULL
    AND (ends_at IS NULL OR ends_at > ${now()})`;

/** Selects the tenant's promotion with this id, unless it was deleted. */
export const promotionKey = (tenantId: number, id: number) =>
  and(eq(promotions.tenantId, tenantId), eq(promotions.id, id), isNull(promotions.deletedAt));

/** Whom redemptions are checked for. */
interface Redeemer {
  /** The keys of a shopper: see {@link shopperKeys}. */
  readonly shoppers: readonly string[];
  /** The condition that the shopper has paid an order. */
  readonly hasPaid: SQL;
}

/** A promotion that can't be redeemed, and why. */
export interface SpentPromotion {
  readonly id: number;
  readonly reason: 'used_up' | 'used_up_by_customer' | 'not_first_order';
}

/**
 * Returns which of these promotions a redemption would be refused for: used up in total or by this shopper, or for
 * a first order only. Null stands for the active automatic ones that are limited by shopper.
 */
export async function spentPromotions(
  { db, tenantId }: TenantDatabase,
  ids: readonly number[] | null,
  { shoppers, hasPaid }: Redeemer,
): Promise<SpentPromotion[]> {
  const chosen =
    ids === null
      ? sql`p.automatic AND p.active AND p.deleted_at IS NULL
          AND (p.first_order OR p.max_uses_per_customer IS NOT NULL)`
      : sql`p.id IN (${jsonList(ids)})`;
  const limit = sql`iif(p.first_order, 1, p.max_uses_per_customer)`;
  return await rows<SpentPromotion>(
    db,
    sql`SELECT p.id, CASE WHEN p.uses >= p.max_uses THEN 'used_up'
        WHEN p.first_order AND ${hasPaid} THEN 'not_first_order' ELSE 'used_up_by_customer' END AS reason
      FROM promotions p WHERE p.tenant_id = ${tenantId} AND ${chosen} AND (
      p.uses >= p.max_uses OR (p.first_order AND ${hasPaid})
      OR EXISTS (SELECT 1 FROM promotion_shoppers s WHERE s.tenant_id = p.tenant_id AND s.promotion_id = p.id
        AND s.shopper IN (${jsonList(shoppers)}) AND s.uses >= ${limit}))`,
  );
}
