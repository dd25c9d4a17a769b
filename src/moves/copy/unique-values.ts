import { violation } from '../../kernel/data/database.ts';
import type { Value } from '../progress.ts';
import { movedTable } from './moved-tables.ts';
import {
  type CopyContext,
  columnsOf,
  deleteByKey,
  demandArriving,
  type Row,
  rowsByKey,
  type Schema,
  valuesOf,
} from './shard-rows.ts';

/** Rows of one table that are written to the target. */
export interface WrittenRows {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** The most times that a write is repeated: a table has few unique indexes. */
const MAX_CONFLICTS = 20;

/**
 * Writes rows to the target. A unique value of theirs may still be in a copied row that has changed since: that one is
 * deleted, and copied again because its change is noted.
 */
export async function writeUnique(
  ctx: CopyContext,
  { schema, written, write }: { schema: Schema; written: readonly WrittenRows[]; write: () => Promise<void> },
): Promise<void> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await write();
    } catch (error) {
      const broken = violation(error);
      if (broken?.kind !== 'unique' || conflicts >= MAX_CONFLICTS) throw error;
      const [name = '', ...columns] = namesIn(broken.name);
      const rows = written.flatMap((one) => (one.name === name ? one.rows : []));
      if (!(await deleteOutdated(ctx, schema, { name, columns, rows }))) throw error;
    }
  }
}

/** Returns the table and the columns of an index as SQLite names it: "products.tenant_id, products.slug". */
const namesIn = (index: string): string[] => {
  const names = index.split(', ').map((one) => one.split('.'));
  return [names[0]?.[0] ?? '', ...names.map(([, column = '']) => column)];
};

/** Deletes the copied rows that have one of these rows' values and changed since. Returns whether there were any. */
async function deleteOutdated(
  ctx: CopyContext,
  schema: Schema,
  { name, columns, rows }: WrittenRows & { readonly columns: readonly string[] },
): Promise<boolean> {
  const { source, target, tenantId } = ctx;
  if (rows.length === 0) return false;
  const table = movedTable(name);
  const key = columnsOf(schema, name).primary;
  const values = rows.map((row) => valuesOf(row, columns));
  const holders = await rowsByKey(target, table, { tenantId, key: columns, keys: values }).all<Row>();
  const noted = await source
    .prepare(
      `SELECT DISTINCT c.key FROM json_each(?3) k CROSS JOIN move_changes c
        ON c.tenant_id = ?1 AND c.name = ?2 AND c.key = k.value`,
    )
    .bind(tenantId, name, JSON.stringify(holders.results.map((row) => valuesOf(row, key))))
    .all<{ key: string }>();
  // The triggers wrote each as an array of the key's values.
  const keys = noted.results.map((one) => JSON.parse(one.key) as Value[]);
  if (keys.length === 0) return false;
  await target.batch([demandArriving(ctx), ...deleteByKey(target, table, { tenantId, key, keys })]);
  return true;
}
