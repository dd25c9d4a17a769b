import { now } from '../../kernel/core/clock.ts';
import { conditionOf, MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import { type CopyContext, columnsOf, logKey, rowsIn, type Schema } from './shard-rows.ts';

/** How long (ms) one step compares sizes: a table of millions of rows takes seconds to count. */
const MAX_COMPARING_MS = 5_000;
/** The most noted changes with which a table's size is compared: their keys are one parameter. */
const MAX_NOTED = 1_000;

/** Returns whether the sizes of all parts before this one are those of all tables. */
export const areAllCompared = (part: number): boolean => part >= MOVED_TABLES.length;

/**
 * Compares the sizes of the tables from a part on, while the source takes writes: how many rows each shard has whose
 * changes aren't noted. Those that are noted, now or later, are read back when they are copied. Returns the part that
 * is next, or `differs`.
 */
export async function compareSizes(
  ctx: CopyContext,
  schema: Schema,
  from: number,
): Promise<number | 'differs'> {
  const startedAt = now();
  for (const [part, table] of MOVED_TABLES.entries()) {
    if (part < from) continue;
    if (now() - startedAt > MAX_COMPARING_MS) return part;
    const size = await compareSize(ctx, schema, table);
    if (size === 'differs') return 'differs';
    if (size === 'changing') return part;
  }
  return MOVED_TABLES.length;
}

/** A table's rows at the source, those of them whose changes are noted, and the keys of these changes. */
interface SourceSize {
  readonly n: number;
  readonly noted: number;
  readonly changes: number;
  readonly keys: string;
}

/** Compares a table's size; `changing` if too many of its changes are noted. */
async function compareSize(
  { source, target, tenantId }: CopyContext,
  schema: Schema,
  table: MovedTable,
): Promise<'same' | 'differs' | 'changing'> {
  const count = `SELECT count(*) AS n FROM ${table.name} WHERE ${conditionOf(table)}`;
  const notedIn = (list: string): string => {
    const rows = rowsIn(table, logKey(table, columnsOf(schema, table.name)), list);
    return `SELECT count(*) AS n FROM (${rows}) WHERE ${conditionOf(table)}`;
  };
  // One statement: rows and notes of one instant. Nobody else writes the copy.
  const [own, copied] = await Promise.all([
    source
      .prepare(
        `SELECT (${count}) AS n, (${notedIn('l.keys')}) AS noted, json_array_length(l.keys) AS changes, l.keys
        FROM (SELECT json_group_array(json(key)) AS keys FROM (SELECT key FROM move_changes
          WHERE tenant_id = ?1 AND name = '${table.name}' LIMIT ${MAX_NOTED + 1})) l`,
      )
      .bind(tenantId)
      .first<SourceSize>(),
    target.prepare(count).bind(tenantId).first<number>('n'),
  ]);
  if (!own || own.changes > MAX_NOTED) return 'changing';
  const copiedNoted =
    own.changes === 0 ? 0 : await target.prepare(notedIn('?2')).bind(tenantId, own.keys).first<number>('n');
  return own.n - own.noted === (copied ?? 0) - (copiedNoted ?? 0) ? 'same' : 'differs';
}
