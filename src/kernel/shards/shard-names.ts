/** The name of the binding of a database with tenants' rows. `SEARCH_01` is the search of the tenants of `SHARD_01`. */
export type ShardName = `SHARD_${string}`;

/** The two databases in which a tenant has rows. */
export type TenantStore = 'rows' | 'search';

/** The shard that every deployment has: its rows are in the directory's database (`DB`) unless it is bound apart. */
const FIRST: ShardName = 'SHARD_01';

const namesOf = new WeakMap<Env, readonly ShardName[]>();

/** Returns whether a text has the form of a shard's name. */
export const isShardName = (name: string): name is ShardName => /^SHARD_\d\d$/.test(name);

/** Returns the names of the deployment's shards, in order. */
export function shardNames(env: Env): readonly ShardName[] {
  const known = namesOf.get(env);
  if (known) return known;
  const found = [...new Set([FIRST, ...Object.keys(env).filter(isShardName)])].sort();
  namesOf.set(env, found);
  return found;
}

/** Returns a shard's number, from 1. */
export const shardNumber = (shard: ShardName): number => Number(shard.slice(-2));

/** Returns the names of the bindings of D1 databases with the main schema: the directory, and shards bound apart. */
export const mainDatabases = (env: Env): readonly string[] => [
  'DB',
  ...shardNames(env).filter((name) => Reflect.has(env, name)),
];

/** Returns the names of the bindings of the search databases. */
export const searchDatabases = (env: Env): readonly string[] => shardNames(env).map(searchName);

/** Returns the names of the bindings with a shard's databases. */
export const databaseNames = (env: Env, shard: ShardName): string[] => [
  Reflect.has(env, shard) ? shard : 'DB',
  searchName(shard),
];

const searchName = (shard: ShardName): string => shard.replace('SHARD', 'SEARCH');

/** Returns one of a shard's databases. Throws if it is not bound. */
export function shardBinding(env: Env, shard: ShardName, store: TenantStore): D1Database {
  const name = store === 'rows' ? shard : searchName(shard);
  // wrangler.toml binds databases alone under these names, which the environment's type can't list.
  const bound = Reflect.get(env, name) as D1Database | undefined;
  if (bound) return bound;
  if (name === FIRST) return env.DB;
  throw new Error(`${name} is not bound`);
}
