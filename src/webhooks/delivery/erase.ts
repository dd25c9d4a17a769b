import { eventsById } from '../../events/index.ts';
import type { Database } from '../../kernel/data/database.ts';
import { listWebhooks } from '../registrations/store.ts';
import { endpointOf } from './endpoint-client.ts';
import { eventDelivery } from './envelope.ts';

/** So many events are read at once, and handed to so many WebhookEndpoint objects at a time. */
const EVENTS_AT_ONCE = 25;
const ENDPOINTS_AT_ONCE = 25;

/** A delivery's new body. */
export interface RedactedDelivery {
  readonly eventId: string;
  readonly body: string;
}

/**
 * Gives the deliveries of events, sent or not, the bodies that the outbox has for them now, in every webhook of
 * the tenant, and drops what receivers answered to them. Rejects when one can't be reached; may be repeated.
 */
export async function redactDeliveries(
  env: Env,
  db: Database,
  tenantId: number,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  const webhooks = await listWebhooks(db, tenantId);
  for (let start = 0; start < eventIds.length && webhooks.length > 0; start += EVENTS_AT_ONCE) {
    const rows = await eventsById(db, tenantId, eventIds.slice(start, start + EVENTS_AT_ONCE));
    const redacted = rows.map(eventDelivery).map(({ eventId, body }) => ({ eventId, body }));
    for (let first = 0; first < webhooks.length; first += ENDPOINTS_AT_ONCE) {
      const some = webhooks.slice(first, first + ENDPOINTS_AT_ONCE);
      await Promise.all(some.map(({ id }) => endpointOf(env, { tenantId, webhookId: id }).redact(redacted)));
    }
  }
}

/** Writes new bodies into the deliveries of one webhook; those that it doesn't have are passed over. */
export function writeBodies(sql: SqlStorage, redacted: readonly RedactedDelivery[]): void {
  for (const { eventId, body } of redacted) {
    sql.exec('UPDATE deliveries SET body = ? WHERE eventId = ?', body, eventId);
    sql.exec(
      'UPDATE attempts SET responseBody = NULL WHERE deliveryId IN (SELECT id FROM deliveries WHERE eventId = ?)',
      eventId,
    );
  }
}
