/** Every table with rows of a tenant is moved, or named with the reason why not. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MOVED_NAMES, MOVED_TABLES, NOT_MOVED, NOT_OF_SHARDS } from '../../../src/moves/copy/moved-tables.ts';
import { columnsOf, pageOf, readSchema } from '../../../src/moves/copy/shard-rows.ts';

const schema = await readSchema(env.DB);

it('moves or names every table with rows of a tenant', async () => {
  const { results } = await env.DB.prepare(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`,
  ).all<{ name: string; sql: string }>();
  const ofTenants = results.filter(({ sql }) => sql.includes('`tenant_id`')).map(({ name }) => name);
  const named = ['tenants', ...NOT_OF_SHARDS, ...Object.keys(NOT_MOVED), ...MOVED_NAMES.slice(1)];
  expect(named.sort()).toEqual([...ofTenants, 'tenants'].sort());
});

it.each(MOVED_NAMES)('knows the primary key of %s', (name) => {
  expect(columnsOf(schema, name).primary.length).toBeGreaterThan(0);
});

it.each(MOVED_TABLES.map((table) => [`${table.name} ${table.where ?? ''}`, table] as const))(
  'reads a page of %s by an index',
  async (_, table) => {
    for (const key of [table.key, table.copyKey ?? table.key]) {
      const query = pageOf(env.DB, table, { tenantId: 1, key, after: key.map(() => 1), limit: 10 });
      // A prepared statement has its text; what the plan says of its bound values doesn't matter.
      const text = Reflect.get(query, 'statement') as string;
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
        .bind(1, ...key.map(() => 1))
        .all<{ detail: string }>();
      const steps = plan.results.map(({ detail }) => detail).join('; ');
      expect(steps).not.toMatch(/SCAN (?!json_each|\(subquery)|PRIMARY KEY \(rowid>/);
    }
  },
);
