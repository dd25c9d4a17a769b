import { z } from '@hono/zod-openapi';
import { rawText, text } from '../kernel/core/text.ts';

/** The most that stock can be. */
export const MAX_STOCK = 1_000_000_000;
/** A SKU has at most this many characters. */
export const MAX_SKU = 64;

/** The largest step of one adjustment. */
const delta = z.int().min(-MAX_STOCK).max(MAX_STOCK);

// The generator passes on what its types don't know.
const ONE_OF_TWO: object = { oneOf: [{ required: ['delta'] }, { required: ['stock'] }] };

const Adjustment = z
  .strictObject({
    sku: rawText(MAX_SKU, { least: 1 }),
    delta: delta.optional(),
    stock: z.int().min(0).max(MAX_STOCK).optional(),
    reason: text(100).default('adjustment'),
  })
  .refine((item) => (item.delta === undefined) !== (item.stock === undefined), {
    message: 'takes either delta or stock',
    path: ['delta'],
  })
  .openapi(ONE_OF_TWO);

/** Stock to be moved: by `delta`, or to `stock` (what shall be sellable). All of it, or nothing. */
export const AdjustmentsCreate = z
  .strictObject({ items: z.array(Adjustment).min(1).max(500) })
  .openapi('AdjustmentsCreate');
export type AdjustmentsCreate = z.infer<typeof AdjustmentsCreate>;

/** What a `stock.changed` event tells: of a SKU, and of the product whose stock it is part of. */
export const StockChanged = z
  .object({
    product_id: z.int(),
    variant_id: z.int().nullable().openapi({ description: "null where it is the product's own stock" }),
    sku: z.string(),
    old_stock: z.int(),
    new_stock: z.int(),
    reason: z.string().openapi({ example: 'checkout' }),
  })
  .openapi('StockChanged');

/** What can be sold after the adjustment. */
export const Adjusted = z
  .object({
    data: z.array(
      z.object({
        sku: z.string(),
        product_id: z.int(),
        variant_id: z.int().nullable(),
        stock: z.int(),
      }),
    ),
  })
  .openapi('Adjusted');
