import {
  cheapestPrices,
  type ProductState,
  type StoredProduct,
  type VariantState,
} from '../catalog/index.ts';
import type { LineError } from './csv/csv-row.ts';
import type { MappedProduct } from './csv/shopify.ts';
import { madeSku } from './csv/sku.ts';
import type { MappedVariant } from './csv/variants.ts';

/** What an import has to know beside the file. */
export interface MergeContext {
  /** The tenant's main currency. */
  readonly currency: string;
  /** Whether quantities are written to what exists already. */
  readonly setsStock: boolean;
  /** Whether a SKU belongs to another product. */
  readonly isTaken: (sku: string) => boolean;
}

/** A product as it shall be, or null where no variant of it is left; and the lines that are left out. */
export interface MergedProduct {
  readonly after: ProductState | null;
  readonly errors: readonly LineError[];
}

/** A variant of the file with its price, and the stored one that it is. */
interface Priced {
  readonly variant: MappedVariant;
  readonly price: number;
  readonly old: VariantState | undefined;
}

/** What a new product has where the file has no column for it. */
const NEW: Omit<
  ProductState,
  'name' | 'slug' | 'sku' | 'type' | 'policy' | 'stock' | 'variants' | 'details' | 'slots'
> = {
  status: 'active',
  prices: {},
  regularPrice: null,
  description: null,
  images: [],
  seo: null,
  barcode: null,
  tags: [],
  vendor: null,
  taxClass: null,
  categoryIds: [],
};

/**
 * What the product of a file becomes. The file decides on all that it has a column for, except on the
 * stock of what exists (unless `setsStock`) and on prices in other currencies. A product that somebody
 * made a bundle, booking, … keeps all that belongs to that type. Categories are left as they are.
 */
export function mergeProduct(
  file: MappedProduct,
  before: StoredProduct | null,
  setting: MergeContext,
): MergedProduct {
  const base = before?.state ?? NEW;
  const shown = {
    name: file.name,
    slug: file.slug,
    status: file.status ?? base.status,
    description: given(file.description, base.description),
    images: file.images ?? base.images,
    tags: file.tags ?? base.tags,
    vendor: given(file.vendor, base.vendor),
    seo: seoOf(file, base.seo),
    categoryIds: base.categoryIds,
  };
  if (before && !['simple', 'virtual', 'configurable'].includes(before.state.type)) {
    return { after: { ...before.state, stock: null, ...shown }, errors: [] };
  }
  const { priced, errors } = priceAll(file, before, setting);
  const [first] = priced;
  if (!first) return { after: null, errors };
  const some = errors.length > 0 || !file.complete;
  const sold =
    file.type === 'configurable'
      ? configurable(file, before, priced, some, setting)
      : single(before, first, setting);
  const uncounted = first.variant.stock === null ? 'untracked' : 'deny';
  const policy = file.policy ?? before?.state.policy ?? uncounted;
  const rest = { type: file.type, policy, taxClass: base.taxClass, details: {}, slots: [] };
  return { after: { ...shown, ...sold, ...rest }, errors };
}

/** What the file says; what was there when it has no such column. */
const given = <T>(said: T | undefined, before: T): T => (said === undefined ? before : said);

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

/** Finds each variant's price and the stored variant that it is: by SKU, else by its options. */
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
    if (isTaken(sku)) errors.push({ line, message: `Another product has the SKU "${sku}".` });
    else if (price === undefined) errors.push({ line, message: 'The price is missing.' });
    else priced.push({ variant, price, old });
  }
  return { priced, errors };
}

const sameOptions = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => b[key] === value);

/** What a simple or virtual product is sold as. */
function single(
  before: StoredProduct | null,
  { variant, price }: Priced,
  { currency, setsStock }: MergeContext,
) {
  const base = before?.state ?? NEW;
  // A configurable product's stock was that of its variants: as another type it begins anew.
  const begins = !before || before.state.type === 'configurable';
  return {
    sku: variant.sku,
    prices: { ...base.prices, [currency]: price },
    regularPrice: regularOf(variant, price, base.regularPrice),
    barcode: given(variant.barcode, base.barcode),
    stock: begins ? (variant.stock ?? 0) : setsStock ? variant.stock : null,
    variants: [],
  };
}

/** What a configurable product is sold as. With `some` lines left out, no stored variant goes. */
function configurable(
  file: MappedProduct,
  before: StoredProduct | null,
  priced: readonly Priced[],
  some: boolean,
  { currency, setsStock, isTaken }: MergeContext,
) {
  const stored = before?.state.variants ?? [];
  const written = priced.map(
    ({ variant, price, old }): VariantState => ({
      id: old?.id ?? null,
      sku: variant.sku,
      prices: { ...old?.prices, [currency]: price },
      stock: old && !setsStock ? null : (variant.stock ?? (old ? null : 0)),
      attributes: variant.attributes,
      barcode: given(variant.barcode, old?.barcode ?? null),
      image: given(variant.image, old?.image ?? null),
    }),
  );
  const replaced = (one: VariantState) =>
    written.some(({ id, attributes }) => id === one.id || sameOptions(attributes, one.attributes));
  const stays = some ? stored.filter((one) => !replaced(one)) : [];
  const place = ({ id }: VariantState) =>
    stored.findIndex((one) => one.id === id) + 1 || Number.MAX_SAFE_INTEGER;
  const variants = some
    ? [...written, ...stays.map((variant) => ({ ...variant, stock: null }))].sort(
        (a, b) => place(a) - place(b),
      )
    : written;
  const least = priced.reduce((a, b) => (b.price < a.price ? b : a));
  return {
    sku: parentSku(file, before, variants, isTaken),
    prices: cheapestPrices(variants),
    regularPrice: regularOf(least.variant, least.price, before?.state.regularPrice ?? null),
    barcode: before?.state.barcode ?? null,
    stock: null,
    variants,
  };
}

/** The SKU of a configurable product, which no file gives: as it was, else made from the slug. */
function parentSku(
  { slug }: MappedProduct,
  before: StoredProduct | null,
  variants: readonly VariantState[],
  isTaken: MergeContext['isTaken'],
): string {
  const free = (sku: string) => !isTaken(sku) && !variants.some((variant) => variant.sku === sku);
  const choices = [...(before ? [before.state.sku] : []), madeSku(slug)];
  return choices.find(free) ?? madeSku(slug, ['#']);
}

const regularOf = ({ comparePrice }: MappedVariant, price: number, before: number | null): number | null =>
  comparePrice === undefined ? before : comparePrice !== null && comparePrice > price ? comparePrice : null;
