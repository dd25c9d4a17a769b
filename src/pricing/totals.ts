import { toNumber } from '../kernel/core/money.ts';
import { type Coupon, couponRefusal, discounts } from './coupon.ts';
import {
  includedShare,
  lineSubtotal,
  type PricedLine,
  type PricingRules,
  type Rate,
  share,
} from './rules.ts';
import type { Totals } from './schemas.ts';

/** The totals of one line, in minor units. */
export interface LineTotals {
  /** Unit price times quantity, before discount: the API's `items.total`. */
  readonly subtotal: number;
  readonly discount: number;
  /** Added to subtotal − discount, or included in it if prices include tax. */
  readonly tax: number;
  /** The line's price after discount, including tax. */
  readonly gross: number;
}

/** The totals of a cart, in minor units. */
export interface CartTotals {
  /** In the order of the input lines. */
  readonly lines: readonly LineTotals[];
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  /** The sum of the lines' tax and `shippingTax`. */
  readonly tax: number;
  readonly shippingTax: number;
  /** Subtotal − discount + shipping, plus tax unless prices include it. */
  readonly grandTotal: number;
  readonly taxIncluded: boolean;
}

/**
 * Computes the totals of a cart. Pure and exact: the parts sum to the totals. Ignores a coupon that does not
 * apply ({@link couponRefusal}). Tax is rounded half up per line after its discount, then summed. Throws a
 * RangeError beyond 2^53, which the limits on amounts, quantities and lines rule out.
 */
export function computeTotals(
  lines: readonly PricedLine[],
  rules: PricingRules,
  coupon: Coupon | null = null,
): CartTotals {
  const { taxIncluded } = rules;
  const applied = coupon !== null && couponRefusal(coupon, lines) === null ? coupon : null;
  const off = applied ? discounts(lines, applied) : [];
  const priced = lines.map((line, index) => lineTotals(line, off[index] ?? 0, rules));
  const [subtotal, discount] = [sumOf(priced, 'subtotal'), sumOf(priced, 'discount')];
  const isFree = applied?.benefit.kind === 'free_shipping' || reachesFreeShipping(rules, subtotal - discount);
  const shipping = isFree || !lines.some((line) => line.ships) ? 0 : rules.shippingFlat;
  const shippingTax = rules.shippingTaxed ? taxOf(shipping, rules.standardRate, taxIncluded) : 0;
  const tax = sumOf(priced, 'tax') + shippingTax;
  const grandTotal = subtotal - discount + shipping + (taxIncluded ? 0 : tax);
  if (!Number.isSafeInteger(subtotal + shipping + tax)) throw new RangeError('The cart total exceeds 2^53');
  return { lines: priced, subtotal, discount, shipping, tax, shippingTax, grandTotal, taxIncluded };
}

function lineTotals(line: PricedLine, discount: number, rules: PricingRules): LineTotals {
  const subtotal = lineSubtotal(line);
  const net = subtotal - discount;
  const tax = taxOf(net, rateOfClass(rules, line.taxClass), rules.taxIncluded);
  return { subtotal, discount, tax, gross: rules.taxIncluded ? net : net + tax };
}

const sumOf = (lines: readonly LineTotals[], part: keyof LineTotals): number =>
  lines.reduce((sum, line) => sum + line[part], 0);

/** Returns whether goods (subtotal less discount, in minor units) reach the free-shipping amount. */
const reachesFreeShipping = ({ freeOver }: PricingRules, goods: number): boolean =>
  freeOver !== null && goods >= freeOver;

/** Returns the rate of a tax class, or the standard rate if the class has none. */
const rateOfClass = (rules: PricingRules, taxClass: string | null): Rate =>
  (taxClass !== null && Object.hasOwn(rules.ratesByClass, taxClass)
    ? rules.ratesByClass[taxClass]
    : undefined) ?? rules.standardRate;

/** Returns the tax on an amount, or in it if prices include tax. Minor units, rounded half up. */
const taxOf = (amount: number, rate: Rate, included: boolean): number =>
  included ? includedShare(amount, rate) : share(amount, rate);

/** Converts totals from minor units to the API's decimal numbers. */
export function presentTotals(totals: Omit<CartTotals, 'lines' | 'shippingTax'>, currency: string): Totals {
  const amount = (minor: number) => toNumber(minor, currency);
  return {
    subtotal: amount(totals.subtotal),
    subtotal_after_discount: amount(totals.subtotal - totals.discount),
    tax: amount(totals.tax),
    shipping: amount(totals.shipping),
    discount: amount(totals.discount),
    grand_total: amount(totals.grandTotal),
    tax_included: totals.taxIncluded,
  };
}
