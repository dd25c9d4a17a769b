/** Tests that the migration which gives events a position keeps the events, in the order of their occurrence. */
import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../migrations/main');
const MIGRATION = 'event_feed';

test('the migration to positions keeps every event, in order, and never reuses a position', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const at = files.findIndex((name) => name.includes(MIGRATION));
  const database = new DatabaseSync(':memory:');
  const apply = (names: readonly string[]) => {
    for (const name of names) database.exec(readFileSync(join(folder, name), 'utf8'));
  };
  apply(files.slice(0, at));
  const insert = `INSERT INTO outbox (id, tenant_id, type, resource, sequence, data, occurred_at, batch)
    VALUES (?, 1, 'stock.changed', 'item:1', ?, '{"sku":"A"}', ?, 'b')`;
  for (const [id, sequence, occurred] of [
    ['evt_c', 1, 30],
    ['evt_b', 2, 10],
    ['evt_a', 1, 10],
  ] as const) {
    database.prepare(insert).run(id, sequence, occurred);
  }
  apply(files.slice(at));
  const events = () => database.prepare('SELECT position, id, data FROM outbox ORDER BY position').all();
  const data = '{"sku":"A"}';
  deepEqual(
    events().map((row) => ({ ...row })),
    [
      { position: 1, id: 'evt_a', data },
      { position: 2, id: 'evt_b', data },
      { position: 3, id: 'evt_c', data },
    ],
  );
  database.exec('DELETE FROM outbox');
  database.prepare(insert).run('evt_d', 1, 40);
  equal(events()[0]?.position, 4);
});
