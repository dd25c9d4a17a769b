import {
  optionKey,
  optionsOf,
  type ProductState,
  type StoredProduct,
  type VariantState,
} from '../../catalog/index.ts';
import { exponent, toNumber } from '../../kernel/values/money.ts';

/** The columns of an exported file, by the names of Shopify's template: an import reads all of them. */
export const EXPORT_COLUMNS = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Option3 Name',
  'Option3 Value',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Requires Shipping',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'Image Alt Text',
  'Variant Image',
  'SEO Title',
  'SEO Description',
  'Status',
] as const;
type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** The cells of a line by column; the others are empty. */
type Line = Partial<Record<ExportColumn, string>>;

/** The tenant's data that a product's lines need. */
interface ExportContext {
  readonly currency: string;
  /** Category names from the root down, by id. */
  readonly paths: ReadonlyMap<number, readonly string[]>;
}

/** Largest number of options that the format has. */
const MAX_OPTIONS = 3;

/** The value that stands for no option in the format. */
const NO_OPTION = 'default title';

/** Returns whether the format can express the product's options: at most three, none of them "Default Title". */
export const isExpressible = ({ state }: StoredProduct): boolean =>
  optionNames(state).length <= MAX_OPTIONS &&
  state.variants.every(({ attributes }) =>
    Object.values(attributes).every((value) => value.toLowerCase() !== NO_OPTION),
  );

/** Returns the names of the options in the order of their columns; variants may have some of them, in any order. */
const optionNames = ({ variants }: ProductState): string[] =>
  optionsOf(variants.map(({ attributes }) => attributes)).map(({ name }) => name);

/** Returns the lines of a product: one for each variant and image, the first one with the product's own fields. */
export function productLines({ state }: StoredProduct, context: ExportContext): string[][] {
  const sellables = sellablesOf(state, context);
  const options = optionNames(state);
  const count = Math.max(sellables.length, state.images.length);
  return Array.from({ length: count }, (_, n) => {
    const [sellable, image] = [sellables[n], state.images[n]];
    const line: Line = {
      Handle: state.slug,
      ...(n === 0 && ownCells(state, context)),
      ...(sellable && { ...optionCells(options, sellable), ...sellableCells(state, sellable, context) }),
      ...(image !== undefined && imageCells(state, image, n)),
    };
    return EXPORT_COLUMNS.map((column) => line[column] ?? '');
  });
}

/**
 * Returns what is sold of a product. Variants without a weight have the product's, and the cheapest one its regular
 * price if it has none.
 */
function sellablesOf(state: ProductState, { currency }: ExportContext): Sellable[] {
  const { variants, regularPrice } = state;
  if (variants.length === 0) return [{ ...state, attributes: {}, image: null }];
  const [cheapest] = variants.toSorted((a, b) => (a.prices[currency] ?? 0) - (b.prices[currency] ?? 0));
  return variants.map((one) => ({
    ...one,
    weight: one.weight ?? state.weight,
    regularPrice: one === cheapest ? (one.regularPrice ?? regularPrice) : one.regularPrice,
  }));
}

function ownCells(state: ProductState, { paths }: ExportContext): Line {
  const [category] = state.categoryIds;
  const active = state.status === 'active';
  return {
    Title: state.name,
    'Body (HTML)': state.description ?? '',
    Vendor: state.vendor ?? '',
    'Product Category': category === undefined ? '' : (paths.get(category) ?? []).join(' > '),
    Tags: state.tags.join(', '),
    Published: active ? 'TRUE' : 'FALSE',
    'SEO Title': state.seo?.title ?? '',
    'SEO Description': state.seo?.description ?? '',
    Status: active ? 'active' : 'draft',
  };
}

type Sellable = Pick<
  VariantState,
  'sku' | 'prices' | 'regularPrice' | 'stock' | 'attributes' | 'barcode' | 'weight' | 'image'
>;

/** Returns a code as an import reads it, which removes the apostrophe before digits. */
const codeCell = (code: string): string => (/^'+\d+$/.test(code) ? `'${code}` : code);

function sellableCells(state: ProductState, sellable: Sellable, { currency }: ExportContext): Line {
  const { sku, prices, regularPrice, stock, barcode, weight, image } = sellable;
  const counted = state.policy !== 'untracked';
  const price = (minor: number) => toNumber(minor, currency).toFixed(exponent(currency));
  return {
    'Variant SKU': codeCell(sku),
    'Variant Grams': weight === null ? '' : String(weight),
    'Variant Inventory Tracker': counted ? 'shopify' : '',
    'Variant Inventory Qty': counted ? String(Math.max(0, stock ?? 0)) : '',
    'Variant Inventory Policy': state.policy === 'continue' ? 'continue' : 'deny',
    'Variant Price': price(prices[currency] ?? 0),
    'Variant Compare At Price': regularPrice === null ? '' : price(regularPrice),
    'Variant Requires Shipping': ['virtual', 'downloadable'].includes(state.type) ? 'FALSE' : 'TRUE',
    'Variant Barcode': codeCell(barcode ?? ''),
    'Variant Image': image ?? '',
  };
}

function optionCells(names: readonly string[], { attributes }: Sellable): Line {
  const values = new Map(Object.entries(attributes).map(([name, value]) => [optionKey(name), value]));
  const options = names.flatMap((name, n) => [
    [`Option${n + 1} Name`, name],
    [`Option${n + 1} Value`, values.get(optionKey(name)) ?? ''],
  ]);
  return Object.fromEntries(options);
}

const imageCells = ({ imageAlts }: ProductState, url: string, n: number): Line => ({
  'Image Src': url,
  'Image Position': String(n + 1),
  'Image Alt Text': imageAlts[url] ?? '',
});
