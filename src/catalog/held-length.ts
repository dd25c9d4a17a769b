/** What takes most of a product's memory. */
interface LargeParts {
  readonly description: string | null;
  readonly images: readonly string[];
  readonly variants?: readonly unknown[] | undefined;
}

/** About how many characters a variant takes. */
const VARIANT_LENGTH = 500;

/** Returns about how many characters products take in memory. */
export const heldLength = (products: readonly LargeParts[]): number =>
  products.reduce(
    (sum, { description, images, variants = [] }) =>
      sum + (description?.length ?? 0) + images.join().length + VARIANT_LENGTH * variants.length,
    0,
  );
