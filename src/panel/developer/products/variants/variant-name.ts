import { clip } from '../../../../web/index.ts';

/** Longest name of a variant in the grid, in UTF-16 units. */
const MAX_NAME = 30;

/** Separates the values in a variant's name, as the API writes it. */
const SEPARATOR = ' / ';

/**
 * Returns the name of a variant in the grid: its values, or its SKU if it has none. In a long name each value is shortened,
 * the longest values most, so that the last value still tells variants apart.
 */
export function nameOf({ name, sku }: { readonly name: string; readonly sku: string }): string {
  const values = name.split(SEPARATOR);
  let remaining = MAX_NAME - SEPARATOR.length * (values.length - 1);
  const lengths = new Map<string, number>();
  for (const [n, value] of values.toSorted((a, b) => a.length - b.length).entries()) {
    const share = Math.max(1, Math.floor(remaining / (values.length - n)));
    lengths.set(value, share);
    remaining -= Math.min(share, value.length);
  }
  const short = values.map((value) => clip(value, lengths.get(value))).join(SEPARATOR);
  return clip(short || sku, MAX_NAME);
}
