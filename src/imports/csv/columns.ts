import { keysOf } from '../../kernel/core/records.ts';
import { separatedBy } from './bytes.ts';

/**
 * The supported columns, by the names of Shopify's current template ("URL handle", "Product image URL"), the
 * previous one ("Handle", "Image Src"), and that of 2021 ("Custom Product Type"). Other columns are ignored.
 */
const NAMES = {
  handle: ['handle', 'url handle'],
  title: ['title'],
  body: ['body (html)', 'description', 'body html'],
  vendor: ['vendor'],
  category: ['product category', 'standardized product type'],
  productType: ['type', 'product type', 'custom product type'],
  tags: ['tags'],
  published: ['published', 'published on online store'],
  status: ['status'],
  option1Name: ['option1 name'],
  option1Value: ['option1 value'],
  option2Name: ['option2 name'],
  option2Value: ['option2 value'],
  option3Name: ['option3 name'],
  option3Value: ['option3 value'],
  sku: ['variant sku', 'sku'],
  tracker: ['variant inventory tracker', 'inventory tracker'],
  quantity: ['variant inventory qty', 'inventory quantity', 'variant inventory quantity'],
  policy: ['variant inventory policy', 'continue selling when out of stock'],
  price: ['variant price', 'price'],
  comparePrice: ['variant compare at price', 'compare-at price', 'compare at price'],
  ships: ['variant requires shipping', 'requires shipping'],
  barcode: ['variant barcode', 'barcode'],
  grams: ['variant grams', 'weight value (grams)'],
  image: ['image src', 'product image url'],
  imagePosition: ['image position'],
  imageAlt: ['image alt text', 'product image alt text'],
  variantImage: ['variant image', 'variant image url'],
  giftCard: ['gift card'],
  seoTitle: ['seo title'],
  seoDescription: ['seo description'],
} as const satisfies Record<string, readonly string[]>;

/** A supported column, independent of its name in the file. */
export type Column = keyof typeof NAMES;

/** Maps each column of the file to its cell index; columns that the file lacks are absent. */
export type Columns = ReadonlyMap<Column, number>;

/** Columns in a file: Shopify's has about fifty, and one for each metafield. */
export const MAX_COLUMNS = 1_000;
/** Characters in all column names together: the header is stored while the import runs. */
const MAX_HEADER_LENGTH = 64 * 1024;

/** Finds the columns in a header, or returns why the file is not a Shopify product CSV. */
export function columnsOf(header: readonly string[]): Columns | string {
  if (header.length > MAX_COLUMNS) {
    return `The file has ${header.length} columns, at most ${MAX_COLUMNS} are allowed.`;
  }
  if (header.reduce((sum, name) => sum + name.length, 0) > MAX_HEADER_LENGTH) {
    return `The column names have more than ${MAX_HEADER_LENGTH} characters.`;
  }
  const names = header.map((name) => name.trim().replace(/\s+/g, ' ').toLowerCase());
  const columns = new Map<Column, number>();
  for (const column of keysOf(NAMES)) {
    const known: readonly string[] = NAMES[column];
    const at = known.map((name) => names.indexOf(name)).find((index) => index >= 0);
    if (at !== undefined) columns.set(column, at);
  }
  const other = header.length === 1 ? /[;\t|]/.exec(header[0] ?? '')?.[0] : undefined;
  if (other) return separatedBy(other);
  for (const [column, label] of [['handle', 'Handle'] as const, ['title', 'Title'] as const]) {
    if (!columns.has(column)) return `The file has no column "${label}": it is not a Shopify product CSV.`;
  }
  return columns;
}
