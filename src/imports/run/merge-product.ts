import {
  alignOptionNames,
  cheapestPrices,
  imageList,
  optionKey,
  type ProductState,
  type StoredProduct,
  type VariantState,
} from '../../catalog/index.ts';
import type { LineError } from '../csv/csv-row.ts';
import type { MappedProduct } from '../csv/shopify.ts';
import { deriveSku } from '../csv/sku.ts';
import type { MappedVariant } from '../csv/variants.ts';

/** The tenant's data and options that a merge needs besides the file. */
export interface MergeContext {
  /** The tenant's main currency. */
  readonly currency: string;
  /** Whether quantities are also written to existing products. */
  readonly setsStock: boolean;
  /** Returns whether a SKU belongs to another product. */
  readonly isTaken: (sku: string) => boolean;
}

/** The merged product, or null when no variant is valid; and the errors of skipped lines. */
export interface MergedProduct {
  readonly after: ProductState | null;
  readonly errors: readonly LineError[];
}

/** A product of the file and the stored one that it is merged into; null for a new one. */
interface Merge {
  readonly file: MappedProduct;
  readonly before: StoredProduct | null;
  readonly context: MergeContext;
}

/** A variant of the file with its price and the stored variant that it matches. */
interface Priced {
  readonly variant: MappedVariant;
  readonly price: number;
  readonly old: VariantState | undefined;
}

/** The defaults of a new product for fields without a column. */
const NEW_PRODUCT: Omit<
  ProductState,
  'name' | 'slug' | 'sku' | 'type' | 'policy' | 'stock' | 'variants' | 'details' | 'slots'
> = {
  status: 'active',
  prices: {},
  sale: null,
  regularPrice: null,
  description: null,
  images: [],
  imageAlts: {},
  seo: null,
  barcode: null,
  tags: [],
  vendor: null,
  taxClass: null,
  weight: null,
  attributes: {},
  metadata: {},
  categoryIds: [],
};

/**
 * Merges a product of the file into the stored one. Columns of the file overwrite stored values, except
 * existing stock (unless `setsStock`) and prices in other currencies. Bundles, bookings and other types that
 * CSV can't express keep their type's fields. Categories are unchanged.
 */
export function mergeProduct(
  file: MappedProduct,
  before: StoredProduct | null,
  context: MergeContext,
): MergedProduct {
  const base = before?.state ?? NEW_PRODUCT;
  const common = {
    name: file.name,
    slug: file.slug,
    status: file.status ?? base.status,
    description: valueOr(file.description, base.description),
    ...imageList(
      base,
      file.images?.map((url) => ({ url, alt: file.imageAlts?.get(url) })),
    ),
    tags: file.tags ?? base.tags,
    vendor: valueOr(file.vendor, base.vendor),
    seo: seoOf(file, base.seo),
    categoryIds: base.categoryIds,
  };
  if (before && !['simple', 'virtual', 'configurable'].includes(before.state.type)) {
    return { after: { ...before.state, stock: null, ...common }, errors: [] };
  }
  const { priced, errors } = priceAll(file, before, context);
  const [first] = priced;
  if (!first) return { after: null, errors };
  const isIncomplete = errors.length > 0 || !file.complete;
  const sellable =
    file.type === 'configurable'
      ? configurable({ file, before, context }, priced, isIncomplete)
      : single(before, first, context);
  const defaultPolicy = first.variant.stock === null ? 'untracked' : 'deny';
  const policy = file.policy ?? before?.state.policy ?? defaultPolicy;
  const rest = { type: file.type, policy, ...withoutColumn(base), details: {}, slots: [] };
  return { after: { ...common, ...sellable, ...rest }, errors };
}

/** Returns the fields for which files have no column. */
const withoutColumn = ({
  taxClass,
  attributes,
  metadata,
}: Pick<ProductState, 'taxClass' | 'attributes' | 'metadata'>) => ({
  taxClass,
  attributes,
  metadata,
});

/** Returns the file's value, or the stored one when the file has no such column. */
const valueOr = <T>(fromFile: T | undefined, before: T): T => (fromFile === undefined ? before : fromFile);

function seoOf({ seo }: MappedProduct, before: ProductState['seo']): ProductState['seo'] {
  if (seo === undefined) return before;
  const { title, description } = seo ?? { title: '', description: '' };
  const { og_image } = before ?? {};
  const texts = {
    ...(title && { title }),
    ...(description && { description }),
    ...(og_image && { og_image }),
  };
  return Object.keys(texts).length > 0 ? texts : null;
}

/** Finds each variant's price and its stored variant, matched by SKU, else by options. */
function priceAll(file: MappedProduct, before: StoredProduct | null, { currency, isTaken }: MergeContext) {
  const stored = before?.state.variants ?? [];
  const named = new Set(file.variants.map(({ sku }) => sku));
  const priced: Priced[] = [];
  const errors: LineError[] = [];
  for (const variant of file.variants) {
    const { line, sku, attributes } = variant;
    const old =
      stored.find((one) => one.sku === sku) ??
      stored.find((one) => !named.has(one.sku) && sameOptions(one.attributes, attributes));
    const price = variant.price ?? old?.prices[currency] ?? before?.state.prices[currency];
    if (isTaken(sku))
      errors.push({ line, columns: ['sku'], message: `Another product has the SKU "${sku}".` });
    else if (price === undefined) errors.push({ line, columns: ['price'], message: 'The price is missing.' });
    else priced.push({ variant, price, old });
  }
  return { priced, errors };
}

const sameOptions = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean => {
  const values = new Map(Object.entries(b).map(([name, value]) => [optionKey(name), value]));
  const own = Object.entries(a);
  return own.length === values.size && own.every(([name, value]) => values.get(optionKey(name)) === value);
};

/** Returns the sellable fields of a simple or virtual product. */
function single(
  before: StoredProduct | null,
  { variant, price }: Priced,
  { currency, setsStock }: MergeContext,
) {
  const base = before?.state ?? NEW_PRODUCT;
  // A configurable product has stock in its variants only: as another type it starts with the file's quantity.
  const startsFresh = !before || before.state.type === 'configurable';
  return {
    sku: variant.sku,
    prices: { ...base.prices, [currency]: price },
    sale: before?.state.type === 'configurable' ? null : base.sale,
    regularPrice: regularOf(variant, price, base.regularPrice),
    barcode: valueOr(variant.barcode, base.barcode),
    weight: valueOr(variant.weight, base.weight),
    stock: startsFresh ? (variant.stock ?? 0) : setsStock ? variant.stock : null,
    variants: [],
  };
}

/** Returns the sellable fields of a configurable product. */
function configurable(merge: Merge, priced: readonly Priced[], isIncomplete: boolean) {
  const { before } = merge;
  const variants = mergeVariants(merge, priced, isIncomplete);
  const cheapest = priced.reduce((a, b) => (b.price < a.price ? b : a));
  return {
    sku: parentSku(merge, variants),
    prices: cheapestPrices(variants.map(({ prices }) => prices)),
    sale: null,
    regularPrice: regularOf(cheapest.variant, cheapest.price, before?.state.regularPrice ?? null),
    barcode: before?.state.barcode ?? null,
    weight: before?.state.weight ?? null,
    stock: null,
    variants,
  };
}

/** Returns the file's variants. If lines were skipped, the other stored variants stay, in their places. */
function mergeVariants(merge: Merge, priced: readonly Priced[], isIncomplete: boolean): VariantState[] {
  const stored = merge.before?.state.variants ?? [];
  const written = priced.map((one) => mergeVariant(one, merge.context));
  if (!isIncomplete) return written;
  const replaced = (one: VariantState) =>
    written.some(({ id, attributes }) => id === one.id || sameOptions(attributes, one.attributes));
  const stays = stored.filter((one) => !replaced(one)).map((variant) => ({ ...variant, stock: null }));
  const place = ({ id }: VariantState) =>
    stored.findIndex((one) => one.id === id) + 1 || Number.MAX_SAFE_INTEGER;
  return alignOptionNames([...written, ...stays].sort((a, b) => place(a) - place(b)));
}

/** Merges a variant of the file into the stored one. */
const mergeVariant = (
  { variant, price, old }: Priced,
  { currency, setsStock }: MergeContext,
): VariantState => ({
  id: old?.id ?? null,
  sku: variant.sku,
  prices: { ...old?.prices, [currency]: price },
  sale: old?.sale ?? null,
  stock: old && !setsStock ? null : (variant.stock ?? (old ? null : 0)),
  attributes: variant.attributes,
  barcode: valueOr(variant.barcode, old?.barcode ?? null),
  weight: valueOr(variant.weight, old?.weight ?? null),
  image: valueOr(variant.image, old?.image ?? null),
});

/** Returns a configurable product's SKU, which the file lacks: the stored one, else one from the slug. */
function parentSku({ file, before, context }: Merge, variants: readonly VariantState[]): string {
  const { slug } = file;
  const isFree = (sku: string) => !context.isTaken(sku) && !variants.some((variant) => variant.sku === sku);
  const choices = [...(before ? [before.state.sku] : []), deriveSku(slug)];
  return choices.find(isFree) ?? deriveSku(slug, ['#']);
}

/** Returns the regular price: the file's compare-at price, else the stored one, if it is higher than the price. */
function regularOf({ comparePrice }: MappedVariant, price: number, before: number | null): number | null {
  const regular = comparePrice === undefined ? before : comparePrice;
  return regular !== null && regular > price ? regular : null;
}
