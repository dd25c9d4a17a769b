import { and, asc, count, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { DAY, iso, now } from '../kernel/core/clock.ts';
import { type ListPage, rowsBefore } from '../kernel/core/pagination.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { type Chore, deleteRows } from '../kernel/data/chore.ts';
import {
  assertInBatch,
  directory,
  guardFailed,
  jsonList,
  namedBatch,
  run,
  type Statement,
  violation,
} from '../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { isOverQuota, quotaExceeded, withinQuota } from '../tenants/index.ts';
import type { CouponAnswer } from './schemas.ts';
import { type CouponRow, couponShoppers, coupons } from './tables.ts';
import type { CouponFields } from './validation.ts';

/** The queries for a tenant's valid target ids, by field. */
const TARGETS = {
  product_ids: sql`SELECT id FROM products WHERE deleted_at IS NULL AND tenant_id = `,
  category_ids: sql`SELECT id FROM categories WHERE tenant_id = `,
} as const;

type Targets = Readonly<Record<keyof typeof TARGETS, readonly number[]>>;

/** Returns the newly named targets, which must exist; earlier targets may have been deleted since. */
const newlyNamed = (fields: CouponFields, before: CouponRow | null): Targets => ({
  product_ids: (fields.productIds ?? []).filter((id) => !before?.productIds?.includes(id)),
  category_ids: (fields.categoryIds ?? []).filter((id) => !before?.categoryIds?.includes(id)),
});

/** Builds the query for named ids that the tenant does not have, with their field. */
const unknownIds = (tenantId: number, named: Targets) =>
  sql.join(
    (['product_ids', 'category_ids'] as const).map(
      (field) => sql`SELECT ${field} AS field, value AS id FROM (${jsonList(named[field])})
        WHERE value NOT IN (${TARGETS[field]}${tenantId})`,
    ),
    sql` UNION ALL `,
  );

/** Returns a 422 that names the unknown ids, or null if all exist. */
async function unknownIdsError({ db, tenantId }: TenantDatabase, named: Targets): Promise<Failed | null> {
  const found = await db.all<{ field: string; id: number }>(unknownIds(tenantId, named));
  const byField = Map.groupBy(found, ({ field }) => field);
  const errors = [...byField].map(([field, ids]) => [
    field,
    ids.map(({ id }) => `there is no ${field === 'product_ids' ? 'product' : 'category'} ${id}`),
  ]);
  return errors.length > 0 ? fail('validation_error', { errors: Object.fromEntries(errors) }) : null;
}

const byId = (tenantId: number, id: number) =>
  and(eq(coupons.tenantId, tenantId), eq(coupons.id, id), isNull(coupons.deletedAt));

/** A coupon after a write, and the catalogue version of that write. */
export interface Written {
  readonly row: CouponRow;
  readonly version: number;
}

/** Returns a page of the tenant's coupons and their total number. */
export async function listCoupons({ tenantId, db }: TenantDatabase, page: ListPage<number>) {
  const mine = and(eq(coupons.tenantId, tenantId), isNull(coupons.deletedAt));
  const { rows, counts } = await namedBatch(db, {
    rows: db
      .select()
      .from(coupons)
      .where(and(mine, page.after === null ? undefined : gt(coupons.id, page.after)))
      .orderBy(asc(coupons.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    counts: db.select({ total: count() }).from(coupons).where(mine),
  });
  return { rows, total: counts[0]?.total ?? 0 };
}

/** Returns the tenant's coupon with this id, or `coupon_not_found`. */
export async function couponById({ db, tenantId }: TenantDatabase, id: number): Promise<Result<CouponRow>> {
  const [row] = await db.select().from(coupons).where(byId(tenantId, id));
  return row ? ok(row) : fail('coupon_not_found');
}

/**
 * Creates a coupon. Fails with `code_taken`, `quota_exceeded`, or a 422 that names unknown ids. If the same
 * Idempotency-Key already created one, returns that.
 */
export async function createCoupon(
  ctx: TenantContext,
  fields: CouponFields,
  once: IdempotencyScope,
): Promise<Result<Written>> {
  const { tenantId, db } = ctx;
  const condition = and(
    eq(coupons.tenantId, tenantId),
    eq(coupons.codeKey, fields.codeKey),
    isNull(coupons.deletedAt),
  );
  const at = now();
  const insert = db.insert(coupons).values({ ...fields, tenantId, createdAt: at, updatedAt: at });
  const quota = withinQuota(ctx, 'promotions');
  const statements = once.ref === null ? [...once.mark(fields.codeKey), insert, quota] : [];
  return writeCoupon(ctx, { condition, statements, named: newlyNamed(fields, null) });
}

/**
 * Updates a coupon and advances the catalogue version, so that carts see the change. Fails with `code_taken`,
 * with `conflict` after a concurrent write, and with a 422 if `max_uses` is less than the redemptions so far
 * or an id is unknown.
 */
export function changeCoupon(
  ctx: TenantContext,
  before: CouponRow,
  fields: CouponFields,
): Promise<Result<Written>> {
  const { tenantId, db } = ctx;
  const condition = byId(tenantId, before.id);
  // Prevents a lost update: the row must not have changed since it was read.
  const unchanged = sql`EXISTS (SELECT 1 FROM coupons WHERE ${condition} AND updated_at = ${before.updatedAt})`;
  const updatedAt = Math.max(now(), before.updatedAt + 1);
  return writeCoupon(ctx, {
    condition,
    statements: [
      assertInBatch(db, unchanged),
      db
        .update(coupons)
        .set({ ...fields, updatedAt })
        .where(condition),
    ],
    named: newlyNamed(fields, before),
  });
}

/** A write of the coupon that `condition` finds; it may name products and categories, which must exist. */
interface CouponWrite {
  readonly condition: SQL | undefined;
  /** None for a repeated request, which only reads the coupon. */
  readonly statements: readonly Statement[];
  readonly named: Targets;
}

async function writeCoupon(
  ctx: TenantContext,
  { condition, statements, named }: CouponWrite,
): Promise<Result<Written>> {
  const { db, tenantId } = ctx;
  const writes = statements.length > 0;
  const names = named.product_ids.length + named.category_ids.length > 0;
  const known = assertInBatch(db, sql`NOT EXISTS (${unknownIds(tenantId, named)})`);
  try {
    const { version, read } = await commit(ctx, {
      guards: writes && names ? [known] : [],
      statements,
      catalogChanged: writes,
      reads: { coupon: db.select().from(coupons).where(condition) },
    });
    const [row] = read.coupon;
    return row ? ok({ row, version }) : fail('coupon_not_found');
  } catch (error) {
    const broken = violation(error);
    if (broken?.name === 'coupon_uses_within_limit')
      return invalid('max_uses', 'must be at least the number of redemptions so far');
    if (broken?.kind === 'unique') return fail('code_taken');
    if (isOverQuota(error)) return quotaExceeded(ctx, 'promotions');
    if (!guardFailed(error)) throw error;
    return (await unknownIdsError(ctx, named)) ?? fail('conflict');
  }
}

/** Soft-deletes a coupon; orders keep its discount. Returns the new catalogue version. */
export async function deleteCoupon(ctx: TenantContext, id: number): Promise<Result<number>> {
  const { db, tenantId } = ctx;
  const condition = byId(tenantId, id);
  try {
    const { version } = await commit(ctx, {
      guards: [assertInBatch(db, sql`EXISTS (SELECT 1 FROM coupons WHERE ${condition})`)],
      statements: [db.update(coupons).set({ deletedAt: now() }).where(condition)],
      catalogChanged: true,
    });
    return ok(version);
  } catch (error) {
    if (guardFailed(error)) return fail('coupon_not_found');
    throw error;
  }
}

/** How long a deleted coupon is kept (ms), since orders that redeemed it may still be cancelled. */
const DELETED_RETENTION_MS = 90 * DAY;
/** The most coupons deleted in one step. */
const COUPONS_PER_STEP = 20;

/** Purges coupons of all tenants 90 days after their deletion, with their counts per shopper. */
export const forgetCoupons: Chore = async ({ env }) => {
  const db = directory(env);
  const old = sql`FROM coupons WHERE deleted_at < ${now() - DELETED_RETENTION_MS} ORDER BY deleted_at, id
    LIMIT ${COUPONS_PER_STEP}`;
  const shoppers = sql`(tenant_id, coupon_id) IN (SELECT tenant_id, id ${old})`;
  if (await deleteRows(db, couponShoppers, shoppers)) return { more: {} };
  const { meta } = await run(db, sql`DELETE FROM coupons WHERE id IN (SELECT id ${old})`);
  return { more: meta.changes < COUPONS_PER_STEP ? undefined : {} };
};

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** Converts a coupon's row to the API's form. */
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
