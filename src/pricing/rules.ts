import { ownEntry } from '../kernel/core/records.ts';
import { divideHalfUp } from '../kernel/values/money.ts';
import { fittingMethods, type ShippingMethod, type ShippingSettings } from '../shipping/index.ts';

/** A rate in millionths of a percent, an integer: 8.875 % is 8,875,000. */
export type Rate = number;

/** The rate of 100 %. */
const ONE_HUNDRED_PERCENT: Rate = 100_000_000;

/** Returns a rate as a percentage: 8,875,000 → 8.875. */
export const percentOf = (rate: Rate): number => rate / 1_000_000;

/** Converts a percentage (18, 8.875) to a rate; rounds to six decimals. */
export const rateOf = (percent: number): Rate => Math.round(percent * 1_000_000);

/** Returns `rate` of an amount in minor units, rounded half up: 18 % of 1,025 → 185 (184.5). */
export const share = (amount: number, rate: Rate): number =>
  divideHalfUp(BigInt(amount) * BigInt(rate), ONE_HUNDRED_PERCENT);

/** Returns the part of a gross amount that is `rate` of the net, rounded half up: 20 % in 1,200 → 200. */
export const includedShare = (amount: number, rate: Rate): number =>
  divideHalfUp(BigInt(amount) * BigInt(rate), ONE_HUNDRED_PERCENT + rate);

interface TaxRates {
  readonly rate_percent: number;
  /** By ISO 3166 country code; other countries use `rate_percent`. */
  readonly rates_by_country?: Readonly<Record<string, number>> | undefined;
}

/** The tenant's settings that determine prices, in the form of `GET /settings`. */
export interface PricingSettings {
  readonly tax: TaxRates & {
    readonly mode: 'exclusive' | 'inclusive';
    readonly shipping_taxed?: boolean | undefined;
    /** By a product's `tax_class`; a class without an entry uses the standard rates. */
    readonly rates_by_class?: Readonly<Record<string, TaxRates>> | undefined;
  };
  readonly shipping: ShippingSettings;
}

/** The input of {@link computeTotals} for one currency and country; integers only. */
export interface PricingRules {
  /** Whether prices include tax. */
  readonly taxIncluded: boolean;
  readonly standardRate: Rate;
  readonly ratesByClass: Readonly<Record<string, Rate>>;
  /** Whether shipping is taxed at the country's standard rate; otherwise it is untaxed. */
  readonly shippingTaxed: boolean;
  /** The methods that deliver to the country, in the settings' order. */
  readonly shippingMethods: readonly ShippingMethod[];
  /** The id of the chosen method. Without one, or if it is not among the methods, the cheapest applies. */
  readonly chosenMethod?: string | null;
}

/**
 * Returns the rules for a currency and a country. A null country (not known yet) uses the default tax and
 * shipping rates.
 */
export function rulesFor(settings: PricingSettings, currency: string, country: string | null): PricingRules {
  const { tax, shipping } = settings;
  const classes = Object.entries(tax.rates_by_class ?? {});
  return {
    taxIncluded: tax.mode === 'inclusive',
    standardRate: rateIn(tax, country),
    ratesByClass: Object.fromEntries(classes.map(([name, rates]) => [name, rateIn(rates, country)])),
    shippingTaxed: tax.shipping_taxed ?? false,
    shippingMethods: fittingMethods(shipping, currency, country),
  };
}

/** Returns the rate of a country, or the default rate. */
const rateIn = (rates: TaxRates, country: string | null): Rate =>
  rateOf(ownEntry(rates.rates_by_country, country) ?? rates.rate_percent);

/** The pricing input of a cart line: price, and what determines tax, discount and shipping. */
export interface PricedLine {
  readonly productId: number;
  /** The product's categories and all their ancestors. */
  readonly categoryIds: readonly number[];
  /** In minor units of the cart's currency; at least 0. */
  readonly unitPrice: number;
  /** At least 1. */
  readonly quantity: number;
  /** Whether it needs shipping; virtual, downloadable and booking products never do. */
  readonly ships: boolean;
  /** The product's `tax_class`; null means the standard rate. */
  readonly taxClass: string | null;
  /** Grams of one unit. Absent in a checkout session of an earlier version: 0. */
  readonly weight?: number;
}

/** Returns unit price times quantity: the API's `items.total`. */
export const lineSubtotal = (line: PricedLine): number => line.unitPrice * line.quantity;
