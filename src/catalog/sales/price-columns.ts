import type { StoredProduct } from '../products/load-product.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';
import { summarizeVariants } from '../products/variant-options.ts';
import type { Prices, ReducedFrom, Sale, VariantSummary } from '../tables.ts';
import {
  cheapestSaleEnds,
  displayedPrices,
  pricesToPay,
  reducedFrom,
  reductions,
} from './displayed-prices.ts';

/** What a write stores of the prices of a product or variant, and how they differ from before. */
export interface PriceColumns {
  readonly table: 'products' | 'variants';
  readonly id: number;
  readonly prices: Prices;
  readonly sale: Sale | null;
  readonly ordinaryPrices: Prices | null;
  readonly reducedFrom: ReducedFrom | null;
  /** Of a product: what lists show of its variants. */
  readonly variantSummary: VariantSummary | null;
  /** Those of reductions that continue. */
  readonly lowestPrices: Prices | null;
  /** The prices that end with the write, and those that stay but are reduced ones from it on. */
  readonly ended: Prices;
  /** The currencies in which a reduction begins with the write. */
  readonly beginsIn: readonly string[];
}

/** A product before and after a write. All variants have ids. */
interface WriteToPrice {
  readonly id: number;
  readonly before: StoredProduct | null;
  readonly after: Omit<ProductState, 'variants'> & {
    readonly variants: readonly (VariantState & { readonly id: number })[];
  };
  readonly currency: string;
}

/** The displayed prices of an item and what they are reduced from. */
interface Displayed {
  readonly prices: Prices;
  readonly reduced: ReducedFrom;
}

/** Returns the price columns of a product and its variants, the product first. */
export function priceColumns({
  id,
  before,
  after,
  currency,
}: WriteToPrice): readonly [PriceColumns, ...PriceColumns[]] {
  const lowest = before?.lowestPrices ?? new Map<number, Prices>();
  const known = new Map(before?.state.variants.map((variant) => [variant.id, variant]));
  const product = (state: ProductState): Displayed => ({
    prices: displayedPrices(state),
    reduced: reducedFrom(state, currency),
  });
  return [
    {
      table: 'products' as const,
      id,
      sale: after.sale,
      ordinaryPrices: ordinaryPrices(after),
      variantSummary: variantSummary(after.variants),
      ...difference(before && product(before.state), product(after), lowest.get(id)),
    },
    ...after.variants.map((variant) => {
      const old = known.get(variant.id);
      return {
        table: 'variants' as const,
        id: variant.id,
        variantSummary: null,
        sale: variant.sale,
        ordinaryPrices: ordinaryPrices(variant),
        ...difference(
          old ? displayed(old, currency) : null,
          displayed(variant, currency),
          lowest.get(variant.id),
        ),
      };
    }),
  ];
}

function variantSummary(variants: readonly VariantState[]): VariantSummary | null {
  const summary = summarizeVariants(
    variants.map((variant) => ({ ...variant, prices: pricesToPay(variant) })),
  );
  const ends = cheapestSaleEnds(variants);
  return summary && Object.keys(ends).length > 0 ? { ...summary, saleEnds: ends } : summary;
}

const ordinaryPrices = ({ sale, prices }: Pick<VariantState, 'sale' | 'prices'>): Prices | null =>
  sale?.running ? prices : null;

const displayed = (variant: VariantState, currency: string): Displayed => ({
  prices: pricesToPay(variant),
  reduced: reductions(variant, currency),
});

/** Returns how the displayed prices of an item change. A new item ends no price. */
function difference(before: Displayed | null, after: Displayed, lowest: Prices = {}) {
  const reducedIn = Object.keys(after.reduced).filter((code) => after.reduced[code] !== null);
  const continues = (code: string) => typeof before?.reduced[code] === 'number';
  const beginsIn = before ? reducedIn.filter((code) => !continues(code)) : [];
  const kept = Object.entries(lowest).filter(([code]) => reducedIn.includes(code) && continues(code));
  return {
    prices: after.prices,
    reducedFrom: Object.keys(after.reduced).length > 0 ? after.reduced : null,
    lowestPrices: kept.length > 0 ? Object.fromEntries(kept) : null,
    ended: Object.fromEntries(
      Object.entries(before?.prices ?? {}).filter(
        ([code, price]) => after.prices[code] !== price || beginsIn.includes(code),
      ),
    ),
    beginsIn,
  };
}
