import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { ShardContext } from '../../src/kernel/data/chore.ts';
import { directory, shardDatabase } from '../../src/kernel/data/database.ts';
import { type Runtime, type TenantContext, tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { shardOf } from '../../src/kernel/shards/shard-map.ts';

/** The main database. */
export const db = () => directory(env);

/** The bindings and the context of a call that no request makes. */
export const runtime = { env, ctx: createExecutionContext() } satisfies Runtime;

/** Returns the context of a step of a chore on the shard of a tenant. */
export const choreContext = async ({ tenantId }: { readonly tenantId: number }): Promise<ShardContext> => {
  const shard = await shardOf(env, tenantId);
  return { ...runtime, shard, db: shardDatabase(env, shard) };
};

/** Returns the context of a call on behalf of a tenant. */
export const contextOf = ({ tenantId }: { readonly tenantId: number }): TenantContext =>
  tenantContext(runtime, tenantId);
