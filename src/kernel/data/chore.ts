import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Runtime } from '../http/context.ts';
import { type Database, database, run } from './database.ts';

/** The part of a chore that one message asks for: the whole, one tenant's, one thing's, or what follows `after`. */
export interface Step {
  readonly tenantId?: number | undefined;
  readonly id?: string | undefined;
  readonly after?: number | string | undefined;
}

/** What remains after a step: a message for each part, and one to continue the step itself. */
export interface Next {
  readonly each?: readonly Step[];
  /** Dropped once the minute of its cron has passed: the next minute's cron continues then. */
  readonly more?: Step | undefined;
}

/**
 * One step of background work. A step makes at most a few hundred D1 queries and outgoing calls, may run
 * twice and beside itself, and throws to be started anew by the next minute's cron.
 */
export type Chore = (runtime: Runtime, step: Step) => Promise<Next>;

/** So many rows are deleted by one statement, and so many statements are run in one step. */
const DELETED_ROWS = 1_000;
const DELETE_STATEMENTS = 10;

/**
 * Returns a chore that deletes the rows of a table for which `condition` holds, at most 10,000 in a step, and
 * continues until none is left. The table has rowids.
 */
export const deletes =
  (table: SQLiteTable, condition: () => SQL): Chore =>
  async ({ env }) => ({ more: (await deleteRows(database(env), table, condition())) ? {} : undefined });

/** Deletes at most 10,000 rows of a table with rowids; returns whether there may be more. */
export async function deleteRows(db: Database, table: SQLiteTable, condition: SQL): Promise<boolean> {
  for (let n = 0; n < DELETE_STATEMENTS; n++) {
    const { meta } = await run(
      db,
      sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition}
        LIMIT ${DELETED_ROWS})`,
    );
    if (meta.changes < DELETED_ROWS) return false;
  }
  return true;
}

/** Returns the steps for the tenants that a query finds, and the step for those after a full page of `limit`. */
export const tenantSteps = (tenantIds: readonly number[], limit: number): Next => ({
  each: tenantIds.map((tenantId) => ({ tenantId })),
  more: tenantIds.length < limit ? undefined : { after: tenantIds.at(-1) },
});
