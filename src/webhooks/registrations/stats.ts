import { and, asc, count, desc, eq, isNotNull, isNull, min, ne, type SQL } from 'drizzle-orm';
import { deadLetters, outbox } from '../../events/index.ts';
import type { Database } from '../../kernel/data/database.ts';
import { tenants } from '../../tenants/index.ts';
import { webhooks } from '../tables.ts';

/** This many dead letters and webhooks of each kind are named; all are counted. */
const NAMED = 50;

/**
 * How delivery is doing over all tenants, in one round trip: events that the queues were not told of yet,
 * letters that a queue gave up on, webhooks that only fail at the moment (those that do for longest first) and
 * webhooks that paused themselves. Times in ms.
 */
export async function deliveryOverview(db: Database) {
  const [waiting, dead, letters, states, failing, paused] = await db.batch([
    db
      .select({ events: count(), oldest: min(outbox.occurredAt) })
      .from(outbox)
      .where(isNull(outbox.relayedAt)),
    db.select({ queue: deadLetters.queue, letters: count() }).from(deadLetters).groupBy(deadLetters.queue),
    db.select().from(deadLetters).orderBy(desc(deadLetters.recordedAt)).limit(NAMED),
    db
      .select({ status: webhooks.status, webhooks: count(), failing: count(webhooks.failingSince) })
      .from(webhooks)
      .groupBy(webhooks.status),
    troubled(db, and(isNotNull(webhooks.failingSince), eq(webhooks.status, 'active'))),
    troubled(db, ne(webhooks.pausedReason, 'requested')),
  ]);
  return {
    waiting: waiting[0]?.events ?? 0,
    oldest: waiting[0]?.oldest ?? null,
    dead,
    letters,
    states,
    failing,
    paused,
  };
}

const troubled = (db: Database, which: SQL | undefined) =>
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
    .where(which)
    .orderBy(asc(webhooks.failingSince))
    .limit(NAMED);
