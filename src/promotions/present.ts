import { iso, isoOrNull } from '../kernel/core/clock.ts';
import type { CouponAnswer } from './coupons/schemas.ts';
import type { PromotionAnswer } from './schemas.ts';
import type { PromotionRow } from './tables.ts';

/** The fields that coupons and promotions show alike. */
const shared = (row: PromotionRow) => ({
  id: row.id,
  starts_at: isoOrNull(row.startsAt),
  ends_at: isoOrNull(row.endsAt),
  max_uses: row.maxUses,
  max_uses_per_customer: row.maxUsesPerCustomer,
  uses: row.uses,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** Converts a promotion to the API's form of a coupon. Coupons are never `buy_x_get_y`: see `isCoupon`. */
export const presentCoupon = (row: PromotionRow): CouponAnswer => ({
  ...shared(row),
  code: row.code,
  kind: row.kind === 'buy_x_get_y' ? 'percent' : row.kind,
  value: row.value,
  minimum_subtotal: row.minimumSubtotal,
  product_ids: row.productIds ?? [],
  category_ids: row.categoryIds ?? [],
});

/** Converts a promotion to the API's form. */
export const presentPromotion = (row: PromotionRow): PromotionAnswer => ({
  ...shared(row),
  name: row.name,
  trigger: row.automatic ? 'automatic' : 'code',
  code: row.automatic ? null : row.code,
  conditions: {
    minimum_subtotal: row.minimumSubtotal,
    minimum_quantity: row.minimumQuantity,
    product_ids: row.productIds ?? [],
    category_ids: row.categoryIds ?? [],
    first_order: row.firstOrder,
  },
  effect: presentEffect(row),
  priority: row.priority,
  combinable: row.combinable,
  active: row.active,
});

function presentEffect({ kind, value, buy, get }: PromotionRow): PromotionAnswer['effect'] {
  // The validation of `effect` holds a percentage to a number.
  const percent = typeof value === 'number' ? value : 0;
  switch (kind) {
    case 'percent':
      return { kind, value: percent };
    case 'fixed':
      return { kind, value };
    case 'free_shipping':
      return { kind };
    case 'buy_x_get_y':
      return { kind, buy: buy ?? 1, get: get ?? 1, percent_off: percent };
  }
}
