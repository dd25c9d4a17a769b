import { z } from '@hono/zod-openapi';
import {
  type EventExamples,
  type EventSchema,
  eventName,
  eventSchema,
  exampleEvent,
} from '../events/index.ts';
import type { Registry } from '../kernel/openapi/document.ts';
import { DELIVERED_TYPES } from './registrations/schemas.ts';
import type { DeliveredType } from './tables.ts';

const SUMMARIES: Readonly<Record<DeliveredType, string>> = {
  'order.created': 'An order was placed',
  'order.paid': 'An order was paid',
  'order.cancelled': 'An order was cancelled',
  'order.fulfilled': 'Goods of an order were shipped',
  'order.tracking_changed': 'The tracking of a fulfilment was added, changed or removed',
  'order.refunded': 'Money of an order was refunded',
  'product.updated': 'A product was created, changed or deleted',
  'category.updated': 'A category was created, changed, moved or deleted',
  'stock.changed': "A SKU's sellable quantity changed",
  'customer.created': 'A customer registered',
  'cart.abandoned': 'A filled cart of a known shopper was untouched for an hour',
  'customer.email_changed': "A customer's e-mail address changed: notify the old address",
  ping: 'A test event was requested',
};

const Headers = z.object({
  'webhook-id': z.string().openapi({ description: "The event's id, identical in every attempt and replay." }),
  'webhook-timestamp': z.string().regex(/^\d+$/).openapi({
    description: 'The time of this attempt, in seconds since the Unix epoch. Reject old timestamps.',
  }),
  'webhook-signature': z.string().openapi({
    description:
      '`v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body` with the secret; for 24 hours after a rotation two signatures, separated by a space.',
  }),
});

const Ping = z.object({ webhook_id: z.int() });

/** The body of a test event. */
const PingEvent = eventSchema('ping', Ping).openapi('PingEvent');

/** Returns an example of a test event's body. */
const examplePing = () => {
  const { data: _, ...envelope } = exampleEvent('ping', {});
  return { ...envelope, data: { webhook_id: 1 } };
};

/** Returns a media type whose example is evaluated only when the document is generated. */
const withExample = (schema: z.ZodType, example: () => object) => ({
  schema,
  get example() {
    return example();
  },
});

/**
 * Adds every event type to the OpenAPI document's `webhooks`: the schemas of their bodies, and an example of
 * each one's data.
 */
export function documentEvents(
  registry: Registry,
  events: readonly EventSchema[],
  examples: EventExamples,
): void {
  const bodies = new Map<DeliveredType, z.ZodType>(events.map((event) => [event.shape.type.value, event]));
  for (const type of DELIVERED_TYPES) {
    const body = bodies.get(type) ?? PingEvent;
    const example = () => (type === 'ping' ? examplePing() : exampleEvent(type, examples[type]()));
    registry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on${eventName(type)}`,
      tags: ['Webhooks'],
      summary: SUMMARIES[type],
      security: [],
      request: {
        headers: Headers,
        body: { required: true, content: { 'application/json': withExample(body, example) } },
      },
      responses: {
        '2XX': { description: 'Delivered' },
        410: { description: 'The receiver no longer accepts events: the webhook is paused' },
        default: { description: 'Not delivered; it is retried. `Retry-After` is honoured' },
      },
    });
  }
}
