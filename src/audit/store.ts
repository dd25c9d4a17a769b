import { and, count, desc, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../kernel/core/pagination.ts';
import { deletes } from '../kernel/data/chore.ts';
import { type Database, namedBatch } from '../kernel/data/database.ts';
import { AUDIT_ACTORS, type AuditRow, auditLog } from './tables.ts';

/** How long (ms) an entry is kept. */
const KEPT_FOR_MS = 365 * DAY;

/** What a list of entries is limited to. */
export interface AuditFilter {
  /** The tenant's id; all tenants of the database, and the platform itself, without one. */
  readonly tenant?: number | undefined;
  /** `platform`, `panel:7` for a person or `application:2` for an application. */
  readonly actor?: string | undefined;
  /** What was done: an operation id. */
  readonly action?: string | undefined;
  readonly kind?: string | undefined;
  /** From this instant on, and before that one (ms since the epoch). */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Entries older than the one with this id. */
  readonly before?: number | undefined;
}

const conditionOf = (filter: AuditFilter): SQL | undefined =>
  and(
    filter.tenant === undefined ? undefined : eq(auditLog.tenantId, filter.tenant),
    actorCondition(filter.actor),
    filter.action ? eq(auditLog.action, filter.action) : undefined,
    filter.kind ? eq(auditLog.subjectKind, filter.kind) : undefined,
    filter.from === undefined ? undefined : gte(auditLog.at, filter.from),
    filter.to === undefined ? undefined : lt(auditLog.at, filter.to),
    filter.before === undefined ? undefined : lt(auditLog.id, filter.before),
  );

/** Returns up to `limit` entries of one database that match a filter, newest first. */
export const matchingEntries = (db: Database, filter: AuditFilter, limit: number): Promise<AuditRow[]> =>
  db.select().from(auditLog).where(conditionOf(filter)).orderBy(desc(auditLog.id)).limit(limit);

/** What identifies an entry in every database: its id is unique in one only. */
export type EntryIdentity = Pick<AuditRow, 'tenantId' | 'at' | 'action' | 'requestId'>;

/** Returns the condition for an entry, by what identifies it. */
export const sameEntry = ({ tenantId, at, action, requestId }: EntryIdentity): SQL | undefined =>
  and(
    eq(auditLog.tenantId, tenantId),
    eq(auditLog.at, at),
    eq(auditLog.action, action),
    eq(auditLog.requestId, requestId),
  );

/** What a repeated run of a change records alike. */
type RepeatedEntry = Pick<
  AuditRow,
  'tenantId' | 'actorKind' | 'actorId' | 'action' | 'subjectKind' | 'changes'
>;

/** How long (ms) a change may be repeated: as long as its Idempotency-Key is kept. */
const REPEATED_FOR_MS = DAY;

/**
 * Returns the condition for the newest entry of the same change that doesn't name what was created. None if another entry
 * names it: then the one without a name is of another creation alike.
 */
export function unnamedEntry(entry: RepeatedEntry, created: string): SQL {
  const alike = [
    eq(auditLog.tenantId, entry.tenantId),
    eq(auditLog.action, entry.action),
    eq(auditLog.subjectKind, entry.subjectKind),
    gte(auditLog.at, now() - REPEATED_FOR_MS),
  ];
  const unnamed = and(
    ...alike,
    eq(auditLog.actorKind, entry.actorKind),
    entry.actorId === null ? isNull(auditLog.actorId) : eq(auditLog.actorId, entry.actorId),
    isNull(auditLog.subjectId),
    eq(auditLog.changes, entry.changes),
  );
  const named = and(...alike, eq(auditLog.subjectId, created));
  return sql`${auditLog.id} = (SELECT max(id) FROM ${auditLog} WHERE ${unnamed})
    AND NOT EXISTS (SELECT 1 FROM ${auditLog} WHERE ${named})`;
}

/** Returns the entries of a page and the one after it, newest first, and the number of all that match. */
export async function auditPage(
  db: Database,
  page: ListPage<number>,
  filter: AuditFilter,
): Promise<{ rows: readonly AuditRow[]; total: number }> {
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(auditLog)
      .where(conditionOf({ ...filter, before: page.after ?? undefined }))
      .orderBy(desc(auditLog.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    ...unlessCounted(page, db.select({ total: count() }).from(auditLog).where(conditionOf(filter))),
  });
  return { rows, total: totalIn(page, counted) };
}

function actorCondition(actor: string | undefined): SQL | undefined {
  if (!actor) return undefined;
  const [kind, id] = actor.split(':');
  const ofKind = AUDIT_ACTORS.find((one) => one === kind);
  if (!ofKind) return sql`0`;
  return and(eq(auditLog.actorKind, ofKind), id === undefined ? undefined : eq(auditLog.actorId, Number(id)));
}

/** Sweep of entries after a year. */
export const forgetAudit = deletes(auditLog, () => sql`${auditLog.at} < ${now() - KEPT_FOR_MS}`);
