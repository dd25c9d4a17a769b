import { iso, MINUTE, now } from '../../kernel/core/clock.ts';
import { exponent, toNumber } from '../../kernel/values/money.ts';
import { type ProductRow, parsed } from './product-rows.ts';

/** An amount as Google reads it: a decimal point, the currency's decimals, the code. */
const money = (minor: number, currency: string): string =>
  `${toNumber(minor, currency).toFixed(exponent(currency))} ${currency}`;

interface SaleColumn {
  readonly prices: Readonly<Record<string, number>>;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly running: boolean;
}

/** The amounts (minor units) and dates from which an item's price attributes are made. */
interface Amounts {
  readonly price: number;
  /** Null: it isn't reduced. */
  readonly sale: number | null;
  readonly dates?: string | null;
}

/** Returns the price attributes of a row: the least that a cart charges for it; null without a price above 0. */
export function pricesOf(row: ProductRow, currency: string) {
  const { price, sale, dates } = row.type === 'bundled' ? bundleAmounts(row) : amountsOf(row, currency);
  const files = row.least_file_price ?? 0;
  if ((sale ?? price) + files <= 0) return null;
  return {
    price: money(price + files, currency),
    sale_price: sale === null ? null : money(sale + files, currency),
    sale_price_effective_date: dates,
  };
}

/** Returns the price of a bundle: that of its members. Its own is for lists alone. */
const bundleAmounts = ({ least_bundle_price }: ProductRow): Amounts => ({
  price: least_bundle_price ?? 0,
  sale: null,
});

/** Returns a row's own price and sale price. A sale to come is announced with its dates. */
function amountsOf(row: ProductRow, currency: string): Amounts {
  const paid = parsed<Record<string, number>>(row.prices)[currency] ?? 0;
  const ordinary = parsed<Record<string, number>>(row.ordinary_prices ?? '{}')[currency] ?? paid;
  const sale = row.sale === null ? null : parsed<SaleColumn>(row.sale);
  const dates = sale && datesOf(sale, row.updated_at);
  if (ordinary > paid) return { price: ordinary, sale: paid, dates };
  const later = sale && !sale.running && dates !== null ? (sale.prices[currency] ?? 0) : 0;
  if (later > 0 && later < paid) return { price: paid, sale: later, dates };
  const regular = row.regular_price ?? 0;
  return regular > paid ? { price: regular, sale: paid } : { price: paid, sale: null };
}

/**
 * Returns a range of ISO 8601 instants in UTC, of the whole minutes of a sale: Google knows no seconds. Null for a sale
 * without an end, that has ended, or that has no whole minute.
 */
function datesOf({ startsAt, endsAt }: SaleColumn, since: number): string | null {
  if (endsAt === null || endsAt <= now()) return null;
  // A sale without a beginning began with the last change of the price, or earlier.
  const from = startsAt ?? Math.min(since, now());
  const begin = from > now() ? Math.ceil(from / MINUTE) : Math.floor(from / MINUTE);
  const end = Math.floor(endsAt / MINUTE);
  const written = (minutes: number) => `${iso(minutes * MINUTE).slice(0, 16)}Z`;
  return begin < end ? `${written(begin)}/${written(end)}` : null;
}
