import { count, desc, eq, isNull, min, ne, sql } from 'drizzle-orm';
import type { Database } from '../kernel/database.ts';
import { tenants } from '../tenants/index.ts';
import { deadLetters, outbox, webhooks } from './tables.ts';

/** This many dead letters and failing webhooks are named; all are counted. */
const NAMED = 50;

/**
 * How delivery is doing over all tenants, in one round trip: events that the queues were not told of yet,
 * letters that a queue gave up on, and webhooks that paused themselves. Times in ms.
 */
export async function deliveryOverview(db: Database) {
  const [waiting, [dead], letters, states, failing] = await db.batch([
    db
      .select({ events: count(), oldest: min(outbox.occurredAt) })
      .from(outbox)
      .where(isNull(outbox.relayedAt)),
    db.select({ letters: count() }).from(deadLetters),
    db.select().from(deadLetters).orderBy(desc(deadLetters.recordedAt)).limit(NAMED),
    db.select({ status: webhooks.status, webhooks: count() }).from(webhooks).groupBy(webhooks.status),
    db
      .select({ id: webhooks.id, slug: tenants.slug, url: webhooks.url, reason: webhooks.pausedReason })
      .from(webhooks)
      .innerJoin(tenants, eq(tenants.id, webhooks.tenantId))
      .where(sql`${webhooks.pausedReason} IS NOT NULL AND ${ne(webhooks.pausedReason, 'requested')}`)
      .limit(NAMED),
  ]);
  return {
    waiting: waiting[0]?.events ?? 0,
    oldest: waiting[0]?.oldest ?? null,
    dead: dead?.letters ?? 0,
    letters,
    states,
    failing,
  };
}
