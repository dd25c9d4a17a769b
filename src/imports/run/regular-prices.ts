import type { ProductState, VariantState } from '../../catalog/index.ts';
import type { MappedVariant } from '../csv/variants.ts';
import type { MatchedVariant, Merge } from './match-variants.ts';

/** The regular prices of a configurable product after an import. */
interface RegularPrices {
  /** The product's, for variants without one. */
  readonly product: number | null;
  /** The variants' own. */
  readonly own: ReadonlyMap<MatchedVariant, number | null>;
}

/** A stored product or variant, and the currency of its regular price. */
type PricedBefore = Pick<ProductState, 'prices' | 'regularPrice'> & { readonly currency: string };

/**
 * Returns the regular price: the file's compare-at price, else the stored one, if it is higher than the price. One that
 * equals the price stays as long as neither changes.
 */
export function regularOf(
  { comparePrice }: Pick<MappedVariant, 'comparePrice'>,
  price: number,
  before: PricedBefore,
): number | null {
  const regular = comparePrice === undefined ? before.regularPrice : comparePrice;
  const isUnchanged = regular === before.regularPrice && price === before.prices[before.currency];
  return regular !== null && (regular > price || isUnchanged) ? regular : null;
}

/** A product or variant that is not stored yet. */
const NEW = { prices: {}, regularPrice: null };

/**
 * Returns the regular prices of a product and its variants in the file; `kept` are the variants that stay without a
 * line. Each compare-at price is its variant's own. An export has the product's in the line of the cheapest variant:
 * it stays the product's if the file changes no other one, else the variant's own replaces it.
 */
export function mergeRegularPrices(
  { before, context: { currency } }: Merge,
  matched: readonly MatchedVariant[],
  kept: readonly VariantState[],
): RegularPrices {
  const base = { ...(before?.state ?? NEW), currency };
  const own = new Map(
    matched.map((one) => [one, regularOf(one.variant, one.price, { ...(one.old ?? NEW), currency })]),
  );
  const [cheapest, ...others] = matched.toSorted((a, b) => a.price - b.price);
  const productsAt = (price: number) => regularOf({ comparePrice: undefined }, price, base);
  const lowestKept = Math.min(...kept.map(({ prices }) => prices[currency] ?? 0));
  if (!cheapest || lowestKept < cheapest.price) return { product: productsAt(lowestKept), own };
  const stored = cheapest.old?.regularPrice;
  const isUnchanged = (one: MatchedVariant) => own.get(one) === (one.old?.regularPrice ?? null);
  const { comparePrice } = cheapest.variant;
  const isProducts = stored === null && comparePrice === base.regularPrice && others.every(isUnchanged);
  if (isProducts) own.set(cheapest, null);
  const stays = isProducts || comparePrice === undefined || (stored != null && isUnchanged(cheapest));
  return { product: stays ? productsAt(cheapest.price) : null, own };
}
