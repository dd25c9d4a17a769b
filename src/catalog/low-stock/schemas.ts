import { z } from '@hono/zod-openapi';
import { cursorFormat } from '../../kernel/core/cursor.ts';
import { limitUpTo } from '../../kernel/core/pagination.ts';
import { MAX_LOW_STOCK } from '../../tenants/index.ts';

/** The stock and the id of the last item of a page. */
const Position = z.strictObject({ stock: z.int(), id: z.int().min(1) });
export type LowStockPosition = z.infer<typeof Position>;

/** Cursors of the list of low stock. */
export const lowStockCursor = cursorFormat('low-stock', Position);

export const LowStockQuery = z.object({
  threshold: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(MAX_LOW_STOCK, `must be at most ${MAX_LOW_STOCK}`))
    .optional()
    .openapi({
      type: 'integer',
      minimum: 0,
      maximum: MAX_LOW_STOCK,
      description:
        "The highest available quantity that is low; by default the tenant's `low_stock_threshold`.",
    }),
  limit: limitUpTo(50, 10),
  cursor: lowStockCursor.param.optional(),
});

/** Products and variants that are low in stock, the least first. */
export const LowStock = z
  .object({
    data: z.array(
      z.object({
        product_id: z.int(),
        variant_id: z.int().nullable(),
        sku: z.string(),
        name: z.string().openapi({ description: "The product's name." }),
        stock: z.int().openapi({ description: 'Available; negative for what is sold on backorder.' }),
      }),
    ),
    meta: z.object({
      next_cursor: z.string().nullable().openapi({ description: 'Null on the last page.' }),
    }),
  })
  .openapi('LowStock');
