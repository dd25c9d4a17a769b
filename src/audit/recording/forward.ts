import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { type Chore, MAX_TENANTS_PER_STEP, tenantSteps } from '../../kernel/data/chore.ts';
import { batch, database, directory, jsonList, run, type Statement } from '../../kernel/data/database.ts';
import { nextPosition } from '../../kernel/data/ids.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { shardOf } from '../../kernel/shards/shard-map.ts';
import { mainDatabases, type ShardName, shardNames } from '../../kernel/shards/shard-names.ts';
import { sameEntry } from '../store.ts';
import { type AuditRow, auditLog } from '../tables.ts';
import { trimStatement } from './trim.ts';

/** The most entries that are forwarded at once. */
const MAX_FORWARDED = 50;

/** Returns the shard whose rows are in the directory's database, or null if all shards are bound apart. */
function directoryShard(env: Env): ShardName | null {
  const [first] = shardNames(env);
  return first && mainDatabases(env).length === shardNames(env).length ? first : null;
}

/**
 * Returns the condition that an entry in the directory's database belongs to another one: of one tenant, or of all. Where
 * the directory is a shard too, those of its own tenants stay, and those that come with a moving tenant are part of its
 * copy.
 */
function misplaced(env: Env, tenantId: number | null): SQL {
  const own = directoryShard(env);
  const among = tenantId === null ? sql`TRUE` : sql`tenant_id = ${tenantId}`;
  return own === null
    ? sql`tenant_id > 0`
    : sql`tenant_id IN (SELECT tenant_id FROM placements WHERE shard <> ${own} AND ${among})
        AND tenant_id NOT IN (SELECT tenant_id FROM tenant_fences WHERE state = 'arriving')`;
}

/** Reads a tenant's entries from its shard: at once, and again if some had yet to be forwarded to it. */
export async function readForwarded<T>(env: Env, tenantId: number, read: () => Promise<T>): Promise<T> {
  const [forwarded, found] = await Promise.all([forwardEntries(env, tenantId), read()]);
  return forwarded ? read() : found;
}

/**
 * Forwards a tenant's entries to its shard. Those of changes to its people are written in the directory, in the batch
 * of their change. Returns whether there were any. Safe to repeat and to run concurrently.
 */
export async function forwardEntries(env: Env, tenantId: number): Promise<boolean> {
  if ((await shardOf(env, tenantId)) === directoryShard(env)) return false;
  const entries = await directory(env)
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.tenantId, tenantId), misplaced(env, tenantId)))
    .orderBy(asc(auditLog.id))
    .limit(MAX_FORWARDED);
  if (entries.length > 0) await forward(env, entries);
  return entries.length > 0;
}

/**
 * Chore on the directory that forwards the entries of all tenants. Each tenant has messages of its own, so that one whose
 * shard can't be reached stops no other.
 */
export const forwardAudit: Chore = async ({ env, db }, { tenantId, after = 0 }) => {
  if (shardNames(env).length === 1) return {};
  if (tenantId !== undefined)
    return { more: (await forwardEntries(env, tenantId)) ? { tenantId } : undefined };
  const found = await db
    .selectDistinct({ id: auditLog.tenantId })
    .from(auditLog)
    .where(and(gt(auditLog.tenantId, Number(after)), misplaced(env, null)))
    .orderBy(asc(auditLog.tenantId))
    .limit(MAX_TENANTS_PER_STEP);
  return tenantSteps(found.map(({ id }) => id));
};

/** Writes entries of one tenant on its shard, and then deletes them from the directory. */
async function forward(env: Env, entries: readonly AuditRow[]): Promise<void> {
  const [{ tenantId } = { tenantId: 0 }] = entries;
  const ctx = { db: database(env, tenantId), tenantId };
  const kinds = new Set(entries.map(({ actorKind }) => actorKind));
  await batch(ctx.db, [
    ...entries.map((entry) => copyStatement(ctx, entry)),
    ...[...kinds].map((actorKind) => trimStatement(ctx.db, { tenantId, actorKind, written: entries.length })),
  ]);
  await directory(env)
    .delete(auditLog)
    .where(sql`${auditLog.id} IN (${jsonList(entries.map(({ id }) => id))})`);
}

/** Returns the statement that writes an entry unless an earlier run has. */
const copyStatement = ({ db, tenantId }: TenantDatabase, { id: _, ...entry }: AuditRow): Statement =>
  run(
    db,
    sql`INSERT INTO audit_log (id, tenant_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id,
        subject_name, changes, request_id)
      SELECT ${nextPosition('audit_log')}, ${tenantId}, ${entry.at}, ${entry.actorKind}, ${entry.actorId}, ${entry.actorName}, ${entry.action},
        ${entry.subjectKind}, ${entry.subjectId}, ${entry.subjectName}, ${JSON.stringify(entry.changes)},
        ${entry.requestId}
      WHERE NOT EXISTS (SELECT 1 FROM audit_log WHERE ${sameEntry(entry)})`,
  );
