import { desc } from 'drizzle-orm';
import { shardDatabase } from '../../kernel/data/database.ts';
import { askShard } from '../../kernel/shards/ask-shard.ts';
import { type ShardName, shardNames } from '../../kernel/shards/shard-names.ts';
import { wordMatcher } from '../../kernel/text/fold.ts';
import { tenants } from '../tables.ts';

/** The most tenants of a shard whose names a search reads, the newest: no index has names. */
export const MAX_NAMES_READ = 5_000;
/** The most tenants that a search finds by their names. */
export const MAX_FOUND = 10_000;

/**
 * Returns the ids of the tenants that have, for each word of `q`, a word in their name that begins with it, at most
 * {@link MAX_FOUND}. Looks at the newest tenants of each shard that can be reached; one query a shard.
 */
export async function tenantIdsByName(env: Env, q: string): Promise<number[]> {
  const isNamed = wordMatcher(q);
  const read = await Promise.all(shardNames(env).map((shard) => namesOn(env, shard)));
  const found = read.flat().flatMap(({ id, name }) => (isNamed(name) ? [id] : []));
  return found.slice(0, MAX_FOUND);
}

async function namesOn(env: Env, shard: ShardName): Promise<{ id: number; name: string }[]> {
  const named = async () =>
    shardDatabase(env, shard)
      .select({ id: tenants.id, name: tenants.name })
      .from(tenants)
      .orderBy(desc(tenants.id))
      .limit(MAX_NAMES_READ);
  return (await askShard(named)) ?? [];
}
