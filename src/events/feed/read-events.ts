import { asc, type SQL, sql } from 'drizzle-orm';
import { DAY, HOUR, now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { jsonList, namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { EVENT_TYPES, type EventType, type OutboxRow, outbox } from '../tables.ts';

/** How long (ms) a position can be continued from, and how old the first event of a new reader is at most. */
const POSITION_RETENTION_MS = 30 * DAY;
/**
 * How much longer (ms) a position amid the events can be continued from: without it, a new reader's first page could
 * end at a position that expires at once. The outbox keeps events an hour longer than that.
 */
const CATCH_UP_MS = HOUR;
/** Data of one page (bytes), unless a single event has more; a D1 row has at most 2 MB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** How far a reader has come: every event up to `position` was read, or is of a type that was not asked for. */
export interface FeedPosition {
  readonly position: number;
  /** The id of the event at `position`; "" before the first. */
  readonly eventId: string;
  /** The position can be continued from for {@link POSITION_RETENTION_MS} after this (ms). */
  readonly since: number;
}

/** Where reading begins: with the oldest event. */
const START = { position: 0, eventId: '' };

/** The events to read. */
interface FeedRequest {
  readonly after: FeedPosition | null;
  readonly types: readonly EventType[];
  readonly limit: number;
}

/** Events in commit order, and where to continue. */
export interface FeedPage {
  readonly events: readonly OutboxRow[];
  readonly next: FeedPosition;
}

/**
 * Reads the next events of these types in commit order. Fails with `cursor_expired` when events after the
 * position may have been deleted, or when the database was restored to a time before it. Costs a few index
 * lookups for each type, however many events of other types lie between.
 */
export async function readEvents(ctx: TenantDatabase, request: FeedRequest): Promise<Result<FeedPage>> {
  const { db } = ctx;
  const { after } = request;
  const readAt = now();
  if (after && after.since < readAt - POSITION_RETENTION_MS) return fail('cursor_expired');
  const wanted = positionsOf(ctx, request, after ? 0 : readAt - POSITION_RETENTION_MS);
  const { events, counted, newest, lost } = await namedBatch(db, {
    events: db
      .select()
      .from(outbox)
      .where(sql`${outbox.position} IN (${withinBytes(wanted)})`)
      .orderBy(asc(outbox.position)),
    counted: rows<{ wanted: number }>(db, sql`SELECT count(*) AS wanted FROM (${wanted})`),
    newest: rows<{ position: number; eventId: string }>(db, newestEvent(ctx)),
    lost: rows<{ lost: number }>(db, wasLost(ctx, after ?? START)),
  });
  if (lost[0]?.lost) return fail('cursor_expired');
  const last = events.at(-1);
  const isCut = last && (events.length >= request.limit || events.length < (counted[0]?.wanted ?? 0));
  if (isCut) {
    const since = Math.min(last.occurredAt + CATCH_UP_MS, readAt);
    return ok({ events, next: { position: last.position, eventId: last.id, since } });
  }
  const read = after ?? START;
  const end = newest[0] && newest[0].position > read.position ? newest[0] : read;
  return ok({ events, next: { position: end.position, eventId: end.eventId, since: readAt } });
}

/** Returns the position after everything that has happened. */
export async function latestPosition(ctx: TenantDatabase): Promise<FeedPosition> {
  const since = now();
  const [newest] = await rows<{ position: number; eventId: string }>(ctx.db, newestEvent(ctx));
  return { ...(newest ?? START), since };
}

/** Returns the query for the next events' positions, by the index of each type; none is older than `from` (ms). */
const positionsOf = (
  { tenantId }: TenantDatabase,
  { after, types, limit }: FeedRequest,
  from: number,
): SQL => sql`
  SELECT o.position FROM json_each(${JSON.stringify(types)}) t JOIN outbox o ON o.position IN (
    SELECT i.position FROM outbox i
      WHERE i.tenant_id = ${tenantId} AND i.type = t.value AND i.position > ${after?.position ?? 0}
        AND i.occurred_at >= ${from}
      ORDER BY i.position LIMIT ${limit})
  ORDER BY o.position LIMIT ${limit}`;

/** Returns the query for the first of these positions whose data together fits into a page; at least one. */
const withinBytes = (positions: SQL): SQL => sql`
  SELECT position FROM (
    SELECT o.position, row_number() OVER earlier AS number,
      sum(length(CAST(o.data AS BLOB))) OVER earlier AS bytes
    FROM outbox o WHERE o.position IN (${positions}) WINDOW earlier AS (ORDER BY o.position))
  WHERE number = 1 OR bytes <= ${MAX_PAGE_BYTES}`;

/** Returns the query for the tenant's newest event. */
const newestEvent = ({ tenantId }: TenantDatabase): SQL => sql`
  SELECT position, id AS eventId FROM outbox WHERE position = (
    SELECT max((SELECT max(i.position) FROM outbox i WHERE i.tenant_id = ${tenantId} AND i.type = t.value))
    FROM (${jsonList(EVENT_TYPES)}) t)`;

/**
 * Returns the query that tells whether a position was lost by a restore of the database: another event has it,
 * or it was not assigned yet.
 */
const wasLost = (
  { tenantId }: TenantDatabase,
  { position, eventId }: Omit<FeedPosition, 'since'>,
): SQL => sql`
  SELECT ${position} > 0 AND (
    EXISTS (SELECT 1 FROM outbox WHERE position = ${position} AND (tenant_id <> ${tenantId} OR id <> ${eventId}))
    OR ${position} > (SELECT seq FROM sqlite_sequence WHERE name = 'outbox')) AS lost`;
