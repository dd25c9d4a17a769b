import { z } from '@hono/zod-openapi';
import { PageMeta, pageQuery } from '../kernel/core/pagination.ts';

/** One thing that can be bought: a product, or a variant of a configurable one. */
export const MarketplaceProduct = z
  .object({
    id: z.int().openapi({ description: "The product's id, or the variant's: ids name exactly one thing." }),
    product_id: z.int(),
    sku: z.string(),
    name: z.string(),
    price: z.number(),
    currency: z.string(),
    stock: z.int(),
    images: z.array(z.string()),
    barcode: z.string().optional(),
    category_path: z.string().optional().openapi({ example: 'Apparel > Tops > Shirts' }),
    updated_at: z.iso.datetime(),
  })
  .openapi('MarketplaceProduct');
export type MarketplaceProduct = z.infer<typeof MarketplaceProduct>;

export const FeedQuery = z.object({
  ...pageQuery,
  updated_since: z.iso
    .datetime({ offset: true })
    .optional()
    .openapi({ description: 'Only what changed after this instant, gone things (stock 0) included.' }),
});

export const Feed = z
  .object({
    data: z.array(MarketplaceProduct),
    meta: PageMeta.extend({
      next_updated_since: z.iso
        .datetime()
        .nullable()
        .openapi({ description: 'Where to go on: pass it as `updated_since`, with page 1.' }),
    }),
  })
  .openapi('Feed');
