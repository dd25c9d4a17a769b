import { sql } from 'drizzle-orm';
import type { EventType } from '../../events/index.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import { namedBatch, rows, run } from '../../kernel/data/database.ts';
import { settled } from '../../kernel/data/fences.ts';
import { nextId } from '../../kernel/data/ids.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { notifyRegistrationChanged, notifyRegistrationDeleted } from '../delivery/endpoint-client.ts';
import { type AgentPlatform, type WebhookName, webhooks } from '../tables.ts';

/** The events of an order; a platform gets those of the orders that its agent made. */
const ORDER_EVENTS: readonly EventType[] = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'order.fulfilled',
  'order.tracking_changed',
  'order.refunded',
];

/**
 * The most platforms of a tenant that get events. Those of domains that have the most are evicted, so that the owner of
 * one can't take the places of the others; of as many those that end first.
 */
export const MAX_PLATFORMS = 100;
/** How long (ms) a platform is remembered after an agent began a checkout, and after an event of an order. */
const CHECKOUT_WINDOW_MS = 8 * DAY;
const ORDER_WINDOW_MS = 180 * DAY;
/** The end is moved at most this often (ms). */
const MOVE_INTERVAL_MS = DAY;

/** A platform, and the URL that takes the events of its orders. */
interface FollowedPlatform extends AgentPlatform {
  readonly url: string;
}

/**
 * Sends the events of the orders that a platform's agent makes from now on to its URL, through a webhook of its
 * own. Writes only what has changed; a paused webhook becomes active again. One that has had no order for eight days
 * ends, else 180 days after the last event. Idempotent.
 */
export async function followPlatform(ctx: TenantContext, { url, ...agent }: FollowedPlatform): Promise<void> {
  const { env, db, tenantId } = ctx;
  const [at, ref] = [now(), `agent:${tenantId}:${sha256(agent.profile)}`];
  const values = { tenantId, url, events: [...ORDER_EVENTS], ordered: true, status: 'active' as const };
  const { written, evicted } = await namedBatch(db, {
    written: db
      .insert(webhooks)
      .values({
        id: nextId('webhook'),
        ...values,
        agent,
        filter: { agent: [agent.profile] },
        ref,
        endsAt: at + CHECKOUT_WINDOW_MS,
        secret: '',
        secretTail: '',
        createdAt: at,
        updatedAt: at,
      })
      .onConflictDoUpdate({
        target: webhooks.ref,
        set: {
          url,
          agent,
          events: values.events,
          status: 'active',
          pausedReason: null,
          updatedAt: at,
          endsAt: sql`max(${webhooks.endsAt}, excluded.ends_at)`,
        },
        setWhere: sql`${webhooks.url} <> excluded.url OR ${webhooks.agent} <> excluded.agent
          OR ${webhooks.events} <> excluded.events OR ${webhooks.status} <> 'active'
          OR ${webhooks.endsAt} < excluded.ends_at - ${MOVE_INTERVAL_MS}`,
      })
      .returning({ id: webhooks.id }),
    evicted: rows<{ id: number }>(
      db,
      sql`DELETE FROM ${webhooks} WHERE id IN (
        SELECT id FROM (SELECT id, ends_at, row_number() OVER (
            PARTITION BY coalesce(agent ->> 'site', ref) ORDER BY ends_at DESC, id DESC) AS place
          FROM ${webhooks} WHERE tenant_id = ${tenantId} AND agent IS NOT NULL)
        ORDER BY place, ends_at DESC, id DESC LIMIT -1 OFFSET ${MAX_PLATFORMS}) RETURNING id`,
    ),
  });
  for (const { id } of written) await notifyRegistrationChanged(env, { tenantId, webhookId: id }, true);
  // An erasure no longer finds their deliveries.
  for (const { id } of evicted) await notifyRegistrationDeleted(env, { tenantId, webhookId: id });
}

/** Keeps a platform's webhook for 180 days from now, because an order of its agent has an event. */
export const keepPlatform = ({ db, tenantId }: TenantDatabase, webhookId: number) =>
  run(
    db,
    sql`UPDATE ${webhooks} SET ends_at = ${now() + ORDER_WINDOW_MS}
      WHERE id = ${webhookId} AND tenant_id = ${tenantId} AND ends_at < ${now() + ORDER_WINDOW_MS - MOVE_INTERVAL_MS}`,
  );

/** The most webhooks that one step deletes. */
const MAX_ENDED_PER_STEP = 100;

/** Chore that deletes the webhooks of platforms that have ended, with their deliveries: an erasure no longer finds these. */
export const forgetPlatforms: Chore = async ({ env, db }) => {
  const ended = await rows<WebhookName>(
    db,
    sql`DELETE FROM ${webhooks} WHERE id IN (SELECT id FROM ${webhooks}
        WHERE ends_at < ${now()} AND ${settled()} LIMIT ${MAX_ENDED_PER_STEP})
      RETURNING tenant_id AS tenantId, id AS webhookId`,
  );
  await Promise.all(ended.map((name) => notifyRegistrationDeleted(env, name)));
  return { more: ended.length < MAX_ENDED_PER_STEP ? undefined : {} };
};
