import { eventBody, type OutboxRow } from '../../events/index.ts';
import { iso, now } from '../../kernel/core/clock.ts';
import type { NewDelivery } from './delivery.ts';

/** Returns the delivery of an outbox event. */
export const eventDelivery = (row: OutboxRow): NewDelivery => ({
  eventId: row.id,
  type: row.type,
  occurredAt: row.occurredAt,
  body: JSON.stringify(eventBody(row)),
  resource: row.resource,
  position: row.position,
});

/** Returns a ping, which tests that a receiver responds and verifies signatures. */
export function pingDelivery(webhookId: number, eventId: string): NewDelivery {
  const [type, occurredAt] = ['ping' as const, now()];
  const body = { id: eventId, type, timestamp: iso(occurredAt), data: { webhook_id: webhookId } };
  return { eventId, type, occurredAt, body: JSON.stringify(body) };
}
