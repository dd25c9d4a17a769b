import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { directory, rows } from '../../../src/kernel/data/database.ts';
import { nextId, nextPosition } from '../../../src/kernel/data/ids.ts';
import { storeOf } from '../../support/runtime.ts';
import { world } from '../../support/world.ts';

/** The first id of the second shard's range. */
const SECOND_RANGE = 2 ** 38;

const next = async () => {
  const query = sql`SELECT ${nextId('customer')} AS id, ${nextPosition('audit_log')} AS position`;
  const [row] = await rows<{ id: number; position: number }>(directory(env), query);
  return row ?? { id: 0, position: 0 };
};

const insertCustomer = (tenantId: number, id: number | null) =>
  storeOf({ tenantId })
    .prepare(
      `INSERT INTO customers (id, tenant_id, email, name, password, created_at, updated_at)
     VALUES (?, ?, ?, 'N', 'p', 1, 1)`,
    )
    .bind(id, tenantId, `${crypto.randomUUID()}@example.com`)
    .run();

it('gives ids one after the other, also behind a row that brought its id', async () => {
  const { tenantId } = await world();
  const { id } = await next();
  await insertCustomer(tenantId, id + 10);
  expect((await next()).id).toBe(id + 11);
  await insertCustomer(tenantId, null);
  expect((await next()).id).toBe(id + 12);
});

it('stays in the range of its shard when a row of another shard moves here', async () => {
  const { tenantId } = await world();
  const { id } = await next();
  const moved = SECOND_RANGE + 2 ** 35;
  await insertCustomer(tenantId, moved);
  expect((await next()).id).toBe(id);
  await env.DB.prepare('DELETE FROM customers WHERE id = ?').bind(moved).run();
});

it('gives positions above every position that a table has had, with the remainder of its shard', async () => {
  const { tenantId } = await world();
  const before = (await next()).position;
  expect(before % 64).toBe(0);
  const moved = before + 64 * 5 + 1;
  const insert = `INSERT INTO audit_log (id, tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
    VALUES (?, ?, 1, 'platform', 'P', 'updateTenant', 'tenant', '[]', 'r')`;
  await storeOf({ tenantId }).prepare(insert).bind(moved, tenantId).run();
  await env.DB.prepare('DELETE FROM audit_log WHERE id = ?').bind(moved).run();
  const after = (await next()).position;
  expect(after).toBeGreaterThan(moved);
  expect(after % 64).toBe(0);
});
