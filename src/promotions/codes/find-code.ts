import { and, eq, inArray, isNull } from 'drizzle-orm';
import { cachedValue } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { namedBatch } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { type CartPromotion, cartPromotionOf, hasRedemptionsLeft, promotionKey } from '../cart-promotion.ts';
import { shopperKeys } from '../redemptions/redemptions.ts';
import { type PromotionRow, promotionShoppers, promotions } from '../tables.ts';
import { codeKey } from '../validation/validation.ts';
import { codeSource, countWrongCode, throttleError, wrongCodesFrom } from './code-throttle.ts';

/**
 * Reads an active promotion that has a code, and whether it has redemptions left; null if there is none. One that
 * became automatic has no code: every cart has it already.
 */
export async function promotionNow(
  ctx: TenantDatabase,
  id: number,
): Promise<{ readonly version: number; readonly promotion: CartPromotion; readonly left: boolean } | null> {
  const { db, tenantId } = ctx;
  const found = await namedBatch(db, {
    promotions: db
      .select()
      .from(promotions)
      .where(and(promotionKey(tenantId, id), eq(promotions.active, true), eq(promotions.automatic, false))),
    positions: catalogPosition(ctx),
  });
  const [row] = found.promotions;
  const version = versionOf(found.positions);
  return row ? { version, promotion: cartPromotionOf(row), left: hasRedemptionsLeft(row) } : null;
}

/** Returns a promotion at this catalogue version or a newer one, through the cache; null if there is none. */
export async function cachedPromotion(
  call: CatalogReader,
  id: number,
  version: number,
): Promise<{ readonly version: number; readonly promotion: CartPromotion } | null> {
  const found = await cachedValue<CartPromotion>(
    call,
    {
      key: `/promotion/${id}`,
      fill: async (from) => {
        const read = await promotionNow(from, id);
        return read
          ? { version: read.version, answer: ok(read.promotion) }
          : { version, answer: fail('coupon_not_found') };
      },
    },
    version,
  );
  return found.ok ? { version: found.value.version, promotion: found.value.value } : null;
}

/** A code that a shopper entered. */
export interface EnteredCode {
  readonly code: string;
  /** The session's customer; null for a guest. */
  readonly customerId: number | null;
  /** Whom wrong codes are counted for, such as the client's network address; no limit applies to "", an unknown one. */
  readonly address: string;
}

/** The promotion of a code; `firstOrder` if it is for shoppers without a paid order only. */
interface FoundCode {
  readonly promotion: CartPromotion;
  readonly firstOrder: boolean;
}

/**
 * Returns the promotion with this code. Fails with `coupon_not_found`, with `coupon_not_applicable` if its
 * redemptions are used up in total or by this customer (`details.reason`), and with `rate_limited` after too
 * many wrong codes from this address.
 */
export async function findCode(
  ctx: TenantContext,
  { code, customerId, address }: EnteredCode,
): Promise<Result<FoundCode>> {
  const { env, db, tenantId } = ctx;
  const source = codeSource(env, tenantId, address);
  const named = and(
    eq(promotions.tenantId, tenantId),
    eq(promotions.codeKey, codeKey(code)),
    isNull(promotions.deletedAt),
    eq(promotions.automatic, false),
    eq(promotions.active, true),
  );
  const promotionId = db.select({ id: promotions.id }).from(promotions).where(named);
  const keys = shopperKeys(env, tenantId, { customerId, email: null });
  const found = await namedBatch(db, {
    promotions: db.select().from(promotions).where(named),
    redemptions: db
      .select({ uses: promotionShoppers.uses })
      .from(promotionShoppers)
      .where(
        and(
          eq(promotionShoppers.tenantId, tenantId),
          eq(promotionShoppers.promotionId, promotionId),
          inArray(promotionShoppers.shopper, keys),
        ),
      ),
    wrongCodes: wrongCodesFrom(ctx, source),
    // After the count was read, which is that of the codes before this one.
    counted: countWrongCode(ctx, source, promotionId.getSQL()),
  });
  const throttled = throttleError(found.wrongCodes);
  if (throttled) return throttled;
  const [row] = found.promotions;
  if (!row) return fail('coupon_not_found');
  const reason = whyUsedUp(row, found.redemptions[0]?.uses ?? 0);
  if (reason) return fail('coupon_not_applicable', { details: { reason } });
  return ok({ promotion: cartPromotionOf(row), firstOrder: row.firstOrder });
}

/** Returns why a promotion has no redemption left for a customer who redeemed it so many times, or null. */
function whyUsedUp(row: PromotionRow, redeemed: number): 'used_up' | 'used_up_by_customer' | null {
  if (!hasRedemptionsLeft(row)) return 'used_up';
  const { maxUsesPerCustomer: most } = row;
  return most !== null && redeemed >= most ? 'used_up_by_customer' : null;
}
