/** Tests that what is stored from before sale ends and `order.tracking_changed` gets them with the migration. */
import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../../migrations/main');
const MIGRATION = 'sale_ends_and_tracking';

/** Returns a database before the migration, and what applies the migrations from it on. */
function beforeMigration() {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const at = files.findIndex((name) => name.includes(MIGRATION));
  const database = new DatabaseSync(':memory:');
  const apply = (names: readonly string[]) => {
    for (const name of names) database.exec(readFileSync(join(folder, name), 'utf8'));
  };
  apply(files.slice(0, at === -1 ? files.length : at));
  return { database, migrate: () => apply(at === -1 ? [] : files.slice(at)) };
}

/** A variant's prices, its ordinary ones and its sale. */
type Variant = readonly [prices: object, ordinary: object | null, sale: object | null];

test('products show the ends of the sales that run', () => {
  const { database, migrate } = beforeMigration();
  const product =
    database.prepare(`INSERT INTO products (id, tenant_id, sku, name, sort_name, slug, type, status, prices,
      images, tags, details, created_at, updated_at, variant_summary, switch_at)
    VALUES (?1, 1, ?1, ?1, ?1, ?1, 'configurable', 'active', ?2, '[]', '[]', '{}', 1, 1, '{"highest":{"EUR":900}}', 50)`);
  const variant =
    database.prepare(`INSERT INTO variants (id, tenant_id, product_id, sku, prices, ordinary_prices, sale,
      attributes, position) VALUES (?1, 1, ?2, ?1, ?3, ?4, ?5, '{}', 1)`);
  const add = (id: number, prices: object, variants: readonly Variant[]) => {
    product.run(id, JSON.stringify(prices));
    for (const [n, parts] of variants.entries())
      variant.run(id + n + 1, id, ...parts.map((part) => part && JSON.stringify(part)));
  };
  const sale = (endsAt: number | null, running = true) => ({ prices: {}, startsAt: null, endsAt, running });
  const reduced = (endsAt: number | null): Variant => [{ EUR: 5 }, { EUR: 9 }, sale(endsAt)];
  add(10, { EUR: 5 }, [reduced(70), reduced(80), [{ EUR: 9 }, null, null]]);
  add(20, { EUR: 5 }, [reduced(70), [{ EUR: 5 }, null, null]]);
  add(30, { EUR: 5 }, [reduced(70), reduced(null)]);
  add(40, { EUR: 9 }, [[{ EUR: 9 }, null, sale(70, false)]]);
  add(50, { EUR: 5, USD: 6 }, [[{ EUR: 5, USD: 6 }, { EUR: 9, USD: 6 }, sale(70)]]);
  migrate();
  const summaries = database
    .prepare("SELECT id, variant_summary ->> '$.saleEnds' AS ends FROM products")
    .all();
  deepEqual(
    summaries.map(({ id, ends }) => [id, ends]),
    [
      [10, '{"EUR":80}'],
      [20, null],
      [30, null],
      [40, null],
      [50, '{"EUR":70}'],
    ],
  );
});

test("agents' platforms get changed tracking, and a tenant's own webhooks stay as they are", () => {
  const { database, migrate } = beforeMigration();
  const insert =
    database.prepare(`INSERT INTO webhooks (id, tenant_id, url, description, events, status, agent, secret,
      secret_tail, ref, created_at, updated_at)
    VALUES (?1, 1, 'https://agent.example/', '', ?2, 'active', ?3, '', '', ?1, 1, 1)`);
  insert.run(1, '["order.created"]', '{}');
  insert.run(2, '["order.created"]', null);
  migrate();
  deepEqual(
    database
      .prepare('SELECT events FROM webhooks ORDER BY id')
      .all()
      .map(({ events }) => events),
    ['["order.created","order.tracking_changed"]', '["order.created"]'],
  );
});
