import { z } from '@hono/zod-openapi';
import { EVENT_TYPES } from '../../events/index.ts';
import { idParam, listPages, PageMeta } from '../../kernel/core/pagination.ts';
import { rawText } from '../../kernel/text/text.ts';
import { instantMs } from '../../kernel/values/instant.ts';
import { DELIVERY_STATUSES } from '../delivery/delivery.ts';
import { FILTER_KEYS_TEXT, Filter } from '../filter.ts';
import type { DeliveredType } from '../tables.ts';

/** The types of deliveries. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'ping'] as const satisfies readonly DeliveredType[];

/** The target of deliveries; its host's addresses are checked again before each attempt. */
const Url = rawText(2_048, { least: 1 }).openapi({
  format: 'uri',
  example: 'https://shop.example.com/hooks',
  description: 'Must be https with a public host. Stored as a URI, with other characters percent-encoded.',
});

const Events = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .max(EVENT_TYPES.length)
  .transform((events) => [...new Set(events)])
  .openapi({
    type: 'array',
    items: { type: 'string', enum: [...EVENT_TYPES] },
    minItems: 1,
    maxItems: EVENT_TYPES.length,
  });

const Status = z.enum(['active', 'paused']);

const FILTER_TEXT = `Delivers only events that match: \`{"sku": ["A", "B"]}\`. An event must have one of the values of each key that its type has; events of types without a key are not affected by it. ${FILTER_KEYS_TEXT}. A key that none of the \`events\` has is 422, and so is a status, type or currency that none can have. A change applies to events from then on, and to a replay of a range.`;

const ORDERED_TEXT =
  'Sends the events of one resource (a product, an order, an item of stock) one after the other, in the order in which they were committed: the next one waits until the one before was delivered or is `dead`. Other resources are not held up. A delivery that waits is `pending` without `next_attempt_at`.';

const Ordered = z.boolean();

const Description = rawText(255).nullable().openapi({
  description: 'A note on what the webhook is for.',
  example: 'Stock for the warehouse',
});

/** API text that documents subscription scopes and the delivery protocol. */
export const DELIVERY_PROTOCOL = `Responds with the secret, which is shown only once. Each type requires its read scope: orders \`orders:read\`, customers and abandoned carts \`customers:admin\`, all others \`catalog:read\`. A new URL, a new secret and a replay require the same scopes for every event that may still be sent.

Each event is a POST of \`{id, type, timestamp, data}\`, signed according to [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\` (the same in every attempt and replay), \`webhook-timestamp\`, \`webhook-signature\`. A 2xx within 15 seconds counts as delivered. Otherwise delivery is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and not before \`Retry-After\`. Status 410, or five days of failures, pauses the webhook. Delivery is at least once: deduplicate by \`webhook-id\`.

\`data\` is flat and has \`sequence\` (increasing for each resource) and \`occurred_at\`; the \`webhooks\` section of this document lists the other fields of each type.`;

/** A new webhook. */
export const WebhookCreate = z
  .strictObject({
    url: Url,
    description: Description.default(null),
    events: Events,
    status: Status.default('active'),
    filter: Filter.nullable()
      .default(null)
      .openapi({ type: ['object', 'null'], description: FILTER_TEXT }),
    ordered: Ordered.default(false).openapi({ description: ORDERED_TEXT }),
  })
  .openapi('WebhookCreate');
export type WebhookCreate = z.infer<typeof WebhookCreate>;

/** Replaces the given fields. `paused` holds new deliveries; `active` sends events from then on. */
export const WebhookPatch = z
  .strictObject({
    url: Url.optional(),
    description: Description.optional(),
    events: Events.optional(),
    status: Status.optional(),
    filter: Filter.nullable()
      .optional()
      .openapi({ type: ['object', 'null'], description: 'As in a new webhook; null removes the filter.' }),
    ordered: Ordered.optional(),
  })
  .openapi('WebhookPatch');
export type WebhookPatch = z.infer<typeof WebhookPatch>;

/** A webhook without its secret. */
export const Webhook = z
  .object({
    id: z.int(),
    url: z.string().openapi({ format: 'uri' }),
    description: z.string().nullable(),
    events: z.array(z.enum(EVENT_TYPES)),
    status: Status,
    filter: z.record(z.string(), z.array(z.union([z.string(), z.int()]))).nullable(),
    ordered: Ordered,
    secret_preview: z.string().nullable(),
    paused_reason: z.enum(['requested', 'gone', 'failing']).nullable().openapi({
      description:
        '`requested`: paused by its owner; `gone`: its receiver responded with 410; `failing`: its receiver failed for five days.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Webhook');

/** A webhook with its secret, for creation and rotation only. */
export const WebhookWithSecret = Webhook.extend({
  secret: z.string().openapi({ description: 'Shown once. Deliveries are signed with it.' }),
}).openapi('WebhookWithSecret');

/** The path parameter of a webhook. */
export const WebhookParams = z.object({ id: idParam });
/** The path parameters of a delivery. */
export const DeliveryParams = z.object({ id: idParam, delivery_id: idParam });

/** A delivery with its attempts. */
export const Delivery = z
  .object({
    id: z.int(),
    event_id: z.string().openapi({ description: 'The `webhook-id` of every attempt.' }),
    event: z.enum(DELIVERED_TYPES),
    status: z.enum(DELIVERY_STATUSES).openapi({
      description:
        '`failed`: the last attempt failed, and a retry follows; `dead`: no retries are left; `held`: the webhook was paused.',
    }),
    attempts: z.int(),
    response_status: z.int().nullable(),
    occurred_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable().openapi({
      description: 'null if none is scheduled, and while the webhook is paused.',
    }),
    delivered_at: z.iso.datetime().nullable(),
    log: z
      .array(
        z.object({
          started_at: z.iso.datetime(),
          duration_ms: z.int().nullable().openapi({ description: 'Null while the attempt runs.' }),
          response_status: z.int().nullable(),
          error: z.string().nullable(),
          response_body: z.string().nullable().openapi({
            description:
              'At most its first 4 KiB, of a successful response 1 KiB; null beyond the last 1,000 attempts of the webhook, and without the scope that reads the event.',
          }),
        }),
      )
      .openapi({ description: 'The last 20 attempts, oldest first.' }),
  })
  .openapi('WebhookDelivery');

/** A delivery with what each of its attempts sends. */
export const DeliveryWithRequest = Delivery.extend({
  request: z
    .object({
      headers: z.record(z.string(), z.string()),
      body: z.string().openapi({ description: 'The JSON that is signed, as it is sent.' }),
    })
    .openapi({
      description:
        'The same in every attempt, beside `webhook-timestamp` and `webhook-signature`, which are not kept. After a customer was erased, the body is without their data.',
    }),
}).openapi('WebhookDeliveryWithRequest');

/** Pages and cursors of deliveries: newest first, by their number. */
export const deliveryPages = listPages('deliveries', z.int());

/** Paging of deliveries, with optional filters by status and event. */
export const DeliveryQuery = z.object({
  ...deliveryPages.query,
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: z.enum(DELIVERED_TYPES).optional(),
});

/** A page of deliveries, newest first. */
export const Deliveries = z.object({ data: z.array(Delivery), meta: PageMeta });

/** The time range, both ends included, whose events are replayed. */
export const ReplayRange = z
  .strictObject({ from: instantMs, to: instantMs })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before from' })
  .openapi('WebhookReplay');

/** The number of deliveries that a replay scheduled. */
export const Replayed = z.object({ replayed: z.int() });
