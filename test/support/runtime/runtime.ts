import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { SQL } from 'drizzle-orm';
import type { ShardContext } from '../../../src/kernel/data/chore.ts';
import {
  type Database,
  database,
  directory,
  rows,
  shardDatabase,
} from '../../../src/kernel/data/database.ts';
import { type Runtime, type TenantContext, tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { tenantBinding } from '../../../src/kernel/shards/routed-database.ts';
import { shardOf } from '../../../src/kernel/shards/shard-map.ts';
import { shardNames } from '../../../src/kernel/shards/shard-names.ts';

/** The directory. With one shard it has the rows of all tenants, too. */
export const db = () => directory(env);

/** Returns the database that has a tenant's rows. */
export const databaseOf = ({ tenantId }: { readonly tenantId: number }): Database => database(env, tenantId);

/** Returns the database that has a tenant's rows, as a binding. */
export const storeOf = (tenant: { readonly tenantId: number }): D1Database => databaseOf(tenant).$client;

/** Returns the database that has a tenant's search index. */
export const searchOf = ({ tenantId }: { readonly tenantId: number }): D1Database =>
  tenantBinding(env, tenantId, 'search');

/** Returns the rows of a query on every shard, for tests that know a row's id and not its tenant. */
export const onEveryShard = async <Row>(query: SQL): Promise<Row[]> =>
  (await Promise.all(shardNames(env).map((name) => rows<Row>(shardDatabase(env, name), query)))).flat();

/** The binding of a deployment whose master key has been rotated once. */
export const SECOND_MASTER_KEY = { MASTER_KEY_V2: 'c2Vjb25kLW1hc3Rlci1rZXktc2Vjb25kLW1hc3Rlci0=' };

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
