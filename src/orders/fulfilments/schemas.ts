import { z } from '@hono/zod-openapi';
import { MAX_LINE_QUANTITY, MAX_LINES } from '../../kernel/core/limits.ts';
import { isDistinct } from '../../kernel/core/lists.ts';
import { line, rawText } from '../../kernel/text/text.ts';
import { httpsUrl } from '../../kernel/text/uri.ts';
import { FULFILMENT_STATES } from './tables.ts';

/** The most fulfilments of an order, cancelled ones included. */
export const MAX_FULFILMENTS = 50;

const TrackingInput = z
  .strictObject({
    carrier: line(64).nullable().optional(),
    number: line(128).nullable().optional(),
    url: httpsUrl.nullable().optional(),
  })
  .openapi('TrackingInput', {
    description: 'How the parcel can be followed. `url` is an https URL of the carrier.',
    example: { carrier: 'DHL', number: '00340434161094042557', url: 'https://www.dhl.de/en/t?id=2557' },
  });
/** How a parcel can be followed, in a request; what is left out is null. */
export type TrackingInput = z.infer<typeof TrackingInput>;

const FulfilmentItem = z.object({
  line_id: z.int().openapi({ description: "The `id` of one of the order's `items`." }),
  quantity: z.int(),
});

/** The body that creates a fulfilment. */
export const FulfilmentCreate = z
  .strictObject({
    items: z
      .array(z.strictObject({ line_id: z.int().min(1), quantity: z.int().min(1).max(MAX_LINE_QUANTITY) }))
      .min(1)
      .max(MAX_LINES)
      .refine((items) => isDistinct(items.map(({ line_id }) => line_id)), {
        message: 'must name each line once',
      })
      .optional()
      .openapi({
        description:
          'Default: everything that is left to ship. Units that were refunded before they were shipped are not left: they cannot be named either.',
      }),
    tracking: TrackingInput.nullable().optional(),
  })
  .openapi('FulfilmentCreate');
export type FulfilmentCreate = z.infer<typeof FulfilmentCreate>;

/** The body that changes a fulfilment. */
export const FulfilmentPatch = z
  .strictObject({ status: z.enum(FULFILMENT_STATES), tracking: TrackingInput.nullable() })
  .partial()
  .openapi('FulfilmentPatch');
export type FulfilmentPatch = z.infer<typeof FulfilmentPatch>;

/** A fulfilment as the API and events show it. */
export const Fulfilment = z
  .object({
    id: z.string().openapi({ example: 'ful_5Wd0XjvKq2TzNhLr8ePaYc1M' }),
    status: z.enum(FULFILMENT_STATES).openapi({
      description: '`shipped` when it is created. `cancelled` is final and gives the quantities back.',
    }),
    items: z.array(FulfilmentItem),
    tracking: z
      .object({ carrier: z.string().nullable(), number: z.string().nullable(), url: z.url().nullable() })
      .nullable(),
    delivered_at: z.iso.datetime().nullable().openapi({
      description: 'When its status became `delivered`; null if it is another one.',
    }),
    cancelled_at: z.iso.datetime().nullable().openapi({
      description: 'When its status became `cancelled`; null if it is another one.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Fulfilment', { description: 'The items of an order that were shipped together.' });
export type Fulfilment = z.infer<typeof Fulfilment>;

/** The path parameters of a fulfilment. */
export const FulfilmentParams = z.object({
  id: rawText(64, { least: 1 }),
  fulfilment_id: rawText(64, { least: 1 }),
});
