import { z } from '@hono/zod-openapi';
import { POLICIES } from '../../inventory/index.ts';
import { byCurrency } from '../../kernel/values/currencies.ts';
import { ShownMetadata } from '../../kernel/values/metadata.ts';
import { ProductCategory } from '../categories/schemas.ts';
import { ProductListMeta } from '../filters/schemas.ts';
import { PRODUCT_TYPES } from '../tables.ts';
import { Seo, ShownAttributes } from './field-schemas.ts';
import { ShownImage } from './image-list.ts';
import { BundleGroupInput } from './input-schemas.ts';

/** The lowest price before a reduction. */
const LowestPrice = z.number().openapi({
  description:
    'The lowest price in the 30 days before the present reduction began (EU Directive 98/6/EC, art. 6a). Only while a reduction runs, and if there was a price before it.',
});

/** The end of a running sale. */
const SaleEnd = z.iso.datetime().nullable();

/** A sale in the form in which requests set it. */
const ShownSale = z
  .object({
    price: z.number().optional(),
    prices: byCurrency(z.number()).optional(),
    starts_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable(),
  })
  .openapi('Sale');
export type ShownSale = z.infer<typeof ShownSale>;

/** Ordinary prices in the currencies besides the main one, in the form in which requests set them. */
const OtherPrices = byCurrency(z.number()).optional().openapi({
  description:
    'The prices without a sale in the other currencies, if there are any. Only for callers with `catalog:write`.',
});

/** A variant of a configurable product. */
export const Variant = z
  .object({
    id: z.int(),
    sku: z.string(),
    name: z
      .string()
      .openapi({ description: 'Its values in the order of the options.', example: 'Black / M' }),
    price: z.number(),
    regular_price: z.number().nullable().openapi({
      description:
        "The price without the sale or, when none runs, the variant's own `regular_price`, which is in the main currency only.",
    }),
    on_sale: z
      .boolean()
      .openapi({ description: 'Whether `price` is reduced, by a sale or below `regular_price`.' }),
    sale_ends_at: SaleEnd.openapi({
      description: 'When the running sale that reduces `price` ends. Null: no sale runs, or it has no end.',
      example: '2026-11-30T23:00:00.000Z',
    }),
    lowest_price_30d: LowestPrice.optional(),
    sale: ShownSale.nullable().optional().openapi({ description: 'Only for callers with `catalog:write`.' }),
    stock: z.int(),
    in_stock: z.boolean(),
    prices: OtherPrices,
    attributes: z.record(z.string(), z.string()),
    weight: z.int().nullable().openapi({ description: "Grams; null: the product's weight applies." }),
    barcode: z.string().optional(),
    image: z.url().nullable(),
  })
  .openapi('Variant');
export type Variant = z.infer<typeof Variant>;

const ProductOption = z.object({ name: z.string(), values: z.array(z.string()) }).openapi('ProductOption');

/** A product as lists return it; `variants` and `categories` only with `include`. */
export const ProductListItem = z
  .object({
    id: z.int(),
    sku: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    type: z.enum(PRODUCT_TYPES),
    price: z.number().openapi({
      description:
        "Of a configurable product its cheapest variant's; of a grouped or bundled one the price that was set for lists, while a cart charges what is chosen; of a downloadable one without its `links`.",
    }),
    currency: z.string(),
    regular_price: z.number().nullable().openapi({
      description:
        "The price without the sale or, when none runs, `regular_price` as it was set, which is in the main currency only. Of a configurable product its cheapest variant's, else its own.",
    }),
    on_sale: z.boolean().openapi({
      description:
        'Whether `price` is reduced, by a sale or below `regular_price`; of a configurable product, whether one of its variants is.',
    }),
    sale_ends_at: SaleEnd.openapi({
      description:
        'When the running sale that reduces `price` ends. Null: no sale runs, or it has no end. Of a configurable product, when no variant has a sale at `price` any more.',
      example: '2026-11-30T23:00:00.000Z',
    }),
    lowest_price_30d: LowestPrice.optional(),
    price_range: z.object({ min: z.number(), max: z.number() }).openapi({
      description: "The lowest and highest price of a configurable product's variants, else `price` twice.",
    }),
    in_stock: z.boolean().openapi({
      description:
        'Whether it can be sold: there is stock, or `inventory_policy` does not ask for it. Each group of a bundle is judged by itself, so a cart may refuse a choice of groups that share a product.',
    }),
    options: z.array(ProductOption).openapi({
      description: "What is chosen of a configurable product, in the variants' order; empty for other types.",
    }),
    stock: z.int().openapi({
      description:
        'Available stock: on hand less reserved. Of a configurable or grouped product the sum over its variants or members; of a bundled one how many its required groups allow; of a booking the free places to come.',
    }),
    image: z.url().nullable().openapi({ description: 'The first image.' }),
    images: z.array(z.url()),
    media: z.array(ShownImage).openapi({ description: 'The same images with alternative text and size.' }),
    status: z.enum(['active', 'inactive']),
    created_at: z.iso.datetime(),
    variants: z.array(Variant).optional(),
    categories: z.array(ProductCategory).optional(),
  })
  .openapi('ProductListItem');
export type ProductListItem = z.infer<typeof ProductListItem>;

/** Payload of a `product.updated` event: the list fields, without those that only a read computes. */
export const ProductUpdated = ProductListItem.omit({
  lowest_price_30d: true,
  media: true,
  variants: true,
  categories: true,
})
  .extend({
    category_ids: z.array(z.int()).openapi({
      description:
        'The categories of the product with their ancestors, and those that the change took it out of.',
    }),
    changed: z.array(z.string()).openapi({
      description: 'Names of changed fields, or `["created"]`, or `["deleted"]`.',
    }),
    former_slug: z.string().optional().openapi({
      description:
        'With `slug` among `changed`: the slug before, to purge and redirect its pages. It finds the product until another one takes it.',
    }),
  })
  .openapi('ProductUpdated');
export type ProductUpdated = z.infer<typeof ProductUpdated>;

const BundleGroup = BundleGroupInput.extend({
  id: z.int(),
  required: z
    .boolean()
    .openapi({ description: 'Whether a cart takes the bundle only with a choice from this group.' }),
  multiple: z.boolean().openapi({ description: 'Whether several of the items can be chosen.' }),
  items: z.array(
    z.object({
      id: z.int().openapi({ description: 'What `options.bundle_options` of a cart names.' }),
      product_id: z.int(),
      quantity: z
        .int()
        .openapi({ description: 'Units of the product in the bundle, if the item is chosen.' }),
      default: z.boolean().openapi({
        description: 'Whether a form has it chosen at first. A cart takes only what its `options` name.',
      }),
    }),
  ),
});

/** A product with all its fields. */
export const Product = ProductListItem.extend({
  seo: Seo.optional(),
  updated_at: z.iso.datetime(),
  barcode: z.string().optional(),
  tags: z.array(z.string()),
  vendor: z.string().optional(),
  tax_class: z.string().optional(),
  weight: z.int().nullable().openapi({ description: 'Grams of one unit; null: not known.' }),
  sale: ShownSale.nullable().optional().openapi({
    description: 'The running or scheduled sale. Only for callers with `catalog:write`.',
  }),
  attributes: ShownAttributes,
  prices: OtherPrices,
  metadata: ShownMetadata.optional().openapi({ description: 'Only for callers with `catalog:write`.' }),
  inventory_policy: z.enum(POLICIES),
  links: z
    .array(
      z.object({
        id: z.int(),
        title: z.string(),
        price: z.number().optional().openapi({
          description:
            'What the file adds to the price of the product. Absent if it is not sold in the currency; a free one is 0 in each.',
        }),
        prices: OtherPrices,
      }),
    )
    .optional(),
  grouped: z
    .array(
      z.object({
        product_id: z.int(),
        default_quantity: z.int().openapi({
          description: 'What a cart takes without `options.qty`; with it, only the products that it names.',
        }),
      }),
    )
    .optional(),
  bundle_groups: z.array(BundleGroup).optional(),
  booking: z
    .object({
      timezone: z.string().openapi({
        description: 'The IANA time zone of the place, in which the times are to be shown.',
        example: 'Europe/Berlin',
      }),
      slots: z
        .array(
          z.object({
            id: z.int(),
            from: z.iso.datetime(),
            to: z.iso.datetime(),
            capacity: z.int(),
            available: z.int().openapi({ description: 'The places that are free.' }),
          }),
        )
        .openapi({
          description:
            'The soonest first. One leaves the list within two minutes after it begins, but for callers with `catalog:write`.',
        }),
    })
    .optional(),
}).openapi('Product');
export type Product = z.infer<typeof Product>;

/** Products that share most with another, without pages. */
export const RelatedProducts = z.object({ data: z.array(ProductListItem) }).openapi('RelatedProducts');

/** A page of products. */
export const ProductList = z
  .object({ data: z.array(ProductListItem), meta: ProductListMeta })
  .openapi('ProductList');
export type ProductList = z.infer<typeof ProductList>;
