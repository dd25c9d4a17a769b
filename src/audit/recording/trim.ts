import { type SQL, sql } from 'drizzle-orm';
import { type Database, run, type Statement } from '../../kernel/data/database.ts';
import { POSITION_STEP } from '../../kernel/data/ids.ts';
import type { AuditRow } from '../tables.ts';

/**
 * The entries that a tenant keeps of people and the platform, and those of its applications, so that no token can
 * push out what a person did. Up to {@link TRIM_INTERVAL} more are there until the oldest are deleted.
 */
const MAX_ENTRIES = { people: 10_000, applications: 2_000 };
const TRIM_INTERVAL = 64;

/** The entries of one tenant to trim, after a batch has written the newest of them. */
export interface Trimmed {
  readonly tenantId: number | SQL<number>;
  readonly actorKind: AuditRow['actorKind'];
  /** How many entries the batch wrote at most. */
  readonly written: number;
}

/**
 * Returns the statement that deletes the oldest entries of a tenant and of an actor's kind. It belongs behind the
 * entries that a batch writes. It looks for the oldest only once in {@link TRIM_INTERVAL} positions, whichever tenant
 * has the entries at these.
 */
export function trimStatement(db: Database, { tenantId, actorKind, written }: Trimmed): Statement {
  const [most, group] =
    actorKind === 'application'
      ? [MAX_ENTRIES.applications, sql`actor_kind = 'application'`]
      : [MAX_ENTRIES.people, sql`actor_kind <> 'application'`];
  const own = sql`tenant_id = ${tenantId} AND ${group}`;
  const newest = (offset: number) =>
    sql`(SELECT id FROM audit_log WHERE ${own} ORDER BY id DESC LIMIT 1 OFFSET ${offset})`;
  const interval = sql`(SELECT max(id) - max(id) % ${POSITION_STEP * TRIM_INTERVAL} FROM audit_log)`;
  return run(
    db,
    sql`DELETE FROM audit_log WHERE ${own} AND id <= CASE
      WHEN ${interval} > ${newest(written)} THEN ${newest(most)} ELSE -1 END`,
  );
}
