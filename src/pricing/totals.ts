import { type Coupon, couponRefusal } from './coupon.ts';
import { discounts } from './discount.ts';
import { lineSubtotal, type PricedLine } from './line.ts';
import type { PricingRules } from './rules.ts';
import { shippingOf } from './shipping.ts';
import { rateOfClass, taxOf } from './tax.ts';

/** What one line comes to, in minor units. */
export interface LineTotals {
  /** Unit price times quantity, before the discount: the wire's `items.total`. */
  readonly subtotal: number;
  readonly discount: number;
  /** On top of subtotal − discount, or inside it when prices include tax. */
  readonly tax: number;
  /** What the shopper pays for the line, tax in it. */
  readonly gross: number;
}

/** What a cart comes to, in minor units. */
export interface CartTotals {
  /** In the order of the lines given. */
  readonly lines: readonly LineTotals[];
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  /** The lines' tax and `shippingTax`. */
  readonly tax: number;
  readonly shippingTax: number;
  /** Subtotal − discount + shipping, and + tax unless it is inside the prices. */
  readonly grandTotal: number;
  readonly taxIncluded: boolean;
}

/**
 * The totals of a cart. Pure: the same input, the same figures, and the parts sum to the whole to the
 * last minor unit. A coupon that does not apply ({@link couponRefusal}) changes nothing.
 * Tax is rounded half up per line, after the discount's part of it, then summed.
 * Sums beyond 2^53 throw: no cart within the limits on amount, quantity and lines comes near.
 */
export function computeTotals(
  lines: readonly PricedLine[],
  rules: PricingRules,
  coupon: Coupon | null = null,
): CartTotals {
  const { taxIncluded } = rules;
  const applied = coupon !== null && couponRefusal(coupon, lines) === null ? coupon : null;
  const off = discounts(lines, applied);
  const priced = lines.map((line, index) => lineTotals(line, off[index] ?? 0, rules));
  const [subtotal, discount] = [sumOf(priced, 'subtotal'), sumOf(priced, 'discount')];
  const shipping = shippingOf(lines, subtotal - discount, rules, applied);
  const shippingTax = rules.shippingTaxed ? taxOf(shipping, rules.standardRate, taxIncluded) : 0;
  const tax = sumOf(priced, 'tax') + shippingTax;
  const grandTotal = subtotal - discount + shipping + (taxIncluded ? 0 : tax);
  if (!Number.isSafeInteger(subtotal + shipping + tax)) throw new RangeError('a cart beyond 2^53');
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
