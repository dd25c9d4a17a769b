import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { EventType } from '../events/index.ts';
import type { App } from '../kernel/http/context.ts';
import { DELIVERED_TYPES } from './registrations/schemas.ts';
import type { DeliveredType } from './tables.ts';

const SUMMARIES: Readonly<Record<DeliveredType, string>> = {
  'order.created': 'An order was placed',
  'order.paid': 'An order was paid',
  'order.cancelled': 'An order was cancelled',
  'order.fulfilled': 'Goods of an order were shipped',
  'product.updated': 'A product was created, changed or deleted',
  'category.updated': 'A category was created, changed, moved or deleted',
  'stock.changed': "A SKU's sellable quantity changed",
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

const commonFields = {
  sequence: z
    .int()
    .openapi({ description: 'Increases for each resource: an event with a lower value is older.' }),
  occurred_at: z.iso.datetime(),
};

const Ping = z.object({ webhook_id: z.int() });

const OCCURRED = '2026-11-23T11:52:20.918Z';

/** Returns an example of a delivery's body. */
const exampleOf = (type: DeliveredType, data: object): object => ({
  ...{ id: 'evt_3kTMd5Xw0bQvJ8hZsYcL1nRa', type, timestamp: OCCURRED },
  data: { ...data, ...(type !== 'ping' && { sequence: 41, occurred_at: OCCURRED }) },
});

/** Returns a media type whose example is evaluated only when the document is generated. */
const withExample = (schema: z.ZodType, example: () => object) => ({
  schema,
  get example() {
    return example();
  },
});

/**
 * Adds every event type to the OpenAPI document's `webhooks`. `data` has the schemas of the modules that emit
 * events, and `examples` one of each; the envelope and the fields common to all events are added here.
 */
export function documentEvents<Data extends Readonly<Record<EventType, z.ZodObject>>>(
  { openAPIRegistry }: OpenAPIHono<App>,
  data: Data,
  examples: { readonly [Type in EventType]: () => z.output<Data[Type]> },
): void {
  const dataOf = (type: DeliveredType) => (type === 'ping' ? { webhook_id: 1 } : examples[type]());
  for (const type of DELIVERED_TYPES) {
    const body = z.object({
      id: z.string().openapi({ example: 'evt_3kTMd5Xw0bQvJ8hZsYcL1nRa' }),
      type: z.literal(type),
      timestamp: z.iso.datetime().openapi({ description: 'When the event occurred.' }),
      data: type === 'ping' ? Ping : data[type].extend(commonFields),
    });
    openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on${type.replaceAll(/(?:^|[._])(.)/g, (_, first: string) => first.toUpperCase())}`,
      tags: ['Webhooks'],
      summary: SUMMARIES[type],
      security: [],
      request: {
        headers: Headers,
        body: {
          required: true,
          content: { 'application/json': withExample(body, () => exampleOf(type, dataOf(type))) },
        },
      },
      responses: {
        '2XX': { description: 'Delivered' },
        410: { description: 'The receiver no longer accepts events: the webhook is paused' },
        default: { description: 'Not delivered; it is retried. `Retry-After` is honoured' },
      },
    });
  }
}
