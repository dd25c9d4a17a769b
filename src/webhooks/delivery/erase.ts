import { eventSizes, eventsById } from '../../events/index.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { eventsOfWebhooks } from '../registrations/endpoint-store.ts';
import { endpointOf } from './endpoint-client.ts';
import { eventDelivery } from './envelope.ts';
import { inGroups, objectsAtOnce, slicesOf } from './fan-out.ts';

/** A delivery's redacted body. */
export interface RedactedDelivery {
  readonly eventId: string;
  readonly body: string;
}

/**
 * Replaces the stored bodies of these events' deliveries with the outbox's current data in every webhook of
 * the tenant that may have such events, those of agents' platforms included, and deletes the logged response bodies.
 * Calls each object once for a slice of events, because an invocation has 1,000 subrequests. Rejects when an object
 * can't be reached. Idempotent.
 */
export async function redactDeliveries(ctx: TenantContext, eventIds: readonly string[]): Promise<void> {
  const { tenantId, env } = ctx;
  if (eventIds.length === 0) return;
  // A webhook that subscribes from now on gets what the outbox has.
  const webhooks = await eventsOfWebhooks(ctx);
  if (webhooks.length === 0) return;
  for (const slice of slicesOf(await eventSizes(ctx, eventIds))) {
    const rows = await eventsById(
      ctx,
      slice.map(({ id }) => id),
    );
    const deliveries = rows.map((row) => ({
      type: row.type,
      eventId: row.id,
      body: eventDelivery(row).body,
    }));
    const concerned = webhooks.filter(({ events }) => slice.some(({ type }) => events.includes(type)));
    await inGroups(concerned, objectsAtOnce(slice), ({ id, events }) => {
      const own = deliveries.filter(({ type }) => events.includes(type));
      const redacted = own.map(({ eventId, body }) => ({ eventId, body }));
      return endpointOf(env, { tenantId, webhookId: id }).redact(redacted);
    });
  }
}

/**
 * Replaces the bodies of one webhook's deliveries. The body of an event that it has no delivery of is kept, for a
 * fan-out that read the event before it was redacted (`at`, in ms) and delivers it later.
 */
export function writeBodies(sql: SqlStorage, redacted: readonly RedactedDelivery[], at: number): void {
  for (const { eventId, body } of redacted) {
    sql.exec('UPDATE deliveries SET body = ? WHERE eventId = ?', body, eventId);
    sql.exec(
      'UPDATE attempts SET responseBody = NULL WHERE deliveryId IN (SELECT id FROM deliveries WHERE eventId = ?)',
      eventId,
    );
    sql.exec(
      `INSERT OR REPLACE INTO redactions (eventId, body, redactedAt)
       SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE eventId = ?1)`,
      eventId,
      body,
      at,
    );
  }
}
