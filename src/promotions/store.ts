import { and, asc, count, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { DAY, now } from '../kernel/core/clock.ts';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../kernel/core/pagination.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { type Chore, deleteRows, deletes } from '../kernel/data/chore.ts';
import {
  assertInBatch,
  guardFailed,
  namedBatch,
  rows,
  run,
  type Statement,
  violation,
} from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import { nextId } from '../kernel/data/ids.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { canonicalJson } from '../kernel/text/canonical-json.ts';
import { isOverQuota, quotaExceeded, withinQuota } from '../tenants/index.ts';
import { activeAutomatic, MAX_ACTIVE_AUTOMATIC } from './cart-promotion.ts';
import { matching } from './matching.ts';
import type { PromotionFilter } from './schemas.ts';
import { type PromotionRow, promotionShoppers, promotions } from './tables.ts';
import { newlyNamed, type Targets, unsuitedIds, unsuitedIdsError } from './validation/targets.ts';
import { inPromotion, type PromotionFields } from './validation/validation.ts';

/**
 * Which promotions an endpoint knows, and the error for others: all of them, or those that a coupon can show, which
 * have a code and are not `buy_x_get_y`.
 */
export interface PromotionView {
  readonly missing: 'promotion_not_found' | 'coupon_not_found';
  readonly shown: SQL | undefined;
}

/** Every promotion, as `/v1/promotions` shows them. */
export const ALL_PROMOTIONS: PromotionView = { missing: 'promotion_not_found', shown: undefined };
/** The promotions that `/v1/coupons` shows: those by code that it can express. */
export const COUPONS: PromotionView = {
  missing: 'coupon_not_found',
  shown: and(eq(promotions.automatic, false), ne(promotions.kind, 'buy_x_get_y')),
};

const visible = ({ tenantId }: TenantDatabase, { shown }: PromotionView) =>
  and(eq(promotions.tenantId, tenantId), isNull(promotions.deletedAt), shown);

/** A promotion after a write, and the catalogue version of that write. */
export interface Written {
  readonly row: PromotionRow;
  readonly version: number;
}

/** Returns a page of the tenant's promotions and their total number. */
export async function listPromotions(
  ctx: TenantDatabase,
  view: PromotionView,
  page: ListPage<number> & PromotionFilter,
) {
  const { db } = ctx;
  const matches = and(visible(ctx, view), await matching(ctx, page));
  const { listed, counted } = await namedBatch(db, {
    listed: db
      .select()
      .from(promotions)
      .where(and(matches, page.after === null ? undefined : gt(promotions.id, page.after)))
      .orderBy(asc(promotions.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    ...unlessCounted(page, db.select({ total: count() }).from(promotions).where(matches)),
  });
  return { rows: listed, total: totalIn(page, counted) };
}

/** Returns the tenant's promotion with this id, or the view's error. */
export async function promotionById(
  ctx: TenantDatabase,
  view: PromotionView,
  id: number,
): Promise<Result<PromotionRow>> {
  const [row] = await ctx.db
    .select()
    .from(promotions)
    .where(and(visible(ctx, view), eq(promotions.id, id)));
  return row ? ok(row) : fail(view.missing);
}

/** The request to create a promotion. */
export interface PromotionInput {
  readonly fields: PromotionFields;
  readonly once: IdempotencyScope;
}

/**
 * Creates a promotion. Fails with `code_taken`, `quota_exceeded`, or a 422 that names unsuited ids. If the same
 * Idempotency-Key already created one, returns that.
 */
export async function createPromotion(
  ctx: TenantContext,
  view: PromotionView,
  { fields, once }: PromotionInput,
): Promise<Result<Written>> {
  const { tenantId, db } = ctx;
  const condition = and(visible(ctx, view), eq(promotions.codeKey, once.ref ?? fields.codeKey));
  const at = now();
  const insert = db
    .insert(promotions)
    .values({ id: nextId('promotion'), ...fields, tenantId, createdAt: at, updatedAt: at });
  const quota = withinQuota(ctx, 'promotions');
  const statements = once.ref === null ? [...once.mark(fields.codeKey), insert, quota] : [];
  return writePromotion(ctx, view, { condition, statements, fields, before: null });
}

/**
 * Updates a promotion and advances the catalogue version, so that carts see the change; writes nothing if it has the
 * fields already. Fails with `code_taken`, with `conflict` after a concurrent write, and with a 422 if `max_uses` is
 * less than the redemptions so far or an id is no target.
 */
export function changePromotion(
  ctx: TenantContext,
  view: PromotionView,
  { before, fields }: { readonly before: PromotionRow; readonly fields: PromotionFields },
): Promise<Result<Written>> {
  const { db } = ctx;
  const condition = and(visible(ctx, view), eq(promotions.id, before.id));
  // Prevents a lost update: the row must not have changed since it was read.
  const unchanged = sql`EXISTS (SELECT 1 FROM promotions WHERE ${condition} AND updated_at = ${before.updatedAt})`;
  const update = db
    .update(promotions)
    .set({ ...fields, updatedAt: Math.max(now(), before.updatedAt + 1) })
    .where(condition);
  const statements = isSame(before, fields) ? [] : [assertInBatch(db, unchanged), update];
  return writePromotion(ctx, view, { condition, statements, fields, before });
}

/** Returns whether a promotion has these fields already. */
const isSame = (before: PromotionRow, fields: PromotionFields): boolean =>
  canonicalJson({ ...before, ...fields }) === canonicalJson(before);

/** The condition that a tenant has at most {@link MAX_ACTIVE_AUTOMATIC}. */
const fewAutomatic = (tenantId: number): SQL =>
  sql`(SELECT count(*) FROM promotions WHERE ${activeAutomatic(tenantId)}) <= ${MAX_ACTIVE_AUTOMATIC}`;

/** A write of the promotion that `condition` finds; it may name products and categories, which must exist. */
interface PromotionWrite {
  readonly condition: SQL | undefined;
  /** None for a repeated request or one that changes nothing, which only reads the promotion. */
  readonly statements: readonly Statement[];
  readonly fields: PromotionFields;
  readonly before: PromotionRow | null;
}

async function writePromotion(
  ctx: TenantContext,
  view: PromotionView,
  { condition, statements, fields, before }: PromotionWrite,
): Promise<Result<Written>> {
  const { db, tenantId } = ctx;
  const named = newlyNamed(fields, before);
  const writes = statements.length > 0;
  const isNaming = writes && named.product_ids.length + named.category_ids.length > 0;
  const suited = isNaming ? [assertInBatch(db, sql`NOT EXISTS (${unsuitedIds(tenantId, named)})`)] : [];
  const few = fields.automatic && fields.active ? [assertInBatch(db, fewAutomatic(tenantId))] : [];
  try {
    const { version, read } = await commit(ctx, {
      guards: suited,
      statements: writes ? [...statements, ...few] : [],
      catalogChanged: writes,
      reads: { promotion: db.select().from(promotions).where(condition) },
    });
    const [row] = read.promotion;
    return row ? ok({ row, version }) : fail(view.missing);
  } catch (error) {
    const refused = await refusalOf(ctx, error);
    if (refused) return refused;
    if (!guardFailed(error)) throw error;
    return (
      (await unsuitedTargets(ctx, view, { named, fields })) ?? tooManyOrConflict(ctx, { fields, before })
    );
  }
}

/** Returns the failure for a constraint that a promotion violates, or null for another error. */
async function refusalOf(ctx: TenantContext, error: unknown): Promise<Failed | null> {
  const broken = violation(error);
  if (broken?.name === 'coupon_uses_within_limit')
    return invalid('max_uses', 'must be at least the number of redemptions so far');
  if (broken?.kind === 'unique') return fail('code_taken');
  return isOverQuota(error) ? quotaExceeded(ctx, 'promotions') : null;
}

/** Returns a 422 that names unsuited ids by their path in the view's resource, or null if there are none. */
async function unsuitedTargets(
  ctx: TenantDatabase,
  view: PromotionView,
  { named, fields }: { readonly named: Targets; readonly fields: PromotionFields },
): Promise<Failed | null> {
  const failed = await unsuitedIdsError(ctx, named);
  const errors = failed?.failure.errors;
  return errors && view === ALL_PROMOTIONS
    ? fail('validation_error', { errors: inPromotion(errors, fields) })
    : failed;
}

/** Returns `quota_exceeded` if the write would leave too many automatic promotions, else `conflict`. */
async function tooManyOrConflict(
  { db, tenantId }: TenantDatabase,
  { fields, before }: Pick<PromotionWrite, 'fields' | 'before'>,
): Promise<Failed> {
  if (!fields.automatic || !fields.active) return fail('conflict');
  const others = sql`${activeAutomatic(tenantId)} AND id <> ${before?.id ?? 0}`;
  const [row] = await rows<{ total: number }>(
    db,
    sql`SELECT count(*) AS total FROM promotions WHERE ${others}`,
  );
  if ((row?.total ?? 0) < MAX_ACTIVE_AUTOMATIC) return fail('conflict');
  return fail('quota_exceeded', {
    message: `At most ${MAX_ACTIVE_AUTOMATIC} automatic promotions can be active at a time.`,
    details: { quota: 'automatic_promotions', limit: MAX_ACTIVE_AUTOMATIC },
  });
}

/** Soft-deletes a promotion; orders keep its discount. Returns the new catalogue version. */
export async function deletePromotion(
  ctx: TenantContext,
  view: PromotionView,
  id: number,
): Promise<Result<number>> {
  const { db } = ctx;
  const condition = and(visible(ctx, view), eq(promotions.id, id));
  try {
    const { version } = await commit(ctx, {
      guards: [assertInBatch(db, sql`EXISTS (SELECT 1 FROM promotions WHERE ${condition})`)],
      statements: [db.update(promotions).set({ deletedAt: now() }).where(condition)],
      catalogChanged: true,
    });
    return ok(version);
  } catch (error) {
    if (guardFailed(error)) return fail(view.missing);
    throw error;
  }
}

/** How long a deleted promotion is kept (ms), since orders that redeemed it may still be cancelled. */
const DELETED_RETENTION_MS = 90 * DAY;
/** The most promotions deleted in one step. */
const PROMOTIONS_PER_STEP = 20;

/** Purges promotions of all tenants 90 days after their deletion, with their counts per shopper. */
export const forgetPromotions: Chore = async ({ db }) => {
  const old = sql`FROM promotions WHERE deleted_at < ${now() - DELETED_RETENTION_MS} AND ${settled()} ORDER BY deleted_at, id
    LIMIT ${PROMOTIONS_PER_STEP}`;
  const shoppers = deletes(
    promotionShoppers,
    () => sql`(tenant_id, promotion_id) IN (SELECT tenant_id, id ${old})`,
  );
  if (await deleteRows(db, shoppers)) return { more: {} };
  const { meta } = await run(db, sql`DELETE FROM promotions WHERE id IN (SELECT id ${old})`);
  return { more: meta.changes < PROMOTIONS_PER_STEP ? undefined : {} };
};
