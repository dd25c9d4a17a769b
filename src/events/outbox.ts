import { and, asc, eq, is, SQL, sql } from 'drizzle-orm';
import { DAY, HOUR, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import {
  assertInBatch,
  type Database,
  jsonList,
  ofTenant,
  run,
  type Statement,
} from '../kernel/data/database.ts';
import { EACH_ROW, nextPosition } from '../kernel/data/ids.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { type EventType, type OutboxRow, outbox } from './tables.ts';

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

/**
 * Returns the query for the events of one or more batches. Put it last in a batch, to relay them at once.
 */
export const batchEvents = ({ db, tenantId }: TenantDatabase, batches: readonly string[]) =>
  db
    .select({ eventId: outbox.id, type: outbox.type, position: outbox.position })
    .from(outbox)
    .where(and(eq(outbox.tenantId, tenantId), sql`${outbox.batch} IN (${jsonList(batches)})`));

const among = (ids: readonly string[]): SQL => sql`${outbox.id} IN (${jsonList(ids)})`;

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
