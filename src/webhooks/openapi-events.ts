import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { EventType } from '../events/index.ts';
import type { App } from '../kernel/http/context.ts';
import { DELIVERED_TYPES, type DeliveredType } from './tables.ts';

const WHEN: Readonly<Record<DeliveredType, string>> = {
  'order.created': 'An order was placed',
  'order.paid': 'An order was paid',
  'order.cancelled': 'An order was cancelled',
  'product.updated': 'A product was created, changed or deleted',
  'stock.changed': 'What can be sold of a SKU has changed',
  'customer.email_changed': 'A customer has another e-mail address: tell the old one',
  ping: 'Somebody asked for a test event',
};

const Headers = z.object({
  'webhook-id': z.string().openapi({ description: "The event's id: the same in every attempt and replay." }),
  'webhook-timestamp': z
    .string()
    .regex(/^\d+$/)
    .openapi({ description: 'When this attempt was made, in seconds since 1970. Refuse what is old.' }),
  'webhook-signature': z.string().openapi({
    description:
      '`v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body` under the secret; two, parted by a space, for 24 hours after a rotation.',
  }),
});

const ofResource = {
  sequence: z.int().openapi({ description: 'Rises for each resource: what has a lower one is older.' }),
  occurred_at: z.iso.datetime(),
};

const Ping = z.object({ webhook_id: z.int() });

/**
 * Puts every type of event into the OpenAPI document, as its `webhooks`. `data` says what the rooms send; what
 * is added to it is added here.
 */
export function documentEvents(
  { openAPIRegistry }: OpenAPIHono<App>,
  data: Readonly<Record<EventType, z.ZodObject>>,
): void {
  for (const type of DELIVERED_TYPES) {
    const body = z.object({
      id: z.string().openapi({ example: 'evt_3kTMd5Xw0bQvJ8hZsYcL1nRa' }),
      type: z.literal(type),
      timestamp: z.iso.datetime().openapi({ description: 'When it happened.' }),
      data: type === 'ping' ? Ping : data[type].extend(ofResource),
    });
    openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on_${type.replace('.', '_')}`,
      tags: ['Webhooks'],
      summary: WHEN[type],
      security: [],
      request: {
        headers: Headers,
        body: { required: true, content: { 'application/json': { schema: body } } },
      },
      responses: {
        '2XX': { description: 'Delivered' },
        410: { description: 'Nobody wants this any more: the webhook is paused' },
        default: { description: 'Not delivered; it comes again. `Retry-After` is honoured' },
      },
    });
  }
}
