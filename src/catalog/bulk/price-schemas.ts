import { z } from '@hono/zod-openapi';
import { KnownSku } from '../../inventory/index.ts';
import { isRecord } from '../../kernel/core/records.ts';
import { price, prices, SaleInput } from '../products/input-schemas.ts';

/** Largest number of SKUs that one request prices: those of a hundred large products must be written at once. */
export const MAX_PRICED_ITEMS = 100;

const PricedItem = z
  .strictObject({
    sku: KnownSku,
    price: price.optional().openapi({ description: 'The ordinary price in the main currency.' }),
    prices: prices.optional().openapi({ description: 'Replaces the ordinary prices in other currencies.' }),
    regular_price: price.nullable().optional().openapi({ description: 'In the main currency. Null: none.' }),
    sale: SaleInput.nullable().optional(),
  })
  .refine(({ sku: _, ...given }) => Object.values(given).some((value) => value !== undefined), {
    message: 'requires price, prices, regular_price or sale',
    path: ['price'],
    // Also where other fields are not valid.
    when: ({ value }) => isRecord(value),
  })
  .openapi('PricedItem', { minProperties: 2 });

/** New prices by SKU. They are set together or not at all. */
export const PricesUpdate = z
  .strictObject({ items: z.array(PricedItem).min(1).max(MAX_PRICED_ITEMS) })
  .openapi('PricesUpdate');
export type PricesUpdate = z.infer<typeof PricesUpdate>;

/** The items after the change, in the order of the request. */
export const PricesUpdated = z
  .object({
    data: z.array(
      z.object({
        sku: z.string(),
        product_id: z.int(),
        variant_id: z.int().nullable().openapi({ description: "Null for the product's own price." }),
        price: z.number().openapi({ description: 'The ordinary price in the main currency.' }),
      }),
    ),
  })
  .openapi('PricesUpdated');
export type PricesUpdated = z.infer<typeof PricesUpdated>;
