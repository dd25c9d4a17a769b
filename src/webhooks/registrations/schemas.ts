import { z } from '@hono/zod-openapi';
import { EVENT_TYPES } from '../../events/index.ts';
import { idParam, PageMeta, pageQuery } from '../../kernel/core/pagination.ts';
import { rawText } from '../../kernel/core/text.ts';
import { DELIVERY_STATUSES } from '../delivery/delivery.ts';
import { DELIVERED_TYPES } from '../tables.ts';

/** Where deliveries go: checked against private hosts again each time one is sent. */
const Url = rawText(2_048, { least: 1 }).openapi({
  format: 'uri',
  example: 'https://shop.example.com/hooks',
  description: 'https, with a public host. Kept as a URI: other characters are percent-encoded.',
});

const Events = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .transform((events) => [...new Set(events)])
  .openapi({ type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] }, minItems: 1 });

const Status = z.enum(['active', 'paused']);

/** What an integrator has to know to take deliveries. */
export const HOW_IT_ARRIVES = `Answers its secret, which is shown this once. Events of orders need the scope \`orders:read\`, those of customers \`customers:admin\`, the others \`catalog:read\`; so do a new URL, a new secret and a replay, for every event that may still be sent.

Each event is a POST of \`{id, type, timestamp, data}\`, signed as [Standard Webhooks](https://www.standardwebhooks.com) say: \`webhook-id\` (the same in every attempt and replay), \`webhook-timestamp\`, \`webhook-signature\`. A 2xx within 15 seconds delivers it; otherwise it comes again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or when \`Retry-After\` says. 410, or five days of failures, pauses the webhook. It may come more than once: remember \`webhook-id\`.

\`data\` is flat and has \`sequence\` (rising for each resource) and \`occurred_at\`; what else it has for each type is said by this document's \`webhooks\`.`;

/** A new webhook. */
export const WebhookCreate = z
  .strictObject({ url: Url, events: Events, status: Status.default('active') })
  .openapi('WebhookCreate');
export type WebhookCreate = z.infer<typeof WebhookCreate>;

/** What is named is replaced. `paused` holds deliveries back, `active` sends what happens from then on. */
export const WebhookPatch = z
  .strictObject({ url: Url.optional(), events: Events.optional(), status: Status.optional() })
  .openapi('WebhookPatch');
export type WebhookPatch = z.infer<typeof WebhookPatch>;

/** A webhook as it is shown: never its secret. */
export const Webhook = z
  .object({
    id: z.int(),
    url: z.string().openapi({ format: 'uri' }),
    events: z.array(z.enum(EVENT_TYPES)),
    status: Status,
    secret_preview: z.string().nullable(),
    paused_reason: z.enum(['requested', 'gone', 'failing']).nullable().openapi({
      description:
        '`requested` by its owner; by itself when its receiver answered 410 (`gone`) or failed for five days (`failing`).',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Webhook');

/** A webhook with its secret, which is shown only here. */
export const WebhookWithSecret = Webhook.extend({
  secret: z.string().openapi({ description: 'Shown once. Deliveries are signed with it.' }),
}).openapi('WebhookWithSecret');

/** Which webhook. */
export const WebhookParams = z.object({ id: idParam });
/** Which delivery of which webhook. */
export const DeliveryParams = z.object({ id: idParam, delivery_id: idParam });

/** A delivery with its attempts. */
export const Delivery = z
  .object({
    id: z.int(),
    event_id: z.string().openapi({ description: 'The `webhook-id` of every attempt.' }),
    event: z.enum(DELIVERED_TYPES),
    status: z.enum(DELIVERY_STATUSES).openapi({
      description:
        '`failed`: the last attempt failed and another will come; `dead`: none will; `held`: the webhook was paused.',
    }),
    attempts: z.int(),
    response_status: z.int().nullable(),
    occurred_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
    log: z
      .array(
        z.object({
          started_at: z.iso.datetime(),
          duration_ms: z.int().nullable().openapi({ description: 'null while it runs' }),
          response_status: z.int().nullable(),
          error: z.string().nullable(),
          response_body: z.string().nullable().openapi({ description: 'At most its first 4 KiB.' }),
        }),
      )
      .openapi({ description: 'The last 20 attempts, oldest first.' }),
  })
  .openapi('WebhookDelivery');

/** A page of deliveries, of one status or event if asked. */
export const DeliveryQuery = z.object({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: z.enum(DELIVERED_TYPES).optional(),
});

/** A page of deliveries, the newest first. */
export const Deliveries = z.object({ data: z.array(Delivery), meta: PageMeta });

const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .openapi({ type: 'string', format: 'date-time' });

/** The instants between which (both included) events occurred that are to be sent again. */
export const ReplayRange = z
  .strictObject({ from: instant, to: instant })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before from' })
  .openapi('WebhookReplay');

/** How many deliveries a replay made. */
export const Replayed = z.object({ replayed: z.int() });
