import { and, eq, type SQL } from 'drizzle-orm';
import type { EventType } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { unseal } from '../../kernel/crypto/crypto.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { includesWebhooks, tenants } from '../../tenants/index.ts';
import {
  type AgentPlatform,
  type Failing,
  type WebhookFilter,
  type WebhookRow,
  webhooks,
} from '../tables.ts';
import { purpose, sendableEvents } from './store.ts';

/** How deliveries are signed: with the webhook's secrets, or in the protocol of an agent's platform. */
export type Signing =
  | {
      readonly kind: 'secret';
      /** The signing secret, null when it can't be opened, and the previous one with the instant (ms) of its expiry. */
      readonly secret: string | null;
      readonly previous: { readonly secret: string; readonly until: number } | null;
    }
  | { readonly kind: 'agent'; readonly platform: AgentPlatform };

/** The part of a registration that a WebhookEndpoint object needs. */
export interface Registration {
  readonly url: string;
  readonly status: 'active' | 'paused';
  /** Whether the plan has no webhooks, which pauses it. Its object is not notified of a change back. */
  readonly excluded: boolean;
  readonly events: readonly EventType[];
  readonly filter: WebhookFilter | null;
  readonly ordered: boolean;
  /** When it was last changed (ms). */
  readonly updatedAt: number;
  readonly signing: Signing;
}

const one = (tenantId: number, id: number): SQL | undefined =>
  and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id));

/**
 * Reads the registration for a WebhookEndpoint object; returns `null` when it was deleted. A webhook from before a change
 * to a plan without any is paused, unless it is that of an agent's platform.
 */
export async function readRegistration(
  { env, db, tenantId }: Omit<TenantContext, 'ctx'>,
  id: number,
): Promise<Registration | null> {
  const [found] = await db
    .select({ row: webhooks, plan: tenants.plan })
    .from(webhooks)
    .leftJoin(tenants, eq(tenants.id, webhooks.tenantId))
    .where(one(tenantId, id));
  if (!found) return null;
  const { row, plan } = found;
  const { url, events, filter, ordered, updatedAt } = row;
  const isIncluded = row.agent !== null || plan === null || includesWebhooks(plan);
  const status = isIncluded ? row.status : 'paused';
  const signing = await signingOf(env, row);
  return { url, status, excluded: !isIncluded, events, filter, ordered, updatedAt, signing };
}

async function signingOf(env: Env, row: WebhookRow): Promise<Signing> {
  if (row.agent) return { kind: 'agent', platform: row.agent };
  // One that can't be opened was made under a lost master key, and is replaced for that very reason.
  const open = (sealed: string) => unseal(env, purpose(row.tenantId), sealed).catch(() => null);
  const { previousSecret, previousUntil } = row;
  const until = previousUntil ?? 0;
  const overlaps = previousSecret !== null && until > now();
  const former = overlaps ? await open(previousSecret) : null;
  const previous = former === null ? null : { secret: former, until };
  return { kind: 'secret', secret: await open(row.secret), previous };
}

/** The pause of a webhook because of its receiver's responses; `updatedAt` (ms) as it was when they were received. */
interface AutomaticPause extends Pick<WebhookRow, 'id' | 'updatedAt'> {
  readonly reason: 'gone' | 'failing';
}

/** Pauses an active webhook, unless it was changed since: it may have another URL. */
export async function pauseWebhook(
  { db, tenantId }: TenantDatabase,
  { id, updatedAt, reason }: AutomaticPause,
): Promise<void> {
  const { meta } = await db
    .update(webhooks)
    .set({ status: 'paused', pausedReason: reason, updatedAt: now() })
    .where(and(one(tenantId, id), eq(webhooks.status, 'active'), eq(webhooks.updatedAt, updatedAt)));
  if (meta.changes > 0) log('webhook_paused', { tenant: tenantId, webhook: id, reason });
}

/** Stores the failures of a webhook's receiver, or their end. */
export const noteFailing = ({ db, tenantId }: TenantDatabase, id: number, failing: Failing | null) =>
  db
    .update(webhooks)
    .set({
      failingSince: failing?.since ?? null,
      failures: failing?.failures ?? 0,
      lastError: failing?.error ?? null,
    })
    .where(one(tenantId, id));

/** What a webhook is subscribed to: events of these types that match its filter. */
export type Subscription = Pick<WebhookRow, 'id' | 'events' | 'filter'>;

/** Returns the subscription of each webhook of the tenant: paused ones and those of agents' platforms included. */
export const subscriptions = ({ db, tenantId }: TenantDatabase): Promise<Subscription[]> =>
  db
    .select({ id: webhooks.id, events: webhooks.events, filter: webhooks.filter })
    .from(webhooks)
    .where(eq(webhooks.tenantId, tenantId));

/** Returns each webhook of the tenant, those of agents' platforms included, with the events whose deliveries it may have. */
export async function eventsOfWebhooks({
  db,
  tenantId,
}: TenantDatabase): Promise<Pick<Subscription, 'id' | 'events'>[]> {
  const { id, events, formerEvents } = webhooks;
  const rows = await db
    .select({ id, events, formerEvents })
    .from(webhooks)
    .where(eq(webhooks.tenantId, tenantId));
  return rows.map((row) => ({ id: row.id, events: sendableEvents(row) }));
}
