import type { MoveProgress, Value } from '../progress.ts';
import { noteChanges } from './change-log.ts';
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import {
  columnsOf,
  demandArriving,
  logKey,
  type Passage,
  pageOf,
  type Row,
  type Schema,
  textOf,
  valuesOf,
  writeRows,
} from './shard-rows.ts';

/** The next part, or the same one behind a row. */
const position = (
  table: MovedTable,
  key: readonly string[],
  { part, rows }: { readonly part: number; readonly rows: readonly Row[] },
): Pick<MoveProgress, 'part' | 'after'> => {
  const last = rows.length === table.limit && key.length > 0 ? rows.at(-1) : undefined;
  return last ? { part, after: valuesOf(last, key) } : { part: part + 1, after: [] };
};

/** Copies a page of rows to the target. Returns the progress after it, or null behind the last part. */
export async function copyPage(
  passage: Passage,
  schema: Schema,
  progress: MoveProgress,
): Promise<MoveProgress | null> {
  const { source, target, tenantId } = passage;
  const table = MOVED_TABLES[progress.part];
  if (!table) return null;
  const columns = columnsOf(schema, table.name);
  const key = table.copyKey ?? table.key;
  const { results } = await pageOf(source, table, {
    ...{ tenantId, key, after: progress.after, limit: table.limit },
  }).all<Row>();
  if (results.length > 0) {
    await target.batch([demandArriving(passage), ...writeRows(target, table, columns, results)]);
  }
  return {
    ...progress,
    ...position(table, key, { part: progress.part, rows: results }),
    copied: progress.copied + results.length,
  };
}

/**
 * Compares a page of rows. A row that differs has been changed since it was copied and is noted as such; any other
 * that differs is noted here, to be copied again. Returns the progress after it, or null behind the last part.
 */
export async function comparePage(
  passage: Passage,
  schema: Schema,
  progress: MoveProgress,
): Promise<MoveProgress | null> {
  const { source, target, tenantId } = passage;
  const table = MOVED_TABLES[progress.part];
  if (!table) return null;
  const columns = columnsOf(schema, table.name);
  const { key, limit } = table;
  const page = { tenantId, key, after: progress.after };
  const { results } = await pageOf(source, table, { ...page, limit }).all<Row>();
  const next = position(table, key, { part: progress.part, rows: results });
  // The target may have rows that the source hasn't: as many as a page, and the rest with the pages behind it.
  const upTo = next.part === progress.part ? next.after : [];
  const copied = await pageOf(target, table, { ...page, upTo, limit: 2 * limit }).all<Row>();
  const differing = difference(results, copied.results, (row) => textOf(row, columns));
  const named = logKey(table, columns);
  const keys = [...new Set(differing.map((row) => JSON.stringify(valuesOf(row, named))))];
  const repaired = keys.length === 0 ? 0 : await noteUnnoted(passage, table.name, keys);
  return {
    ...progress,
    ...next,
    compared: progress.compared + results.length,
    repaired: progress.repaired + repaired,
  };
}

/** Returns the rows that only one of two lists has. */
function difference(one: readonly Row[], other: readonly Row[], text: (row: Row) => string): Row[] {
  const [left, right] = [new Set(one.map(text)), new Set(other.map(text))];
  return [...one.filter((row) => !right.has(text(row))), ...other.filter((row) => !left.has(text(row)))];
}

/** Notes rows as changed that aren't yet; returns how many. `keys` are JSON arrays. */
async function noteUnnoted(passage: Passage, name: string, keys: readonly string[]): Promise<number> {
  const { meta } = await noteChanges(
    passage,
    name,
    keys.map((key) => JSON.parse(key) as Value[]),
  ).run();
  return meta.changes;
}
