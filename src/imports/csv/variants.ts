import {
  MAX_ATTRIBUTE_NAME_LENGTH,
  MAX_ATTRIBUTE_VALUE_LENGTH,
  MAX_BARCODE_LENGTH,
  optionKey,
} from '../../catalog/index.ts';
import { MAX_SKU_LENGTH, type Policy } from '../../inventory/index.ts';
import { lengthOf, looksEmpty } from '../../kernel/text/text.ts';
import type { Column } from './columns.ts';
import { type CsvRow, quoted } from './csv-row.ts';
import { deriveSku } from './sku.ts';

/** A variant parsed from its line. Amounts are minor units of the tenant's currency. */
export interface MappedVariant {
  readonly line: number;
  /** The line's SKU, else one derived from the slug and the options. */
  readonly sku: string;
  /** The line's own SKU; `null` for an empty cell, `undefined` without the column. */
  readonly ownSku: string | null | undefined;
  /** `null`: neither this line nor an earlier one has a price. */
  readonly price: number | null;
  /** The compare-at price, higher or not; `null` for an empty cell, `undefined` without the column. */
  readonly comparePrice: number | null | undefined;
  /** `null`: the line has no quantity. */
  readonly stock: number | null;
  /** `undefined`: the file has no column for it. */
  readonly policy: Policy | undefined;
  readonly barcode: string | null | undefined;
  /** Grams. */
  readonly weight: number | null | undefined;
  readonly image: string | null | undefined;
  /** Option name as written → value: `{"Size": "Medium"}`; empty for a product without options. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly ships: boolean;
}

type Attribute = readonly [name: string, value: string];

const OPTIONS = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const;

const VARIANT_CELLS = ['option1Value', 'option2Value', 'option3Value', 'sku', 'price'] as const;

/** Returns whether the file has a column of option values: without one it doesn't say which variants there are. */
export const namesOptions = (line: CsvRow): boolean => OPTIONS.some(([, column]) => line.has(column));

/** Returns whether the line describes a variant; otherwise it only adds an image. */
export const hasVariant = (line: CsvRow): boolean => VARIANT_CELLS.some((column) => !line.isBlank(column));

/** The product to which the lines belong, and the currency of their prices. */
interface ProductOfLines {
  readonly slug: string;
  readonly currency: string;
}

/**
 * Maps a product's lines to variants. Invalid lines, and those that repeat another variant's options or SKU,
 * get an error. A variant without a price takes the previous variant's.
 */
export function mapVariants(lines: readonly CsvRow[], product: ProductOfLines): MappedVariant[] {
  const names = OPTIONS.map(
    ([name]) => lines.map((line) => line.raw(name).trim()).find((own) => !looksEmpty(own)) ?? '',
  );
  const options = lines.map((line) => optionsOf(line, names));
  const several = options.some((own) => own.length > 0);
  const seen = new Map<string, number>();
  const variants: MappedVariant[] = [];
  let price: number | null = null;
  for (const [i, line] of lines.entries()) {
    const own = options[i] ?? [];
    const variant = mapVariant(line, own, { ...product, previousPrice: price });
    if (several && own.length === 0) line.fail('The variant has no option value.');
    if (namesOptions(line))
      rejectDuplicate(seen, line, { label: 'options', value: JSON.stringify(own), column: 'option1Value' });
    rejectDuplicate(seen, line, { label: 'SKU', value: variant.sku, column: 'sku' });
    if (line.failed) continue;
    price = variant.price;
    variants.push(variant);
  }
  return variants;
}

/** Fails a line that repeats a value of an earlier line; `seen` has the first line of each. */
function rejectDuplicate(
  seen: Map<string, number>,
  line: CsvRow,
  { label, value, column }: { readonly label: string; readonly value: string; readonly column: Column },
): void {
  if (line.failed) return;
  const key = `${label} ${value}`;
  const other = seen.get(key);
  if (other === undefined) seen.set(key, line.number);
  else line.fail(`The variant on line ${other} has the same ${label}.`, column);
}

/** Returns a line's options, in order. Shopify writes "Default Title" for a product without options. */
function optionsOf(line: CsvRow, names: readonly string[]): Attribute[] {
  const options: Attribute[] = [];
  for (const [i, [nameColumn, column]] of OPTIONS.entries()) {
    const value = line.line(column, 'An option value', MAX_ATTRIBUTE_VALUE_LENGTH);
    const name = names[i] ?? '';
    if (value === '' || value.toLowerCase() === 'default title') continue;
    if (name === '') line.fail(`Option${i + 1} has the value ${quoted(value)}, but no name.`, column);
    else if (lengthOf(name) > MAX_ATTRIBUTE_NAME_LENGTH)
      line.fail(
        `The option name ${quoted(name)} has more than ${MAX_ATTRIBUTE_NAME_LENGTH} characters.`,
        nameColumn,
      );
    else if (options.some(([other]) => optionKey(other) === optionKey(name)))
      line.fail(`Two options are called ${quoted(name)}.`, nameColumn);
    else {
      line.checkLines([name], 'An option name', nameColumn);
      options.push([name, value]);
    }
  }
  return options;
}

/** Maps a line to a variant. Without a price it takes the previous variant's. */
function mapVariant(
  line: CsvRow,
  options: readonly Attribute[],
  { slug, currency, previousPrice }: ProductOfLines & { readonly previousPrice: number | null },
): MappedVariant {
  const price = line.amount('price', 'The price', currency) ?? previousPrice;
  const comparePrice = line.amount('comparePrice', 'The compare-at price', currency);
  const stock = line.quantity('quantity', 'The quantity');
  const values = options.map(([, value]) => value);
  const ownSku = line.has('sku') ? line.code('sku', 'The SKU', MAX_SKU_LENGTH) || null : undefined;
  return {
    line: line.number,
    sku: ownSku ?? deriveSku(slug, values),
    ownSku,
    price,
    comparePrice: line.has('comparePrice') ? comparePrice : undefined,
    stock,
    policy: policyOf(line, stock),
    barcode: line.has('barcode')
      ? line.code('barcode', 'The barcode', MAX_BARCODE_LENGTH) || null
      : undefined,
    weight: line.has('grams') ? line.grams('grams', 'The weight') : undefined,
    image: line.has('variantImage') ? line.image('variantImage') : undefined,
    attributes: Object.fromEntries(options),
    ships: line.flag('ships', 'Requires Shipping', true),
  };
}

/**
 * Returns the inventory policy. Shopify tracks stock only if a tracker is named. Without a tracker the
 * product is untracked, unless the line has a quantity.
 */
function policyOf(line: CsvRow, stock: number | null): Policy | undefined {
  if (!line.has('policy') && !line.has('tracker') && !line.has('quantity')) return undefined;
  if (line.has('tracker') && line.raw('tracker').trim() === '' && stock === null) return 'untracked';
  const text = line.raw('policy').trim().toLowerCase();
  if (text === 'continue') return 'continue';
  if (text === 'deny') return 'deny';
  return line.flag('policy', 'The inventory policy', false) ? 'continue' : 'deny';
}
