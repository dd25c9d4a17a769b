import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ShardName } from '../shards/shard-names.ts';
import { type Database, namedBatch, rows, run } from './database.ts';
import { settled } from './fences.ts';
import type { Runtime } from './tenant-context.ts';

/** The scope of one message: the whole chore, one tenant, one item, or everything after a cursor. */
export interface Step {
  readonly tenantId?: number | undefined;
  readonly id?: string | undefined;
  readonly after?: number | string | undefined;
}

/** The messages to send after a step: one for each part, and one that continues the step. */
export interface NextSteps {
  readonly each?: readonly Step[];
  /** Dropped once the minute of its cron run is over; the next run continues then. */
  readonly more?: Step | undefined;
  /** How long (s) to wait before `more`. */
  readonly delaySeconds?: number;
}

/** What a step runs with: bindings, and the database that it works on, a shard or the directory. */
interface ChoreContext extends Runtime {
  readonly db: Database;
}

/** What a step on a shard runs with. */
export interface ShardContext extends ChoreContext {
  readonly shard: ShardName;
}

/**
 * Runs one step of background work on one database. A step makes at most a few hundred D1 queries and outgoing calls.
 * It may run twice, also concurrently. A step that throws is restarted by the next minute's cron.
 */
export type Chore<Context extends ChoreContext = ChoreContext> = (
  runtime: Context,
  step: Step,
) => Promise<NextSteps>;

/** Rows that are deleted once they match a condition. The table must have rowids. */
export interface Sweep {
  readonly table: SQLiteTable;
  readonly condition: () => SQL;
}

/** Returns what {@link sweepAll} deletes of a table. */
export const deletes = (table: SQLiteTable, condition: () => SQL): Sweep => ({ table, condition });

/** The most rows that one of several statements in a batch deletes: the batch holds up all that follows it. */
const MAX_ROWS_IN_BATCH = 100;
/** The most rows that one statement deletes, and the most statements of one step. */
const MAX_ROWS_PER_DELETE = 1_000;
const MAX_DELETES_PER_STEP = 10;

/**
 * Returns a chore that deletes what matches these sweeps. Its first step is one batch, since most have little or nothing
 * to delete. Each sweep that has more then gets steps of its own, at most 10,000 rows in each; so does every sweep when the
 * batch fails, so that one fails alone.
 */
export const sweepAll =
  (sweeps: Readonly<Record<string, Sweep>>): Chore =>
  async ({ db }, { id = '' }) => {
    const sweep = sweeps[id];
    if (!sweep) return { each: (await sweepTogether(db, sweeps)).map((name) => ({ id: name })) };
    return { more: (await deleteRows(db, sweep)) ? { id } : undefined };
  };

/** Returns the names of the sweeps that have more to delete. */
async function sweepTogether(db: Database, sweeps: Readonly<Record<string, Sweep>>): Promise<string[]> {
  const statements = Object.entries(sweeps).map(([name, sweep]) => [
    name,
    deletion(db, sweep, MAX_ROWS_IN_BATCH),
  ]);
  try {
    const deleted = await namedBatch<Record<string, ReturnType<typeof deletion>>>(
      db,
      Object.fromEntries(statements),
    );
    return Object.keys(sweeps).filter((name) => (deleted[name]?.meta.changes ?? 0) >= MAX_ROWS_IN_BATCH);
  } catch {
    return Object.keys(sweeps);
  }
}

/** Returns the statement that deletes a sweep's rows, but none of a tenant that is moving. */
function deletion(db: Database, { table, condition }: Sweep, limit: number) {
  const deletable = 'tenantId' in table ? sql`(${condition()}) AND ${settled()}` : condition();
  return run(
    db,
    sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${deletable} LIMIT ${limit})`,
  );
}

/** Deletes at most 10,000 rows of a sweep, but none of a tenant that is moving. Returns whether more may be left. */
export async function deleteRows(db: Database, sweep: Sweep): Promise<boolean> {
  for (let n = 0; n < MAX_DELETES_PER_STEP; n++) {
    const { meta } = await deletion(db, sweep, MAX_ROWS_PER_DELETE);
    if (meta.changes < MAX_ROWS_PER_DELETE) return false;
  }
  return true;
}

/** The most tenants of one step. */
export const MAX_TENANTS_PER_STEP = 100;

/** Returns a step for each tenant with rows of `due`: a table and its condition, after FROM. See {@link tenantSteps}. */
export async function stepsOfTenants(db: Database, due: SQL, { after = 0 }: Step): Promise<NextSteps> {
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT DISTINCT tenant_id AS id FROM ${due} AND tenant_id > ${Number(after)} AND ${settled()}
      ORDER BY 1 LIMIT ${MAX_TENANTS_PER_STEP}`,
  );
  return tenantSteps(found.map(({ id }) => id));
}

/** Returns a step for each tenant of a page, and a step for the next page if this one is full (`limit`). */
export const tenantSteps = (tenantIds: readonly number[], limit = MAX_TENANTS_PER_STEP): NextSteps => ({
  each: tenantIds.map((tenantId) => ({ tenantId })),
  more: tenantIds.length < limit ? undefined : { after: tenantIds.at(-1) },
});
