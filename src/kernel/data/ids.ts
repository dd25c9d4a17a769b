import { type SQL, sql } from 'drizzle-orm';
import { type Database, run, type Statement } from './database.ts';

/**
 * Ids are unique over all shards, so that a tenant keeps them when it moves. A shard's sequences hold its number: those
 * of shard n are from (n − 1) · 2^38 on. Everything is computed in SQL, because a statement may be repeated at the
 * shard that a tenant has moved to.
 */

/** The sequences: products and variants share one, so that an id in the feed is unique. */
export type SequenceName =
  | 'item'
  | 'category'
  | 'customer'
  | 'application'
  | 'promotion'
  | 'webhook'
  | 'slot';

/**
 * The ids of a shard's range, as a power of two: a range outlasts 80 years of a hundred ids a second, and the ids of 64
 * shards stay below 2^44, as the places of products in the search index require.
 */
const RANGE_BITS = 38;

/** The largest id of a row, and the largest position: the last id of 64 shards. */
export const MAX_ID = 2 ** 44 - 1;

/**
 * Returns the next id of a sequence, to insert: the `row`-th of a statement that inserts several. The table's trigger
 * `…_sequence` advances the sequence with the row, so that nothing else has to be written.
 */
export const nextId = (name: Exclude<SequenceName, 'item' | 'category'>, row: SQL = sql`1`): SQL<number> =>
  sql<number>`(SELECT value FROM sequences WHERE name = ${name}) + ${row}`;

/** The tables whose rows have positions. */
export type PositionedTable = 'outbox' | 'stock_movements' | 'audit_log' | 'reservations';

/** The step between the positions that one shard gives, which is also the largest number of shards. */
export const POSITION_STEP = 64;
/** A literal: a bound number is a REAL, and its division has a fraction. */
const STEP = sql.raw(String(POSITION_STEP));

/**
 * Returns the next position in a table, to insert: the `row`-th of a statement that inserts several. It is above every
 * position that the table has ever had, rows of tenants that moved here included, and never used twice on any shard:
 * it equals the shard's number − 1 (mod 64). Later shards begin in their range, because the first one may have
 * positions of any remainder from the time when it was alone.
 */
export const nextPosition = (table: PositionedTable, row: SQL = sql`1`): SQL<number> =>
  sql<number>`(SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${table}), 0),
      (value >> ${RANGE_BITS} > 0) << ${RANGE_BITS}) / ${STEP} * ${STEP} + (value >> ${RANGE_BITS})
    FROM sequences WHERE name = 'item') + (${row}) * ${STEP}`;

/** Numbers the rows of an INSERT … SELECT in their order. */
export const EACH_ROW = sql`row_number() OVER ()`;

/**
 * Returns the statement that gives an empty database the ids of shard `number` (from 1). Belongs before the first row
 * that a tenant is given there; changes nothing later.
 */
export const claimIdRange = (db: Database, number: number): Statement =>
  run(db, sql`UPDATE sequences SET value = ${number - 1} << ${RANGE_BITS} WHERE value = 0`);

/** Returns the number of the shard whose range an id is in. */
export const shardOfId = (id: number): number => Math.floor(id / 2 ** RANGE_BITS) + 1;

/** Returns the number of the shard that gives a position. */
export const shardOfPosition = (position: number): number => (position % POSITION_STEP) + 1;

/** Returns the statement that advances a sequence past `id`, which is in the shard's range. */
export const reserveIds = (db: Database, name: SequenceName, id: number): Statement =>
  run(db, sql`UPDATE sequences SET value = ${id} WHERE name = ${name} AND value < ${id}`);

/** Returns the statements that advance a table's positions past `position`. */
export const reservePositions = (db: Database, table: PositionedTable, position: number): Statement[] => [
  run(db, sql`UPDATE sqlite_sequence SET seq = ${position} WHERE name = ${table} AND seq < ${position}`),
  run(
    db,
    sql`INSERT INTO sqlite_sequence (name, seq) SELECT ${table}, ${position}
      WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${table})`,
  ),
];
