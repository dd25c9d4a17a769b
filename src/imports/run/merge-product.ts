import {
  alignOptionNames,
  cheapestPrices,
  imageList,
  MAX_PRODUCT_BYTES,
  MAX_VARIANTS,
  type ProductState,
  type StoredProduct,
  tooLargeIn,
  type VariantState,
} from '../../catalog/index.ts';
import type { LineError } from '../csv/csv-row.ts';
import { type MappedProduct, splitTags } from '../csv/shopify.ts';
import { deriveSku } from '../csv/sku.ts';
import type { MappedVariant } from '../csv/variants.ts';
import {
  losesVariants,
  type MatchedVariant,
  type Merge,
  type MergeContext,
  matchVariants,
  optionsKey,
  typeOf,
} from './match-variants.ts';
import { mergeRegularPrices, regularOf } from './regular-prices.ts';

/** The merged product, or null when no variant is valid; and the errors of skipped lines. */
interface MergedProduct {
  readonly after: ProductState | null;
  readonly errors: readonly LineError[];
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

const LOSES_VARIANTS = 'The product has variants: its first line needs options.';

/** The types of which a file has all fields. */
const WITHOUT_DETAILS: readonly ProductState['type'][] = ['simple', 'virtual', 'configurable'];

/**
 * Merges a product of the file into the stored one. Columns of the file overwrite stored values, except
 * existing stock (unless `setsStock`) and prices in other currencies. Types that CSV can't express stay: downloads
 * keep their files; bundles, groups and bookings also what is sold, with its price. Categories are unchanged.
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
    description: descriptionOf(file, base.description),
    ...imageList(
      base,
      file.images?.map((url) => ({ url, alt: file.imageAlts?.get(url) })),
    ),
    tags: tagsOf(file, base.tags),
    vendor: valueOr(file.vendor, base.vendor),
    seo: seoOf(file, base.seo),
    categoryIds: base.categoryIds,
  };
  const keepsType = before !== null && !WITHOUT_DETAILS.includes(before.state.type);
  const isDownload = before?.state.type === 'downloadable' && file.type !== 'configurable';
  if (keepsType && !isDownload) {
    return { after: { ...before.state, stock: null, ...common }, errors: [] };
  }
  if (losesVariants(file, before))
    return { after: null, errors: [{ line: file.line, message: LOSES_VARIANTS }] };
  const merge: Merge = { file, before, context, ...typeOf(file, before) };
  const { matched, errors } = matchVariants(merge);
  const [first] = matched;
  if (!first && (!merge.keepsVariants || errors.length > 0)) return { after: null, errors };
  if (keepsType && first)
    return { after: { ...before.state, ...common, ...single(before, first, context), stock: null }, errors };
  const isIncomplete = errors.length > 0 || !file.complete || merge.keepsVariants;
  const sellable =
    first && merge.type !== 'configurable'
      ? single(before, first, context)
      : configurable(merge, matched, isIncomplete);
  const rest = { type: merge.type, policy: policyOf(merge), ...withoutColumn(base), details: {}, slots: [] };
  return { after: { ...common, ...sellable, ...rest }, errors };
}

/** Returns why a merged product exceeds the catalogue's limits, or null. One that does so already may not grow. */
export function refusalOf(before: ProductState | null, after: ProductState): string | null {
  const count = after.variants.length;
  if (count > MAX_VARIANTS && count > (before?.variants.length ?? 0))
    return `The product would have ${count} variants, at most ${MAX_VARIANTS} are allowed: lines were skipped, so that no variant is removed.`;
  const field = tooLargeIn(before, after);
  if (field === null) return null;
  return `The product is larger than ${MAX_PRODUCT_BYTES} bytes. Most of them are in its ${field}.`;
}

/** Returns the policy: without columns for it, what is sold without stock or not counted stays so. */
function policyOf({ file: { policy, names, variants }, before }: Merge): ProductState['policy'] {
  const stored = before?.state.policy;
  const isCounted = names.tracker || variants.some(({ stock }) => stock !== null);
  const stays = stored === 'continue' || (stored === 'untracked' && !isCounted);
  if (stays && policy === 'deny' && !names.policy) return stored;
  return policy ?? stored ?? (variants[0].stock === null ? 'untracked' : 'deny');
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

/** Returns the file's description; an empty one as stored, because a file can't tell it from none. */
const descriptionOf = ({ description }: MappedProduct, before: string | null): string | null =>
  description === null && before === '' ? before : valueOr(description, before);

/** Returns the file's tags; those as stored if a file can't tell them apart, because of their commas. */
function tagsOf({ tags }: MappedProduct, before: readonly string[]): readonly string[] {
  const isSame = tags?.join(',') === splitTags(before.join(',')).join(',');
  return tags && !isSame ? tags : before;
}

function seoOf({ seo }: MappedProduct, before: ProductState['seo']): ProductState['seo'] {
  if (seo === undefined) return before;
  const { title, description } = seo ?? { title: '', description: '' };
  // A file has neither empty texts nor white space around them: as stored if nothing else differs.
  const isSame = (text = '', other = '') => text.trim() === other;
  if (isSame(before?.title, title) && isSame(before?.description, description)) return before;
  const { og_image } = before ?? {};
  const texts = {
    ...(title && { title }),
    ...(description && { description }),
    ...(og_image && { og_image }),
  };
  return Object.keys(texts).length > 0 ? texts : null;
}

/** Returns the sellable fields of a simple or virtual product. */
function single(
  before: StoredProduct | null,
  { variant, sku, price }: MatchedVariant,
  { currency, setsStock }: MergeContext,
) {
  const base = before?.state ?? NEW_PRODUCT;
  // A configurable product has stock in its variants only: as another type it starts with the file's quantity.
  const startsFresh = !before || before.state.type === 'configurable';
  const set = setsStock ? variant.stock : null;
  return {
    sku,
    prices: { ...base.prices, [currency]: price },
    sale: before?.state.type === 'configurable' ? null : base.sale,
    regularPrice: regularOf(variant, price, { ...base, currency }),
    barcode: valueOr(variant.barcode, base.barcode),
    weight: valueOr(variant.weight, base.weight),
    stock: startsFresh ? (variant.stock ?? 0) : set,
    variants: [],
  };
}

/** Returns the sellable fields of a configurable product. */
function configurable(merge: Merge, matched: readonly MatchedVariant[], isIncomplete: boolean) {
  const { before } = merge;
  const stored = isIncomplete ? (before?.state.variants ?? []) : [];
  const kept = stored.filter(({ id }) => !matched.some(({ old }) => old?.id === id));
  const regular = mergeRegularPrices(merge, matched, kept);
  const written = matched.map((one) => mergeVariant(one, merge, regular.own.get(one) ?? null));
  const variants = isIncomplete ? withOthers(stored, written) : written;
  return {
    sku: parentSku(merge, variants),
    prices: cheapestPrices(variants.map(({ prices }) => prices)),
    sale: null,
    regularPrice: regular.product,
    barcode: before?.state.barcode ?? null,
    weight: before?.state.weight ?? null,
    stock: null,
    variants,
  };
}

/** Returns the file's variants, and the stored ones that they don't replace, in their places. */
function withOthers(stored: readonly VariantState[], written: readonly VariantState[]): VariantState[] {
  const ids = new Set(written.map(({ id }) => id));
  const options = new Set(written.map(({ attributes }) => optionsKey(attributes)));
  const replaced = ({ id, attributes }: VariantState) => ids.has(id) || options.has(optionsKey(attributes));
  const stays = stored.filter((one) => !replaced(one)).map((variant) => ({ ...variant, stock: null }));
  const place = ({ id }: VariantState) =>
    stored.findIndex((one) => one.id === id) + 1 || Number.MAX_SAFE_INTEGER;
  return alignOptionNames([...written, ...stays].sort((a, b) => place(a) - place(b)));
}

/** Merges a variant of the file into the stored one. */
const mergeVariant = (
  { variant, sku, price, old }: MatchedVariant,
  { before, context }: Merge,
  regularPrice: number | null,
): VariantState => ({
  id: old?.id ?? null,
  sku,
  prices: { ...old?.prices, [context.currency]: price },
  sale: old?.sale ?? null,
  regularPrice,
  stock: old && !context.setsStock ? null : (variant.stock ?? (old ? null : 0)),
  attributes: variant.attributes,
  barcode: valueOr(variant.barcode, old?.barcode ?? null),
  weight: weightOf(variant, old?.weight ?? null, before?.state.weight ?? null),
  image: valueOr(variant.image, old?.image ?? null),
});

/** Returns a variant's own weight. An export has the product's where a variant has none, which it still has then. */
const weightOf = ({ weight }: MappedVariant, own: number | null, ofProduct: number | null): number | null =>
  own === null && weight === ofProduct ? null : valueOr(weight, own);

/** Returns a configurable product's SKU, which the file lacks: the stored one, else one from the slug. */
function parentSku({ file, before, context }: Merge, variants: readonly VariantState[]): string {
  const { slug } = file;
  const isFree = (sku: string) => !context.isTaken(sku) && !variants.some((variant) => variant.sku === sku);
  const choices = [...(before ? [before.state.sku] : []), deriveSku(slug)];
  return choices.find(isFree) ?? deriveSku(slug, ['#']);
}
