import { BoundedMap } from '../core/bounded-map.ts';
import { isRecent, now } from '../core/clock.ts';
import { isShardName, type ShardName, shardNames } from './shard-names.ts';

/** The most tenants whose shard an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 10_000;
/** For how long (ms) a tenant's shard is known without another lookup. Leases, which last a second, refresh it. */
const MAX_AGE_MS = 2_000;

const known = new BoundedMap<number, { readonly shard: ShardName; readonly learntAt: number }>(MAX_TENANTS);

/** Records the shard that a tenant's rows are on, as the directory or the tenant's object has just said. */
export function learnShard(tenantId: number, shard: ShardName): void {
  known.set(tenantId, { shard, learntAt: now() });
}

/** Records the shard that an older lease names, unless something newer is known. */
export function suggestShard(tenantId: number, shard: ShardName): void {
  if (!isFresh(tenantId)) learnShard(tenantId, shard);
}

const isFresh = (tenantId: number): boolean =>
  isRecent(known.get(tenantId)?.learntAt ?? Number.NEGATIVE_INFINITY, MAX_AGE_MS);

/** Forgets a tenant's shard, so that its next statement asks the directory. */
export const forgetShard = (tenantId: number): void => void known.delete(tenantId);

/** Returns a tenant's shard if it is known without a look-up: always, with one shard. */
export function knownShard(env: Env, tenantId: number): ShardName | null {
  const [first, second] = shardNames(env);
  if (first && !second) return first;
  return isFresh(tenantId) ? (known.get(tenantId)?.shard ?? null) : null;
}

/** Returns a tenant's shard; one query of the directory unless it is known. Throws for a tenant without a placement. */
export async function shardOf(env: Env, tenantId: number): Promise<ShardName> {
  const shard = knownShard(env, tenantId);
  if (shard) return shard;
  await learnShards(env, [tenantId]);
  const found = knownShard(env, tenantId);
  if (!found) throw new Error(`Tenant ${tenantId} has no placement`);
  return found;
}

/**
 * Returns a tenant's shard as the directory names it now, regardless of what the isolate knows. No query with one
 * shard.
 */
export function shardNow(env: Env, tenantId: number): Promise<ShardName> {
  forgetShard(tenantId);
  return shardOf(env, tenantId);
}

/**
 * Learns the shards of these tenants as the directory names them now; one query for all, none with one shard. A queue's
 * message may name what was written at a shard that a tenant has just moved to.
 */
export function learnShardsNow(env: Env, tenantIds: readonly number[]): Promise<void> {
  for (const id of tenantIds) forgetShard(id);
  return learnShards(env, tenantIds);
}

async function learnShards(env: Env, tenantIds: readonly number[]): Promise<void> {
  const unknown = [...new Set(tenantIds)].filter((id) => knownShard(env, id) === null);
  if (unknown.length === 0) return;
  const { results } = await env.DB.prepare(
    'SELECT tenant_id AS id, shard FROM placements WHERE tenant_id IN (SELECT value FROM json_each(?))',
  )
    .bind(JSON.stringify(unknown))
    .all<{ id: number; shard: string }>();
  for (const { id, shard } of results) if (isShardName(shard)) learnShard(id, shard);
}
