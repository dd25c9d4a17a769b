/** A tenant's audit log is whole wherever the tenant lives, also where the directory is a shard itself. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { forwardAudit } from '../../src/audit/index.ts';
import { forwardEntries } from '../../src/audit/recording/forward.ts';
import { directory } from '../../src/kernel/data/database.ts';
import { runtime } from '../support/runtime/runtime.ts';
import { shardNamed } from '../support/shards/moving.ts';
import { rowsByDatabase, shopOn } from '../support/shards/rows.ts';
import { type World, world } from '../support/world.ts';

/** Bindings of a deployment that was given a second shard: the first one's rows are in the directory. */
const grown: Env = Object.fromEntries(
  Object.entries(env).filter(([name]) => name !== 'SHARD_01'),
) as unknown as Env;

/** Writes an entry where a change to a tenant's people writes it. */
const enter = ({ tenantId }: World, action: string) =>
  env.DB.prepare(
    `INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
     VALUES (?, 1795000000000, 'panel', 'Ada', ?, 'person', '[]', ?)`,
  )
    .bind(tenantId, action, crypto.randomUUID())
    .run();

const actionsOn = async (shop: World, shard: 'SHARD_02' | 'DB'): Promise<string[]> => {
  const bound = shardNamed(shard);
  const query = bound.prepare("SELECT action FROM audit_log WHERE tenant_id = ? AND actor_kind = 'panel'");
  const { results } = await query.bind(shop.tenantId).all<{ action: string }>();
  return results.map(({ action }) => action);
};

it.each([
  ['a shard apart', env],
  ['the first shard', grown],
] as const)('is forwarded to the tenant when the directory is %s', async (_, bindings) => {
  const shop = await shopOn('SHARD_02', world);
  await enter(shop, 'invite');
  await forwardEntries(bindings, shop.tenantId);
  expect([await actionsOn(shop, 'SHARD_02'), await actionsOn(shop, 'DB')]).toEqual([['invite'], []]);
  await enter(shop, 'remove');
  await forwardAudit({ ...runtime, env: bindings, db: directory(bindings) }, {});
  expect([await actionsOn(shop, 'SHARD_02'), await actionsOn(shop, 'DB')]).toEqual([
    ['invite', 'remove'],
    [],
  ]);
});

it('stays with a tenant of the directory, and with the copy of one that moves there', async () => {
  const shop = await shopOn('SHARD_02', world);
  await enter(shop, 'copied');
  await env.DB.prepare("INSERT INTO tenant_fences (tenant_id, state, epoch) VALUES (?, 'arriving', 1)")
    .bind(shop.tenantId)
    .run();
  await forwardEntries(grown, shop.tenantId);
  expect(await actionsOn(shop, 'DB')).toEqual(['copied']);
  await env.DB.prepare('DELETE FROM tenant_fences WHERE tenant_id = ?').bind(shop.tenantId).run();
  await env.DB.prepare("UPDATE placements SET shard = 'SHARD_01' WHERE tenant_id = ?")
    .bind(shop.tenantId)
    .run();
  await forwardAudit({ ...runtime, env: grown, db: directory(grown) }, {});
  expect(await rowsByDatabase(shop, 'audit_log')).toMatchObject({ DB: 1 });
  await env.DB.prepare("UPDATE placements SET shard = 'SHARD_02' WHERE tenant_id = ?")
    .bind(shop.tenantId)
    .run();
  await env.DB.prepare('DELETE FROM audit_log WHERE tenant_id = ?').bind(shop.tenantId).run();
});
