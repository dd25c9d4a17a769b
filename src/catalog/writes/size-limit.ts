import { type Failed, invalid } from '../../kernel/core/result.ts';
import type { ProductState } from '../products/product-state.ts';
import { summarizeVariants } from '../products/variant-options.ts';

/**
 * The most bytes of what may be long in a product, as JSON. D1 takes 2 MB for a row and for a parameter, and JSON
 * within JSON is up to twice as long.
 */
export const MAX_PRODUCT_BYTES = 1_000_000;

const UTF_8 = new TextEncoder();

const bytesOf = (value: unknown): number => UTF_8.encode(JSON.stringify(value)).length;

/** Returns the bytes of a product by the field that they come from. */
function sizesOf(state: ProductState): [field: string, bytes: number][] {
  const { description, images, imageAlts, attributes, metadata, tags, variants, details } = state;
  const [ofType = 'details'] = Object.keys(details);
  return [
    ['description', bytesOf(description)],
    // Responses have the URLs twice.
    ['images', 2 * bytesOf(images) + bytesOf(imageAlts)],
    ['attributes', bytesOf(attributes)],
    ['metadata', bytesOf(metadata)],
    ['tags', bytesOf(tags)],
    ['variants', bytesOf(summarizeVariants(variants))],
    [ofType, bytesOf(details)],
  ];
}

const totalOf = (sizes: readonly [field: string, bytes: number][]): number =>
  sizes.reduce((sum, [, bytes]) => sum + bytes, 0);

/**
 * Returns the longest field of a product that is larger than {@link MAX_PRODUCT_BYTES}, or null. A product that is so
 * already may be changed unless it grows.
 */
export function tooLargeIn(before: ProductState | null, after: ProductState): string | null {
  const sizes = sizesOf(after).toSorted(([, a], [, b]) => b - a);
  const total = totalOf(sizes);
  if (total <= MAX_PRODUCT_BYTES || (before && total <= totalOf(sizesOf(before)))) return null;
  return sizes[0]?.[0] ?? null;
}

/** Returns a 422 that names the longest field of a product that is too large, or null. */
export function refuseLarge(before: ProductState | null, after: ProductState): Failed | null {
  const field = tooLargeIn(before, after);
  return field === null ? null : invalid(field, `makes the product larger than ${MAX_PRODUCT_BYTES} bytes`);
}
