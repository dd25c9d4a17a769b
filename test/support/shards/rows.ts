/** What the databases of a deployment with several shards hold. */
import { env } from 'cloudflare:workers';
import { mainDatabases } from '../../../src/kernel/shards/shard-names.ts';
import type { World } from '../world.ts';

declare global {
  namespace Cloudflare {
    /** Bound in the project `shards` alone. */
    interface Env {
      SHARD_02?: D1Database;
      SEARCH_02?: D1Database;
    }
  }
}

/** Returns how many of a tenant's rows in a table each main database has: `{ DB: 0, SHARD_01: 3 }`. */
export async function rowsByDatabase(
  { tenantId }: Pick<World, 'tenantId'>,
  table: string,
): Promise<Record<string, number>> {
  const column = table === 'tenants' ? 'id' : 'tenant_id';
  const counted = mainDatabases(env).map(async (name) => {
    const bound: D1Database = Reflect.get(env, name);
    const query = bound.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(tenantId);
    return [name, (await query.first<number>('n')) ?? -1] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** Returns the shard that the directory names for a tenant. */
export const placedOn = async ({ tenantId }: Pick<World, 'tenantId'>): Promise<string> =>
  (await env.DB.prepare('SELECT shard FROM placements WHERE tenant_id = ?')
    .bind(tenantId)
    .first<string>('shard')) ?? 'nowhere';

/** Makes a shop on one of two shards: the other one counts as full meanwhile. */
export async function shopOn(shard: 'SHARD_01' | 'SHARD_02', make: () => Promise<World>): Promise<World> {
  const other = shard === 'SHARD_01' ? 'SHARD_02' : 'SHARD_01';
  await env.DB.prepare('DELETE FROM shards').run();
  await env.DB.prepare('INSERT INTO shards (name, bytes, events, measured_at) VALUES (?, ?, 0, ?)')
    .bind(other, 8 * 1024 ** 3, Date.now())
    .run();
  const shop = await make();
  await env.DB.prepare('DELETE FROM shards').run();
  return shop;
}
