/** Audit entries of a tenant's people, which the directory writes, while the tenant moves to the directory's shard. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { forwardEntries } from '../../src/audit/recording/forward.ts';
import { advanceMove } from '../../src/moves/advance-move.ts';
import { runtime } from '../support/runtime/runtime.ts';
import { runMove, shardNamed, shownMove, startMove } from '../support/shards/moving.ts';
import { shopOn } from '../support/shards/rows.ts';
import { admin, type World, world } from '../support/world.ts';

/** Bindings of a deployment that was given a second shard: the first one's rows are in the directory. */
const grown: Env = Object.fromEntries(
  Object.entries(env).filter(([name]) => name !== 'SHARD_01'),
) as unknown as Env;

/** Writes an entry where a change to a tenant's people writes it. */
const enter = ({ tenantId }: World, action: string) =>
  env.DB.prepare(
    `INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
     VALUES (?, ?, 'panel', 'Ada', ?, 'person', '[]', ?)`,
  )
    .bind(tenantId, Date.now(), action, crypto.randomUUID())
    .run();

const entered = async ({ tenantId }: World, shard: string): Promise<string[]> => {
  const query = shardNamed(shard).prepare(
    "SELECT action FROM audit_log WHERE tenant_id = ? AND actor_name = 'Ada' ORDER BY id",
  );
  const { results } = await query.bind(tenantId).all<{ action: string }>();
  return results.map(({ action }) => action);
};

/** Places a shop where its old copy is: the first shard that other files of this runtime have does not hold its rows. */
const putBack = ({ tenantId }: World) =>
  env.DB.batch([
    env.DB.prepare("UPDATE placements SET shard = 'SHARD_02' WHERE tenant_id = ?").bind(tenantId),
    env.DB.prepare('DELETE FROM tenant_moves WHERE tenant_id = ?').bind(tenantId),
  ]);

/** Moves a shop until its next step would be of this state. */
async function moveUntil(shop: World, id: string, state: string): Promise<void> {
  for (let step = 0; (await shownMove(shop, id)).state !== state; step++) {
    expect(step).toBeLessThan(20);
    await advanceMove({ ...runtime, env: grown }, id);
  }
}

it('keeps an entry that is written while the tenant is copied', async () => {
  const shop = await shopOn('SHARD_02', world);
  const id = await startMove(shop);
  await moveUntil(shop, id, 'comparing');
  await enter(shop, 'invite');
  await moveUntil(shop, id, 'holding');
  await enter(shop, 'remove');
  const move = await runMove(shop, id, { bindings: grown });
  expect(move.state).toBe('switched');
  expect(await entered(shop, 'DB')).toEqual(['invite', 'remove']);
  await putBack(shop);
});

it('keeps it when the move is cancelled', async () => {
  const shop = await shopOn('SHARD_02', world);
  const id = await startMove(shop);
  await moveUntil(shop, id, 'catching_up');
  await enter(shop, 'invite');
  await admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`);
  await moveUntil(shop, id, 'cancelled');
  await forwardEntries(grown, shop.tenantId);
  expect([await entered(shop, 'SHARD_02'), await entered(shop, 'DB')]).toEqual([['invite'], []]);
});
