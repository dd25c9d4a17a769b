import type { Value } from '../progress.ts';
import { type Change, endChanges, readChanges } from './change-log.ts';
import { MOVED_NAMES, movedTable } from './moved-tables.ts';
import {
  type CopyContext,
  columnsOf,
  deleteByKey,
  demandArriving,
  logKey,
  type Row,
  rowsByKey,
  type Schema,
  textOf,
  valuesOf,
  writeRows,
} from './shard-rows.ts';
import { type WrittenRows, writeUnique } from './unique-values.ts';

/** The changed rows of one table: their keys, and those rows that still exist. */
interface ChangedRows extends WrittenRows {
  readonly keys: readonly (readonly Value[])[];
}

/** What a round copied, of how many tables, and how many changes were noted when it began. */
export interface Round {
  readonly copied: number;
  /** Each takes two to four statements, and more where rows are large. */
  readonly tables: number;
  readonly total: number;
}

/** Thrown when the target doesn't hold what was just written to it. */
export class CopyDiffersError extends Error {
  constructor(readonly table: string) {
    super(`The copied rows of ${table} differ`);
  }
}

/**
 * Copies the oldest noted changes to the target, and reads them back from there. A change is forgotten once its row is
 * written, so that a crash in between copies it again.
 */
export async function copyChanges(ctx: CopyContext, schema: Schema): Promise<Round> {
  const { changes, total } = await readChanges(ctx, schema);
  const last = changes.at(-1);
  if (!last) return { copied: 0, tables: 0, total };
  const changed = await readChanged(ctx, schema, changes);
  const write = (): Promise<void> => writeChanged(ctx, schema, changed);
  await writeUnique(ctx, { schema, written: changed, write });
  await endChanges(ctx, last.id);
  return { copied: changes.length, tables: changed.length, total };
}

/** Former slugs are written by triggers of these tables, so each change of theirs copies its own again. */
const SLUG_OWNERS: Readonly<Record<string, string>> = { categories: 'category', products: 'product' };

async function readChanged(
  { source, tenantId }: CopyContext,
  schema: Schema,
  changes: readonly Change[],
): Promise<ChangedRows[]> {
  const keysOf = new Map<string, Map<string, readonly Value[]>>();
  const note = (name: string, key: readonly Value[]) => {
    const known = keysOf.get(name) ?? new Map<string, readonly Value[]>();
    keysOf.set(name, known.set(JSON.stringify(key), key));
  };
  for (const { name, key } of changes) {
    note(name, key);
    const owner = SLUG_OWNERS[name];
    if (owner) note('former_slugs', [owner, ...key]);
  }
  const names = MOVED_NAMES.filter((name) => keysOf.has(name));
  const keys = names.map((name) => [...(keysOf.get(name)?.values() ?? [])]);
  const found = await source.batch<Row>(
    names.map((name, n) => {
      const table = movedTable(name);
      const key = logKey(table, columnsOf(schema, name));
      return rowsByKey(source, table, { tenantId, key, keys: keys[n] ?? [] });
    }),
  );
  return names.map((name, n) => ({ name, keys: keys[n] ?? [], rows: found[n]?.results ?? [] }));
}

/**
 * Writes changed rows: first the deletions, last table first, then the rows. Throws unless the target then returns the
 * same rows.
 */
async function writeChanged(
  ctx: CopyContext,
  schema: Schema,
  changed: readonly ChangedRows[],
): Promise<void> {
  const { target, tenantId } = ctx;
  const deleted = (one: ChangedRows, replaced: boolean): D1PreparedStatement[] =>
    Boolean(movedTable(one.name).group) === replaced ? deletions(ctx, schema, one) : [];
  const gone = changed.map((one) => deleted(one, false)).reverse();
  const written = changed.flatMap((one) => [
    // Groups go only now: writing the tables before may have added to them, by triggers.
    ...deleted(one, true),
    ...writeRows(target, {
      table: movedTable(one.name),
      columns: columnsOf(schema, one.name),
      rows: one.rows,
    }),
  ]);
  const read = changed.map(({ name, keys }) => {
    const table = movedTable(name);
    return rowsByKey(target, table, { tenantId, key: logKey(table, columnsOf(schema, name)), keys });
  });
  const before = [demandArriving(ctx), ...gone.flat(), ...written];
  const results = await target.batch<Row>([...before, ...read]);
  for (const [n, { name, rows }] of changed.entries()) {
    const columns = columnsOf(schema, name);
    const found = results[before.length + n]?.results ?? [];
    const same =
      found.map((row) => textOf(row, columns)).join() === rows.map((row) => textOf(row, columns)).join();
    if (!same) throw new CopyDiffersError(name);
  }
}

/** Returns the statements that delete the rows of a table that are gone, and groups of rows as a whole. */
function deletions(
  { target, tenantId }: CopyContext,
  schema: Schema,
  { name, keys, rows }: ChangedRows,
): D1PreparedStatement[] {
  const table = movedTable(name);
  const key = logKey(table, columnsOf(schema, name));
  const present = new Set(rows.map((row) => JSON.stringify(valuesOf(row, key))));
  const removed = keys.filter((one) => table.group || !present.has(JSON.stringify(one)));
  // The tenant's own row never goes, and other rows refer to it.
  if (removed.length === 0 || name === 'tenants') return [];
  return deleteByKey(target, table, { tenantId, key, keys: removed });
}
