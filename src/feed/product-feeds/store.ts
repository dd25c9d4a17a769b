import { and, asc, eq, sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { HOUR, MAX_CLOCK_STEP_MS, now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { digest62, namingKeyVersion, id as newId } from '../../kernel/crypto/crypto.ts';
import { assertInBatch, batch, guardFailed } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { isOverQuota, quotaExceeded, withinQuota } from '../../tenants/index.ts';
import { type FeedFormat, type FeedRow, feeds } from './tables.ts';

/** The most files of one feed in an hour, so that a leaked address costs a tenant little. */
export const MAX_FILES_PER_HOUR = 12;

const one = (tenantId: number, id: string) => and(eq(feeds.tenantId, tenantId), eq(feeds.id, id));

/** Returns the tenant's feeds, oldest first. The plan limits them to 10 at most. */
export const listFeeds = ({ db, tenantId }: TenantDatabase): Promise<FeedRow[]> =>
  db.select().from(feeds).where(eq(feeds.tenantId, tenantId)).orderBy(asc(feeds.createdAt), asc(feeds.id));

/** Returns the tenant's feed, or `feed_not_found`. */
export async function feedById({ db, tenantId }: TenantDatabase, id: string): Promise<Result<FeedRow>> {
  const [row] = await db.select().from(feeds).where(one(tenantId, id));
  return row ? ok(row) : fail('feed_not_found');
}

/** Creates a feed. Fails with `quota_exceeded`. A retry of a committed call returns the same feed. */
export async function createFeed(
  ctx: TenantContext,
  format: FeedFormat,
  once: IdempotencyScope,
): Promise<Result<FeedRow>> {
  if (once.ref !== null) return feedById(ctx, once.ref);
  const { db, tenantId } = ctx;
  const id = newId('feed');
  const insert = db.insert(feeds).values({ id, tenantId, format, createdAt: now() });
  try {
    await commit(ctx, { statements: [...once.mark(id), insert, withinQuota(ctx, 'feeds')] });
  } catch (error) {
    if (isOverQuota(error)) return quotaExceeded(ctx, 'feeds');
    throw error;
  }
  return feedById(ctx, id);
}

/** Deletes a feed, which ends its address at once. Fails with `feed_not_found`. */
export async function deleteFeed(ctx: TenantDatabase, id: string): Promise<Result<undefined>> {
  const { db, tenantId } = ctx;
  const deleted = await db.delete(feeds).where(one(tenantId, id)).returning({ id: feeds.id });
  return deleted.length > 0 ? ok(undefined) : fail('feed_not_found');
}

/** A feed with a new address, and whether an earlier call has made it. */
interface RenewedFeed {
  readonly feed: FeedRow;
  readonly repeated: boolean;
}

/**
 * Replaces a feed by a new one of its format, which ends its address and has another; returns the new one. Both happen
 * or neither, within any quota. Fails with `feed_not_found`. Idempotent: a repeated call returns the same feed.
 */
export async function renewFeed(
  ctx: TenantDatabase & Pick<TenantContext, 'env'>,
  id: string,
): Promise<Result<RenewedFeed>> {
  const { db, tenantId } = ctx;
  const old = await feedById(ctx, id);
  if (!old.ok) return renewedBefore(ctx, id);
  const next = { id: successorOf(ctx, id), tenantId, format: old.value.format, createdAt: now() };
  const stored = sql`EXISTS (SELECT 1 FROM ${feeds} WHERE ${one(tenantId, id)})`;
  const remove = db.delete(feeds).where(one(tenantId, id));
  try {
    await batch(db, [assertInBatch(db, stored), remove, db.insert(feeds).values(next)]);
  } catch (error) {
    if (guardFailed(error)) return renewedBefore(ctx, id);
    throw error;
  }
  const feed = await feedById(ctx, next.id);
  return feed.ok ? ok({ feed: feed.value, repeated: false }) : feed;
}

/** Returns the id of the feed that replaces another one: the same for each call, and unknown without the master key. */
const successorOf = ({ env, tenantId }: Pick<TenantContext, 'env' | 'tenantId'>, id: string): string =>
  `feed_${digest62({ env, version: namingKeyVersion(env), purpose: 'feed-successor' }, `${tenantId}:${id}`, 24)}`;

/** Returns the feed that an earlier call has made in place of one that is gone, or `feed_not_found`. */
async function renewedBefore(
  ctx: TenantDatabase & Pick<TenantContext, 'env'>,
  id: string,
): Promise<Result<RenewedFeed>> {
  const feed = await feedById(ctx, successorOf(ctx, id));
  return feed.ok ? ok({ feed: feed.value, repeated: true }) : feed;
}

/**
 * Counts a file of a feed. Fails with `rate_limited` after {@link MAX_FILES_PER_HOUR} in the hour that began with
 * the first one, and with `feed_not_found` when the feed was deleted meanwhile.
 */
export async function countFile(
  ctx: TenantDatabase,
  { id }: Pick<FeedRow, 'id'>,
): Promise<Result<undefined>> {
  const { db, tenantId } = ctx;
  const at = now();
  // A later hour was begun by a clock that was set back since.
  const isOver = sql`(${feeds.hourStartedAt} <= ${at - HOUR} OR ${feeds.hourStartedAt} > ${at + MAX_CLOCK_STEP_MS})`;
  const counted = await db
    .update(feeds)
    .set({
      hourStartedAt: sql`iif(${isOver}, ${at}, ${feeds.hourStartedAt})`,
      filesInHour: sql`iif(${isOver}, 1, ${feeds.filesInHour} + 1)`,
    })
    .where(and(one(tenantId, id), sql`(${isOver} OR ${feeds.filesInHour} < ${MAX_FILES_PER_HOUR})`))
    .returning({ id: feeds.id });
  if (counted.length > 0) return ok(undefined);
  const found = await feedById(ctx, id);
  if (!found.ok) return found;
  const retryAfter = Math.max(1, Math.ceil((found.value.hourStartedAt + HOUR - at) / 1_000));
  return fail('rate_limited', {
    message: `The file of a feed can be read ${MAX_FILES_PER_HOUR} times an hour.`,
    retryAfter,
  });
}
