import { MINUTE, now } from '../kernel/core/clock.ts';
import type { Chore, ShardContext } from '../kernel/data/chore.ts';
import { recordMeasure } from '../kernel/shards/placements.ts';
import { shardBinding } from '../kernel/shards/shard-names.ts';

/** The most events that are counted: a shard that records more in a minute is full. */
const MAX_COUNTED = 20_000;

/** Chore that records a shard's size and the events of its last minute, by which new tenants are placed. */
export const measureShard: Chore<ShardContext> = async ({ env, shard }) => {
  const { results, meta } = await shardBinding(env, shard, 'rows')
    .prepare(
      `SELECT count(*) AS events FROM (SELECT 1 FROM outbox WHERE occurred_at > ? LIMIT ${MAX_COUNTED})`,
    )
    .bind(now() - MINUTE)
    .all<{ events: number }>();
  await recordMeasure(env, shard, { bytes: meta.size_after, events: results[0]?.events ?? 0 });
  return {};
};
