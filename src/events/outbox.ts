import { and, asc, eq, is, isNull, lt, SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { id } from '../kernel/crypto/crypto.ts';
import { type Chore, deletes } from '../kernel/data/chore.ts';
import { type Database, database, jsonList, run, type Statement } from '../kernel/data/database.ts';
import { type EventType, type OutboxRow, outbox, type QueueName } from './tables.ts';

/** What the queue of webhooks carries: which event of which tenant, never what it says. */
export interface EventMessage {
  readonly tenantId: number;
  readonly eventId: string;
  /** The queue that it was sent to: both get the same, and a dead letter has to tell which. */
  readonly queue?: QueueName;
}

/** An event that a write wants to tell the world. */
export interface NewEvent {
  readonly type: EventType;
  readonly resource: string;
  /** The tenant's clock for this change, as `tick` gives it. */
  readonly sequence: SQL;
  /** The event's `data`: an object, or an expression that makes its JSON inside the batch. */
  readonly data: Readonly<Record<string, unknown>> | SQL;
}

/** The statement that puts an event into the outbox, for the batch of the change that it tells of. */
export const outboxRow = (db: Database, tenantId: number, batch: string, event: NewEvent): Statement =>
  run(
    db,
    sql`INSERT INTO ${outbox} (id, tenant_id, type, resource, sequence, data, occurred_at, batch)
    VALUES (${id('evt')}, ${tenantId}, ${event.type}, ${event.resource}, ${event.sequence},
      ${is(event.data, SQL) ? event.data : JSON.stringify(event.data)}, ${now()}, ${batch})`,
  );

/** The ids of a batch's events (or of several): the last statement of it, so that they can be relayed at once. */
export const batchEventIds = (db: Database, tenantId: number, batches: string | readonly string[]) =>
  db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.tenantId, tenantId), sql`${outbox.batch} IN (${jsonList([batches].flat())})`));

/** Tells the queues of events. What is lost here is found again by {@link relayLostEvents}. */
export async function relay(env: Env, messages: readonly EventMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += 100) {
    const some = messages.slice(start, start + 100);
    // One message makes search look at everything of a tenant that has changed.
    const changed = [...new Set(some.map(({ tenantId }) => tenantId))];
    const queue: QueueName = 'webhook-events';
    await Promise.all([
      env.SEARCH_QUEUE.sendBatch(changed.map((tenantId) => ({ body: { tenantId, catchUp: true } }))),
      env.WEBHOOK_QUEUE.sendBatch(some.map((message) => ({ body: { ...message, queue } }))),
    ]);
    await markRelayed(database(env), some);
  }
}

/** Relays beside the answer: the change is committed, so nothing here may fail the call. */
export function relayLater(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  tenantId: number,
  ids: readonly { id: string }[],
): void {
  const messages = ids.map(({ id: eventId }) => ({ tenantId, eventId }));
  ctx.waitUntil(
    relay(env, messages).catch(() =>
      console.warn(JSON.stringify({ event: 'relay_failed', tenant: tenantId, events: messages.length })),
    ),
  );
}

async function markRelayed(db: Database, messages: readonly EventMessage[]): Promise<void> {
  await db
    .update(outbox)
    .set({ relayedAt: now() })
    .where(and(among(messages.map((message) => message.eventId)), isNull(outbox.relayedAt)));
}

const among = (ids: readonly string[]): SQL => sql`${outbox.id} IN (${jsonList(ids)})`;

/** An event that was not relayed for this long (ms) was lost on the way. */
const LOST_AFTER_MS = 10_000;
/** So many lost events are relayed in one step. */
const RELAYED_AT_ONCE = 500;

/** The chore that relays what the queues were never told, oldest first. */
export const relayLostEvents: Chore = async ({ env }) => {
  const lost = await database(env)
    .select({ tenantId: outbox.tenantId, eventId: outbox.id })
    .from(outbox)
    .where(and(isNull(outbox.relayedAt), lt(outbox.occurredAt, now() - LOST_AFTER_MS)))
    .orderBy(asc(outbox.occurredAt))
    .limit(RELAYED_AT_ONCE);
  await relay(env, lost);
  return { more: lost.length < RELAYED_AT_ONCE ? undefined : {} };
};

/** An event, and at most how many bytes it takes to hand it over. */
export interface EventSize {
  readonly id: string;
  readonly type: EventType;
  readonly bytes: number;
}

/**
 * How large the events with these ids are, of this tenant alone, in the order in which they happened. A text is
 * handed over with one byte a character or two, so twice its UTF-8 is the most; its envelope comes on top.
 */
export const eventSizes = (db: Database, tenantId: number, ids: readonly string[]): Promise<EventSize[]> =>
  db
    .select({
      id: outbox.id,
      type: outbox.type,
      bytes: sql<number>`2 * length(CAST(${outbox.data} AS BLOB)) + 1024`,
    })
    .from(outbox)
    .where(and(eq(outbox.tenantId, tenantId), among(ids)))
    .orderBy(asc(outbox.occurredAt), asc(outbox.sequence));

/** The events with these ids, of this tenant alone, in the order in which they happened. */
export const eventsById = (db: Database, tenantId: number, ids: readonly string[]): Promise<OutboxRow[]> =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.tenantId, tenantId), among(ids)))
    .orderBy(asc(outbox.occurredAt), asc(outbox.sequence));

/** Events stay in the outbox for this long (ms) after the queues were told: longer than their retries take. */
const EVENT_AGE = 30 * DAY;

/** The chore that deletes old events that the queues were told of. */
export const forgetEvents = deletes(
  outbox,
  () => sql`occurred_at < ${now() - EVENT_AGE} AND relayed_at < ${now() - EVENT_AGE}`,
);
