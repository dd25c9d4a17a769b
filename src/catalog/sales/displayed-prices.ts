import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';
import type { Prices, ReducedFrom, Sale, SaleEnds } from '../tables.ts';

/** Ordinary prices and the sale of a product or variant. */
type Sellable = Pick<VariantState, 'prices' | 'sale'>;

/** Prices of a product or variant from which it may be reduced. */
export type Reducible = Sellable & Pick<VariantState, 'regularPrice'>;

/**
 * Returns the prices to pay: the sale's where it runs and is lower, else the ordinary ones. An import may lower
 * an ordinary price below the sale's.
 */
export function pricesToPay({ prices, sale }: Sellable): Prices {
  if (!sale?.running) return prices;
  const lower = Object.entries(sale.prices).filter(([code, price]) => price < (prices[code] ?? 0));
  return { ...prices, ...Object.fromEntries(lower) };
}

/** Returns the ordinary prices by currency where a sale's price is lower. */
export function reductionsBySale(one: Sellable): Prices {
  const paid = pricesToPay(one);
  return Object.fromEntries(
    Object.entries(one.prices).filter(([code, price]) => price > (paid[code] ?? price)),
  );
}

/** Adds the regular price to `reduced` in the main currency, if it is above the `displayed` price and none is there. */
function addRegular(
  reduced: Record<string, number | null>,
  regularPrice: number | null,
  [mainCurrency, displayed]: readonly [mainCurrency: string, displayed: number | undefined],
): void {
  if (regularPrice === null || displayed === undefined || regularPrice <= displayed) return;
  reduced[mainCurrency] ??= regularPrice;
}

/** The stored prices of a product or variant. `ordinary` are those without its sale while that runs. */
interface StoredPrices {
  readonly prices: Prices;
  readonly ordinary: Prices | null;
  readonly sale: Sale | null;
}

/** Returns when the running sale ends, in the currencies in which it reduces the price. Empty if it has no end. */
export function saleEnds({ prices, ordinary, sale }: StoredPrices): SaleEnds {
  const endsAt = sale?.running ? sale.endsAt : null;
  if (endsAt === null || ordinary === null) return {};
  const reduced = Object.keys(ordinary).filter((code) => (ordinary[code] ?? 0) > (prices[code] ?? 0));
  return Object.fromEntries(reduced.map((code) => [code, endsAt]));
}

/**
 * Returns when the lowest price of several variants ends, by currency: with the last sale that has it. Without the
 * currencies in which a variant keeps that price.
 */
export function cheapestSaleEnds(variants: readonly Sellable[]): SaleEnds {
  const stored = variants.map((one) => ({ ...one, ordinary: one.prices, prices: pricesToPay(one) }));
  const cheapest = cheapestPrices(stored.map(({ prices }) => prices));
  const ends: Record<string, number> = {};
  for (const one of stored) {
    const own = saleEnds(one);
    for (const code of Object.keys(one.prices)) {
      if (one.prices[code] !== cheapest[code]) continue;
      ends[code] = Math.max(ends[code] ?? 0, own[code] ?? Number.POSITIVE_INFINITY);
    }
  }
  return Object.fromEntries(Object.entries(ends).filter(([, at]) => Number.isFinite(at)));
}

/** Returns the prices by currency from which the price to pay is reduced, by a sale or below the regular price. */
export function reductions(one: Reducible, mainCurrency: string): Prices {
  const reduced: Record<string, number> = { ...reductionsBySale(one) };
  addRegular(reduced, one.regularPrice, [mainCurrency, pricesToPay(one)[mainCurrency]]);
  return reduced;
}

/** Returns the lowest of several prices in each currency. */
export function cheapestPrices(all: readonly Prices[]): Prices {
  const prices: Record<string, number> = {};
  for (const one of all) {
    for (const [currency, amount] of Object.entries(one)) {
      prices[currency] = Math.min(prices[currency] ?? amount, amount);
    }
  }
  return prices;
}

/** Returns the prices that lists display: for a configurable product, the cheapest variant's. */
export const displayedPrices = (state: ProductState): Prices =>
  state.type === 'configurable' ? cheapestPrices(state.variants.map(pricesToPay)) : pricesToPay(state);

/** Returns the prices from which the displayed ones are reduced, by a sale or below the regular price. */
export function reducedFrom(state: ProductState, mainCurrency: string): ReducedFrom {
  if (state.type !== 'configurable') return reductions(state, mainCurrency);
  const reduced = cheapestReductions(state.variants, mainCurrency);
  addRegular(reduced, state.regularPrice, [mainCurrency, displayedPrices(state)[mainCurrency]]);
  return reduced;
}

/** Returns in each currency with a reduced variant the ordinary price of the cheapest one, if it is reduced. */
export function cheapestReductions(
  variants: readonly VariantState[],
  mainCurrency: string,
): Record<string, number | null> {
  const cheapest = cheapestPrices(variants.map(pricesToPay));
  const reduced: Record<string, number | null> = {};
  for (const variant of variants) {
    const paid = pricesToPay(variant);
    for (const [code, ordinary] of Object.entries(reductions(variant, mainCurrency))) {
      const shown = paid[code] === cheapest[code] ? ordinary : null;
      reduced[code] = reduced[code] == null ? shown : Math.min(reduced[code], shown ?? reduced[code]);
    }
  }
  return reduced;
}

/**
 * Returns the sale as it stands at `at` (ms): running or not, and null once it has ended. One that runs goes on, also by a
 * clock that is behind the one by which it began: a second beginning would count its price among those before it.
 */
const saleAt = (sale: Sale | null, at: number): Sale | null =>
  sale === null || (sale.endsAt !== null && sale.endsAt <= at)
    ? null
    : { ...sale, running: sale.running || sale.startsAt === null || sale.startsAt <= at };

/** Returns the product with its sales as they stand at `at` (ms). */
export const withSalesAt = <State extends ProductState>(state: State, at: number): State => ({
  ...state,
  sale: saleAt(state.sale, at),
  variants: state.variants.map((variant) => ({ ...variant, sale: saleAt(variant.sale, at) })),
});

/** Returns when the next sale of the product or its variants begins or ends (ms), or null. */
export function nextSwitch({ sale, variants }: ProductState): number | null {
  const instants = [sale, ...variants.map((variant) => variant.sale)].flatMap((one) =>
    one === null ? [] : ((one.running ? one.endsAt : one.startsAt) ?? []),
  );
  return instants.length === 0 ? null : Math.min(...instants);
}

/** Returns whether the prices to pay differ between two states of a product with the same variants. */
export function pricesDiffer(before: ProductState, after: ProductState): boolean {
  const paid = (state: ProductState) => [state, ...state.variants].map(pricesToPay);
  return canonicalJson(paid(before)) !== canonicalJson(paid(after));
}
