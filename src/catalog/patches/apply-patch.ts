import { MAX_SKU_LENGTH, type Policy } from '../../inventory/index.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { slugify } from '../../kernel/text/fold.ts';
import { firstOf } from '../../kernel/text/text.ts';
import { mergeMetadata } from '../../kernel/values/metadata.ts';
import { type Currencies, toNumber } from '../../kernel/values/money.ts';
import { imageList, imagesOf } from '../products/image-list.ts';
import type { ProductCreate, ProductPatch } from '../products/input-schemas.ts';
import { derivedOf, type ProductState } from '../products/product-state.ts';
import { cheapestPrices } from '../sales/displayed-prices.ts';
import { patchRegularPrice } from '../sales/patch-regular-price.ts';
import { patchSale, saleRefusal } from '../sales/patch-sale.ts';
import { configurableRegularPrice } from '../sales/sent-back-prices.ts';
import type { Attributes, Prices, Sale } from '../tables.ts';
import { FieldErrors } from '../writes/field-errors.ts';
import { keysOfOtherTypes, patchDetails, patchSlots } from '../writes/type-details.ts';
import { checkTexts } from './check-texts.ts';
import { firstDefined, otherPrices, type Patch } from './patch.ts';
import { patchVariants } from './patch-variants.ts';

/** The fields of a new product that its body omits. */
const DEFAULTS = {
  status: 'active',
  description: null,
  images: { images: [], imageAlts: {} },
  seo: null,
  barcode: null,
  tags: [],
  vendor: null,
  taxClass: null,
  weight: null,
  policy: 'deny',
  attributes: {},
  metadata: {},
  categoryIds: [],
} as const;

/** Returns the product that results from `input`: a new one, or `before` with the patch applied. */
export function applyPatch(
  before: ProductState | null,
  input: ProductCreate | ProductPatch,
  money: Currencies,
): Result<ProductState> {
  const currencies = [...money.currencies, ...pricedIn(before)];
  const errors = new FieldErrors({ ...money, currencies });
  const type = input.type ?? before?.type ?? 'simple';
  const patch: Patch = { before, input, type, money, errors };
  for (const key of keysOfOtherTypes(type, input)) errors.add(key, `must not be given for ${type} products`);
  checkTexts(patch);
  const variants = type === 'configurable' ? patchVariants(patch) : [];
  const prices =
    type === 'configurable' ? cheapestPrices(variants.map((variant) => variant.prices)) : patchPrices(patch);
  const regular =
    type === 'configurable'
      ? configurableRegularPrice(input, money, [before?.variants ?? [], variants])
      : input.regular_price;
  const state: ProductState = {
    type,
    ...patchIdentity(patch),
    ...patchPresentation(patch),
    prices,
    sale: patchOwnSale(patch, prices),
    regularPrice: patchRegularPrice({ errors, money, field: '', input: regular, before, prices }),
    ...patchProperties(patch),
    taxClass: firstDefined(input.tax_class, before?.taxClass, DEFAULTS.taxClass),
    weight: firstDefined(input.weight, before?.weight, DEFAULTS.weight),
    policy: patchPolicy(patch),
    stock: patchStock(patch),
    variants,
    details: patchDetails(patch),
    slots: type === 'booking' ? patchSlots(patch) : [],
  };
  return errors.isEmpty ? ok(state) : fail('validation_error', { errors: errors.byField });
}

/**
 * Returns the currencies of a product's prices. It keeps those in which the tenant no longer sells, so a body may have
 * them too: that of a client that sends back what it read.
 */
function pricedIn(product: ProductState | null): string[] {
  if (!product) return [];
  const { prices, sale, variants, details } = product;
  const own = [{ prices, sale }, ...variants].flatMap((one) => [one.prices, one.sale?.prices ?? {}]);
  const ofLinks = details.links?.map((link) => link.prices) ?? [];
  return [...new Set([...own, ...ofLinks].flatMap((all) => Object.keys(all)))];
}

/** Returns the name and the codes of the product. Slug and SKU are derived from the name by default. */
function patchIdentity({ before, input }: Patch) {
  const name = input.name ?? before?.name ?? '';
  const derived = slugify(name);
  const derivedSku = firstOf(derived, MAX_SKU_LENGTH).replace(/-$/, '');
  return {
    name,
    slug: input.slug ?? before?.slug ?? (derived || 'product'),
    sku: input.sku ?? before?.sku ?? (derivedSku || 'product'),
    barcode: firstDefined(input.barcode, before?.barcode, DEFAULTS.barcode),
  };
}

/** Returns the fields by which shoppers see and find the product. */
function patchPresentation({ before, input }: Patch) {
  return {
    status: input.status ?? before?.status ?? DEFAULTS.status,
    description: firstDefined(input.description, before?.description, DEFAULTS.description),
    ...imageList(before ?? DEFAULTS.images, imagesOf(input)),
    seo: firstDefined(input.seo, before?.seo, DEFAULTS.seo),
    tags: unique(input.tags ?? before?.tags ?? DEFAULTS.tags),
    vendor: firstDefined(input.vendor, before?.vendor, DEFAULTS.vendor),
    categoryIds: unique(input.category_ids ?? before?.categoryIds ?? DEFAULTS.categoryIds),
  };
}

/** Returns the attributes, replaced as a whole, and the metadata, merged by key. */
function patchProperties({ before, input, errors }: Patch) {
  const { attributes } = input;
  const metadata = mergeMetadata(before?.metadata ?? DEFAULTS.metadata, input.metadata);
  if (!metadata.ok) errors.addAll(metadata.failure);
  return {
    attributes: attributes ? distinctValues(attributes) : (before?.attributes ?? DEFAULTS.attributes),
    metadata: metadata.ok ? metadata.value : DEFAULTS.metadata,
  };
}

/** Returns attributes without repeated values. */
const distinctValues = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : unique(value),
    ]),
  );

/** Returns the stock policy. Downloads are untracked; a former download gets the default policy. */
function patchPolicy({ before, input, type }: Patch): Policy {
  if (type === 'downloadable') return 'untracked';
  const kept = before?.type === 'downloadable' ? undefined : before?.policy;
  return input.inventory_policy ?? kept ?? DEFAULTS.policy;
}

/** Returns the stock to set, or null to keep it. A product whose stock was derived starts at 0 by default. */
function patchStock({ before, input, type }: Patch): number | null {
  if (derivedOf({ type }) !== 'none') return null;
  return input.stock ?? (before && derivedOf(before) === 'none' ? null : 0);
}

/** Returns the price in each currency. Prices that are omitted stay as they are. */
function patchPrices({ before, input, money, errors }: Patch): Prices {
  const main = before?.prices[money.currency];
  const price = input.price ?? toNumber(main ?? 0, money.currency);
  const kept = input.prices === undefined ? otherPrices(before?.prices, money) : {};
  return { ...kept, ...errors.prices('', price, input.prices ?? {}) };
}

/** Returns the product's own sale. Types whose price is that of variants or members have none. */
function patchOwnSale({ before, input, type, money, errors }: Patch, prices: Prices): Sale | null {
  const refusal = saleRefusal(type);
  if (refusal && input.sale) errors.add('sale', refusal);
  if (refusal) return null;
  const kept = before?.sale ?? null;
  const isUntouched = [input.sale, input.price, input.prices].every((given) => given === undefined);
  if (isUntouched) return kept;
  const stored = before?.prices;
  return patchSale({ errors, money, field: '', input: input.sale, before: kept, stored, prices });
}

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];
