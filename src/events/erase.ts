import { desc, type SQL, sql } from 'drizzle-orm';
import { slicesBySize } from '../kernel/core/lists.ts';
import { assertInBatch, jsonList, ofTenant, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { NAMES_PERSONS, type OutboxRow, outbox } from './tables.ts';

const about = (tenantId: number, resources: SQL): SQL =>
  sql`tenant_id = ${tenantId} AND ${sql.raw(NAMES_PERSONS)} AND resource IN (${resources})`;

/** Events that may contain personal data: their ids, and the position of the last one; 0 without any. */
export interface EventsOfPerson {
  readonly ids: readonly string[];
  readonly last: number;
}

/** Returns the events about these resources (a query of their names) that may contain personal data. */
export async function eventsOfPerson(
  { db, tenantId }: TenantDatabase,
  resources: SQL,
): Promise<EventsOfPerson> {
  const { id, position } = outbox;
  const rows = await db
    .select({ id, position })
    .from(outbox)
    .where(about(tenantId, resources))
    .orderBy(position);
  return { ids: rows.map((row) => row.id), last: rows.at(-1)?.position ?? 0 };
}

/** Returns the guard that rolls a batch back if these resources have an event after a position. */
export const noEventsAfter = (
  { db, tenantId }: TenantDatabase,
  resources: SQL,
  { last }: EventsOfPerson,
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM outbox WHERE ${about(tenantId, resources)} AND position > ${last})`,
  );

/**
 * Returns the statement that replaces the data of events about these resources by an SQL expression over
 * `data`.
 */
export const redactEvents = ({ db, tenantId }: TenantDatabase, resources: SQL, data: SQL): Statement =>
  run(db, sql`UPDATE outbox SET data = ${data} WHERE ${about(tenantId, resources)}`);

/** Returns the query for those of these resources that have an event whose `data` meets an SQL condition. */
export const resourcesWith = ({ tenantId }: TenantDatabase, resources: SQL, condition: SQL): SQL =>
  sql`SELECT resource FROM outbox WHERE ${about(tenantId, resources)} AND ${condition}`;

/** An event with its data. */
type PersonalEvent = Pick<OutboxRow, 'id' | 'type' | 'occurredAt' | 'data'>;

/** The most bytes of events that are read at once, unless a single one has more. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** Yields the newest events about these resources that may contain personal data, at most `limit`. */
export async function* personalEvents(
  { db, tenantId }: TenantDatabase,
  resources: SQL,
  limit: number,
): AsyncGenerator<PersonalEvent, void> {
  const newest = [desc(outbox.occurredAt), desc(outbox.id)];
  const places = await db
    .select({ position: outbox.position, bytes: sql<number>`octet_length(${outbox.data})` })
    .from(outbox)
    .where(about(tenantId, resources))
    .orderBy(...newest)
    .limit(limit);
  for (const slice of slicesBySize(places, MAX_READ_BYTES, ({ bytes }) => bytes)) {
    const positions = slice.map(({ position }) => position);
    yield* await db
      .select({ id: outbox.id, type: outbox.type, occurredAt: outbox.occurredAt, data: outbox.data })
      .from(outbox)
      .where(sql`${ofTenant(outbox.tenantId, tenantId)} AND ${outbox.position} IN (${jsonList(positions)})`)
      .orderBy(...newest);
  }
}
