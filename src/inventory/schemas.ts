import { z } from '@hono/zod-openapi';
import { isRecord } from '../kernel/core/records.ts';
import { keptLine, storedLine, text } from '../kernel/text/text.ts';

/** Largest stock of one item. */
export const MAX_STOCK = 1_000_000_000;
/** Largest length of a SKU, in characters. */
export const MAX_SKU_LENGTH = 64;
/**
 * A SKU that a request sets: in NFC, without white space around it. SKUs are then compared exactly, case included. One that
 * is not stored yet is refused by `shownFault()` as well.
 */
export const Sku = keptLine(MAX_SKU_LENGTH);
/** A SKU by which a request names what has it. */
export const KnownSku = storedLine(MAX_SKU_LENGTH);
/** Largest number of items of one adjustment. */
const MAX_ADJUSTED_ITEMS = 500;
/** Largest length of a reason, in characters. */
const MAX_REASON_LENGTH = 100;

const delta = z.int().min(-MAX_STOCK).max(MAX_STOCK);

// The OpenAPI generator copies keywords that its types lack.
const ONE_OF_TWO: object = { oneOf: [{ required: ['delta'] }, { required: ['stock'] }] };

const Adjustment = z
  .strictObject({
    sku: KnownSku,
    delta: delta.optional(),
    stock: z.int().min(0).max(MAX_STOCK).optional(),
    reason: text(MAX_REASON_LENGTH).default('adjustment'),
  })
  .refine((item) => (item.delta === undefined) !== (item.stock === undefined), {
    message: 'exactly one of delta and stock is required',
    path: ['delta'],
    // Also where other fields are not valid.
    when: ({ value }) => isRecord(value),
  })
  .openapi(ONE_OF_TWO);

/**
 * Stock changes by `delta`, or to `stock` (the available quantity). They are applied together or not at all.
 */
export const AdjustmentsCreate = z
  .strictObject({ items: z.array(Adjustment).min(1).max(MAX_ADJUSTED_ITEMS) })
  .openapi('AdjustmentsCreate');
export type AdjustmentsCreate = z.infer<typeof AdjustmentsCreate>;

/** Payload of a `stock.changed` event: the SKU, its product, and its available stock before and after. */
export const StockChanged = z
  .object({
    product_id: z.int(),
    variant_id: z.int().nullable().openapi({ description: "Null for the product's own stock." }),
    sku: z.string(),
    old_stock: z.int(),
    new_stock: z.int(),
    reason: z.string().openapi({ example: 'checkout' }),
  })
  .openapi('StockChanged');

/** Available stock after the adjustment. */
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
