import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Amount } from '../kernel/core/money.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { namedBatch } from '../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { cachedValue } from '../kernel/data/versioned-cache.ts';
import type { CatalogReader } from '../kernel/http/context.ts';
import { catalogPosition } from '../tenants/index.ts';
import { codeSource, countWrongCode, throttleError, wrongCodesFrom } from './code-throttle.ts';
import { shopperKeys } from './redemptions.ts';
import { type CouponKind, type CouponRow, couponShoppers, coupons } from './tables.ts';
import { codeKey } from './validation.ts';

/** A coupon as stored in a cart: its terms and validity period. */
export interface CartCoupon {
  readonly id: number;
  readonly code: string;
  readonly terms: {
    readonly kind: CouponKind;
    readonly value: Amount;
    readonly minimum_subtotal: Amount | null;
    readonly product_ids: readonly number[] | null;
    readonly category_ids: readonly number[] | null;
  };
  readonly startsAt: number | null;
  readonly endsAt: number | null;
}

const cartCouponOf = (row: CouponRow): CartCoupon => ({
  id: row.id,
  code: row.code,
  terms: {
    kind: row.kind,
    value: row.value,
    minimum_subtotal: row.minimumSubtotal,
    product_ids: row.productIds,
    category_ids: row.categoryIds,
  },
  startsAt: row.startsAt,
  endsAt: row.endsAt,
});

const hasRedemptionsLeft = ({ maxUses, uses }: CouponRow): boolean => maxUses === null || uses < maxUses;

/** Reads a coupon from the database, and whether it has redemptions left; null if it does not exist. */
export async function cartCouponById(
  ctx: TenantDatabase,
  id: number,
): Promise<{ readonly version: number; readonly coupon: CartCoupon; readonly left: boolean } | null> {
  const { db, tenantId } = ctx;
  const found = await namedBatch(db, {
    coupons: db
      .select()
      .from(coupons)
      .where(and(eq(coupons.tenantId, tenantId), eq(coupons.id, id), isNull(coupons.deletedAt))),
    positions: catalogPosition(ctx),
  });
  const [row] = found.coupons;
  const version = found.positions[0]?.version ?? 0;
  return row ? { version, coupon: cartCouponOf(row), left: hasRedemptionsLeft(row) } : null;
}

/** Returns a coupon at this catalogue version or a newer one, through the cache; null if there is none. */
export async function cachedCoupon(
  call: CatalogReader,
  id: number,
  version: number,
): Promise<{ readonly version: number; readonly coupon: CartCoupon } | null> {
  const found = await cachedValue<CartCoupon>(
    call,
    {
      key: `/coupon/${id}`,
      fill: async (from) => {
        const read = await cartCouponById(from, id);
        return read
          ? { version: read.version, answer: ok(read.coupon) }
          : { version, answer: fail('coupon_not_found') };
      },
    },
    version,
  );
  return found.ok ? { version: found.value.version, coupon: found.value.value } : null;
}

/** A coupon code that a shopper entered. */
export interface EnteredCode {
  readonly code: string;
  /** The session's customer; null for a guest. */
  readonly customerId: number | null;
  /** The client's network address; "" if unknown, which no limit applies to. */
  readonly address: string;
}

/**
 * Returns the coupon with this code. Fails with `coupon_not_found`, with `coupon_not_applicable` if its
 * redemptions are used up in total or by this customer (`details.reason`), and with `rate_limited` after too
 * many wrong codes from this address.
 */
export async function findCoupon(
  ctx: TenantContext,
  { code, customerId, address }: EnteredCode,
): Promise<Result<CartCoupon>> {
  const { env, db, tenantId } = ctx;
  const source = codeSource(env, tenantId, address);
  const named = and(
    eq(coupons.tenantId, tenantId),
    eq(coupons.codeKey, codeKey(code)),
    isNull(coupons.deletedAt),
  );
  const couponId = db.select({ id: coupons.id }).from(coupons).where(named);
  const shopper = inArray(couponShoppers.shopper, shopperKeys(env, tenantId, { customerId, email: null }));
  const found = await namedBatch(db, {
    coupons: db.select().from(coupons).where(named),
    redemptions: db
      .select({ uses: couponShoppers.uses })
      .from(couponShoppers)
      .where(and(eq(couponShoppers.tenantId, tenantId), eq(couponShoppers.couponId, couponId), shopper)),
    wrongCodes: wrongCodesFrom(ctx, source),
  });
  const throttled = throttleError(found.wrongCodes);
  if (throttled) return throttled;
  const [row] = found.coupons;
  if (!row) {
    await countWrongCode(ctx, source);
    return fail('coupon_not_found');
  }
  if (!hasRedemptionsLeft(row)) return fail('coupon_not_applicable', { details: { reason: 'used_up' } });
  const redeemed = found.redemptions[0]?.uses ?? 0;
  if (row.maxUsesPerCustomer !== null && redeemed >= row.maxUsesPerCustomer) {
    return fail('coupon_not_applicable', { details: { reason: 'used_up_by_customer' } });
  }
  return ok(cartCouponOf(row));
}
