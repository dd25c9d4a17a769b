import { z } from '@hono/zod-openapi';
import { MAX_STOCK, POLICIES, Sku } from '../../inventory/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { keptLine, line, rawText } from '../../kernel/text/text.ts';
import { httpsUrl } from '../../kernel/text/uri.ts';
import { byCurrency } from '../../kernel/values/currencies.ts';
import { instant } from '../../kernel/values/instant.ts';
import { MetadataInput } from '../../kernel/values/metadata.ts';
import { MAX_AMOUNT } from '../../kernel/values/money.ts';
import { isTimeZone } from '../../kernel/values/time-zone.ts';
import { imageUrl } from '../../media/index.ts';
import {
  MAX_ATTRIBUTE_NAME_LENGTH,
  MAX_ATTRIBUTE_VALUE_LENGTH,
  MAX_BARCODE_LENGTH,
  MAX_BUNDLE_GROUPS,
  MAX_DESCRIPTION_LENGTH,
  MAX_IMAGES,
  MAX_LINKS,
  MAX_MEMBERS,
  MAX_PRODUCT_CATEGORIES,
  MAX_SLOT_CAPACITY,
  MAX_SLOTS,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TAX_CLASS_LENGTH,
  MAX_TITLE_LENGTH,
  MAX_VARIANT_ATTRIBUTES,
  MAX_VARIANTS,
  MAX_VENDOR_LENGTH,
  MAX_WEIGHT,
} from '../limits.ts';
import { PRODUCT_TYPES } from '../tables.ts';
import { AttributesInput, DISTINCT_NAMES, id, name, Seo, slug } from './field-schemas.ts';
import { ImageInput, MediaInput } from './image-list.ts';

/** An amount in a request. */
export const price = z.number().min(0).max(MAX_AMOUNT);
const stock = z.int().min(0).max(MAX_STOCK);
const barcode = line(MAX_BARCODE_LENGTH);
/** Grams of one unit. */
const weight = z.int().min(0).max(MAX_WEIGHT);
const title = line(MAX_TITLE_LENGTH);

/** Amounts by currency in a request. */
export const prices = byCurrency(price);

/** A temporary price, or null to remove it. */
export const SaleInput = z
  .strictObject({
    price: price.optional(),
    prices: prices.optional(),
    starts_at: instant.nullable().optional(),
    ends_at: instant.nullable().optional(),
  })
  .refine(({ price, prices }) => price !== undefined || Object.keys(prices ?? {}).length > 0, {
    message: 'requires `price` or `prices`',
    path: ['price'],
  })
  .openapi('SaleInput', {
    description:
      'A price below the ordinary one, from `starts_at` (by default at once) until `ends_at` (by default without an end). `price` is in the main currency, `prices` are by currency; in others the ordinary price stays. Replaced as a whole, and removed when it has ended.',
  });
export type SaleInput = z.infer<typeof SaleInput>;

// The OpenAPI generator copies keywords that its types lack.
const ID_OR_SKU_REQUIRED: object = { anyOf: [{ required: ['id'] }, { required: ['sku'] }] };

/** The read-only fields of a variant's response. Requests may have them: clients can then send back what they read. */
const readOnlyOfVariant = {
  name: z.string().optional().openapi({ readOnly: true }),
  in_stock: z.boolean().optional().openapi({ readOnly: true }),
  on_sale: z.boolean().optional().openapi({ readOnly: true }),
  sale_ends_at: instant.nullable().optional().openapi({ readOnly: true }),
  lowest_price_30d: price.optional().openapi({ readOnly: true }),
};

const VariantInput = z.strictObject({
  ...readOnlyOfVariant,
  id: id.optional(),
  sku: Sku.optional(),
  price,
  prices: prices.optional(),
  regular_price: price.nullable().optional().openapi({
    description:
      "The variant's own price before a reduction, in the main currency; not below `price`. Null: none. In a variant that is sent back as it was read during a sale (`on_sale: true`), it is the ordinary price, and `price` is ignored.",
  }),
  sale: SaleInput.nullable().optional(),
  stock: stock.optional(),
  attributes: z
    .record(keptLine(MAX_ATTRIBUTE_NAME_LENGTH), keptLine(MAX_ATTRIBUTE_VALUE_LENGTH))
    .refine((map) => Object.keys(map).length > 0, 'must have at least one attribute')
    .refine(
      (map) => Object.keys(map).length <= MAX_VARIANT_ATTRIBUTES,
      `must have at most ${MAX_VARIANT_ATTRIBUTES} names`,
    )
    .refine(...DISTINCT_NAMES)
    .openapi({ minProperties: 1, maxProperties: MAX_VARIANT_ATTRIBUTES }),
  barcode: barcode.nullable().optional(),
  weight: weight.nullable().optional().openapi({
    description: "Grams of one unit. Null, the default: the product's weight.",
  }),
  image: imageUrl.nullable().optional(),
});

const LinkInput = z.strictObject({
  id: id.optional(),
  title,
  price: price.default(0),
  prices: prices.optional(),
  url: httpsUrl.optional().openapi({
    description:
      'Where the file is: who paid is redirected to it. Left out, the link with this `id` keeps its own. Never in a response.',
  }),
});

/** A group of choices of a bundle. Ids are unique within the product. */
export const BundleGroupInput = z.strictObject({
  id: id.optional(),
  title,
  required: z.boolean().default(true),
  multiple: z.boolean().default(false),
  items: z
    .array(
      z.strictObject({
        id: id.optional(),
        product_id: id,
        quantity: z.int().min(1).max(MAX_LINE_QUANTITY).default(1),
        default: z.boolean().default(false),
      }),
    )
    .min(1)
    .max(MAX_MEMBERS),
});

/** Longest time zone name, in characters. */
const MAX_TIME_ZONE_LENGTH = 64;

const timezone = rawText(MAX_TIME_ZONE_LENGTH).refine(
  isTimeZone,
  'must be an IANA time zone such as Europe/Berlin',
);

const SlotInput = z
  .strictObject({
    id: id.optional(),
    from: instant,
    to: instant,
    capacity: z.int().min(0).max(MAX_SLOT_CAPACITY),
    // As responses have it, so that clients can send back what they read.
    available: z.int().optional().openapi({ readOnly: true }),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    message: 'must be after from',
    path: ['to'],
  });

const fields = {
  name,
  type: z.enum(PRODUCT_TYPES),
  price,
  sku: Sku.optional(),
  slug: slug.optional(),
  status: z.enum(['active', 'inactive']).optional(),
  stock: stock.optional(),
  regular_price: price.nullable().optional().openapi({
    description:
      "The price before a reduction, in the main currency; not below `price`. Null: none. In a product that is sent back as it was read during its sale (`price` is that of `sale`, or both are as shown and only `sale` is another one), it is the ordinary price, and the one that was set stays; so it does in a configurable product that is sent back with its cheapest variant's.",
  }),
  prices: prices.optional(),
  sale: SaleInput.nullable().optional(),
  description: rawText(MAX_DESCRIPTION_LENGTH).nullable().optional(),
  images: z.array(ImageInput).max(MAX_IMAGES).optional(),
  media: z.array(MediaInput).max(MAX_IMAGES).optional().openapi({
    description:
      'The images as responses have them. Without `images` they replace the images of the product; with it they only give texts to the images that it names without one.',
  }),
  category_ids: z.array(id).max(MAX_PRODUCT_CATEGORIES).optional(),
  seo: Seo.nullable().optional(),
  barcode: barcode.nullable().optional(),
  tags: z.array(line(MAX_TAG_LENGTH)).max(MAX_TAGS).optional(),
  vendor: line(MAX_VENDOR_LENGTH).nullable().optional(),
  tax_class: line(MAX_TAX_CLASS_LENGTH).nullable().optional().openapi({
    description:
      "Selects the product's rates in `tax.rates_by_class` of the tenant's settings. The standard rates apply to an unknown class.",
  }),
  weight: weight.nullable().optional().openapi({
    description:
      'Grams of one unit, for shipping methods with prices by weight. A variant can have its own; a bundle weighs what is chosen of it.',
  }),
  attributes: AttributesInput.optional(),
  metadata: MetadataInput.optional(),
  inventory_policy: z.enum(POLICIES).optional(),
  variants: z.array(VariantInput.openapi(ID_OR_SKU_REQUIRED)).max(MAX_VARIANTS).optional(),
  links: z.array(LinkInput).max(MAX_LINKS).optional(),
  grouped: z
    .array(
      z.strictObject({ product_id: id, default_quantity: z.int().min(0).max(MAX_LINE_QUANTITY).default(1) }),
    )
    .min(1)
    .max(MAX_MEMBERS)
    .optional(),
  bundle_groups: z.array(BundleGroupInput).min(1).max(MAX_BUNDLE_GROUPS).optional(),
  booking: z.strictObject({ timezone, slots: z.array(SlotInput).max(MAX_SLOTS) }).optional(),
};

/** Request body for a new product. The type decides which of the type-specific fields is allowed. */
export const ProductCreate = z
  .strictObject({
    ...fields,
    variants: z
      .array(VariantInput.extend({ sku: Sku }))
      .max(MAX_VARIANTS)
      .optional(),
  })
  .openapi('ProductCreate');
export type ProductCreate = z.infer<typeof ProductCreate>;

/** Partial update of a product: fields that are present are replaced, arrays whole. */
export const ProductPatch = z
  .strictObject({ ...fields, name: name.optional(), type: fields.type.optional(), price: price.optional() })
  .openapi('ProductPatch');
export type ProductPatch = z.infer<typeof ProductPatch>;
