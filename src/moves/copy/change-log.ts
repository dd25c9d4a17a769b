import { largeBytes, ROWS_PER_PAGE, smallRowsFor } from '../../transfer/index.ts';
import type { Value } from '../progress.ts';
import { MOVED_NAMES, movedTable } from './moved-tables.ts';
import { type CopyContext, columnsOf, logKey, ownerOf, type Schema } from './shard-rows.ts';

/** A changed row that is still to be copied. */
export interface Change {
  readonly id: number;
  readonly name: string;
  readonly key: readonly Value[];
}

/** The clock of a database (ms): a held tenant must not depend on the clock of another machine. */
export const DATABASE_CLOCK = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const OPERATIONS = { insert: ['new'], update: ['old', 'new'], delete: ['old'] } as const;

/**
 * Tables that take rows of a tenant which has moved: where the directory is the shard that it left, entries of changes
 * to its people are still written there. A change of anything else has a row in another table.
 */
const UNSEALED = new Set(['audit_log']);

const refuseMoved = (tenantId: number): string =>
  `SELECT RAISE(ABORT, 'tenant_moved') FROM tenant_fences WHERE tenant_id = ${tenantId} AND state = 'moved';`;

const triggerName = (tenantId: number, table: string, operation: string): string =>
  `"move_${tenantId}_${table}_${operation}"`;

/**
 * Creates the triggers of a moving tenant on the shard that it leaves: they note each row that changes, refuse writes
 * while the tenant is held, and refuse them for good once it has moved. They name the tenant, so that other tenants pay
 * a comparison of a number for each row they write. Throws if a later step has changed the shard's fence: the one that
 * cancels has deleted the triggers.
 */
export const createTriggers = (ctx: CopyContext, schema: Schema): Promise<unknown> =>
  ctx.source.batch([
    ctx.source
      .prepare(
        `INSERT INTO guards (reason) SELECT 'stale' WHERE EXISTS (
          SELECT 1 FROM tenant_fences WHERE tenant_id = ? AND epoch > ?)`,
      )
      .bind(ctx.tenantId, ctx.epoch),
    ...triggerStatements(ctx, schema),
  ]);

const triggerStatements = ({ source, tenantId }: CopyContext, schema: Schema): D1PreparedStatement[] =>
  MOVED_NAMES.flatMap((name) => {
    const table = movedTable(name);
    const key = logKey(table, columnsOf(schema, name));
    const owner = ownerOf(table);
    return Object.entries(OPERATIONS).map(([operation, versions]) => {
      const isTenants = versions.map((row) => `${row}.${owner} = ${tenantId}`).join(' OR ');
      const notes = versions.map((row) => {
        const value = `json_array(${key.map((column) => `${row}."${column}"`).join(', ')})`;
        return `DELETE FROM move_changes WHERE tenant_id = ${tenantId} AND name = '${name}' AND key = ${value};
          INSERT INTO move_changes (tenant_id, name, key) VALUES (${tenantId}, '${name}', ${value});`;
      });
      return source.prepare(
        `CREATE TRIGGER IF NOT EXISTS ${triggerName(tenantId, name, operation)}
        AFTER ${operation} ON ${name} WHEN ${isTenants} BEGIN
          ${UNSEALED.has(name) ? '' : refuseMoved(tenantId)}
          SELECT RAISE(ABORT, 'tenant_moving') FROM tenant_fences
            WHERE tenant_id = ${tenantId} AND state = 'held' AND held_until > ${DATABASE_CLOCK};
          ${notes.join('\n')}
        END`,
      );
    });
  });

/** How many triggers a moving tenant has. A migration that rebuilds a table deletes those of the table. */
export const TRIGGER_COUNT = MOVED_NAMES.length * Object.keys(OPERATIONS).length;

/** Returns the query for the names of a tenant's triggers on a shard. */
export const triggersOf = (db: D1Database, tenantId: number): D1PreparedStatement =>
  db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1")
    .bind(`move_${tenantId}_`);

/** Deletes a tenant's triggers on a shard. */
export async function dropTriggers(db: D1Database, tenantId: number): Promise<void> {
  const { results } = await triggersOf(db, tenantId).all<{ name: string }>();
  if (results.length > 0) {
    await db.batch(results.map(({ name }) => db.prepare(`DROP TRIGGER IF EXISTS "${name}"`)));
  }
}

/** The most that are counted: a busy shop may have hundreds of thousands, and every round counts them. */
const MAX_COUNTED = 1_000;

/** Returns the bytes of the large columns of a changed row (`c`), as SQL: null where it is gone or has none. */
const bytesOfChanged = (schema: Schema): string => {
  const sizes = MOVED_NAMES.flatMap((name) => {
    const table = movedTable(name);
    if (table.sized === undefined) return [];
    const key = logKey(table, columnsOf(schema, name));
    const same = key.map((column, n) => `${name}."${column}" = c.key ->> ${n}`).join(' AND ');
    return [`WHEN '${name}' THEN (SELECT ${largeBytes(table.sized)} FROM ${name} WHERE ${same})`];
  });
  return `CASE c.name ${sizes.join(' ')} END`;
};

/**
 * Reads the oldest changes, as many as a page may have of their rows: large ones are fewer. Returns also how many are
 * left in all, up to {@link MAX_COUNTED}.
 */
export async function readChanges(
  { source, tenantId }: CopyContext,
  schema: Schema,
): Promise<{ readonly changes: readonly Change[]; readonly total: number }> {
  const [page, counted] = await source.batch<Record<string, string | number | null>>([
    source
      .prepare(
        `SELECT c.id, c.name, c.key, ${bytesOfChanged(schema)} AS bytes FROM move_changes c
        WHERE c.tenant_id = ? ORDER BY c.id LIMIT ${ROWS_PER_PAGE}`,
      )
      .bind(tenantId),
    source
      .prepare(
        `SELECT count(*) AS total FROM (SELECT 1 FROM move_changes WHERE tenant_id = ? LIMIT ${MAX_COUNTED})`,
      )
      .bind(tenantId),
  ]);
  const changes: Change[] = [];
  let rows = 0;
  for (const { id, name, key, bytes } of page?.results ?? []) {
    rows += smallRowsFor(movedTable(String(name)), Number(bytes));
    if (changes.length > 0 && rows > ROWS_PER_PAGE) break;
    // The triggers wrote it as an array of the key's values.
    changes.push({ id: Number(id), name: String(name), key: JSON.parse(String(key)) as Value[] });
  }
  return { changes, total: Number(counted?.results[0]?.total ?? 0) };
}

/** Deletes changes up to one of them. A row that has changed since then is noted under a later id. */
export const endChanges = ({ source, tenantId }: CopyContext, upTo: number): Promise<unknown> =>
  source.prepare('DELETE FROM move_changes WHERE tenant_id = ? AND id <= ?').bind(tenantId, upTo).run();

/** Returns the statement that notes rows as changed, so that they are copied again. */
export const noteChanges = (
  { source, tenantId }: CopyContext,
  name: string,
  keys: readonly (readonly Value[])[],
): D1PreparedStatement =>
  source
    .prepare(
      `INSERT INTO move_changes (tenant_id, name, key) SELECT ?1, ?2, value FROM json_each(?3) WHERE true
      ON CONFLICT DO NOTHING`,
    )
    .bind(tenantId, name, JSON.stringify(keys));
