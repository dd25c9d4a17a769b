import { z } from '@hono/zod-openapi';
import { MAX_SKU_LENGTH, MAX_STOCK, POLICIES } from '../../inventory/index.ts';
import { byCurrency, Currency } from '../../kernel/core/currencies.ts';
import { MAX_AMOUNT } from '../../kernel/core/money.ts';
import { idParam, PageMeta, pageQuery } from '../../kernel/core/pagination.ts';
import { rawText, text } from '../../kernel/text/text.ts';
import { httpsUrl } from '../../kernel/text/uri.ts';
import { Category } from '../categories/schemas.ts';
import { PRODUCT_TYPES } from '../tables.ts';
import { id, name, Seo, slug } from './field-schemas.ts';

const price = z.number().min(0).max(MAX_AMOUNT);
const stock = z.int().min(0).max(MAX_STOCK);
const sku = text(MAX_SKU_LENGTH);
const barcode = text(50);
const title = text(255);

const prices = byCurrency(price);

// The OpenAPI generator copies keywords that its types lack.
const ID_OR_SKU_REQUIRED: object = { anyOf: [{ required: ['id'] }, { required: ['sku'] }] };

const VariantInput = z.strictObject({
  id: id.optional(),
  sku: sku.optional(),
  price,
  prices: prices.optional(),
  stock: stock.optional(),
  attributes: z
    .record(text(50), text(255))
    .refine((map) => Object.keys(map).length > 0, 'must have at least one attribute')
    .openapi({ minProperties: 1 }),
  barcode: barcode.nullable().optional(),
  image: httpsUrl.nullable().optional(),
});

const LinkInput = z.strictObject({
  id: id.optional(),
  title,
  price: price.default(0),
  prices: prices.optional(),
  url: httpsUrl,
});

const BundleGroupInput = z.strictObject({
  id: id.optional(),
  title,
  required: z.boolean().default(true),
  multiple: z.boolean().default(false),
  items: z
    .array(
      z.strictObject({
        id: id.optional(),
        product_id: id,
        quantity: z.int().min(1).max(9_999).default(1),
        default: z.boolean().default(false),
      }),
    )
    .min(1)
    .max(100),
});

const timezone = rawText(64).refine(isTimezone, 'must be an IANA time zone such as Europe/Berlin');

const SlotInput = z
  .strictObject({
    id: id.optional(),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
    capacity: z.int().min(0).max(100_000),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    message: 'must be after from',
    path: ['to'],
  });

function isTimezone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

const fields = {
  name,
  type: z.enum(PRODUCT_TYPES),
  price,
  sku: sku.optional(),
  slug: slug.optional(),
  status: z.enum(['active', 'inactive']).optional(),
  stock: stock.optional(),
  regular_price: price.nullable().optional(),
  prices: prices.optional(),
  description: rawText(65_535).nullable().optional(),
  images: z.array(httpsUrl).max(250).optional(),
  category_ids: z.array(id).max(100).optional(),
  seo: Seo.nullable().optional(),
  barcode: barcode.nullable().optional(),
  tags: z.array(text(100)).max(250).optional(),
  vendor: text(255).nullable().optional(),
  tax_class: text(50).nullable().optional().openapi({
    description:
      "Selects the product's rates in `tax.rates_by_class` of the tenant's settings. The standard rates apply to an unknown class.",
  }),
  inventory_policy: z.enum(POLICIES).optional(),
  variants: z.array(VariantInput.openapi(ID_OR_SKU_REQUIRED)).min(1).max(500).optional(),
  links: z.array(LinkInput).max(100).optional(),
  grouped: z
    .array(z.strictObject({ product_id: id, default_quantity: z.int().min(0).max(9_999).default(1) }))
    .min(1)
    .max(100)
    .optional(),
  bundle_groups: z.array(BundleGroupInput).min(1).max(50).optional(),
  booking: z.strictObject({ timezone, slots: z.array(SlotInput).max(1_000) }).optional(),
};

/** Request body for a new product. The type decides which of the type-specific fields is allowed. */
export const ProductCreate = z
  .strictObject({ ...fields, variants: z.array(VariantInput.extend({ sku })).min(1).max(500).optional() })
  .openapi('ProductCreate');
export type ProductCreate = z.infer<typeof ProductCreate>;

/** Partial update of a product: fields that are present are replaced, arrays whole. */
export const ProductPatch = z
  .strictObject({ ...fields, name: name.optional(), type: fields.type.optional(), price: price.optional() })
  .openapi('ProductPatch');
export type ProductPatch = z.infer<typeof ProductPatch>;

const Variant = z
  .object({
    id: z.int(),
    sku: z.string(),
    price: z.number(),
    stock: z.int(),
    attributes: z.record(z.string(), z.string()),
    barcode: z.string().optional(),
    image: z.url().optional(),
  })
  .openapi('Variant');

/** A product as lists return it; `variants` and `categories` only with `include`. */
export const ProductListItem = z
  .object({
    id: z.int(),
    sku: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    type: z.enum(PRODUCT_TYPES),
    price: z.number(),
    currency: z.string(),
    stock: z.int().openapi({ description: 'Available stock: on hand less reserved.' }),
    images: z.array(z.url()),
    status: z.enum(['active', 'inactive']),
    created_at: z.iso.datetime(),
    variants: z.array(Variant).optional(),
    categories: z.array(Category).optional(),
  })
  .openapi('ProductListItem');
export type ProductListItem = z.infer<typeof ProductListItem>;

/** Payload of a `product.updated` event. */
export const ProductUpdated = ProductListItem.omit({ variants: true, categories: true })
  .extend({
    changed: z.array(z.string()).openapi({
      description: 'Names of changed fields, or `["created"]`, or `["deleted"]`.',
    }),
  })
  .openapi('ProductUpdated');
export type ProductUpdated = z.infer<typeof ProductUpdated>;

const BundleGroup = BundleGroupInput.extend({
  id: z.int(),
  items: z.array(z.object({ id: z.int(), product_id: z.int(), quantity: z.int(), default: z.boolean() })),
});

/** A product with all its fields. */
export const Product = ProductListItem.extend({
  regular_price: z.number().optional(),
  seo: Seo.optional(),
  updated_at: z.iso.datetime(),
  barcode: z.string().optional(),
  tags: z.array(z.string()),
  vendor: z.string().optional(),
  tax_class: z.string().optional(),
  inventory_policy: z.enum(POLICIES),
  links: z.array(z.object({ id: z.int(), title: z.string(), price: z.number().optional() })).optional(),
  grouped: z.array(z.object({ product_id: z.int(), default_quantity: z.int() })).optional(),
  bundle_groups: z.array(BundleGroup).optional(),
  booking: z
    .object({
      timezone: z.string(),
      slots: z.array(
        z.object({
          id: z.int(),
          from: z.iso.datetime(),
          to: z.iso.datetime(),
          capacity: z.int(),
          available: z.int(),
        }),
      ),
    })
    .optional(),
}).openapi('Product');
export type Product = z.infer<typeof Product>;

const INCLUDES = ['variants', 'images', 'categories'] as const;
const include = z
  .string()
  .transform((text) => new Set(text.split(',').map((part) => part.trim())))
  .refine((parts) => [...parts].every((part) => INCLUDES.some((known) => known === part)), {
    message: `must be a comma-separated list of ${INCLUDES.join(', ')}`,
  })
  .transform((parts) => INCLUDES.filter((known) => parts.has(known)))
  .openapi({ type: 'string', description: 'Comma-separated list of `variants`, `images` and `categories`.' });

/** Search text: 1 to 100 characters. */
export const SearchText = rawText(100, { least: 1 });

/** Sort orders of product lists. */
export const SORTS = ['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const;

/** Query parameters of the product list. */
export const ProductListQuery = z.object({
  ...pageQuery,
  q: SearchText.optional().openapi({
    description: 'Matches products with a word in name, SKU or slug for each word as a prefix.',
  }),
  search: SearchText.optional().openapi({ description: 'Alias of `q`.' }),
  category_id: idParam.optional().openapi({ description: 'Includes products of its descendants.' }),
  sort: z.enum(SORTS).default('newest'),
  include: include.optional(),
  currency: Currency.optional().openapi({ description: "Defaults to the tenant's main currency." }),
  status: z.enum(['active', 'inactive', 'all']).optional().openapi({
    description: 'Values other than `active` require the scope `catalog:write`. Defaults to `active`.',
  }),
});
export type ProductListQuery = z.infer<typeof ProductListQuery>;

/** A page of products. */
export const ProductList = z
  .object({ data: z.array(ProductListItem), meta: PageMeta })
  .openapi('ProductList');
/** Path parameters with an id. */
export const IdParams = z.object({ id: idParam });
/** Query parameters of a single product. */
export const ProductQuery = z.object({
  currency: Currency.optional(),
  status: ProductListQuery.shape.status,
});
