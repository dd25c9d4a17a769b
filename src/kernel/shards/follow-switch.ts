import { forgetShard, learnShard } from './shard-map.ts';
import { isShardName, shardBinding } from './shard-names.ts';

/**
 * Learns where a tenant is after a shard refused a statement because the tenant has left it. Between the seal of the
 * shard and the switch of the directory, the tenant is on no shard: a refused caller then completes the switch, so that
 * a move that crashes in between blocks no writes.
 */
export async function followSwitch(env: Env, tenantId: number): Promise<void> {
  forgetShard(tenantId);
  const placed = await env.DB.prepare(
    'SELECT shard, next, next_epoch AS epoch FROM placements WHERE tenant_id = ?',
  )
    .bind(tenantId)
    .first<{ shard: string; next: string | null; epoch: number | null }>();
  if (!placed || !isShardName(placed.shard)) return;
  const { shard, next, epoch } = placed;
  if (next === null) return learnShard(tenantId, shard);
  const sealed = await shardBinding(env, shard, 'rows')
    .prepare("SELECT 1 FROM tenant_fences WHERE tenant_id = ? AND state = 'moved' AND epoch = ?")
    .bind(tenantId, epoch)
    .first();
  if (sealed) await completeSwitch(env, tenantId, epoch);
}

/** Switches a tenant whose shard was sealed by the step with this epoch, unless the move was cancelled since. */
const completeSwitch = (env: Env, tenantId: number, epoch: number | null): Promise<unknown> =>
  env.DB.prepare(
    'UPDATE placements SET shard = next, next = NULL, next_epoch = NULL WHERE tenant_id = ? AND next_epoch = ?',
  )
    .bind(tenantId, epoch)
    .run();
