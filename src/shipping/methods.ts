import { ownEntry } from '../kernel/core/records.ts';
import { type Amount, amountIn } from '../kernel/values/money.ts';
import type { ShippingMethodSettings } from './schemas.ts';

/** Shipping at one price, and the value of the goods from which it is free. */
interface FlatRate {
  readonly flat: Amount;
  /** Null: never free. */
  readonly free_over?: Amount | null | undefined;
}

/** A tenant's shipping settings, in the form of `GET /settings`. */
export interface ShippingSettings extends FlatRate {
  /** Overrides by country; an omitted field uses the default. */
  readonly by_country?: Readonly<Record<string, FlatRate>> | undefined;
  /** If there are any, they apply in place of the flat rates. */
  readonly methods?: readonly ShippingMethodSettings[] | undefined;
}

/** What a method's price depends on. */
type RateBasis = 'flat' | 'subtotal' | 'weight';

/** A price (minor units) from a value of the goods (minor units) or from a weight (grams) on. */
export interface Tier {
  readonly from: number;
  readonly price: number;
}

/** A method that delivers to a country, in one currency. Amounts in minor units. */
export interface ShippingMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The delivery time in days; null: not stated. */
  readonly minDays: number | null;
  readonly maxDays: number | null;
  /** The quantity that tiers compare with their `from`; `flat` has one tier. */
  readonly basis: RateBasis;
  /** Ascending, the first from 0. */
  readonly tiers: readonly Tier[];
  /** Free from this value of the goods on; null: never. */
  readonly freeOver: number | null;
}

/**
 * Returns the active methods that deliver to a country and have prices in a currency, in the settings' order.
 * Without methods, the flat rates are the one method `standard`, which fits everywhere. A null country (not
 * known yet) fits only methods that deliver everywhere.
 */
export function fittingMethods(
  settings: ShippingSettings,
  currency: string,
  country: string | null,
): readonly ShippingMethod[] {
  const { methods = [] } = settings;
  if (methods.length === 0) return [standardMethod(settings, currency, country)];
  return methods.flatMap((method) => {
    const { active, countries } = method;
    const delivers = countries === undefined || (country !== null && countries.includes(country));
    return active && delivers ? methodIn(method, currency) : [];
  });
}

/** Returns the ids and names of the methods that a tenant offers in some country and currency. */
export const offeredMethods = ({
  methods = [],
}: ShippingSettings): readonly Pick<ShippingMethod, 'id' | 'name'>[] =>
  methods.length === 0 ? [FLAT_RATE_METHOD] : methods.filter(({ active }) => active);

/** Returns the countries to which an active method delivers, in some currency, sorted; null: every country. */
export function deliveryCountries({ methods = [] }: ShippingSettings): readonly string[] | null {
  const offered = methods.filter(({ active }) => active);
  const isEverywhere = methods.length === 0 || offered.some(({ countries }) => countries === undefined);
  return isEverywhere ? null : [...new Set(offered.flatMap(({ countries = [] }) => countries))].sort();
}

/** The name under which the flat rates are a method. */
export const FLAT_RATE_METHOD = { id: 'standard', name: 'Standard' } as const;

/** Returns the flat rates as a method. It is free if the settings have no amount in this currency. */
function standardMethod(
  { by_country, ...main }: ShippingSettings,
  currency: string,
  country: string | null,
): ShippingMethod {
  const { flat, free_over } = ownEntry(by_country, country) ?? main;
  const freeOver = amountIn(free_over, currency) ?? amountIn(main.free_over, currency);
  return {
    ...FLAT_RATE_METHOD,
    description: null,
    minDays: null,
    maxDays: null,
    basis: 'flat',
    tiers: [{ from: 0, price: amountIn(flat, currency) ?? amountIn(main.flat, currency) ?? 0 }],
    freeOver: free_over === null ? null : freeOver,
  };
}

/** Returns a method in a currency: none, if an amount of its prices is missing in it. */
function methodIn(method: ShippingMethodSettings, currency: string): ShippingMethod[] {
  const { price, tiers = [], description, min_days, max_days, free_over } = method;
  const stated = price === undefined ? tiers : [{ from_weight: undefined, from_subtotal: 0, price }];
  const resolved = stated.flatMap((tier): Tier[] => {
    const from = tier.from_weight ?? amountIn(tier.from_subtotal, currency);
    const amount = amountIn(tier.price, currency);
    return from === null || amount === null ? [] : [{ from, price: amount }];
  });
  if (resolved.length < stated.length) return [];
  const tierBasis = tiers[0]?.from_weight === undefined ? 'subtotal' : 'weight';
  return [
    {
      id: method.id,
      name: method.name,
      description: description ?? null,
      minDays: min_days ?? null,
      maxDays: max_days ?? null,
      basis: price === undefined ? tierBasis : 'flat',
      tiers: resolved,
      freeOver: amountIn(free_over, currency),
    },
  ];
}
