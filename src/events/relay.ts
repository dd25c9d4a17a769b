import { and, asc, isNull, lt, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { type Database, jsonList } from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { announceEvents } from '../tenants/index.ts';
import { type EventType, outbox, type QueueName } from './tables.ts';

/** A message of the webhook queue: the event's id, never its data. */
export interface EventMessage {
  readonly tenantId: number;
  readonly eventId: string;
  /** The queue that it was sent to, so that a dead letter can be returned to it. */
  readonly queue?: QueueName;
}

/** An event in the outbox that is still to be relayed. */
interface RecordedEvent {
  readonly tenantId: number;
  readonly eventId: string;
  readonly type: EventType;
}

/** An event that a batch has just recorded. */
type BatchEvent = Omit<RecordedEvent, 'tenantId'> & { readonly position: number };

/** The events that change what search returns of a product. Changes of categories notify search themselves. */
const INDEXED: ReadonlySet<EventType> = new Set<EventType>(['product.updated', 'stock.changed']);

/** The most messages that a queue accepts in one call. */
export const MAX_SEND_BATCH = 100;

/**
 * Enqueues events of one database for webhooks and search, and marks them as relayed. {@link relayLostEvents} relays those
 * that are lost here.
 */
export async function relay(env: Env, db: Database, events: readonly RecordedEvent[]): Promise<void> {
  let sent = 0;
  try {
    for (; sent < events.length; sent += MAX_SEND_BATCH)
      await enqueue(env, events.slice(sent, sent + MAX_SEND_BATCH));
  } finally {
    await markRelayed(db, events.slice(0, sent));
  }
}

/** Enqueues at most {@link MAX_SEND_BATCH} events. */
async function enqueue(env: Env, events: readonly RecordedEvent[]): Promise<void> {
  // Search needs one message for each tenant: it indexes all of the tenant's changes.
  const indexed = events.filter(({ type }) => INDEXED.has(type)).map(({ tenantId }) => tenantId);
  const catchUps = [...new Set(indexed)].map((tenantId) => ({ body: { tenantId, catchUp: true as const } }));
  const queue: QueueName = 'webhook-events';
  const messages = events.map(({ tenantId, eventId }): { body: EventMessage } => ({
    body: { tenantId, eventId, queue },
  }));
  await Promise.all([
    catchUps.length > 0 ? env.SEARCH_QUEUE.sendBatch(catchUps) : undefined,
    env.WEBHOOK_QUEUE.sendBatch(messages),
  ]);
}

/** Relays events in the background. Never fails the call, because the change is committed. */
export function relayLater(ctx: TenantContext, events: readonly BatchEvent[]): void {
  if (events.length > 0) ctx.ctx.waitUntil(relayNow(ctx, events));
}

/** Relays a tenant's events, and wakes the calls that wait for them. Never fails. */
async function relayNow({ env, db, tenantId }: TenantContext, events: readonly BatchEvent[]): Promise<void> {
  const recorded = events.map((event) => ({ ...event, tenantId }));
  await Promise.all([
    announceEvents({ env, tenantId }, highestPositions(events)),
    relay(env, db, recorded).catch(() => log('relay_failed', { tenant: tenantId, events: recorded.length })),
  ]);
}

/** Returns the highest position of each type. */
function highestPositions(events: readonly BatchEvent[]): Record<string, number> {
  const highest: Record<string, number> = {};
  for (const { type, position } of events) highest[type] = Math.max(position, highest[type] ?? 0);
  return highest;
}

async function markRelayed(db: Database, events: readonly RecordedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const ids = jsonList(events.map(({ eventId }) => eventId));
  await db
    .update(outbox)
    .set({ relayedAt: now() })
    .where(and(sql`${outbox.id} IN (${ids})`, isNull(outbox.relayedAt)));
}

/** How long (ms) events gather after others have been relayed. */
const GATHER_MS = 100;
/** The most events that wait; `relayLostEvents` relays further ones. */
const MAX_WAITING = 5_000;

/**
 * Relays the events of an object that commits many small batches of one tenant: at once when it is quiet, otherwise
 * those of the last {@link GATHER_MS} together, so that they cost the database one statement and not one for each
 * batch. What is lost with the object, `relayLostEvents` relays.
 */
export class GatheredRelay {
  private waiting: BatchEvent[] = [];
  private relaying = false;

  /** Relays events in the background. Never fails. */
  add(ctx: TenantContext, events: readonly BatchEvent[]): void {
    if (events.length === 0) return;
    this.waiting.push(...events.slice(0, MAX_WAITING - this.waiting.length));
    if (!this.relaying) ctx.ctx.waitUntil(this.relayAll(ctx));
  }

  private async relayAll(ctx: TenantContext): Promise<void> {
    this.relaying = true;
    while (this.waiting.length > 0) {
      const events = this.waiting;
      this.waiting = [];
      await relayNow(ctx, events);
      await scheduler.wait(GATHER_MS);
    }
    this.relaying = false;
  }
}

/** An event that is still unrelayed after this time (ms) counts as lost. */
const LOST_AFTER_MS = 10_000;
/** The most events that one step relays. */
const MAX_EVENTS_PER_STEP = 500;

/** Chore that relays lost events, oldest first. */
export const relayLostEvents: Chore = async ({ env, db }) => {
  const lost = await db
    .select({ tenantId: outbox.tenantId, eventId: outbox.id, type: outbox.type })
    .from(outbox)
    .where(and(isNull(outbox.relayedAt), lt(outbox.occurredAt, now() - LOST_AFTER_MS), settled()))
    .orderBy(asc(outbox.occurredAt))
    .limit(MAX_EVENTS_PER_STEP);
  await relay(env, db, lost);
  return { more: lost.length < MAX_EVENTS_PER_STEP ? undefined : {} };
};
