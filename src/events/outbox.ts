import { and, asc, eq, is, isNull, lt, SQL, sql } from 'drizzle-orm';
import { DAY, HOUR, now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import { type Chore, deletes } from '../kernel/data/chore.ts';
import {
  assertInBatch,
  type Database,
  jsonList,
  ofTenant,
  run,
  type Statement,
} from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import { EACH_ROW, nextPosition } from '../kernel/data/ids.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { announceEvents } from '../tenants/index.ts';
import { type EventType, type OutboxRow, outbox, type QueueName } from './tables.ts';

/** A message of the webhook queue: the event's id, never its data. */
export interface EventMessage {
  readonly tenantId: number;
  readonly eventId: string;
  /** The queue that it was sent to, so that a dead letter can be returned to it. */
  readonly queue?: QueueName;
}

/** An event to add to the outbox. */
export interface NewEvent {
  readonly type: EventType;
  /** The changed resource, or an SQL expression that computes it in the batch. */
  readonly resource: string | SQL;
  /** The tenant's clock for this change (see `clockTick`). */
  readonly sequence: SQL;
  /** The event's `data`: an object, or an SQL expression that computes its JSON in the batch. */
  readonly data: Readonly<Record<string, unknown>> | SQL;
}

/** The batch that a write's events and stock movements carry. */
export interface WriteBatch {
  readonly tenantId: number;
  readonly batch: string;
}

/** A new event's id: `evt_` and 96 random bits in hex. Made in SQL, because one statement may add many. */
const NEW_ID = sql.raw("'evt_' || lower(hex(randomblob(12)))");

/** Returns the statement that adds an event to the outbox. Belongs in the batch of its change. */
export const outboxRow = (db: Database, write: WriteBatch, event: NewEvent): Statement =>
  outboxRows(db, write, {
    type: event.type,
    events: sql`SELECT ${event.resource} AS resource, ${event.sequence} AS sequence,
      ${is(event.data, SQL) ? event.data : JSON.stringify(event.data)} AS data`,
  });

/** Returns the guard that rolls a batch back if the resource has an event of this type. */
export const firstEvent = (
  { db, tenantId }: TenantDatabase,
  { type, resource }: { readonly type: EventType; readonly resource: string },
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM outbox
      WHERE tenant_id = ${tenantId} AND resource = ${resource} AND type = ${type})`,
  );

/**
 * Returns the statement that adds an event of one type for each row of `events`, a query with the columns
 * `resource`, `sequence` and `data` (JSON). Belongs in the batch of its change.
 */
export const outboxRows = (
  db: Database,
  { tenantId, batch }: WriteBatch,
  { type, events }: { readonly type: EventType; readonly events: SQL },
): Statement =>
  run(
    db,
    sql`INSERT INTO ${outbox} (position, id, tenant_id, type, resource, sequence, data, occurred_at, batch)
    SELECT ${nextPosition('outbox', EACH_ROW)}, ${NEW_ID}, ${tenantId}, ${type}, resource, sequence, data, ${now()}, ${batch} FROM (${events})`,
  );

/** An event in the outbox that is still to be relayed. */
export interface RecordedEvent {
  readonly tenantId: number;
  readonly eventId: string;
  readonly type: EventType;
}

/** An event that a batch has just recorded. */
export type BatchEvent = Omit<RecordedEvent, 'tenantId'> & { readonly position: number };

/** The events that change what search returns of a product. Changes of categories notify search themselves. */
const INDEXED: ReadonlySet<EventType> = new Set<EventType>(['product.updated', 'stock.changed']);

/**
 * Returns the query for the events of one or more batches. Put it last in a batch, to relay them at once.
 */
export const batchEvents = ({ db, tenantId }: TenantDatabase, batches: readonly string[]) =>
  db
    .select({ eventId: outbox.id, type: outbox.type, position: outbox.position })
    .from(outbox)
    .where(and(eq(outbox.tenantId, tenantId), sql`${outbox.batch} IN (${jsonList(batches)})`));

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
export async function relayNow(
  { env, db, tenantId }: TenantContext,
  events: readonly BatchEvent[],
): Promise<void> {
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

async function markRelayed(db: Database, messages: readonly RecordedEvent[]): Promise<void> {
  if (messages.length === 0) return;
  await db
    .update(outbox)
    .set({ relayedAt: now() })
    .where(and(among(messages.map((message) => message.eventId)), isNull(outbox.relayedAt)));
}

const among = (ids: readonly string[]): SQL => sql`${outbox.id} IN (${jsonList(ids)})`;

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

/** An event with an upper bound of its size in an RPC message. */
export interface EventSize {
  readonly id: string;
  readonly type: EventType;
  readonly bytes: number;
}

/**
 * The columns of an event's size. RPC encodes a string with one or two bytes a UTF-16 unit, so twice its UTF-8 length,
 * plus the envelope, is an upper bound.
 */
const SIZE = {
  id: outbox.id,
  type: outbox.type,
  bytes: sql<number>`2 * length(CAST(${outbox.data} AS BLOB)) + 1024`,
};

/** Returns the sizes of the tenant's events with these ids, in commit order. */
export const eventSizes = ({ db, tenantId }: TenantDatabase, ids: readonly string[]): Promise<EventSize[]> =>
  db
    .select(SIZE)
    .from(outbox)
    .where(and(ofTenant(outbox.tenantId, tenantId), among(ids)))
    .orderBy(asc(outbox.position));

/** Returns the tenant's events with these ids, in commit order. */
export const eventsById = ({ db, tenantId }: TenantDatabase, ids: readonly string[]): Promise<OutboxRow[]> =>
  db
    .select()
    .from(outbox)
    .where(and(ofTenant(outbox.tenantId, tenantId), among(ids)))
    .orderBy(asc(outbox.position));

/** The most events of one gap that are looked at: the latest of those that the webhook gets. */
const MAX_EVENTS_PER_GAP = 100;

/** The events of a resource between two positions, both excluded. */
export interface EventGap {
  readonly resource: string;
  readonly after: number;
  readonly before: number;
}

/**
 * Returns the sizes of the tenant's events in these gaps, of these types and not older than `since` (ms), in commit
 * order: all of them may not fit into memory. The `+` keeps the index of resources: one has far fewer events than a
 * type.
 */
export const eventSizesInGaps = (
  { db, tenantId }: TenantDatabase,
  gaps: readonly EventGap[],
  { types, since }: { readonly types: readonly EventType[]; readonly since: number },
): Promise<EventSize[]> =>
  db
    .select(SIZE)
    .from(outbox)
    .where(sql`${outbox.position} IN (
      SELECT o.position FROM json_each(${JSON.stringify(gaps)}) g JOIN outbox o ON o.position IN (
        SELECT i.position FROM outbox i WHERE i.tenant_id = ${tenantId} AND i.resource = g.value ->> 'resource'
          AND i.position > g.value ->> 'after' AND i.position < g.value ->> 'before'
          AND +i.type IN (${jsonList(types)}) AND +i.occurred_at >= ${since}
        ORDER BY i.position DESC LIMIT ${MAX_EVENTS_PER_GAP}))`)
    .orderBy(asc(outbox.position));

/**
 * How long (ms) relayed events stay in the outbox: longer than any delivery is retried, and an hour longer than
 * a cursor of the feed is valid, since a write may take a moment from its `occurred_at` to its commit.
 */
const EVENT_RETENTION_MS = 30 * DAY + 2 * HOUR;

/** Sweep of old relayed events. */
export const forgetEvents = deletes(
  outbox,
  () => sql`occurred_at < ${now() - EVENT_RETENTION_MS} AND relayed_at < ${now() - EVENT_RETENTION_MS}`,
);
