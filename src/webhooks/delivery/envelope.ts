import type { OutboxRow } from '../../events/index.ts';
import { iso, now } from '../../kernel/core/clock.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { DeliveredType } from '../tables.ts';
import type { NewDelivery } from './delivery.ts';

/** An event in its envelope, `{id, type, timestamp, data}` (Standard Webhooks). */
const envelope = (
  eventId: string,
  type: DeliveredType,
  occurredAt: number,
  data: Record<string, unknown>,
): NewDelivery => ({
  eventId,
  type,
  occurredAt,
  body: JSON.stringify({ id: eventId, type, timestamp: iso(occurredAt), data }),
});

/** What the outbox says, as it is sent: `sequence` and `occurred_at` stand beside the event's own data. */
export const eventDelivery = ({ id: eventId, type, occurredAt, sequence, data }: OutboxRow): NewDelivery =>
  envelope(eventId, type, occurredAt, { ...data, sequence, occurred_at: iso(occurredAt) });

/** A ping: shows that a receiver is there and verifies. */
export const pingDelivery = (webhookId: number, eventId = id('evt')): NewDelivery =>
  envelope(eventId, 'ping', now(), { webhook_id: webhookId });
