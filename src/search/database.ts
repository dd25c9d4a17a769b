import { newestDatabase, type TenantContext } from '../kernel/data/tenant-context.ts';
import { tenantBinding } from '../kernel/shards/routed-database.ts';
import { shardBinding } from '../kernel/shards/shard-names.ts';

/** The search database, or a session of it. */
export type SearchDatabase = D1Database | D1DatabaseSession;

/** A tenant's part of the search database: the first parameter of its queries and statements. */
export interface TenantIndex {
  readonly tenantId: number;
  readonly db: SearchDatabase;
}

/**
 * Returns a tenant's part of the search database of its shard. `primary` has every write, `nearest` may be a replica
 * that lags behind.
 */
export function tenantIndex(
  { env, tenantId }: { readonly env: Env; readonly tenantId: number },
  from: 'primary' | 'nearest' = 'primary',
): TenantIndex {
  const bound = tenantBinding(env, tenantId, 'search');
  return { tenantId, db: from === 'primary' ? bound : bound.withSession('first-unconstrained') };
}

/** A context and an index on one shard. */
export interface PlacedWork {
  readonly ctx: TenantContext;
  readonly index: TenantIndex;
}

/**
 * Places work on the index on the shard that the directory names now: what an isolate knows may be two seconds old, and
 * the search database of a shard that the tenant has left still takes writes. With `placedDatabase` the directory is
 * asked only for an unknown shard: for work that is enqueued again if it looked at the old one.
 */
export async function placed(ctx: TenantContext, find = newestDatabase): Promise<PlacedWork> {
  const { env, tenantId } = ctx;
  const { db, shard } = await find(env, tenantId);
  return { ctx: { ...ctx, db }, index: { tenantId, db: shardBinding(env, shard, 'search') } };
}

/**
 * Runs named statements as one transaction and one round trip. Returns the rows of each under its name; the
 * type argument says what they are.
 */
export async function namedRows<Rows extends Readonly<Record<string, unknown>>>(
  db: SearchDatabase,
  statements: { readonly [Name in keyof Rows]: D1PreparedStatement },
): Promise<{ readonly [Name in keyof Rows]: readonly Rows[Name][] }> {
  const results = await db.batch(Object.values(statements));
  const entries = Object.keys(statements).map((name, n) => [name, results[n]?.results ?? []]);
  // D1 returns one result for each statement, in their order.
  return Object.fromEntries(entries);
}
