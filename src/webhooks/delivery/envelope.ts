import { z } from 'zod';
import { eventBody, type OutboxRow } from '../../events/index.ts';
import { iso, now } from '../../kernel/core/clock.ts';
import { type DataSubject, guestSubject, NOT_ERASABLE } from '../../kernel/data/idempotency-keys.ts';
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

/** The fields by which an event names a customer: an order's, a cart's, and a new account's own id. */
const Named = z.object({
  type: z.string(),
  data: z.object({
    id: z.unknown().optional(),
    customer_id: z.int().nullish(),
    email: z.string().nullish(),
    customer: z
      .object({
        id: z.int().nullable(),
        email: z.string().nullish(),
        name: z.string().nullish(),
        phone: z.string().nullish(),
      })
      .nullish(),
  }),
});

/**
 * Returns whose data the body of a delivery has; undefined for nobody's. A guest's abandoned cart doesn't name the order
 * by which its buyer is erased.
 */
export function subjectIn(body: string): DataSubject | typeof NOT_ERASABLE | undefined {
  const { type, data } = Named.parse(JSON.parse(body));
  const named = data.customer?.id ?? data.customer_id ?? null;
  const customerId = type === 'customer.created' ? data.id : named;
  if (typeof customerId === 'number') return { customerId };
  if (type === 'cart.abandoned' && typeof data.email === 'string') return NOT_ERASABLE;
  return type.startsWith('order.') ? guestSubject(String(data.id), data.customer ?? {}) : undefined;
}
