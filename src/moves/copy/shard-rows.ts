import { jsonLists } from '../../kernel/data/database.ts';
import { type PageSize, rowLimit } from '../../transfer/index.ts';
import type { Value } from '../progress.ts';
import { conditionOf, MOVED_NAMES, type MovedTable } from './moved-tables.ts';

/** A stored row. */
export type Row = Readonly<Record<string, Value>>;

/** A moving tenant, and the databases of the shards that it leaves and joins. */
export interface CopyContext {
  readonly tenantId: number;
  readonly source: D1Database;
  readonly target: D1Database;
  /** The epoch of this step: see `tenant_moves`. */
  readonly epoch: number;
  /** Whether the target's rows are in the directory's database. */
  readonly entersDirectory: boolean;
}

/** The columns of a table, and those of its primary key. */
export interface Columns {
  readonly all: readonly string[];
  readonly primary: readonly string[];
}

/** The columns of the moved tables, by table. */
export type Schema = ReadonlyMap<string, Columns>;

/** Reads the columns of the moved tables in one round trip. */
export async function readSchema(db: D1Database): Promise<Schema> {
  const infos = await db.batch<{ name: string; pk: number }>(
    MOVED_NAMES.map((name) => db.prepare(`PRAGMA table_info(${name})`)),
  );
  return new Map(
    MOVED_NAMES.map((name, n) => {
      const columns = infos[n]?.results ?? [];
      const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      return [name, { all: columns.map((one) => one.name), primary: primary.map((one) => one.name) }];
    }),
  );
}

/** Returns the columns of a table of the schema. */
export function columnsOf(schema: Schema, name: string): Columns {
  const found = schema.get(name);
  if (!found) throw new Error(`${name} is not in the schema`);
  return found;
}

/** The alias of a row's rowid, for tables whose order of insertion counts. */
const ROWID = 'move_rowid';

/** Returns the query of a page of the tenant's rows behind a key (exclusive) and up to another (inclusive). */
export function pageOf(
  db: D1Database,
  table: MovedTable,
  page: PageSize & {
    readonly tenantId: number;
    readonly key: readonly string[];
    readonly after: readonly Value[];
    readonly upTo?: readonly Value[];
  },
): D1PreparedStatement {
  const { key, after, upTo = [] } = page;
  const names = key.join(', ');
  const parameters = (from: number) => key.map((_, n) => `?${from + n}`).join(', ');
  const conditions = [
    conditionOf(table),
    ...(after.length > 0 ? [`(${names}) > (${parameters(2)})`] : []),
    ...(upTo.length > 0 ? [`(${names}) <= (${parameters(2 + after.length)})`] : []),
  ];
  const order = key.length > 0 ? ` ORDER BY ${names}` : '';
  const from = `FROM ${table.name} WHERE ${conditions.join(' AND ')}${order}`;
  return db
    .prepare(
      `SELECT ${key.includes('rowid') ? `rowid AS ${ROWID}, ` : ''}* ${from} LIMIT ${rowLimit(table, page, from)}`,
    )
    .bind(page.tenantId, ...after, ...upTo);
}

/** Returns a row's values of these columns. */
export const valuesOf = (row: Row, columns: readonly string[]): Value[] =>
  columns.map((name) => row[name === 'rowid' ? ROWID : name] ?? null);

/** Returns a row's values in the order of the table's columns, as JSON. */
export const textOf = (row: Row, { all }: Columns): string => JSON.stringify(valuesOf(row, all));

/** A row with more characters than this is bound value by value: a parameter holds at most 2 MB. */
const MAX_LISTED_LENGTH = 400_000;

const quoted = (name: string): string => `"${name}"`;

/**
 * Returns the statements that write rows as they are, in place of those with their primary keys. A row with the key of
 * another tenant's stays out, and is missing in the comparison then.
 */
export function writeRows(
  db: D1Database,
  {
    table,
    columns,
    rows,
  }: { readonly table: MovedTable; readonly columns: Columns; readonly rows: readonly Row[] },
): D1PreparedStatement[] {
  const owner = quoted(columns.all.includes('tenant_id') ? 'tenant_id' : 'id');
  const others = columns.all.filter((name) => !columns.primary.includes(name));
  const changes = others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ');
  const conflict = `ON CONFLICT (${columns.primary.map(quoted).join(', ')}) DO ${
    changes ? `UPDATE SET ${changes} WHERE ${table.name}.${owner} = excluded.${owner}` : 'NOTHING'
  }`;
  const into = `INSERT INTO ${table.name} (${columns.all.map(quoted).join(', ')})`;
  const isListed = (row: Row): boolean => {
    const text = textOf(row, columns);
    // SQLite ends a string at the first NUL of a JSON text.
    return text.length <= MAX_LISTED_LENGTH && !text.includes('\\u0000');
  };
  const listed = rows.filter(isListed).map((row) => valuesOf(row, columns.all));
  const values = columns.all.map((_, n) => `value ->> ${n}`).join(', ');
  const bound = columns.all.map(() => '?').join(', ');
  return [
    ...jsonLists(listed).map((list) =>
      db.prepare(`${into} SELECT ${values} FROM json_each(?) WHERE true ORDER BY key ${conflict}`).bind(list),
    ),
    ...rows
      .filter((row) => !isListed(row))
      .map((row) => db.prepare(`${into} VALUES (${bound}) ${conflict}`).bind(...valuesOf(row, columns.all))),
  ];
}

/** Returns the columns by which a table's changes are named. */
export const logKey = (table: MovedTable, columns: Columns): readonly string[] =>
  table.group ?? columns.primary;

/** Returns the query of the tenant's rows (`?1`) whose columns `key` are in a JSON list (an SQL expression). */
export function rowsIn(table: MovedTable, key: readonly string[], list: string): string {
  const same = key.map((name, n) => `t.${quoted(name)} = k.value ->> ${n}`).join(' AND ');
  return `SELECT t.* FROM json_each(${list}) k CROSS JOIN ${table.name} t ON ${same}
    WHERE t.${ownerOf(table)} = ?1`;
}

/** Returns the query of the tenant's rows with these keys, in the order of the keys. */
export const rowsByKey = (
  db: D1Database,
  table: MovedTable,
  { key, keys, tenantId }: Keys,
): D1PreparedStatement =>
  db.prepare(`${rowsIn(table, key, '?2')} ORDER BY k.key, t.rowid`).bind(tenantId, JSON.stringify(keys));

/** Returns the statements that delete the tenant's rows with these keys, so that counts of triggers follow. */
export function deleteByKey(
  db: D1Database,
  table: MovedTable,
  { key, keys, tenantId }: Keys,
): D1PreparedStatement[] {
  const matching = `${ownerOf(table)} = ?1 AND (${key.map(quoted).join(', ')}) IN (
    SELECT ${key.map((_, n) => `value ->> ${n}`).join(', ')} FROM json_each(?2))`;
  const { name, uncounted } = table;
  return [
    ...(uncounted ? [`UPDATE ${name} SET ${uncounted} WHERE ${matching}`] : []),
    `DELETE FROM ${name} WHERE ${matching}`,
  ].map((text) => db.prepare(text).bind(tenantId, JSON.stringify(keys)));
}

/** Keys of a tenant's rows in a table. */
export interface Keys {
  readonly tenantId: number;
  readonly key: readonly string[];
  readonly keys: readonly (readonly Value[])[];
}

/** Returns the column of a table that holds the tenant's id. */
export const ownerOf = ({ name }: MovedTable): string => (name === 'tenants' ? 'id' : 'tenant_id');

/** Returns the statement that aborts a batch on the target unless this step is still the newest of the move. */
export const demandArriving = ({ target, tenantId, epoch }: CopyContext): D1PreparedStatement =>
  target
    .prepare(
      `INSERT INTO guards (reason) SELECT 'stale' WHERE NOT EXISTS (
        SELECT 1 FROM tenant_fences WHERE tenant_id = ? AND state = 'arriving' AND epoch = ?)`,
    )
    .bind(tenantId, epoch);
