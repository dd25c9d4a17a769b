import { type Amount, exponent, parseMinor, toMinor } from '../kernel/core/money.ts';
import { type Rate, rateOf } from './rate.ts';

interface TaxRates {
  readonly rate_percent: number;
  /** By ISO 3166 country code; other countries use `rate_percent`. */
  readonly rates_by_country?: Readonly<Record<string, number>> | undefined;
}

interface ShippingRates {
  readonly flat: Amount;
  /** Null: never free. */
  readonly free_over?: Amount | null | undefined;
}

/** The tenant's settings that determine prices, in the form of `GET /settings`. */
export interface PricingSettings {
  readonly tax: TaxRates & {
    readonly mode: 'exclusive' | 'inclusive';
    readonly shipping_taxed?: boolean | undefined;
    /** By a product's `tax_class`; a class without an entry uses the standard rates. */
    readonly rates_by_class?: Readonly<Record<string, TaxRates>> | undefined;
  };
  readonly shipping: ShippingRates & {
    /** Overrides by country; an omitted field uses the default. */
    readonly by_country?: Readonly<Record<string, ShippingRates>> | undefined;
  };
}

/** The input of {@link computeTotals} for one currency and country; integers only. */
export interface PricingRules {
  /** Whether prices include tax. */
  readonly taxIncluded: boolean;
  readonly standardRate: Rate;
  readonly ratesByClass: Readonly<Record<string, Rate>>;
  /** Whether shipping is taxed at the country's standard rate; otherwise it is untaxed. */
  readonly shippingTaxed: boolean;
  /** Minor units. */
  readonly shippingFlat: number;
  /** The subtotal less discount from which shipping is free, in minor units; null: never. */
  readonly freeOver: number | null;
}

/**
 * Returns the rules for a currency and a country. A null country (not known yet) uses the default tax and
 * shipping rates. Shipping is free if the settings have no amount in this currency.
 */
export function rulesFor(settings: PricingSettings, currency: string, country: string | null): PricingRules {
  const { tax, shipping } = settings;
  const classes = Object.entries(tax.rates_by_class ?? {});
  const { flat, free_over } = ownEntry(shipping.by_country, country) ?? shipping;
  return {
    taxIncluded: tax.mode === 'inclusive',
    standardRate: rateIn(tax, country),
    ratesByClass: Object.fromEntries(classes.map(([name, rates]) => [name, rateIn(rates, country)])),
    shippingTaxed: tax.shipping_taxed ?? false,
    shippingFlat: amountIn(flat, currency) ?? amountIn(shipping.flat, currency) ?? 0,
    freeOver:
      free_over === null ? null : (amountIn(free_over, currency) ?? amountIn(shipping.free_over, currency)),
  };
}

/**
 * Returns an amount of the settings in minor units of `currency`, or null if it has none for it.
 * Rounds a number to the currency's decimals.
 */
export function amountIn(amount: Amount | null | undefined, currency: string): number | null {
  const value = typeof amount === 'number' ? amount : ownEntry(amount ?? undefined, currency);
  if (value === undefined) return null;
  return toMinor(value, currency) ?? parseMinor(value.toFixed(exponent(currency)), currency);
}

/** Returns the rate of a country, or the default rate. */
const rateIn = (rates: TaxRates, country: string | null): Rate =>
  rateOf(ownEntry(rates.rates_by_country, country) ?? rates.rate_percent);

/** Returns a record's own entry, since a key from a request must not reach `Object.prototype`. */
const ownEntry = <T>(record: Readonly<Record<string, T>> | undefined, key: string | null): T | undefined =>
  record !== undefined && key !== null && Object.hasOwn(record, key) ? record[key] : undefined;
