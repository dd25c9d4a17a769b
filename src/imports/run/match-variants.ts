import { optionKey, type StoredProduct, type VariantState } from '../../catalog/index.ts';
import type { LineError } from '../csv/csv-row.ts';
import type { MappedProduct } from '../csv/shopify.ts';
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

/** A product of the file and the stored one that it is merged into; null for a new one. */
export interface Merge {
  readonly file: MappedProduct;
  readonly before: StoredProduct | null;
  readonly context: MergeContext;
  /** The merged product's type. */
  readonly type: MappedProduct['type'];
  /** Whether the stored variants stay, because the file doesn't say which variants there are. */
  readonly keepsVariants: boolean;
}

/** A variant of the file with its SKU, its price and the stored variant that it matches. */
export interface MatchedVariant {
  readonly variant: MappedVariant;
  readonly sku: string;
  readonly price: number;
  readonly old: VariantState | undefined;
}

/** Returns the type of the merged product, and whether its stored variants stay. */
export function typeOf({ names, type, variants, complete }: MappedProduct, before: StoredProduct | null) {
  const stored = before?.state.type;
  if (stored === 'configurable' && !names.options) return { type: stored, keepsVariants: true };
  // The file may have more variants than could be read: only one is no reason to become virtual.
  const isOneOfSeveral = !complete && hasOptions(variants);
  if (stored === 'configurable' && isOneOfSeveral) return { type: stored, keepsVariants: false };
  const staysVirtual = stored === 'virtual' && !names.shipping && variants.length === 1;
  return { type: staysVirtual ? stored : type, keepsVariants: false };
}

const hasOptions = ([first]: MappedProduct['variants']): boolean => Object.keys(first.attributes).length > 0;

/**
 * Returns whether the product would become a simple one, without its variants, though lines that may have options
 * could not be read.
 */
export const losesVariants = (
  { names, variants, complete }: MappedProduct,
  before: StoredProduct | null,
): boolean => before?.state.type === 'configurable' && names.options && !complete && !hasOptions(variants);

/**
 * Finds SKU, price and stored variant of each variant of the file. Variants match by SKU, else by options. Returns
 * them, and the errors of skipped lines.
 */
export function matchVariants(merge: Merge) {
  const { before, context } = merge;
  const { currency, isTaken } = context;
  const { variants, errors } = writableVariants(merge);
  const all = before?.state.variants ?? [];
  const stored = { all, byOptions: Map.groupBy(all, ({ attributes }) => optionsKey(attributes)) };
  const named = new Set(merge.file.variants.map(({ sku }) => sku));
  const matched: MatchedVariant[] = [];
  for (const variant of variants) {
    const { line } = variant;
    const old = storedVariant(variant, stored, named);
    const price = variant.price ?? old?.prices[currency] ?? before?.state.prices[currency];
    const sku = skuOf(variant, old, merge);
    if (isTaken(sku))
      errors.push({ line, columns: ['sku'], message: `Another product has the SKU "${sku}".` });
    else if (price === undefined) errors.push({ line, columns: ['price'], message: 'The price is missing.' });
    else matched.push({ variant, sku, price, old });
  }
  return { matched, errors };
}

/** Returns the variants of the file that the product may have, and errors for the others. */
function writableVariants({ file, before, keepsVariants }: Merge) {
  const errors: LineError[] = [];
  if (file.names.options) return { variants: file.variants, errors };
  if (keepsVariants) return namedVariants(file, before?.state.variants ?? []);
  const [first, ...others] = file.variants;
  const message = `The variant on line ${first.line} has the same options.`;
  for (const { line } of others) errors.push({ line, message });
  return { variants: [first], errors };
}

/** Returns the stored variants that lines without options name by SKU, with their options; and errors. */
function namedVariants(file: MappedProduct, stored: readonly VariantState[]) {
  const variants: MappedVariant[] = [];
  const errors: LineError[] = [];
  for (const variant of file.variants) {
    const { line, ownSku, price, stock } = variant;
    const old = stored.find(({ sku }) => sku === ownSku);
    if (old) variants.push({ ...variant, attributes: old.attributes });
    else if (ownSku)
      errors.push({ line, columns: ['sku'], message: `No variant of the product has the SKU "${ownSku}".` });
    else if (price !== null || stock !== null)
      errors.push({ line, message: 'The line has neither the SKU nor the options of a variant.' });
  }
  return { variants, errors };
}

/** Returns whether the file leaves out stored variants: it names neither their SKUs nor their options. */
export function leavesOut({ variants, names }: MappedProduct, { state }: StoredProduct): boolean {
  if (!names.options) return false;
  const skus = new Set(variants.map(({ sku }) => sku));
  const options = new Set(variants.map(({ attributes }) => optionsKey(attributes)));
  return state.variants.some(({ sku, attributes }) => !skus.has(sku) && !options.has(optionsKey(attributes)));
}

/** The stored variants of a product, and those with the same options by their {@link optionsKey}. */
interface StoredVariants {
  readonly all: readonly VariantState[];
  readonly byOptions: ReadonlyMap<string, readonly VariantState[]>;
}

/** Returns the stored variant that a variant of the file matches; `named` are the SKUs in the file. */
function storedVariant(
  { sku, ownSku, attributes }: MappedVariant,
  stored: StoredVariants,
  named: ReadonlySet<string>,
): VariantState | undefined {
  const bySku = stored.all.find((one) => one.sku === sku);
  const alike = stored.byOptions.get(optionsKey(attributes)) ?? [];
  return ownSku === undefined ? (alike[0] ?? bySku) : (bySku ?? alike.find((one) => !named.has(one.sku)));
}

/** Returns a variant's SKU: the file's, or without a column the stored one. */
function skuOf(
  { sku, ownSku }: MappedVariant,
  old: VariantState | undefined,
  { type, before }: Merge,
): string {
  if (ownSku !== undefined) return sku;
  return (type === 'configurable' ? old?.sku : before?.state.sku) ?? sku;
}

/** Returns a text that variants with the same options share. Names are compared without case and accents. */
export const optionsKey = (attributes: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.entries(attributes)
      .map(([name, value]) => [optionKey(name), value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
