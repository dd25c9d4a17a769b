import { exponent, toMinor, toNumber } from '../../src/kernel/values/money.ts';
import {
  type CartTotals,
  type PricedLine,
  type PricingSettings,
  type Promotion,
  type PromotionTerms,
  promotionFor,
  rulesFor,
} from '../../src/pricing/index.ts';
import { computeTotals } from '../../src/pricing/totals.ts';

/** A line as a shopkeeper would note it down: the price is the number on the label. */
export interface Noted extends Partial<Omit<PricedLine, 'unitPrice'>> {
  readonly price: number;
}

export interface Cart {
  readonly lines: readonly Noted[];
  readonly settings: PricingSettings;
  readonly currency?: string;
  readonly country?: string | null;
  readonly coupon?: PromotionTerms | null;
}

/** 18 % on top of the prices; shipping 4.90, free from 50 on. */
export const SETTINGS: PricingSettings = {
  tax: { mode: 'exclusive', rate_percent: 18 },
  shipping: { flat: 4.9, free_over: 50 },
};

/** A noted line as pricing takes it. */
export function noted({ price, ...line }: Noted, currency: string): PricedLine {
  const unitPrice = toMinor(price, currency);
  if (unitPrice === null) throw new Error(`${price} has more than ${exponent(currency)} decimals`);
  return { productId: 1, categoryIds: [], quantity: 1, ships: true, taxClass: null, ...line, unitPrice };
}

/** A coupon with these terms; null in a currency that it has no amount for. */
export const couponFor = (terms: PromotionTerms, currency: string): Promotion | null =>
  promotionFor({ id: 1, name: 'TEN', code: 'TEN', priority: 100, combinable: false, terms }, currency);

/** Returns the totals of the cart in minor units. */
export function priced({
  lines,
  settings,
  currency = 'EUR',
  country = null,
  coupon = null,
}: Cart): CartTotals {
  return computeTotals(
    lines.map((line) => noted(line, currency)),
    rulesFor(settings, currency, country),
    coupon === null ? [] : [couponFor(coupon, currency) ?? []].flat(),
  );
}

/** Returns the totals as decimal numbers, as the shopper sees them. */
export function bill(
  cart: Cart,
): Record<'subtotal' | 'discount' | 'shipping' | 'tax' | 'grand_total', number> {
  const totals = priced(cart);
  const shown = (minor: number): number => toNumber(minor, cart.currency ?? 'EUR');
  return {
    subtotal: shown(totals.subtotal),
    discount: shown(totals.discount),
    shipping: shown(totals.shipping),
    tax: shown(totals.tax),
    grand_total: shown(totals.grandTotal),
  };
}
