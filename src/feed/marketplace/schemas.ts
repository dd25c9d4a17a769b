import { z } from '@hono/zod-openapi';
import { listPages, PageMeta } from '../../kernel/core/pagination.ts';
import { instant } from '../../kernel/values/instant.ts';

/** A sellable SKU: a product, or a variant of a configurable product. */
export const MarketplaceProduct = z
  .object({
    id: z
      .int()
      .openapi({ description: 'Id of the product or variant; products and variants share one id space.' }),
    product_id: z.int(),
    sku: z.string(),
    name: z.string(),
    price: z.number().openapi({
      description:
        'As lists have it. A cart adds the chosen files of a download, and charges the chosen members of a bundle instead.',
    }),
    currency: z.string(),
    stock: z.int(),
    in_stock: z.boolean().openapi({
      description:
        'Whether it can be bought. `stock` may be 0 then: of what is sold without stock, as downloads are and what has the `inventory_policy` `continue` or `untracked`.',
    }),
    images: z.array(z.string()),
    barcode: z.string().optional(),
    category_path: z.string().optional().openapi({
      example: 'Apparel > Tops > Shirts',
      description:
        'The path of the first category. A category that is renamed, moved or deleted changes it without a change of the item.',
    }),
    updated_at: z.iso.datetime(),
  })
  .openapi('MarketplaceProduct');
export type MarketplaceProduct = z.infer<typeof MarketplaceProduct>;

/** Pages and cursors of the feed: by the instant (ms) of an item's last change. */
export const feedPages = listPages('feed', z.int());

/** Query parameters of the feed. */
export const FeedQuery = z.object({
  ...feedPages.query,
  updated_since: instant.optional().openapi({
    description:
      'Only items changed after this instant, including those deleted in the last 90 days (stock 0). After a longer pause, read the feed without it.',
  }),
});

/** A page of the feed. */
export const Feed = z
  .object({
    data: z.array(MarketplaceProduct),
    meta: PageMeta.extend({
      next_updated_since: z.iso
        .datetime()
        .nullable()
        .openapi({ description: 'Pass it as `updated_since`, with page 1, for the next changes.' }),
    }),
  })
  .openapi('Feed');
