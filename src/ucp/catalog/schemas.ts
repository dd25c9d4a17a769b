import { z } from '@hono/zod-openapi';
import { isDistinct } from '../../kernel/core/lists.ts';
import { fold } from '../../kernel/text/fold.ts';
import { rawText } from '../../kernel/text/text.ts';
import { MAX_AMOUNT } from '../../kernel/values/money.ts';
import { Claims, platformData } from '../protocol/inputs.ts';
import { Message } from '../protocol/messages.ts';

/** The most identifiers of a look-up, and the most products of a page. */
export const MAX_LOOKUPS = 50;
export const MAX_PAGE = 50;
/** The most values that a filter by category has. */
const MAX_CATEGORIES = 20;

/** An amount in the minor units of its currency. */
const Amount = z.int().min(0).max(MAX_AMOUNT);

/** Where and for whom an agent asks. Hints only; unknown ones are ignored. */
export const Context = z.object({
  address_country: rawText(100).optional(),
  address_region: rawText(100).optional(),
  postal_code: rawText(50).optional(),
  intent: rawText(2_000).optional(),
  language: rawText(50).optional(),
  currency: rawText(10).optional(),
  eligibility: Claims,
});
export type Context = z.output<typeof Context>;

const Filters = z.object({
  categories: z.array(rawText(255)).max(MAX_CATEGORIES).optional(),
  price: z.object({ min: Amount.optional(), max: Amount.optional() }).optional(),
});
export type Filters = z.output<typeof Filters>;

/** The payload of `search_catalog`. */
export const SearchRequest = z
  .object({
    query: rawText(255).optional(),
    context: Context.optional(),
    filters: Filters.optional(),
    pagination: z
      .object({ cursor: z.string().max(2_048).optional(), limit: z.int().min(1).optional() })
      .optional(),
    ...platformData,
  })
  .refine(
    ({ query, filters }) =>
      Boolean(query?.trim()) || Boolean(filters?.categories?.length) || filters?.price !== undefined,
    'must have a query or a filter',
  );
export type SearchRequest = z.output<typeof SearchRequest>;

/** The payload of `lookup_catalog`. */
export const LookupRequest = z.object({
  ids: z.array(z.string().max(255)).min(1),
  context: Context.optional(),
  filters: Filters.optional(),
  ...platformData,
});

/** A value of a product's option, as it was or is to be chosen. */
export const SelectedOption = z.object({
  name: z.string().max(255),
  id: z.string().optional(),
  label: z.string().max(255),
});
export type SelectedOption = z.output<typeof SelectedOption>;

/** The payload of `get_product`. */
export const ProductRequest = z
  .object({
    id: z.string().max(255),
    selected: z.array(SelectedOption).max(20).optional(),
    preferences: z.array(z.string().max(255)).max(20).optional(),
    context: Context.optional(),
    filters: Filters.optional(),
    ...platformData,
  })
  .refine(
    ({ selected = [] }) => isDistinct(selected.map(({ name }) => fold(name))),
    'must not select an option twice',
  );
export type ProductRequest = z.output<typeof ProductRequest>;

const Price = z.object({ amount: Amount, currency: z.string().regex(/^[A-Z]{3}$/) });
export type Price = z.infer<typeof Price>;
const PriceRange = z.object({ min: Price, max: Price });
const Description = z.object({ plain: z.string(), html: z.string().optional() });
const Media = z.object({
  type: z.literal('image'),
  url: z.url(),
  alt_text: z.string().optional(),
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
});
const Link = z.object({ type: z.string(), url: z.url() });

/** A purchasable variant. */
export const Variant = z.object({
  id: z.string(),
  sku: z.string(),
  barcodes: z.array(z.object({ type: z.string(), value: z.string() })).optional(),
  title: z.string(),
  description: Description,
  url: z.url().optional(),
  price: Price,
  list_price: Price.optional(),
  availability: z.object({ available: z.boolean(), status: z.enum(['in_stock', 'out_of_stock']) }),
  options: z.array(SelectedOption).optional(),
  media: z.array(Media).optional(),
  seller: z.object({ name: z.string(), links: z.array(Link) }).optional(),
});
export type Variant = z.infer<typeof Variant>;

/** A product with its variants; the first is the featured one. */
export const Product = z.object({
  id: z.string(),
  handle: z.string(),
  title: z.string(),
  description: Description,
  url: z.url().optional(),
  categories: z.array(z.object({ value: z.string(), taxonomy: z.string() })).optional(),
  price_range: PriceRange,
  list_price_range: PriceRange.optional(),
  media: z.array(Media).optional(),
  options: z
    .array(z.object({ name: z.string(), values: z.array(z.object({ label: z.string() })).min(1) }))
    .optional(),
  variants: z.array(Variant).min(1),
  tags: z.array(z.string()).optional(),
  metadata: z.object({ product_type: z.string() }),
});
export type Product = z.infer<typeof Product>;

const messages = z.array(Message).optional();

/** The value of `search_catalog`. */
export const SearchResponse = z.object({
  products: z.array(Product),
  pagination: z.object({
    has_next_page: z.boolean(),
    cursor: z.string().optional(),
    total_count: z.int().min(0),
  }),
  messages,
});

/** The value of `lookup_catalog`. */
export const LookupResponse = z.object({
  products: z.array(
    Product.extend({
      variants: z
        .array(
          Variant.extend({
            inputs: z.array(z.object({ id: z.string(), match: z.enum(['exact', 'featured']) })).min(1),
          }),
        )
        .min(1),
    }),
  ),
  messages,
});

/** The value of `get_product`. */
export const ProductResponse = z.object({
  product: Product.extend({
    selected: z.array(SelectedOption).optional(),
    options: z
      .array(
        z.object({
          name: z.string(),
          values: z
            .array(z.object({ label: z.string(), available: z.boolean(), exists: z.boolean() }))
            .min(1),
        }),
      )
      .optional(),
  }),
  messages,
});
