import { MAX_SKU, type Policy } from '../../inventory/index.ts';
import { slugify } from '../../kernel/core/fold.ts';
import type { Currencies } from '../../kernel/core/money.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { firstOf } from '../../kernel/core/text.ts';
import type { Prices, ProductType } from '../tables.ts';
import { FieldErrors } from './field-errors.ts';
import { derivedOf, type ProductState, type VariantState } from './product-state.ts';
import type { ProductCreate, ProductPatch } from './schemas.ts';
import { detailsOf, foreignKeys, slotsOf } from './type-details.ts';

const EMPTY = {
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

/** The product that `input` asks for: whole for a new one, else changes to `before`. */
export function applyPatch(
  before: ProductState | null,
  input: ProductCreate | ProductPatch,
  money: Currencies,
): Result<ProductState> {
  const faults = new FieldErrors();
  const type = input.type ?? before?.type ?? 'simple';
  for (const key of foreignKeys(type, input)) faults.add(key, `is not for ${type} products`);
  const name = input.name ?? before?.name ?? '';
  const variants = variantsOf(before, input, money, faults, type);
  const { regular_price: regular } = input;
  const state: ProductState = {
    type,
    name,
    slug: input.slug ?? before?.slug ?? (slugify(name) || 'product'),
    sku: input.sku ?? before?.sku ?? (firstOf(slugify(name), MAX_SKU).replace(/-$/, '') || 'product'),
    status: input.status ?? before?.status ?? EMPTY.status,
    prices: type === 'configurable' ? cheapest(variants) : pricesOf(before, input, money, faults),
    regularPrice:
      regular === undefined
        ? (before?.regularPrice ?? EMPTY.regularPrice)
        : regular && faults.amount('regular_price', regular, money.currency),
    description: given(input.description, before?.description, EMPTY.description),
    images: unique(input.images ?? before?.images ?? EMPTY.images),
    seo: given(input.seo, before?.seo, EMPTY.seo),
    barcode: given(input.barcode, before?.barcode, EMPTY.barcode),
    tags: unique(input.tags ?? before?.tags ?? EMPTY.tags),
    vendor: given(input.vendor, before?.vendor, EMPTY.vendor),
    taxClass: given(input.tax_class, before?.taxClass, EMPTY.taxClass),
    policy: policyOf(before, input, type),
    stock: stockOf(before, input, type),
    categoryIds: unique(input.category_ids ?? before?.categoryIds ?? EMPTY.categoryIds),
    variants,
    details: detailsOf(before, input, money, faults, type),
    slots: type === 'booking' ? slotsOf(before, input, faults) : [],
  };
  const { errors } = faults;
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : ok(state);
}

/** A download's stock is not enforced; what was a download is counted from then on. */
function policyOf(before: ProductState | null, input: ProductPatch, type: ProductType): Policy {
  if (type === 'downloadable') return 'untracked';
  const kept = before?.type === 'downloadable' ? undefined : before?.policy;
  return input.inventory_policy ?? kept ?? EMPTY.policy;
}

/** What followed from others is not the product's own: without a word on it, its stock begins at 0. */
function stockOf(before: ProductState | null, input: ProductPatch, type: ProductType): number | null {
  if (derivedOf({ type }) !== 'none') return null;
  return input.stock ?? (before && derivedOf(before) === 'none' ? null : 0);
}

/** What was given (null included), else what was there, else what a new one has. */
const given = <T>(input: T | undefined, before: T | undefined, empty: T): T =>
  input !== undefined ? input : before !== undefined ? before : empty;

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

function pricesOf(
  before: ProductState | null,
  input: ProductPatch,
  money: Currencies,
  faults: FieldErrors,
): Prices {
  const main = before?.prices[money.currency];
  const prices = faults.prices('', input.price ?? 0, input.prices ?? {}, money);
  const kept = input.prices === undefined ? othersOf(before?.prices, money) : {};
  if (input.price === undefined && main !== undefined) return { ...kept, ...prices, [money.currency]: main };
  return { ...kept, ...prices };
}

/** The prices beside the main one: kept where `prices` isn't given. */
function othersOf(prices: Prices | undefined, money: Currencies): Prices {
  const { [money.currency]: _main, ...others } = prices ?? {};
  return others;
}

/** In each currency the cheapest variant's price: what a configurable product shows. */
export function cheapest(variants: readonly VariantState[]): Prices {
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
  faults: FieldErrors,
  type: ProductType,
): VariantState[] {
  if (type !== 'configurable') return [];
  if (!input.variants) {
    if (!before?.variants.length) faults.add('variants', 'a configurable product needs at least one');
    return (before?.variants ?? []).map((variant) => ({ ...variant, stock: null }));
  }
  const known = before?.variants ?? [];
  const ids = input.variants.map(({ id }) => id);
  const named = new Set(ids);
  const variants = input.variants.map((wanted, n) => {
    const old = known.find(({ id, sku }) =>
      wanted.id === undefined ? !named.has(id ?? 0) && sku === wanted.sku : id === wanted.id,
    );
    return variantOf(old, wanted, n, money, faults);
  });
  const skus = variants.map(({ sku }) => sku);
  const looks = variants.map(({ attributes }) => JSON.stringify(Object.entries(attributes).sort()));
  for (const [field, keys] of Object.entries({ id: ids, sku: skus, attributes: looks })) {
    faults.repeated(keys, (n) => `variants.${n}.${field}`, 'is that of another variant');
  }
  return variants;
}

/** The `n`th variant as it was given: `old` changed, or a new one. */
function variantOf(
  old: VariantState | undefined,
  wanted: NonNullable<ProductPatch['variants']>[number],
  n: number,
  money: Currencies,
  faults: FieldErrors,
): VariantState {
  const field = `variants.${n}.`;
  if (wanted.id !== undefined && !old) faults.add(`${field}id`, 'is not a variant of this product');
  const sku = wanted.sku ?? old?.sku;
  if (sku === undefined) faults.add(`${field}sku`, 'is needed for a new variant');
  return {
    id: old?.id ?? null,
    sku: sku ?? '',
    prices: {
      ...(wanted.prices === undefined ? othersOf(old?.prices, money) : {}),
      ...faults.prices(field, wanted.price, wanted.prices ?? {}, money),
    },
    stock: wanted.stock ?? (old ? null : 0),
    attributes: wanted.attributes,
    barcode: given(wanted.barcode, old?.barcode, null),
    image: given(wanted.image, old?.image, null),
  };
}
