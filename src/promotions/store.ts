import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { iso, now } from '../kernel/core/clock.ts';
import { offset, type Page } from '../kernel/core/pagination.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import {
  assertInBatch,
  batch,
  type Database,
  guardFailed,
  jsonList,
  violation,
} from '../kernel/data/database.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { advanceClock, catalogPosition, isOverQuota, quotaExceeded, withinQuota } from '../tenants/index.ts';
import type { CouponAnswer } from './schemas.ts';
import { type CouponRow, coupons } from './tables.ts';
import type { CouponFields } from './validation.ts';

/** The products and categories that a coupon names, by the field that names them. */
const TARGETS = {
  product_ids: sql`SELECT id FROM products WHERE deleted_at IS NULL AND tenant_id = `,
  category_ids: sql`SELECT id FROM categories WHERE tenant_id = `,
} as const;

type Named = Readonly<Record<keyof typeof TARGETS, readonly number[]>>;

/** What a coupon names that it did not name before: that has to be there, what it keeps may have gone. */
const newlyNamed = (fields: CouponFields, before: CouponRow | null): Named => ({
  product_ids: (fields.productIds ?? []).filter((id) => !before?.productIds?.includes(id)),
  category_ids: (fields.categoryIds ?? []).filter((id) => !before?.categoryIds?.includes(id)),
});

/** Selects the ids that a coupon names and the tenant does not have, with the field. */
const unknownIds = (tenantId: number, named: Named) =>
  sql.join(
    (['product_ids', 'category_ids'] as const).map(
      (field) => sql`SELECT ${field} AS field, value AS id FROM (${jsonList(named[field])})
        WHERE value NOT IN (${TARGETS[field]}${tenantId})`,
    ),
    sql` UNION ALL `,
  );

/** The 422 that names the ids which the tenant does not have; `null` when it has them all. */
async function refusedIds(db: Database, tenantId: number, named: Named): Promise<Failed | null> {
  const found = await db.all<{ field: string; id: number }>(unknownIds(tenantId, named));
  const byField = Map.groupBy(found, ({ field }) => field);
  const errors = [...byField].map(([field, ids]) => [
    field,
    ids.map(({ id }) => `there is no ${field === 'product_ids' ? 'product' : 'category'} ${id}`),
  ]);
  return errors.length > 0 ? fail('validation_error', { errors: Object.fromEntries(errors) }) : null;
}

const one = (tenantId: number, id: number) =>
  and(eq(coupons.tenantId, tenantId), eq(coupons.id, id), isNull(coupons.deletedAt));

/** A coupon after a write, and the catalogue version that the write made. */
export interface Written {
  readonly row: CouponRow;
  readonly version: number;
}

/** A page of the tenant's coupons, and how many there are. */
export async function listCoupons(db: Database, tenantId: number, page: Page) {
  const mine = and(eq(coupons.tenantId, tenantId), isNull(coupons.deletedAt));
  const [rows, [counted]] = await db.batch([
    db.select().from(coupons).where(mine).orderBy(asc(coupons.id)).limit(page.limit).offset(offset(page)),
    db.select({ total: count() }).from(coupons).where(mine),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The tenant's coupon with this id, or `coupon_not_found`. */
export async function couponById(db: Database, tenantId: number, id: number): Promise<Result<CouponRow>> {
  const [row] = await db.select().from(coupons).where(one(tenantId, id));
  return row ? ok(row) : fail('coupon_not_found');
}

/** Makes a coupon; 422 names ids that the tenant does not have; with an earlier run of the same Idempotency-Key, answers what that made. */
export async function createCoupon(
  db: Database,
  tenantId: number,
  fields: CouponFields,
  once: IdempotencyScope,
): Promise<Result<Written>> {
  const mine = and(
    eq(coupons.tenantId, tenantId),
    eq(coupons.codeKey, fields.codeKey),
    isNull(coupons.deletedAt),
  );
  const at = now();
  const insert = db.insert(coupons).values({ ...fields, tenantId, createdAt: at, updatedAt: at });
  const quota = withinQuota(db, tenantId, 'promotions');
  const writes = once.ref === null ? [...once.mark(fields.codeKey), insert, quota] : [];
  return written(db, tenantId, writes, mine, newlyNamed(fields, null));
}

/**
 * Changes a coupon. Carts that hold it see the change with the catalogue version that moves here.
 * `code_taken`; 422 when it is used more often already than it shall be allowed, or names ids that the
 * tenant does not have.
 */
export const changeCoupon = (
  db: Database,
  before: CouponRow,
  fields: CouponFields,
): Promise<Result<Written>> =>
  written(
    db,
    before.tenantId,
    [
      // Read, changed and written: another change in between would be lost.
      assertInBatch(
        db,
        sql`EXISTS (SELECT 1 FROM coupons WHERE ${one(before.tenantId, before.id)} AND updated_at = ${before.updatedAt})`,
      ),
      db
        .update(coupons)
        .set({ ...fields, updatedAt: Math.max(now(), before.updatedAt + 1) })
        .where(one(before.tenantId, before.id)),
    ],
    one(before.tenantId, before.id),
    newlyNamed(fields, before),
  );

async function written(
  db: Database,
  tenantId: number,
  statements: Parameters<typeof batch>[1],
  mine: ReturnType<typeof one>,
  named: Named,
): Promise<Result<Written>> {
  const names = named.product_ids.length + named.category_ids.length > 0;
  const known = names ? [assertInBatch(db, sql`NOT EXISTS (${unknownIds(tenantId, named)})`)] : [];
  try {
    const results = await batch(db, [
      ...(statements.length > 0 ? known : []),
      ...statements,
      advanceClock(db, tenantId, 0, true),
      db.select().from(coupons).where(mine),
      catalogPosition(db, tenantId),
    ]);
    // The two selects above, in their order.
    const [[row], [moved]] = results.slice(-2) as [CouponRow[], { version: number }[]];
    return row ? ok({ row, version: moved?.version ?? 0 }) : fail('coupon_not_found');
  } catch (error) {
    const broken = violation(error);
    if (broken?.name === 'coupon_uses_within_limit')
      return invalid('max_uses', 'is less than its uses so far');
    if (broken?.kind === 'unique') return fail('code_taken');
    if (isOverQuota(error)) return quotaExceeded(db, tenantId, 'promotions');
    if (!guardFailed(error)) throw error;
    return (await refusedIds(db, tenantId, named)) ?? fail('conflict');
  }
}

/** Takes a coupon away; orders that used it keep what it gave. Answers the version that this made. */
export async function deleteCoupon(db: Database, tenantId: number, id: number): Promise<Result<number>> {
  try {
    const [, , , [moved]] = await db.batch([
      assertInBatch(db, sql`EXISTS (SELECT 1 FROM coupons WHERE ${one(tenantId, id)})`),
      db.update(coupons).set({ deletedAt: now() }).where(one(tenantId, id)),
      advanceClock(db, tenantId, 0, true),
      catalogPosition(db, tenantId),
    ]);
    return ok(moved?.version ?? 0);
  } catch (error) {
    if (guardFailed(error)) return fail('coupon_not_found');
    throw error;
  }
}

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** A coupon as the wire shows it. */
export const presentCoupon = (row: CouponRow): CouponAnswer => ({
  id: row.id,
  code: row.code,
  kind: row.kind,
  value: row.value,
  minimum_subtotal: row.minimumSubtotal,
  starts_at: isoOrNull(row.startsAt),
  ends_at: isoOrNull(row.endsAt),
  max_uses: row.maxUses,
  max_uses_per_customer: row.maxUsesPerCustomer,
  product_ids: row.productIds ?? [],
  category_ids: row.categoryIds ?? [],
  uses: row.uses,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
