import { and, asc, count, desc, eq, isNotNull, isNull, min, ne, type SQL } from 'drizzle-orm';
import { deadLetters, outbox } from '../../events/index.ts';
import { type Database, namedBatch } from '../../kernel/data/database.ts';
import { tenants } from '../../tenants/index.ts';
import { webhooks } from '../tables.ts';

/** Dead letters and webhooks of each kind that are listed; the counts include all. */
const MAX_LISTED = 50;

/**
 * Returns delivery statistics of all tenants in one round trip: events not yet relayed, dead letters, failing
 * webhooks (longest first), and automatically paused webhooks. Times in ms.
 */
export async function deliveryOverview(db: Database) {
  const { waiting, ...overview } = await namedBatch(db, {
    waiting: db
      .select({ events: count(), oldest: min(outbox.occurredAt) })
      .from(outbox)
      .where(isNull(outbox.relayedAt)),
    dead: db
      .select({ queue: deadLetters.queue, letters: count() })
      .from(deadLetters)
      .groupBy(deadLetters.queue),
    letters: db.select().from(deadLetters).orderBy(desc(deadLetters.recordedAt)).limit(MAX_LISTED),
    states: db
      .select({ status: webhooks.status, webhooks: count(), failing: count(webhooks.failingSince) })
      .from(webhooks)
      .groupBy(webhooks.status),
    failing: unhealthy(db, and(isNotNull(webhooks.failingSince), eq(webhooks.status, 'active'))),
    paused: unhealthy(db, ne(webhooks.pausedReason, 'requested')),
  });
  return { ...overview, waiting: waiting[0]?.events ?? 0, oldest: waiting[0]?.oldest ?? null };
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
