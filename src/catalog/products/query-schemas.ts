import { z } from '@hono/zod-openapi';
import { MAX_SKU_LENGTH } from '../../inventory/index.ts';
import { isDistinct } from '../../kernel/core/lists.ts';
import { idList, idParam, limitUpTo, listPages, MAX_IDS } from '../../kernel/core/pagination.ts';
import { COMMA_LIST } from '../../kernel/openapi/comma-list.ts';
import { lengthOf, line, rawText } from '../../kernel/text/text.ts';
import { Currency } from '../../kernel/values/currencies.ts';
import { checkFilters, filterParams, list } from '../filters/filter-query.ts';
import { MAX_BARCODE_LENGTH, MAX_SEARCH_TEXT_LENGTH } from '../limits.ts';
import { slug as slugText } from './field-schemas.ts';

/** The related resources that a list includes on request. */
const INCLUDES = ['variants', 'images', 'categories'] as const;
export type Include = (typeof INCLUDES)[number];

const include = z
  .string()
  .transform((text) => new Set(text.split(',').map((part) => part.trim())))
  .refine((parts) => [...parts].every((part) => INCLUDES.some((known) => known === part)), {
    message: `must be a comma-separated list of ${INCLUDES.join(', ')}`,
  })
  .transform((parts) => INCLUDES.filter((known) => parts.has(known)))
  .openapi({
    ...COMMA_LIST,
    type: 'string',
    description: 'Comma-separated list of `variants`, `images` and `categories`.',
  });

/** 1 to {@link MAX_IDS} SKUs, each once. A backslash makes a comma part of a SKU. */
const skuList = rawText(MAX_IDS * 2 * MAX_SKU_LENGTH)
  .pipe(
    list(
      (sku) =>
        lengthOf(sku) <= MAX_SKU_LENGTH ? null : `must have SKUs of at most ${MAX_SKU_LENGTH} characters`,
      MAX_IDS,
    ),
  )
  .refine(isDistinct, 'must name each SKU once');

/** Search text, not empty. */
const SearchText = rawText(MAX_SEARCH_TEXT_LENGTH, { least: 1 });

/** The query parameters that may be combined with `ids`, `variant_ids`, `skus`, `barcode` or `member_of`. */
export const PARAMETERS_WITH_IDS: readonly string[] = ['limit', 'include', 'currency', 'status'];

/** Sort orders of product lists. */
export const SORTS = [
  'newest',
  'oldest',
  'best_selling',
  'price_asc',
  'price_desc',
  'name_asc',
  'name_desc',
] as const;
/** Sort orders of search results: also by how well they match. */
const SEARCH_SORTS = ['relevance', ...SORTS] as const;
export type Sort = (typeof SEARCH_SORTS)[number];

/** The place of a product in a sorted list: where its page ends. */
export const SortKey = z.object({
  sort: z.enum(SEARCH_SORTS),
  /** The value of the sort column; 0 where the list is sorted by id alone. By relevance, the hit's tier. */
  value: z.union([z.number(), z.string()]),
  /** The product's id; by relevance, the hit's place in its tier. */
  id: z.int(),
});
export type SortKey = z.infer<typeof SortKey>;

/** Pages and cursors of product lists. */
export const productPages = listPages('products', SortKey);

const STATUS_DESCRIPTION =
  'Values other than `active` require the scope `catalog:write`. Defaults to `active`.';
const statusFilter = z.enum(['active', 'inactive', 'all']);
export type StatusFilter = z.infer<typeof statusFilter>;

/** Query parameters of the product list. */
export const ProductListQuery = z
  .looseObject({
    ...productPages.query,
    ...filterParams,
    ids: idList(
      'Lists these products, in this order; those that are not there are left out. Only `include`, `currency`, `status` and a `limit` of at least as many may be combined with it.',
    ).optional(),
    variant_ids: idList(
      'Lists the products that have these variants, in this order and each once. May be combined with what `ids` may be.',
    ).optional(),
    skus: skuList.optional().openapi({
      ...COMMA_LIST,
      type: 'string',
      example: 'ESP-250,JERSEY-M',
      description: `Lists the products that have these SKUs, themselves or as a variant's, in this order and each once. May be combined with what \`ids\` may be. 1 to ${MAX_IDS} SKUs in their own upper and lower case, each once, separated by commas; a backslash makes a comma part of a SKU.`,
    }),
    barcode: line(MAX_BARCODE_LENGTH).optional().openapi({
      example: '4006381333931',
      description:
        "Lists the products that have this barcode, themselves or as a variant's, the oldest first, at most 100, in pages of `limit` (default: all). Exact; but a GTIN is found as 8, 12, 13 or 14 digits, whatever zeros are in front, and with or without spaces and hyphens. May be combined with what `member_of` may be.",
    }),
    member_of: idParam.optional().openapi({
      description:
        'Lists the products that this grouped or bundled product contains, in its order and each once, at most 100, in pages of `limit` (default: all). May be combined with what `ids` may be, `page` and `cursor`.',
    }),
    q: SearchText.optional().openapi({
      description:
        'Matches products with a word in name, SKU or slug for each word as a prefix. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese words are also found within a name.',
    }),
    search: SearchText.optional().openapi({
      description: 'Alias of `q`; both must be the same if both are given.',
    }),
    sort: z.enum(SORTS).default('newest').openapi({
      description:
        '`best_selling`: by the quantity that was paid for in the last 30 days (UTC) and not refunded, recounted every hour.',
    }),
    include: include.optional(),
    currency: Currency.optional().openapi({ description: "Defaults to the tenant's main currency." }),
    status: statusFilter.optional().openapi({ description: STATUS_DESCRIPTION }),
  })
  .superRefine(checkFilters);
export type ProductListQuery = z.infer<typeof ProductListQuery>;

/** Query parameters of a search. */
export const ProductSearchQuery = z
  .looseObject({
    q: SearchText,
    ...productPages.query,
    ...filterParams,
    sort: z.enum(SEARCH_SORTS).default('relevance'),
    include: ProductListQuery.shape.include,
    currency: ProductListQuery.shape.currency,
  })
  .superRefine(checkFilters);
export type ProductSearchQuery = z.infer<typeof ProductSearchQuery>;

/** Path parameters with an id. */
export const IdParams = z.object({ id: idParam });
/** Path parameters with a slug. */
export const SlugParams = z.object({ slug: slugText });
/** Largest number of related products, and the number by default. */
const MAX_RELATED = 24;
const RELATED_BY_DEFAULT = 8;

/** Query parameters of the products related to another. */
export const RelatedQuery = z.object({
  limit: limitUpTo(MAX_RELATED, RELATED_BY_DEFAULT),
  currency: Currency.optional().openapi({ description: "Defaults to the tenant's main currency." }),
});

/** Query parameters of a single product. */
export const ProductQuery = z.object({
  currency: Currency.optional(),
  status: statusFilter.optional().openapi({ description: STATUS_DESCRIPTION }),
});
export type ProductQuery = z.infer<typeof ProductQuery>;
