import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Amount } from '../kernel/core/money.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { type Database, database } from '../kernel/data/database.ts';
import { cachedValue } from '../kernel/data/versioned-cache.ts';
import type { CatalogReader } from '../kernel/http/context.ts';
import { catalogPosition } from '../tenants/index.ts';
import { type CodeSource, guessesOf, noteGuess, tooManyGuesses } from './code-throttle.ts';
import { shopperKeys } from './redemptions.ts';
import { type CouponKind, type CouponRow, couponShoppers, coupons } from './tables.ts';
import { codeKey } from './validation.ts';

/** A coupon as a cart holds it: what it grants and when. */
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

const held = (row: CouponRow): CartCoupon => ({
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

const isLeft = ({ maxUses, uses }: CouponRow): boolean => maxUses === null || uses < maxUses;

/** A coupon as it is in the database, and whether any use of it is left; `null` when there is none. */
export async function cartCouponById(
  db: Database,
  tenantId: number,
  id: number,
): Promise<{ readonly version: number; readonly coupon: CartCoupon; readonly left: boolean } | null> {
  const [[row], [moved]] = await db.batch([
    db
      .select()
      .from(coupons)
      .where(and(eq(coupons.tenantId, tenantId), eq(coupons.id, id), isNull(coupons.deletedAt))),
    catalogPosition(db, tenantId),
  ]);
  return row ? { version: moved?.version ?? 0, coupon: held(row), left: isLeft(row) } : null;
}

/** A coupon at a catalogue version or a newer one, through the catalogue's cache; `null` for none. */
export async function cachedCoupon(
  call: CatalogReader,
  id: number,
  version: number,
): Promise<{ readonly version: number; readonly coupon: CartCoupon } | null> {
  const found = await cachedValue<CartCoupon>(
    call,
    {
      key: `/coupon/${id}`,
      fill: async (db) => {
        const read = await cartCouponById(db, call.caller.tenantId, id);
        return read
          ? { version: read.version, answer: ok(read.coupon) }
          : { version, answer: fail('coupon_not_found') };
      },
    },
    version,
  );
  return found.ok ? { version: found.value.version, coupon: found.value.value } : null;
}

/**
 * The coupon that a shopper's code names. `coupon_not_found`; `coupon_not_applicable` when it is used up
 * (`details.reason`), in all or by this customer; `rate_limited` for who has guessed too often.
 */
export async function findCoupon(
  env: Env,
  code: string,
  customerId: number | null,
  guesser: CodeSource,
): Promise<Result<CartCoupon>> {
  const db = database(env);
  const { tenantId } = guesser;
  const named = and(
    eq(coupons.tenantId, tenantId),
    eq(coupons.codeKey, codeKey(code)),
    isNull(coupons.deletedAt),
  );
  const [[row], [mine], guesses] = await db.batch([
    db.select().from(coupons).where(named),
    db
      .select({ uses: couponShoppers.uses })
      .from(couponShoppers)
      .where(
        and(
          eq(couponShoppers.tenantId, tenantId),
          eq(couponShoppers.couponId, db.select({ id: coupons.id }).from(coupons).where(named)),
          inArray(couponShoppers.shopper, shopperKeys(env, tenantId, { customerId, email: null })),
        ),
      ),
    guessesOf(db, guesser),
  ]);
  const refused = tooManyGuesses(guesses);
  if (refused) return refused;
  if (!row) {
    await noteGuess(db, guesser);
    return fail('coupon_not_found');
  }
  if (!isLeft(row)) return fail('coupon_not_applicable', { details: { reason: 'used_up' } });
  if (row.maxUsesPerCustomer !== null && (mine?.uses ?? 0) >= row.maxUsesPerCustomer) {
    return fail('coupon_not_applicable', { details: { reason: 'used_up_by_customer' } });
  }
  return ok(held(row));
}
