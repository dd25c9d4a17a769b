import { isFull } from '../../transfer/index.ts';
import type { MoveProgress, Value } from '../progress.ts';
import { noteChanges } from './change-log.ts';
import { AUDIT_LOG, returnEntries } from './directory-entries.ts';
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import {
  type Columns,
  type CopyContext,
  columnsOf,
  demandArriving,
  logKey,
  pageOf,
  type Row,
  type Schema,
  textOf,
  valuesOf,
  writeRows,
} from './shard-rows.ts';
import { writeUnique } from './unique-values.ts';

/** The next part, or the same one behind a row. */
const position = (
  table: MovedTable,
  key: readonly string[],
  { part, rows }: { readonly part: number; readonly rows: readonly Row[] },
): Pick<MoveProgress, 'part' | 'after'> => {
  const last = isFull(table, rows.length) && key.length > 0 ? rows.at(-1) : undefined;
  return last ? { part, after: valuesOf(last, key) } : { part: part + 1, after: [] };
};

/** A page of a part's rows at the source, and where the next one begins. */
interface SourcePage {
  readonly table: MovedTable;
  readonly columns: Columns;
  readonly rows: readonly Row[];
  readonly next: Pick<MoveProgress, 'part' | 'after'>;
}

/** Returns the columns by which a table's pages are ordered. */
type KeyOf = (table: MovedTable) => readonly string[];

/** Reads the page at which the progress is, ordered by the columns that `keyOf` returns. Null behind the last part. */
async function readPage(
  { source, tenantId }: CopyContext,
  schema: Schema,
  { progress: { part, after }, keyOf }: { progress: MoveProgress; keyOf: KeyOf },
): Promise<SourcePage | null> {
  const table = MOVED_TABLES[part];
  if (!table) return null;
  const key = keyOf(table);
  const page = pageOf(source, table, { tenantId, key, after, limit: table.limit });
  const { results: rows } = await page.all<Row>();
  return { table, columns: columnsOf(schema, table.name), rows, next: position(table, key, { part, rows }) };
}

/** Copies a page of rows to the target. Returns the progress after it, or null behind the last part. */
export async function copyPage(
  ctx: CopyContext,
  schema: Schema,
  progress: MoveProgress,
): Promise<MoveProgress | null> {
  const page = await readPage(ctx, schema, { progress, keyOf: ({ copyKey, key }) => copyKey ?? key });
  if (!page) return null;
  const { table, columns, rows, next } = page;
  if (rows.length > 0) {
    const write = async (): Promise<void> => {
      const statements = writeRows(ctx.target, { table, columns, rows });
      await ctx.target.batch([demandArriving(ctx), ...statements]);
    };
    await writeUnique(ctx, { schema, written: [{ name: table.name, rows }], write });
  }
  return { ...progress, ...next, copied: progress.copied + rows.length };
}

/**
 * Compares a page of rows. A row that differs has been changed since it was copied and is noted as such; any other
 * that differs is noted here, to be copied again. Returns the progress after it, or null behind the last part.
 */
export async function comparePage(
  ctx: CopyContext,
  schema: Schema,
  progress: MoveProgress,
): Promise<MoveProgress | null> {
  const page = await readPage(ctx, schema, { progress, keyOf: ({ key }) => key });
  if (!page) return null;
  const { table, columns, rows, next } = page;
  // The target may have rows that the source hasn't: as many as a page, and the rest with the pages behind it.
  const copied = await pageOf(ctx.target, table, {
    tenantId: ctx.tenantId,
    key: table.key,
    after: progress.after,
    limit: Math.max(rows.length, table.limit) + table.limit,
    pages: 2,
    upTo: next.part === progress.part ? next.after : [],
  }).all<Row>();
  const named = logKey(table, columns);
  const known = new Set(rows.map((row) => JSON.stringify(valuesOf(row, named))));
  const isStray = (row: Row) =>
    ctx.entersDirectory && table.name === AUDIT_LOG && !known.has(JSON.stringify(valuesOf(row, named)));
  await returnEntries(ctx, columns, copied.results.filter(isStray));
  const others = copied.results.filter((row) => !isStray(row));
  const differing = difference(rows, others, (row) => textOf(row, columns));
  const keys = [...new Set(differing.map((row) => JSON.stringify(valuesOf(row, named))))];
  const repaired = keys.length === 0 ? 0 : await noteUnnoted(ctx, table.name, keys);
  return {
    ...progress,
    ...next,
    compared: progress.compared + rows.length,
    repaired: progress.repaired + repaired,
  };
}

/** Returns the rows that only one of two lists has. */
function difference(one: readonly Row[], other: readonly Row[], text: (row: Row) => string): Row[] {
  const [left, right] = [new Set(one.map(text)), new Set(other.map(text))];
  return [...one.filter((row) => !right.has(text(row))), ...other.filter((row) => !left.has(text(row)))];
}

/** Notes rows as changed that aren't yet; returns how many. `keys` are JSON arrays. */
async function noteUnnoted(ctx: CopyContext, name: string, keys: readonly string[]): Promise<number> {
  const { meta } = await noteChanges(
    ctx,
    name,
    // The query made the keys from the columns of a row.
    keys.map((key) => JSON.parse(key) as Value[]),
  ).run();
  return meta.changes;
}
