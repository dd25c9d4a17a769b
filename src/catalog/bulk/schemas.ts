import { z } from '@hono/zod-openapi';
import { isDistinct } from '../../kernel/core/lists.ts';
import { MAX_AMOUNT } from '../../kernel/values/money.ts';
import { MAX_PRODUCT_CATEGORIES } from '../limits.ts';
import { id } from '../products/field-schemas.ts';

/** Largest number of products that one request changes. */
export const MAX_BULK_PRODUCTS = 100;

/** Largest number of fields that the error of a product names. */
export const MAX_BULK_FIELDS = 20;

const categoryIds = z.array(id).min(1).max(MAX_PRODUCT_CATEGORIES);

/** How prices change. */
const PriceChange = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('set'), amount: z.number().min(0).max(MAX_AMOUNT) }),
    z.strictObject({ kind: z.literal('amount'), amount: z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT) }),
    z.strictObject({ kind: z.literal('percent'), percent: z.number().min(-100).max(1_000) }),
  ])
  .openapi('PriceChange', {
    description:
      "`set` and `amount` (added; negative: deducted) change the price in the main currency, `percent` those in all currencies, rounded half up. Of a configurable product, every variant's. A running sale's price stays.",
  });

/** The same change for several products; at least one of its fields. */
export const BulkChange = z
  .strictObject({
    status: z.enum(['active', 'inactive']).optional(),
    price: PriceChange.optional(),
    add_category_ids: categoryIds.optional(),
    remove_category_ids: categoryIds.optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'must have at least one field',
  )
  .openapi('BulkChange', { minProperties: 1 });
export type BulkChange = z.infer<typeof BulkChange>;

/** Request body of a bulk change. */
export const BulkRequest = z
  .strictObject({
    ids: z
      .array(id)
      .min(1)
      .max(MAX_BULK_PRODUCTS)
      .refine(isDistinct, 'must not repeat an id')
      .openapi({ uniqueItems: true }),
    change: BulkChange,
  })
  .openapi('BulkRequest');

/** What a bulk change did. */
export const BulkResult = z
  .object({
    updated: z.int().openapi({ description: 'Products that changed.' }),
    unchanged: z.int().openapi({ description: 'Products that already were as the change says.' }),
    errors: z
      .array(
        z.object({
          id: z.int(),
          code: z.enum(['product_not_found', 'validation_error']),
          message: z.string(),
          errors: z
            .record(z.string(), z.array(z.string()))
            .optional()
            .openapi({ description: `The first ${MAX_BULK_FIELDS} fields that refuse the change.` }),
        }),
      )
      .openapi({ description: 'The products that did not change, and why. The others did.' }),
  })
  .openapi('BulkResult');
export type BulkResult = z.infer<typeof BulkResult>;
