import { and, asc, count, desc, eq, isNotNull, isNull, min, ne, type SQL } from 'drizzle-orm';
import { deadLetters, outbox } from '../../events/index.ts';
import { type Database, directory, namedBatch, shardDatabase } from '../../kernel/data/database.ts';
import { askShard } from '../../kernel/shards/ask-shard.ts';
import { type ShardName, shardNames } from '../../kernel/shards/shard-names.ts';
import { tenants } from '../../tenants/index.ts';
import { webhooks } from '../tables.ts';

/** Dead letters and webhooks of each kind that are listed; the counts include all. */
const MAX_LISTED = 50;

/**
 * Returns delivery statistics of all tenants, in one round trip to each database: events not yet relayed, dead letters,
 * failing webhooks (longest first), automatically paused webhooks, and the shards that can't be reached. Times in ms.
 */
export async function deliveryOverview(env: Env) {
  const [letters, shards] = await Promise.all([
    letterOverview(directory(env)),
    Promise.all(shardNames(env).map(async (name) => ({ name, of: await shardOverview(env, name) }))),
  ]);
  const found = shards.flatMap(({ of }) => of ?? []);
  const states = found.flatMap((one) => one.states);
  const oldest = found.flatMap((one) => one.waiting[0]?.oldest ?? []);
  const listed = (kind: 'failing' | 'paused') =>
    found
      .flatMap((one) => one[kind])
      .sort((one, other) => (one.failingSince ?? 0) - (other.failingSince ?? 0))
      .slice(0, MAX_LISTED);
  return {
    ...letters,
    waiting: found.reduce((sum, one) => sum + (one.waiting[0]?.events ?? 0), 0),
    oldest: oldest.length > 0 ? Math.min(...oldest) : null,
    states: (['active', 'paused'] as const).map((status) => {
      const own = states.filter((one) => one.status === status);
      return {
        status,
        webhooks: own.reduce((sum, one) => sum + one.webhooks, 0),
        failing: own.reduce((sum, one) => sum + one.failing, 0),
      };
    }),
    failing: listed('failing'),
    paused: listed('paused'),
    unavailable: shards.filter(({ of }) => of === null).map(({ name }) => name),
  };
}

/** Returns the counts of dead letters, and the latest. */
const letterOverview = (db: Database) =>
  namedBatch(db, {
    dead: db
      .select({ queue: deadLetters.queue, letters: count() })
      .from(deadLetters)
      .groupBy(deadLetters.queue),
    letters: db.select().from(deadLetters).orderBy(desc(deadLetters.recordedAt)).limit(MAX_LISTED),
  });

/** Returns the statistics of a shard's tenants; null if it can't be reached. */
function shardOverview(env: Env, shard: ShardName) {
  const db = shardDatabase(env, shard);
  return askShard(() =>
    namedBatch(db, {
      waiting: db
        .select({ events: count(), oldest: min(outbox.occurredAt) })
        .from(outbox)
        .where(isNull(outbox.relayedAt)),
      states: db
        .select({ status: webhooks.status, webhooks: count(), failing: count(webhooks.failingSince) })
        .from(webhooks)
        .groupBy(webhooks.status),
      failing: unhealthy(db, and(isNotNull(webhooks.failingSince), eq(webhooks.status, 'active'))),
      paused: unhealthy(db, ne(webhooks.pausedReason, 'requested')),
    }),
  );
}

const unhealthy = (db: Database, condition: SQL | undefined) =>
  db
    .select({
      id: webhooks.id,
      slug: tenants.slug,
      url: webhooks.url,
      reason: webhooks.pausedReason,
      failingSince: webhooks.failingSince,
      failures: webhooks.failures,
      lastError: webhooks.lastError,
    })
    .from(webhooks)
    .innerJoin(tenants, eq(tenants.id, webhooks.tenantId))
    .where(condition)
    .orderBy(asc(webhooks.failingSince))
    .limit(MAX_LISTED);
