import { MAX_SKU_LENGTH, type Policy } from '../../inventory/index.ts';
import type { Currencies } from '../../kernel/core/money.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { slugify } from '../../kernel/text/fold.ts';
import { firstOf } from '../../kernel/text/text.ts';
import type { Prices, ProductType } from '../tables.ts';
import { FieldErrors } from './field-errors.ts';
import { derivedOf, type ProductState, type VariantState } from './product-state.ts';
import type { ProductCreate, ProductPatch } from './schemas.ts';
import { detailsOf, keysOfOtherTypes, slotsOf } from './type-details.ts';

const DEFAULTS = {
  status: 'active',
  regularPrice: null,
  description: null,
  images: [],
  seo: null,
  barcode: null,
  tags: [],
  vendor: null,
  taxClass: null,
  policy: 'deny',
  categoryIds: [],
} as const;

/** Returns the product that results from `input`: a new one, or `before` with the patch applied. */
export function applyPatch(
  before: ProductState | null,
  input: ProductCreate | ProductPatch,
  money: Currencies,
): Result<ProductState> {
  const errors = new FieldErrors();
  const type = input.type ?? before?.type ?? 'simple';
  for (const key of keysOfOtherTypes(type, input)) errors.add(key, `must not be given for ${type} products`);
  const name = input.name ?? before?.name ?? '';
  const variants = variantsOf(before, input, money, errors, type);
  const { regular_price: regular } = input;
  const state: ProductState = {
    type,
    name,
    slug: input.slug ?? before?.slug ?? (slugify(name) || 'product'),
    sku: input.sku ?? before?.sku ?? (firstOf(slugify(name), MAX_SKU_LENGTH).replace(/-$/, '') || 'product'),
    status: input.status ?? before?.status ?? DEFAULTS.status,
    prices: type === 'configurable' ? cheapestPrices(variants) : pricesOf(before, input, money, errors),
    regularPrice:
      regular === undefined
        ? (before?.regularPrice ?? DEFAULTS.regularPrice)
        : regular && errors.amount('regular_price', regular, money.currency),
    description: firstDefined(input.description, before?.description, DEFAULTS.description),
    images: unique(input.images ?? before?.images ?? DEFAULTS.images),
    seo: firstDefined(input.seo, before?.seo, DEFAULTS.seo),
    barcode: firstDefined(input.barcode, before?.barcode, DEFAULTS.barcode),
    tags: unique(input.tags ?? before?.tags ?? DEFAULTS.tags),
    vendor: firstDefined(input.vendor, before?.vendor, DEFAULTS.vendor),
    taxClass: firstDefined(input.tax_class, before?.taxClass, DEFAULTS.taxClass),
    policy: policyOf(before, input, type),
    stock: stockOf(before, input, type),
    categoryIds: unique(input.category_ids ?? before?.categoryIds ?? DEFAULTS.categoryIds),
    variants,
    details: detailsOf(before, input, money, errors, type),
    slots: type === 'booking' ? slotsOf(before, input, errors) : [],
  };
  const invalid = Object.keys(errors.byField).length > 0;
  return invalid ? fail('validation_error', { errors: errors.byField }) : ok(state);
}

/** Returns the stock policy. Downloads are untracked; a former download gets the default policy. */
function policyOf(before: ProductState | null, input: ProductPatch, type: ProductType): Policy {
  if (type === 'downloadable') return 'untracked';
  const kept = before?.type === 'downloadable' ? undefined : before?.policy;
  return input.inventory_policy ?? kept ?? DEFAULTS.policy;
}

/** Returns the stock to set, or null to keep it. A product whose stock was derived starts at 0 by default. */
function stockOf(before: ProductState | null, input: ProductPatch, type: ProductType): number | null {
  if (derivedOf({ type }) !== 'none') return null;
  return input.stock ?? (before && derivedOf(before) === 'none' ? null : 0);
}

/** Returns the first of input, previous value and default that is not undefined; null counts as a value. */
const firstDefined = <T>(input: T | undefined, before: T | undefined, empty: T): T =>
  input !== undefined ? input : before !== undefined ? before : empty;

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

function pricesOf(
  before: ProductState | null,
  input: ProductPatch,
  money: Currencies,
  errors: FieldErrors,
): Prices {
  const main = before?.prices[money.currency];
  const prices = errors.prices('', input.price ?? 0, input.prices ?? {}, money);
  const kept = input.prices === undefined ? otherPrices(before?.prices, money) : {};
  if (input.price === undefined && main !== undefined) return { ...kept, ...prices, [money.currency]: main };
  return { ...kept, ...prices };
}

/** Returns the prices in currencies other than the main one; they are kept when `prices` is omitted. */
function otherPrices(prices: Prices | undefined, money: Currencies): Prices {
  const { [money.currency]: _main, ...others } = prices ?? {};
  return others;
}

/** Returns the cheapest variant's price in each currency, which a configurable product displays. */
export function cheapestPrices(variants: readonly VariantState[]): Prices {
  const prices: Record<string, number> = {};
  for (const variant of variants) {
    for (const [currency, amount] of Object.entries(variant.prices)) {
      prices[currency] = Math.min(prices[currency] ?? amount, amount);
    }
  }
  return prices;
}

function variantsOf(
  before: ProductState | null,
  input: ProductPatch,
  money: Currencies,
  errors: FieldErrors,
  type: ProductType,
): VariantState[] {
  if (type !== 'configurable') return [];
  if (!input.variants) {
    if (!before?.variants.length)
      errors.add('variants', 'must have at least one variant for a configurable product');
    return (before?.variants ?? []).map((variant) => ({ ...variant, stock: null }));
  }
  const known = before?.variants ?? [];
  const ids = input.variants.map(({ id }) => id);
  const named = new Set(ids);
  const variants = input.variants.map((variant, n) => {
    const old = known.find(({ id, sku }) =>
      variant.id === undefined ? !named.has(id ?? 0) && sku === variant.sku : id === variant.id,
    );
    return variantOf(old, variant, n, money, errors);
  });
  const skus = variants.map(({ sku }) => sku);
  const attributeKeys = variants.map(({ attributes }) => JSON.stringify(Object.entries(attributes).sort()));
  for (const [field, keys] of Object.entries({ id: ids, sku: skus, attributes: attributeKeys })) {
    errors.repeated(keys, (n) => `variants.${n}.${field}`, 'must be unique among the variants');
  }
  return variants;
}

/** Returns the `n`th variant: `old` with the input applied, or a new one. */
function variantOf(
  old: VariantState | undefined,
  input: NonNullable<ProductPatch['variants']>[number],
  n: number,
  money: Currencies,
  errors: FieldErrors,
): VariantState {
  const field = `variants.${n}.`;
  if (input.id !== undefined && !old) errors.add(`${field}id`, 'must be a variant of this product');
  const sku = input.sku ?? old?.sku;
  if (sku === undefined) errors.add(`${field}sku`, 'is required for a new variant');
  return {
    id: old?.id ?? null,
    sku: sku ?? '',
    prices: {
      ...(input.prices === undefined ? otherPrices(old?.prices, money) : {}),
      ...errors.prices(field, input.price, input.prices ?? {}, money),
    },
    stock: input.stock ?? (old ? null : 0),
    attributes: input.attributes,
    barcode: firstDefined(input.barcode, old?.barcode, null),
    image: firstDefined(input.image, old?.image, null),
  };
}
