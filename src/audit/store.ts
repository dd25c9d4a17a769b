import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import type { Database } from '../kernel/data/database.ts';
import { type AuditRow, auditLog } from './tables.ts';

/** How long (ms) an entry is kept. */
const KEPT_FOR_MS = 365 * DAY;

/** What a list of entries is limited to. */
export interface AuditFilter {
  /** The tenant's id or slug; all tenants, and the platform itself, without one. */
  readonly tenant?: number | string;
  /** `platform` for the super-admin, or the id of a panel user. */
  readonly actor?: string;
  readonly kind?: string;
  /** From this day on, and up to the end of this day (UTC, `2026-11-22`). */
  readonly from?: string;
  readonly to?: string;
  /** Entries older than the one with this id. */
  readonly before?: number;
}

/** Entries, newest first, and whether older ones match as well. */
export interface AuditPage {
  readonly entries: readonly (AuditRow & { readonly tenant: string | null })[];
  readonly older: boolean;
}

/** Returns the start of a day in UTC (ms), `null` if it is none. */
const startOf = (day: string): number | null => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

/** Returns up to `limit` entries that match a filter. A part of the filter that is malformed is ignored. */
export async function listAudit(db: Database, filter: AuditFilter, limit: number): Promise<AuditPage> {
  const [from, to] = [startOf(filter.from ?? ''), startOf(filter.to ?? '')];
  const conditions: (SQL | undefined)[] = [
    tenantCondition(filter.tenant),
    actorCondition(filter.actor),
    filter.kind ? eq(auditLog.subjectKind, filter.kind) : undefined,
    from === null ? undefined : gte(auditLog.at, from),
    to === null ? undefined : lt(auditLog.at, to + DAY),
    filter.before === undefined ? undefined : lt(auditLog.id, filter.before),
  ];
  const slug = sql<string | null>`(SELECT slug FROM tenants WHERE tenants.id = ${auditLog.tenantId})`;
  const rows = await db
    .select({ entry: auditLog, tenant: slug.as('tenant') })
    .from(auditLog)
    .where(and(...conditions))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  const entries = rows.slice(0, limit).map(({ entry, tenant }) => ({ ...entry, tenant }));
  return { entries, older: rows.length > limit };
}

const tenantCondition = (tenant: number | string | undefined): SQL | undefined => {
  if (tenant === undefined) return undefined;
  return typeof tenant === 'number'
    ? eq(auditLog.tenantId, tenant)
    : sql`${auditLog.tenantId} = (SELECT id FROM tenants WHERE slug = ${tenant})`;
};

function actorCondition(actor: string | undefined): SQL | undefined {
  if (!actor) return undefined;
  if (actor === 'platform') return eq(auditLog.actorKind, 'platform');
  return eq(auditLog.actorId, /^\d{1,15}$/.test(actor) ? Number(actor) : -1);
}

/** Chore that deletes entries after a year. */
export const forgetAudit = deletes(auditLog, () => sql`${auditLog.at} < ${now() - KEPT_FOR_MS}`);
