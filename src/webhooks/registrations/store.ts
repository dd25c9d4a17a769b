import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { EVENT_TYPES, type EventType, unreadable } from '../../events/index.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { id as newId, seal, unseal } from '../../kernel/crypto/crypto.ts';
import { assertInBatch, batch, guardFailed, jsonList, run } from '../../kernel/data/database.ts';
import { nextId } from '../../kernel/data/ids.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { isOverQuota, quotaExceeded, withinQuota } from '../../tenants/index.ts';
import { newSecret } from '../sending/sign.ts';
import { type WebhookRow, webhooks } from '../tables.ts';
import type { WebhookCreate, WebhookPatch } from './schemas.ts';

/** The previous secret also signs for this long after a rotation. */
const ROTATION_OVERLAP_MS = DAY;
/** Retention of deliveries in the webhook's object (ms). */
export const DELIVERY_RETENTION_MS = 30 * DAY;
/**
 * Unsubscribed events count as sendable one day beyond the retention, because the queue may still hold some.
 */
const FORMER_EVENT_RETENTION_MS = DELIVERY_RETENTION_MS + DAY;

/** The encryption purpose of a tenant's webhook secrets. */
export const purpose = (tenantId: number) => `webhook-secret:${tenantId}`;

/** SQL condition: a webhook that the tenant has registered; those of agents' platforms are not in the API. */
const registeredBy = (tenantId: number): SQL | undefined =>
  and(eq(webhooks.tenantId, tenantId), isNull(webhooks.agent));
const one = (tenantId: number, id: number): SQL | undefined =>
  and(registeredBy(tenantId), eq(webhooks.id, id));

/**
 * Returns every event that a webhook may still send: its subscriptions, and former ones as long as deliveries
 * of them may be stored.
 */
export function sendableEvents({
  events,
  formerEvents,
}: Pick<WebhookRow, 'events' | 'formerEvents'>): EventType[] {
  const stored = EVENT_TYPES.filter((event) => (formerEvents[event] ?? 0) > now());
  return [...new Set([...events, ...stored])];
}

/** SQL condition: every event that the row may still send (see {@link sendableEvents}) is readable. */
const sendsOnly = (readable: readonly EventType[]): SQL => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${webhooks.events}) WHERE value NOT IN (${jsonList(readable)})
  UNION ALL SELECT 1 FROM json_each(${webhooks.formerEvents})
    WHERE value > ${now()} AND key NOT IN (${jsonList(readable)}))`;

/** SQL for a row's `formerEvents` after its events become `events`. */
const formerAfter = (events: readonly EventType[]): SQL => sql`(
  SELECT json_group_object(key, value) FROM (
    SELECT key, value FROM json_each(${webhooks.formerEvents})
      WHERE value > ${now()} AND key NOT IN (SELECT value FROM json_each(${webhooks.events}))
    UNION ALL SELECT value, ${now() + FORMER_EVENT_RETENTION_MS} FROM json_each(${webhooks.events})
      WHERE value NOT IN (${jsonList(events)})))`;

/** Returns all webhooks that the tenant has registered, oldest first. */
export const listWebhooks = ({ db, tenantId }: TenantDatabase): Promise<WebhookRow[]> =>
  db.select().from(webhooks).where(registeredBy(tenantId)).orderBy(asc(webhooks.id));

/** Returns the tenant's webhook, or `webhook_not_found`. */
export async function webhookById({ db, tenantId }: TenantDatabase, id: number): Promise<Result<WebhookRow>> {
  const [row] = await db.select().from(webhooks).where(one(tenantId, id));
  return row ? ok(row) : fail('webhook_not_found');
}

/** The events that the caller's scopes let it read. */
interface Readable {
  readonly readable: readonly EventType[];
}

/** A webhook with its plaintext secret. */
type WithSecret = { row: WebhookRow; secret: string };

/**
 * Registers a webhook with a new secret; `quota_exceeded` when the plan's limit is reached. A retry returns
 * the current secret, if the caller's scopes still cover the webhook's events.
 */
export async function createWebhook(
  ctx: TenantContext,
  { readable, ...input }: WebhookCreate & Readable,
  once: IdempotencyScope,
): Promise<Result<WithSecret>> {
  const { tenantId, env, db } = ctx;
  const ref = once.ref ?? newId('whr');
  if (once.ref === null) {
    const [secret, at] = [newSecret(), now()];
    const values = {
      id: nextId('webhook'),
      tenantId,
      ...input,
      description: input.description ?? '',
      ...statusFields(input.status),
      secret: await seal(env, purpose(tenantId), secret),
      secretTail: secret.slice(-4),
      ref,
      createdAt: at,
      updatedAt: at,
    };
    const quota = withinQuota(ctx, 'webhooks');
    try {
      await batch(db, [...once.mark(ref), db.insert(webhooks).values(values), quota]);
    } catch (error) {
      if (isOverQuota(error)) return quotaExceeded(ctx, 'webhooks');
      throw error;
    }
  }
  const created = and(eq(webhooks.tenantId, tenantId), eq(webhooks.ref, ref));
  const [row] = await db.select().from(webhooks).where(created);
  if (!row) return fail('webhook_not_found');
  return unreadable(sendableEvents(row), readable) ?? ok(await withSecret(env, row));
}

const withSecret = async (env: Env, row: WebhookRow): Promise<WithSecret> => ({
  row,
  secret: await unseal(env, purpose(row.tenantId), row.secret),
});

const statusFields = (status: 'active' | 'paused') =>
  ({ status, pausedReason: status === 'paused' ? 'requested' : null }) as const;

/** SQL for the reason of a requested pause; a webhook that is already paused keeps its reason. */
const pausedAgain = sql`CASE ${webhooks.status} WHEN 'paused' THEN ${webhooks.pausedReason} ELSE 'requested' END`;

/**
 * SQL for the time of a change: the one before if all given fields stay as they are. A URL or activation always counts,
 * because the webhook's object then forgets the receiver's failures.
 */
function changedAt({ url, description, events, status, filter, ordered }: WebhookPatch): SQL | number {
  if (url !== undefined || status === 'active') return now();
  const same = and(
    description === undefined ? undefined : eq(webhooks.description, description ?? ''),
    events && eq(webhooks.events, events),
    status && eq(webhooks.status, status),
    filter === undefined ? undefined : sql`${webhooks.filter} IS ${filter && JSON.stringify(filter)}`,
    ordered === undefined ? undefined : eq(webhooks.ordered, ordered),
  );
  return sql`CASE WHEN ${same ?? sql`true`} THEN ${webhooks.updatedAt} ELSE ${now()} END`;
}

/**
 * Updates the given fields. A new URL is refused with `insufficient_scope` when the webhook may still send an
 * event that isn't `readable`; the UPDATE itself checks this, so concurrent changes can't bypass it.
 */
export async function patchWebhook(
  ctx: TenantDatabase,
  id: number,
  { readable, ...patch }: WebhookPatch & Readable,
): Promise<Result<WebhookRow>> {
  const { db, tenantId } = ctx;
  const { url, description, events, status } = patch;
  // Drizzle leaves out columns that are undefined.
  const set = {
    ...patch,
    description: description === null ? '' : description,
    formerEvents: events && formerAfter(events),
    pausedReason: status && (status === 'paused' ? pausedAgain : null),
    updatedAt: changedAt(patch),
  };
  const allowed = url === undefined ? undefined : sendsOnly(readable);
  const [row] = await db
    .update(webhooks)
    .set(set)
    .where(and(one(tenantId, id), allowed))
    .returning();
  if (row) return ok(row);
  const found = await webhookById(ctx, id);
  return found.ok ? (unreadable(sendableEvents(found.value), readable) ?? fail('conflict')) : found;
}

/** Deletes a webhook. */
export async function deleteWebhook({ db, tenantId }: TenantDatabase, id: number): Promise<Result<void>> {
  const deleted = await db.delete(webhooks).where(one(tenantId, id)).returning({ id: webhooks.id });
  return deleted.length > 0 ? ok(undefined) : fail('webhook_not_found');
}

/**
 * Rotates a webhook's secret; the previous one also signs for 24 hours. `insufficient_scope` when the webhook
 * may still send an event that isn't `readable`, checked in the batch that writes. A retry returns the
 * current secret.
 */
export async function rotateSecret(
  ctx: TenantContext,
  { id, readable }: Readable & { readonly id: number },
  once: IdempotencyScope,
): Promise<Result<WithSecret>> {
  const { env, db, tenantId } = ctx;
  const secret = once.ref === null ? newSecret() : null;
  if (secret !== null) {
    const sealed = await seal(env, purpose(tenantId), secret);
    const rotated = sql`UPDATE ${webhooks} SET previous_secret = secret, previous_until = ${now() + ROTATION_OVERLAP_MS},
      secret = ${sealed}, secret_tail = ${secret.slice(-4)}, updated_at = ${now()} WHERE ${one(tenantId, id)}`;
    const allowed = sql`NOT EXISTS (SELECT 1 FROM ${webhooks} WHERE ${one(tenantId, id)} AND NOT ${sendsOnly(readable)})`;
    try {
      await batch(db, [assertInBatch(db, allowed), ...once.mark(String(id)), run(db, rotated)]);
    } catch (error) {
      const denied = guardFailed(error) ? await deniedBy(ctx, id, readable) : null;
      if (denied) return denied;
      throw error;
    }
  }
  const found = await webhookById(ctx, id);
  if (!found.ok) return found;
  // A concurrent rotation may have replaced the secret: returns the caller's own, not the other's.
  if (secret !== null) return ok({ row: found.value, secret });
  return unreadable(sendableEvents(found.value), readable) ?? ok(await withSecret(env, found.value));
}

async function deniedBy(
  ctx: TenantDatabase,
  id: number,
  readable: readonly EventType[],
): Promise<Failed | null> {
  const found = await webhookById(ctx, id);
  return found.ok ? unreadable(sendableEvents(found.value), readable) : null;
}
