/**
 * Checks that each migration leaves in place what the release before it uses: while a deployment is gradual, old code
 * reads and writes the new schema.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

const migrations = join(import.meta.dirname, '../../migrations');

/** Migrations from before the first release, when nothing was deployed. None may be added. */
const BEFORE_RELEASES = ['main/0010_promotions.sql', 'main/0012_event_feed.sql', 'main/0013_refunds.sql'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

/** The columns of each table, and the unique indexes by their SQL. */
interface Schema {
  readonly tables: ReadonlyMap<string, readonly Column[]>;
  readonly unique: ReadonlyMap<string, string>;
}

function schemaOf(db: DatabaseSync): Schema {
  const objects = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql <> ''").all();
  const columns = db.prepare('SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)');
  const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  return {
    // The columns that the query names.
    tables: new Map(tables.map((name) => [name, columns.all(name) as unknown as Column[]])),
    unique: new Map(
      objects
        .filter(({ sql }) => /^CREATE UNIQUE INDEX/i.test(String(sql)))
        .map(({ tbl_name, sql }) => [String(sql), String(tbl_name)]),
    ),
  };
}

/** Returns what code that knows `before` can no longer do with `after`. */
function broken(before: Schema, after: Schema): string[] {
  const found: string[] = [];
  for (const [table, columns] of before.tables) {
    const now = after.tables.get(table);
    if (!now) {
      found.push(`${table} is gone`);
      continue;
    }
    for (const { name, type, notnull } of columns) {
      const same = now.find((column) => column.name === name);
      if (!same) found.push(`${table}.${name} is gone`);
      else if (same.type !== type || same.notnull > notnull) found.push(`${table}.${name} is another`);
    }
    for (const { name, notnull, dflt_value } of now) {
      const isNew = !columns.some((column) => column.name === name);
      if (isNew && notnull && dflt_value === null) found.push(`${table}.${name} must be given`);
    }
  }
  for (const [sql, table] of after.unique) {
    if (before.tables.has(table) && !before.unique.has(sql)) found.push(`${table} refuses more: ${sql}`);
  }
  return found;
}

for (const database of ['main', 'search']) {
  test(`the migrations of ${database} take nothing from the release before`, () => {
    const db = new DatabaseSync(':memory:');
    const folder = join(migrations, database);
    const found: string[] = [];
    const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
    for (const [n, file] of files.sort().entries()) {
      const before = schemaOf(db);
      db.exec(readFileSync(join(folder, file), 'utf8').replaceAll('--> statement-breakpoint', ''));
      const changes = n === 0 ? [] : broken(before, schemaOf(db));
      const name = `${database}/${file}`;
      if (!BEFORE_RELEASES.includes(name)) found.push(...changes.map((change) => `${name}: ${change}`));
      else assert.notDeepEqual(changes, [], `${name} is harmless: take it from the list`);
    }
    assert.deepEqual(found, []);
  });
}
