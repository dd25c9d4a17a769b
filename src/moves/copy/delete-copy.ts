import { dropTriggers } from './change-log.ts';
import { AUDIT_LOG } from './directory-entries.ts';
import { conditionOf, MOVED_TABLES, type MovedTable, NOT_MOVED } from './moved-tables.ts';

/** The most rows of a table that one round deletes. */
const MAX_ROWS = 300;

/** The copy of a tenant on a shard, and the epoch of the step that deletes it. */
export interface Copy {
  readonly db: D1Database;
  readonly tenantId: number;
  readonly epoch: number;
  /** Whether it is in the directory's database. */
  readonly inDirectory: boolean;
}

/**
 * Deletes up to 300 rows of each table of a tenant's copy, the rows that others refer to last. Returns whether more may
 * be left. Aborts unless the shard's fence is of this step: a live tenant has none.
 */
export async function deleteRound({ db, tenantId, epoch, inDirectory }: Copy): Promise<boolean> {
  // Some may not be forwarded yet; `forwardAudit` deletes them.
  const tables = MOVED_TABLES.filter(({ name }) => !inDirectory || name !== AUDIT_LOG);
  const remove = (name: string, condition: string) =>
    db
      .prepare(
        `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE ${condition} LIMIT ${MAX_ROWS})`,
      )
      .bind(tenantId);
  const stillClaimed = db
    .prepare(
      `INSERT INTO guards (reason) SELECT 'stale' WHERE NOT EXISTS (
        SELECT 1 FROM tenant_fences WHERE tenant_id = ? AND state IN ('arriving', 'moved') AND epoch = ?)`,
    )
    .bind(tenantId, epoch);
  /** Deletes rows of these tables, last table first. Returns whether more may be left. */
  const removeFrom = async (some: readonly MovedTable[]): Promise<boolean> => {
    const results = await db.batch([
      stillClaimed,
      ...some.map((table) => remove(table.name, conditionOf(table))).reverse(),
      ...Object.keys(NOT_MOVED).map((name) => remove(name, 'tenant_id = ?1')),
    ]);
    return results.some(({ meta }) => meta.changes >= MAX_ROWS);
  };
  return (
    (await removeFrom(tables.filter(({ leads }) => !leads))) ||
    (await removeFrom(tables.filter(({ leads }) => leads)))
  );
}

/**
 * Claims a shard's fence for this step: `arriving` makes the shard a target, `moved` keeps an old copy closed. Returns
 * whether it is claimed: not if the tenant lives there, or a later step has changed the fence.
 */
export async function claimFence(
  { db, tenantId, epoch }: Copy,
  state: 'arriving' | 'moved',
): Promise<boolean> {
  const row = await db
    .prepare(
      `INSERT INTO tenant_fences (tenant_id, state, epoch) VALUES (?1, ?2, ?3)
      ON CONFLICT (tenant_id) DO UPDATE SET state = excluded.state, epoch = excluded.epoch
        WHERE epoch <= excluded.epoch AND state IN ('arriving', 'moved') RETURNING 1`,
    )
    .bind(tenantId, state, epoch)
    .first();
  return row !== null;
}

/** Deletes the fence of a shard that has no row of the tenant any more, and what noted its changes. */
export async function endCopy({ db, tenantId, epoch }: Copy): Promise<void> {
  await dropTriggers(db, tenantId);
  await db.batch([
    db.prepare('DELETE FROM move_changes WHERE tenant_id = ?').bind(tenantId),
    db
      .prepare("DELETE FROM tenant_fences WHERE tenant_id = ? AND epoch <= ? AND state <> 'live'")
      .bind(tenantId, epoch),
  ]);
}
