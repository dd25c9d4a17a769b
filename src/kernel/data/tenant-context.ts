import type { Actor } from '../core/actor.ts';
import { shardNow, shardOf } from '../shards/shard-map.ts';
import type { ShardName } from '../shards/shard-names.ts';
import { type Database, database, shardDatabase } from './database.ts';

/** What background work runs with: bindings, plus `waitUntil`. */
export interface Runtime {
  readonly env: Env;
  readonly ctx: Pick<ExecutionContext, 'waitUntil'>;
}

/** A tenant and the database that holds its rows: the first parameter of every query and statement. */
export interface TenantDatabase {
  readonly tenantId: number;
  readonly db: Database;
}

/** A tenant's database on one shard: no statement follows the tenant to another one. */
export interface PlacedDatabase extends TenantDatabase {
  readonly shard: ShardName;
}

/** Returns a tenant's database on its shard. What an isolate knows of a move may be two seconds old. */
export async function placedDatabase(
  env: Env,
  tenantId: number,
  placed: Promise<ShardName> = shardOf(env, tenantId),
): Promise<PlacedDatabase> {
  const shard = await placed;
  return { tenantId, shard, db: shardDatabase(env, shard) };
}

/**
 * Returns a tenant's database on the shard that the directory names now: for what is kept for longer than a move takes
 * to be known, and after a read that found an older state than it was asked for. No query with one shard.
 */
export const newestDatabase = (env: Env, tenantId: number): Promise<PlacedDatabase> =>
  placedDatabase(env, tenantId, shardNow(env, tenantId));

/** What an action on one tenant's data runs with: its first parameter. */
export interface TenantContext extends Runtime, TenantDatabase {
  /** Who acts; absent for the service itself. */
  readonly actor?: Actor;
  /** Where to create the objects that the caller will use; absent for background work, null if unknown. */
  readonly near?: DurableObjectLocationHint | null;
}

/** Returns the context of actions on a tenant, by `actor` or the service itself. */
export const tenantContext = ({ env, ctx }: Runtime, tenantId: number, actor?: Actor): TenantContext => ({
  env,
  ctx,
  tenantId,
  db: database(env, tenantId),
  ...(actor && { actor }),
});
