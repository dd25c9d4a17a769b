import { z } from '@hono/zod-openapi';
import { Currency } from '../../kernel/core/currencies.ts';
import { idParam, listPages } from '../../kernel/core/pagination.ts';
import { rawText } from '../../kernel/text/text.ts';
import { checkFilters, filterParams } from '../filters/filter-query.ts';
import { MAX_SEARCH_TEXT_LENGTH } from '../limits.ts';

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
  .openapi({ type: 'string', description: 'Comma-separated list of `variants`, `images` and `categories`.' });

/** Search text, not empty. */
export const SearchText = rawText(MAX_SEARCH_TEXT_LENGTH, { least: 1 });

/** Sort orders of product lists. */
const SORTS = ['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const;
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
    q: SearchText.optional().openapi({
      description: 'Matches products with a word in name, SKU or slug for each word as a prefix.',
    }),
    search: SearchText.optional().openapi({ description: 'Alias of `q`.' }),
    sort: z.enum(SORTS).default('newest'),
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
/** Query parameters of a single product. */
export const ProductQuery = z.object({
  currency: Currency.optional(),
  status: statusFilter.optional().openapi({ description: STATUS_DESCRIPTION }),
});
