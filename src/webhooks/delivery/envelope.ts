import type { OutboxRow } from '../../events/index.ts';
import { iso, now } from '../../kernel/core/clock.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { NewDelivery } from './delivery.ts';

/** Returns an event in its envelope, `{id, type, timestamp, data}` (Standard Webhooks). */
const envelope = (
  { eventId, type, occurredAt }: Omit<NewDelivery, 'body'>,
  data: Record<string, unknown>,
): NewDelivery => ({
  eventId,
  type,
  occurredAt,
  body: JSON.stringify({ id: eventId, type, timestamp: iso(occurredAt), data }),
});

/** Returns the delivery of an outbox event; adds `sequence` and `occurred_at` to its data. */
export const eventDelivery = ({ id: eventId, type, occurredAt, sequence, data }: OutboxRow): NewDelivery =>
  envelope({ eventId, type, occurredAt }, { ...data, sequence, occurred_at: iso(occurredAt) });

/** Returns a ping, which tests that a receiver responds and verifies signatures. */
export const pingDelivery = (webhookId: number, eventId = id('evt')): NewDelivery =>
  envelope({ eventId, type: 'ping', occurredAt: now() }, { webhook_id: webhookId });
