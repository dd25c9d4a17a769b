import { DAY, now } from '../../kernel/core/clock.ts';
import { namedRows, type TenantIndex } from '../database.ts';

/** A tenant's indexing position: an instant of the tenant's clock (ms), and a catalogue version. */
export interface Progress {
  readonly sequence: number;
  readonly version: number;
}

/** A rebuild without a step for this long counts as lost; no message waits as long. */
const REBUILD_TIMEOUT_MS = DAY;

/** Returns the query for the catalogue `version` that the index has reached; no row before the first. */
export const reachedVersion = ({ db, tenantId }: TenantIndex): D1PreparedStatement =>
  db.prepare('SELECT version FROM search_progress WHERE tenant_id = ?1').bind(tenantId);

/** Reads a tenant's indexing position. */
export async function readProgress({ db, tenantId }: TenantIndex): Promise<Progress> {
  const query = db
    .prepare('SELECT sequence, version FROM search_progress WHERE tenant_id = ?1')
    .bind(tenantId);
  return (await query.first<Progress>()) ?? { sequence: 0, version: 0 };
}

/** Returns the statement that advances the indexing position; it never moves backwards. */
export const noteProgress = (
  { db, tenantId }: TenantIndex,
  { sequence, version }: Progress,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO search_progress (tenant_id, sequence, version) VALUES (?1, ?2, ?3)
      ON CONFLICT (tenant_id) DO UPDATE
        SET sequence = max(sequence, excluded.sequence), version = max(version, excluded.version)`,
    )
    .bind(tenantId, sequence, version);

/**
 * Begins the rebuild `run` in place of the rebuild `replaced` or of a lost one. If another one is running,
 * requests one more after it. Returns whether `run` is the running rebuild; a retry returns the same.
 */
export async function beginRun(
  { db, tenantId }: TenantIndex,
  run: string,
  replaced: string | null,
): Promise<boolean> {
  const claim = `INSERT INTO search_progress (tenant_id, sequence, version, run, run_at) VALUES (?1, 0, 0, ?2, ?3)
    ON CONFLICT (tenant_id) DO UPDATE SET run = excluded.run, again = 0, run_at = excluded.run_at
      WHERE run IS NULL OR run IN (excluded.run, ?4) OR run_at < ?5`;
  const requestAnother = 'UPDATE search_progress SET again = 1 WHERE tenant_id = ?1 AND run <> ?2';
  const { current } = await namedRows<{ claimed: never; requested: never; current: { run: string | null } }>(
    db,
    {
      claimed: db.prepare(claim).bind(tenantId, run, now(), replaced, now() - REBUILD_TIMEOUT_MS),
      requested: db.prepare(requestAnother).bind(tenantId, run),
      current: db.prepare('SELECT run FROM search_progress WHERE tenant_id = ?1').bind(tenantId),
    },
  );
  return current[0]?.run === run;
}

/** Records a step of a rebuild; returns whether it is still the running one. */
export async function keepRun({ db, tenantId }: TenantIndex, run: string): Promise<boolean> {
  const sql = 'UPDATE search_progress SET run_at = ?3 WHERE tenant_id = ?1 AND run = ?2 RETURNING run';
  return (await db.prepare(sql).bind(tenantId, run, now()).first()) !== null;
}

/** Ends a rebuild unless another one is requested; returns whether it has ended. */
export async function endRun({ db, tenantId }: TenantIndex, run: string): Promise<boolean> {
  const sql = `UPDATE search_progress SET run = NULL WHERE tenant_id = ?1 AND run = ?2 AND again = 0 RETURNING 1`;
  return (await db.prepare(sql).bind(tenantId, run).first()) !== null;
}
