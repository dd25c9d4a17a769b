import type { ShippingMethod, Tier } from './methods.ts';

/** What is shipped. */
export interface Parcel {
  /** The subtotal of the cart less discount, in minor units. */
  readonly goods: number;
  /** Grams. */
  readonly weight: number;
}

/** What a method costs for a parcel, in minor units. */
export interface ShippingQuote {
  readonly method: ShippingMethod;
  /** The tier that applies. */
  readonly tier: Tier;
  /** Whether the goods reach the value from which the method is free. */
  readonly isFree: boolean;
  /** The tier's price, or 0. */
  readonly price: number;
}

/** Returns what each method costs for a parcel, in the methods' order. */
export const quoteMethods = (methods: readonly ShippingMethod[], parcel: Parcel): ShippingQuote[] =>
  methods.map((method) => {
    const value = method.basis === 'weight' ? parcel.weight : parcel.goods;
    const tier = method.tiers.findLast(({ from }) => from <= value) ?? { from: 0, price: 0 };
    const isFree = method.freeOver !== null && parcel.goods >= method.freeOver;
    return { method, tier, isFree, price: isFree ? 0 : tier.price };
  });

/** Returns the quote with the lowest price, of equal ones the first; null if there is none. */
export const cheapestQuote = (quotes: readonly ShippingQuote[]): ShippingQuote | null =>
  quotes.reduce<ShippingQuote | null>(
    (best, quote) => (best === null || quote.price < best.price ? quote : best),
    null,
  );
