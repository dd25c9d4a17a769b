import { isoOrNull } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { ShownCurrency } from '../context.ts';
import type { ShownSale } from '../products/schemas.ts';
import { column, type ProductRow, type VariantRow } from '../reads/rows.ts';
import type { Prices, ReducedFrom, Sale, SaleEnds } from '../tables.ts';
import { saleEnds } from './displayed-prices.ts';

/** Amounts in minor units by currency: what a price is reduced from, and the lowest one before. */
interface Reduction {
  readonly from: ReducedFrom;
  readonly lowest: Prices | null;
}

/** The displayed prices of a product by currency, and what they are reduced from. Minor units. */
interface DisplayedPrice extends Reduction {
  readonly prices: Prices;
  /** In the main currency. */
  readonly regularPrice: number | null;
  /** The highest prices of its variants. */
  readonly highest: Prices | undefined;
  readonly ends: SaleEnds;
}

/** Returns the price of a product's row, with its reduction, as lists and details show it. */
export function presentPrice(row: ProductRow, shown: ShownCurrency) {
  const summary = column.summary(row.variant_summary);
  return presentDisplayedPrice(
    {
      prices: column.prices(row.prices),
      regularPrice: row.regular_price,
      from: column.reducedFrom(row.reduced_from),
      lowest: column.optionalPrices(row.lowest_prices),
      highest: summary?.highest,
      ends: summary ? (summary.saleEnds ?? {}) : saleEndsOf(row),
    },
    shown,
  );
}

/** Returns when the running sale of a row ends, by currency. */
const saleEndsOf = (row: Pick<VariantRow, 'prices' | 'ordinary_prices' | 'sale'>): SaleEnds =>
  row.sale === null
    ? {}
    : saleEnds({
        prices: column.prices(row.prices),
        ordinary: column.optionalPrices(row.ordinary_prices),
        sale: column.sale(row.sale),
      });

/** Returns the price of a product, with its reduction. */
export function presentDisplayedPrice(
  { prices, regularPrice, from, lowest, highest, ends }: DisplayedPrice,
  { currency, mainCurrency }: ShownCurrency,
) {
  const regular = currency === mainCurrency ? regularPrice : null;
  const isBelowRegular = regular !== null && regular > (prices[currency] ?? 0);
  const shown = from[currency] ?? regular;
  const price = toNumber(prices[currency] ?? 0, currency);
  const most = highest?.[currency];
  return {
    price,
    regular_price: shown === null ? null : toNumber(shown, currency),
    on_sale: from[currency] !== undefined || isBelowRegular,
    sale_ends_at: isoOrNull(ends[currency] ?? null),
    ...presentLowest({ from, lowest }, currency),
    price_range: { min: price, max: most === undefined ? price : toNumber(most, currency) },
  };
}

/** Returns the prices by currency from which a variant is reduced, by a sale or below its regular price. */
export function variantReductions(
  row: Pick<VariantRow, 'prices' | 'ordinary_prices' | 'regular_price'>,
  mainCurrency: string,
): Prices {
  const prices = column.prices(row.prices);
  const ordinary = Object.entries(column.optionalPrices(row.ordinary_prices) ?? {});
  const regular = row.regular_price === null ? [] : [[mainCurrency, row.regular_price] as const];
  const all = [...regular, ...ordinary];
  return Object.fromEntries(all.filter(([code, price]) => price > (prices[code] ?? price)));
}

/** Returns the price of a variant, with its reduction. */
export function presentVariantPrice(row: VariantRow, { currency, mainCurrency }: ShownCurrency) {
  const prices = column.prices(row.prices);
  const from = variantReductions(row, mainCurrency);
  const shown = from[currency] ?? (currency === mainCurrency ? row.regular_price : null);
  return {
    price: toNumber(prices[currency] ?? 0, currency),
    regular_price: shown === null ? null : toNumber(shown, currency),
    on_sale: from[currency] !== undefined,
    sale_ends_at: isoOrNull(saleEndsOf(row)[currency] ?? null),
    ...presentLowest({ from, lowest: column.optionalPrices(row.lowest_prices) }, currency),
  };
}

/** Returns `lowest_price_30d` while a reduction runs that had an earlier price. */
function presentLowest({ from, lowest }: Reduction, currency: string): { lowest_price_30d?: number } {
  const price = lowest?.[currency];
  return price === undefined || from[currency] == null ? {} : { lowest_price_30d: toNumber(price, currency) };
}

/** Returns a sale in the form in which requests set it, for callers with `catalog:write`. */
export function presentSale(text: string | null, mainCurrency: string): ShownSale | null {
  const sale: Sale | null = column.sale(text);
  if (sale === null) return null;
  const { [mainCurrency]: main, ...others } = sale.prices;
  const prices = Object.entries(others).map(([code, price]) => [code, toNumber(price, code)] as const);
  return {
    ...(main === undefined ? {} : { price: toNumber(main, mainCurrency) }),
    ...(prices.length > 0 ? { prices: Object.fromEntries(prices) } : {}),
    starts_at: isoOrNull(sale.startsAt),
    ends_at: isoOrNull(sale.endsAt),
  };
}
