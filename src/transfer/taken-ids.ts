import { shardOf } from '../kernel/shards/shard-map.ts';
import { shardBinding, shardNames } from '../kernel/shards/shard-names.ts';
import type { TransferRecord } from './schemas.ts';
import { TRANSFERRED_TABLES } from './transferred-tables.ts';

/** The tables on shards whose rows an id names by itself. */
const NAMED_BY_ID = new Set(
  TRANSFERRED_TABLES.filter(({ key, inDirectory }) => key.join() === 'id' && !inDirectory).map(
    ({ name }) => name,
  ),
);

/** Numeric ids by their table. */
type Ids = ReadonlyMap<string, readonly number[]>;

/**
 * Returns whether another tenant, on another shard than this one's, has the id of a record: numeric ids are unique over
 * all shards, so that a tenant keeps them when it moves. One round trip to each other shard, all at once.
 */
export async function areTakenElsewhere(
  env: Env,
  tenantId: number,
  records: readonly TransferRecord[],
): Promise<boolean> {
  const own = await shardOf(env, tenantId);
  const others = shardNames(env).filter((name) => name !== own);
  const ids = numericIds(records);
  if (others.length === 0 || ids.size === 0) return false;
  const found = await Promise.all(
    others.map((name) => holdsAny(shardBinding(env, name, 'rows'), tenantId, ids)),
  );
  return found.includes(true);
}

/** Returns the numeric ids of the records that they alone name. Those of an order's lines are its own. */
function numericIds(records: readonly TransferRecord[]): Ids {
  const ids = new Map<string, number[]>();
  for (const { table, row } of records) {
    if (!NAMED_BY_ID.has(table) || typeof row.id !== 'number') continue;
    ids.set(table, [...(ids.get(table) ?? []), row.id]);
  }
  return ids;
}

async function holdsAny(client: D1Database, tenantId: number, ids: Ids): Promise<boolean> {
  const results = await client.batch(
    // The schema has checked that each table is one of the list.
    [...ids].map(([table, list]) =>
      client
        .prepare(
          `SELECT 1 FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) AND tenant_id <> ? LIMIT 1`,
        )
        .bind(JSON.stringify(list), tenantId),
    ),
  );
  return results.some(({ results }) => results.length > 0);
}
