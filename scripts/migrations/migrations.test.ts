/** Checks that each database's initial migration creates the schema of the migrations that it was squashed from. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

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

test('coupons become promotions with their redemptions, counts and quota', () => {
  const db = new DatabaseSync(':memory:');
  const folder = join(root, 'migrations/main');
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const later = files.filter((file) => file.endsWith('_promotions.sql'));
  const run = (file: string) =>
    db.exec(readFileSync(join(folder, file), 'utf8').replaceAll('--> statement-breakpoint', ''));
  assert.equal(later.length, 1);
  for (const file of files.sort()) {
    if (file === later[0]) {
      db.exec(`INSERT INTO coupons (id, tenant_id, code, code_key, kind, value, uses, created_at, updated_at)
          VALUES (7, 1, 'TEN', 'ten', 'percent', '10', 2, 5, 6);
        INSERT INTO coupon_uses VALUES (1, 'ord_1', 7, '["c1"]'), (1, 'ord_2', 7, '["c2"]');
        INSERT INTO coupon_shoppers VALUES (1, 7, 'c1', 1, 3);`);
    }
    run(file);
  }
  const all = (query: string) =>
    db
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  assert.deepEqual(
    all('SELECT id, code, name, automatic, active, priority, combinable, uses FROM promotions'),
    [{ id: 7, code: 'TEN', name: 'TEN', automatic: 0, active: 1, priority: 100, combinable: 0, uses: 2 }],
  );
  assert.deepEqual(all('SELECT order_id, promotion_id, shoppers FROM promotion_redemptions'), [
    { order_id: 'ord_1', promotion_id: 7, shoppers: '["c1"]' },
    { order_id: 'ord_2', promotion_id: 7, shoppers: '["c2"]' },
  ]);
  assert.deepEqual(all('SELECT promotion_id, shopper, uses, most FROM promotion_shoppers'), [
    { promotion_id: 7, shopper: 'c1', uses: 1, most: 3 },
  ]);
  db.exec(`INSERT INTO promotions (tenant_id, code, code_key, kind, value, created_at, updated_at)
    VALUES (1, 'B', 'b', 'percent', '1', 1, 1)`);
  assert.deepEqual(all("SELECT total FROM quota_counts WHERE quota = 'promotions'"), [{ total: 2 }]);
});
