import { type Amount, exponent, parseMinor, toMinor } from '../kernel/core/money.ts';
import { type Rate, rateOf } from './rate.ts';

interface TaxRates {
  readonly rate_percent: number;
  /** By ISO 3166 country code; other countries have `rate_percent`. */
  readonly rates_by_country?: Readonly<Record<string, number>> | undefined;
}

interface ShippingRates {
  readonly flat: Amount;
  /** `null`: never free. */
  readonly free_over?: Amount | null | undefined;
}

/** The part of a tenant's settings that decides what a cart costs, as `GET /settings` shows it. */
export interface PricingSettings {
  readonly tax: TaxRates & {
    readonly mode: 'exclusive' | 'inclusive';
    readonly shipping_taxed?: boolean | undefined;
    /** By a product's `tax_class`; a class without an entry has the standard rates. */
    readonly rates_by_class?: Readonly<Record<string, TaxRates>> | undefined;
  };
  readonly shipping: ShippingRates & {
    /** What a country has instead; what it leaves out is as everywhere. */
    readonly by_country?: Readonly<Record<string, ShippingRates>> | undefined;
  };
}

/** What {@link computeTotals} goes by: one currency, one country, integers only. */
export interface PricingRules {
  /** Whether the tax is inside the prices. */
  readonly taxIncluded: boolean;
  readonly standardRate: Rate;
  readonly ratesByClass: Readonly<Record<string, Rate>>;
  /** Shipping is taxed at the country's standard rate, or not at all. */
  readonly shippingTaxed: boolean;
  /** Minor units. */
  readonly shippingFlat: number;
  /** Shipping is free from this amount of goods on, in minor units; `null`: never. */
  readonly freeOver: number | null;
}

/**
 * The rules for a cart in `currency` that goes to `country` (`null`: not known yet, which takes the
 * default rates and the flat shipping). Where the settings name no shipping in this currency, it costs nothing.
 */
export function rulesFor(settings: PricingSettings, currency: string, country: string | null): PricingRules {
  const { tax, shipping } = settings;
  const classes = Object.entries(tax.rates_by_class ?? {});
  const { flat, free_over } = entry(shipping.by_country, country) ?? shipping;
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
 * An amount of the settings in minor units of `currency`; `null` where it names none for it.
 * A number with more decimals than the currency has is rounded to them.
 */
export function amountIn(amount: Amount | null | undefined, currency: string): number | null {
  const value = typeof amount === 'number' ? amount : entry(amount ?? undefined, currency);
  if (value === undefined) return null;
  return toMinor(value, currency) ?? parseMinor(value.toFixed(exponent(currency)), currency);
}

/** The rate of a country, else the one for everywhere else. */
const rateIn = (rates: TaxRates, country: string | null): Rate =>
  rateOf(entry(rates.rates_by_country, country) ?? rates.rate_percent);

/** A record's own entry: a key out of a request never reaches `Object.prototype`. */
const entry = <T>(record: Readonly<Record<string, T>> | undefined, key: string | null): T | undefined =>
  record !== undefined && key !== null && Object.hasOwn(record, key) ? record[key] : undefined;
