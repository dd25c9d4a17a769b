import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ShardName } from '../shards/shard-names.ts';
import { type Database, run } from './database.ts';
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
}

/** What a step runs with: bindings, and the database that it works on, a shard or the directory. */
export interface ChoreContext extends Runtime {
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

/** The most rows that one statement deletes, and the most statements of one step. */
const MAX_ROWS_PER_DELETE = 1_000;
const MAX_DELETES_PER_STEP = 10;

/**
 * Returns a chore that deletes the rows of a table that match `condition`, at most 10,000 in a step, until
 * none is left. The table must have rowids.
 */
export const deletes =
  (table: SQLiteTable, condition: () => SQL): Chore =>
  async ({ db }) => ({ more: (await deleteRows(db, table, condition())) ? {} : undefined });

/**
 * Deletes at most 10,000 rows of a table with rowids, but none of a tenant that is moving. Returns whether more may be
 * left.
 */
export async function deleteRows(db: Database, table: SQLiteTable, condition: SQL): Promise<boolean> {
  const deletable = 'tenantId' in table ? sql`(${condition}) AND ${settled()}` : condition;
  for (let n = 0; n < MAX_DELETES_PER_STEP; n++) {
    const { meta } = await run(
      db,
      sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${deletable}
        LIMIT ${MAX_ROWS_PER_DELETE})`,
    );
    if (meta.changes < MAX_ROWS_PER_DELETE) return false;
  }
  return true;
}

/** Returns a step for each tenant of a page, and a step for the next page if this one is full (`limit`). */
export const tenantSteps = (tenantIds: readonly number[], limit: number): NextSteps => ({
  each: tenantIds.map((tenantId) => ({ tenantId })),
  more: tenantIds.length < limit ? undefined : { after: tenantIds.at(-1) },
});
