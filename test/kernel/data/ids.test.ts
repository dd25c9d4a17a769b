import { env } from 'cloudflare:workers';
import { type SQL, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../../../src/kernel/data/database.ts';
import { nextId, nextPosition } from '../../../src/kernel/data/ids.ts';
import { shardOf } from '../../../src/kernel/shards/shard-map.ts';
import { shardNumber } from '../../../src/kernel/shards/shard-names.ts';
import { databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/** How many ids a shard gives. */
const RANGE = 2 ** 38;

/** Returns the next id and position on a tenant's shard, and the shard's number from 0. */
const next = async ({ tenantId }: World) => {
  const query = sql`SELECT ${nextId('customer')} AS id, ${nextPosition('audit_log')} AS position`;
  const [row] = await rows<{ id: number; position: number }>(databaseOf({ tenantId }), query);
  const shard = shardNumber(await shardOf(env, tenantId)) - 1;
  return { ...(row ?? { id: 0, position: 0 }), shard };
};

const insertCustomer = ({ tenantId }: World, id: number | SQL) =>
  databaseOf({ tenantId }).run(
    sql`INSERT INTO customers (id, tenant_id, email, name, password, created_at, updated_at)
      VALUES (${id}, ${tenantId}, ${`${crypto.randomUUID()}@example.com`}, 'N', 'p', 1, 1)`,
  );

it('gives ids one after the other, also behind a row that brought its id', async () => {
  const shop = await world();
  const { id } = await next(shop);
  await insertCustomer(shop, id + 10);
  expect((await next(shop)).id).toBe(id + 11);
  await insertCustomer(shop, nextId('customer'));
  expect((await next(shop)).id).toBe(id + 12);
});

it('stays in the range of its shard when a row of another shard moves here', async () => {
  const shop = await world();
  const { id, shard } = await next(shop);
  const moved = (shard + 1) * RANGE + 2 ** 35;
  await insertCustomer(shop, moved);
  expect((await next(shop)).id).toBe(id);
  await storeOf(shop).prepare('DELETE FROM customers WHERE id = ?').bind(moved).run();
});

it('gives positions above every position that a table has had, with the remainder of its shard', async () => {
  const shop = await world();
  const { position: before, shard } = await next(shop);
  expect(before % 64).toBe(shard);
  const moved = before + 64 * 5 + 1;
  const insert = `INSERT INTO audit_log (id, tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
    VALUES (?, ?, 1, 'platform', 'P', 'updateTenant', 'tenant', '[]', 'r')`;
  await storeOf(shop).prepare(insert).bind(moved, shop.tenantId).run();
  await storeOf(shop).prepare('DELETE FROM audit_log WHERE id = ?').bind(moved).run();
  const after = (await next(shop)).position;
  expect(after).toBeGreaterThan(moved);
  expect(after % 64).toBe(shard);
});
