import { z } from '@hono/zod-openapi';
import { isDistinct } from '../../kernel/core/lists.ts';
import { rawText } from '../../kernel/text/text.ts';
import { KnownTag, MAX_TAGS, OrderTag } from '../schemas.ts';

/** Largest number of orders that one request changes: each of them is a change of its own. */
export const MAX_BULK_ORDERS = 25;

const tags = (tag: z.ZodString) => z.array(tag).min(1).max(MAX_TAGS);

/** The same change for several orders; at least one of its fields. */
export const OrderBulkChange = z
  .strictObject({
    fulfil: z.literal(true).optional().openapi({
      description:
        'Fulfils everything that is left, in one fulfilment without tracking for each order. An order with nothing left stays as it is.',
    }),
    archived: z.boolean().optional(),
    add_tags: tags(OrderTag).optional(),
    remove_tags: tags(KnownTag).optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'must have at least one field',
  )
  .openapi('OrderBulkChange', { minProperties: 1 });
export type OrderBulkChange = z.infer<typeof OrderBulkChange>;

/** Request body of a bulk change of orders. */
export const OrderBulkRequest = z
  .strictObject({
    ids: z
      .array(rawText(64, { least: 1 }))
      .min(1)
      .max(MAX_BULK_ORDERS)
      .refine(isDistinct, 'must not repeat an id')
      .openapi({ uniqueItems: true }),
    change: OrderBulkChange,
  })
  .openapi('OrderBulkRequest');

/** What a bulk change of orders did. */
export const OrderBulkResult = z
  .object({
    updated: z
      .int()
      .openapi({ description: 'Orders that now are as the change says, including those that already were.' }),
    errors: z
      .array(z.object({ id: z.string(), code: z.string(), message: z.string() }))
      .openapi({ description: 'The orders that refused the change, and why. The others changed.' }),
  })
  .openapi('OrderBulkResult');
export type OrderBulkResult = z.infer<typeof OrderBulkResult>;
