/** Checks that each database's initial migration creates the schema of the migrations that it was squashed from. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** Returns the schema that a migration creates: sorted columns and checks by table, and the SQL of other objects. */
function schemaOf(file: string): Record<string, unknown> {
  const db = new DatabaseSync(':memory:');
  db.exec(readFileSync(file, 'utf8').replaceAll('--> statement-breakpoint', ''));
  const objects = db.prepare(
    "SELECT * FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
  );
  return Object.fromEntries(
    objects.all().map(({ type, name, sql }) => {
      const plain = String(sql).replace(/\s+/g, ' ');
      if (type !== 'table' || /^CREATE VIRTUAL/i.test(plain)) return [`${type} ${name}`, plain];
      const columns = db.prepare(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)`);
      const checks = plain.match(/CONSTRAINT .*?\)(?=,| \)|\)$)/g) ?? [];
      return [
        `table ${name}`,
        [...columns.all(String(name)).map((c) => JSON.stringify(c)), ...checks].sort(),
      ];
    }),
  );
}

for (const name of ['main', 'search']) {
  test(`the initial migration of ${name} creates the recorded schema`, () => {
    const made = schemaOf(join(root, `migrations/${name}/0000_initial.sql`));
    const recorded = join(import.meta.dirname, `schemas/${name}.json`);
    assert.deepEqual(made, JSON.parse(readFileSync(recorded, 'utf8')));
  });
}
