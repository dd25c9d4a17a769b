import { DAY, now } from '../kernel/core/clock.ts';

/** The search database, or a session of it. */
export type SearchDatabase = D1Database | D1DatabaseSession;

/** How far a tenant's index has come: an instant of the tenant's clock, and a catalogue version. */
export interface Progress {
  readonly sequence: number;
  readonly version: number;
}

/** A rebuild that has not moved for this long (ms) is taken for lost: longer than any message waits. */
const MAX_SILENCE_MS = DAY;

/** The query for the catalogue version that a tenant's index has reached, as `version`; no row: none yet. */
export const reachedVersion = (db: SearchDatabase, tenantId: number): D1PreparedStatement =>
  db.prepare('SELECT version FROM search_progress WHERE tenant_id = ?1').bind(tenantId);

/** Reads how far a tenant's index has come. */
export async function readProgress(db: SearchDatabase, tenantId: number): Promise<Progress> {
  const query = db
    .prepare('SELECT sequence, version FROM search_progress WHERE tenant_id = ?1')
    .bind(tenantId);
  return (await query.first<Progress>()) ?? { sequence: 0, version: 0 };
}

/** The statement that notes how far an index has come; it never goes back. */
export const noteProgress = (
  db: SearchDatabase,
  tenantId: number,
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
 * Begins a rebuild under the name `run`, unless one is running: that one is followed by another then. It takes the
 * place of the one named `instead`, and of one that is lost. Returns whether it has begun; again for a retry.
 */
export async function beginRun(
  db: SearchDatabase,
  tenantId: number,
  run: string,
  instead: string | null,
): Promise<boolean> {
  const claim = `INSERT INTO search_progress (tenant_id, sequence, version, run, run_at) VALUES (?1, 0, 0, ?2, ?3)
    ON CONFLICT (tenant_id) DO UPDATE SET run = excluded.run, again = 0, run_at = excluded.run_at
      WHERE run IS NULL OR run IN (excluded.run, ?4) OR run_at < ?5`;
  const [, , current] = await db.batch<{ run: string | null }>([
    db.prepare(claim).bind(tenantId, run, now(), instead, now() - MAX_SILENCE_MS),
    db.prepare('UPDATE search_progress SET again = 1 WHERE tenant_id = ?1 AND run <> ?2').bind(tenantId, run),
    db.prepare('SELECT run FROM search_progress WHERE tenant_id = ?1').bind(tenantId),
  ]);
  return current?.results[0]?.run === run;
}

/** Notes that a rebuild goes on; returns whether it is still the one that runs. */
export async function keepRun(db: SearchDatabase, tenantId: number, run: string): Promise<boolean> {
  const sql = 'UPDATE search_progress SET run_at = ?3 WHERE tenant_id = ?1 AND run = ?2 RETURNING run';
  return (await db.prepare(sql).bind(tenantId, run, now()).first()) !== null;
}

/** Ends a rebuild that no other shall follow; returns whether it has ended. */
export async function endRun(db: SearchDatabase, tenantId: number, run: string): Promise<boolean> {
  const sql = `UPDATE search_progress SET run = NULL WHERE tenant_id = ?1 AND run = ?2 AND again = 0 RETURNING 1`;
  return (await db.prepare(sql).bind(tenantId, run).first()) !== null;
}
