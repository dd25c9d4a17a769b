import { type Amount, amountIn } from '../kernel/core/money.ts';
import { lineSubtotal, type PricedLine, type Rate, rateOf, share } from './rules.ts';

/** The discount terms of a coupon, in the API's form. Dates and redemption limits are checked elsewhere. */
export interface CouponTerms {
  readonly kind: 'percent' | 'fixed' | 'free_shipping';
  /** A percentage or an amount; ignored for `free_shipping`. */
  readonly value: Amount;
  readonly minimum_subtotal?: Amount | null | undefined;
  readonly product_ids?: readonly number[] | null | undefined;
  readonly category_ids?: readonly number[] | null | undefined;
}

type Benefit =
  | { readonly kind: 'percent'; readonly rate: Rate }
  | { readonly kind: 'fixed'; readonly amount: number }
  | { readonly kind: 'free_shipping' };

/** A coupon in one currency, amounts in minor units. */
export interface Coupon {
  readonly benefit: Benefit;
  /** Compared with the subtotal of the whole cart. */
  readonly minimumSubtotal: number;
  /** The eligible products, beside `categoryIds`. If both are empty, every line is eligible. */
  readonly productIds: readonly number[];
  readonly categoryIds: readonly number[];
}

/** Converts terms to the cart's currency; returns null if an amount has no value in it. */
export function couponFor(terms: CouponTerms, currency: string): Coupon | null {
  const benefit = benefitOf(terms, currency);
  const minimumSubtotal = amountIn(terms.minimum_subtotal ?? 0, currency);
  if (benefit === null || minimumSubtotal === null) return null;
  return {
    benefit,
    minimumSubtotal,
    productIds: terms.product_ids ?? [],
    categoryIds: terms.category_ids ?? [],
  };
}

function benefitOf({ kind, value }: CouponTerms, currency: string): Benefit | null {
  if (kind === 'free_shipping') return { kind };
  if (kind === 'percent') return typeof value === 'number' ? { kind, rate: rateOf(value) } : null;
  const amount = amountIn(value, currency);
  return amount === null ? null : { kind, amount };
}

/** The reason why a coupon does not apply to the lines. */
export type CouponRefusal = 'no_eligible_line' | 'below_minimum_subtotal';

/** Returns why the coupon does not apply to these lines, or null if it applies. */
export function couponRefusal(coupon: Coupon, lines: readonly PricedLine[]): CouponRefusal | null {
  if (!lines.some((line) => isEligible(coupon, line))) return 'no_eligible_line';
  const subtotal = lines.reduce((sum, line) => sum + lineSubtotal(line), 0);
  return subtotal < coupon.minimumSubtotal ? 'below_minimum_subtotal' : null;
}

/** Returns the subtotal of each eligible line, 0 for the others: the weights of the discount's shares. */
export const eligibleSubtotals = (lines: readonly PricedLine[], coupon: Coupon): number[] =>
  lines.map((line) => (isEligible(coupon, line) ? lineSubtotal(line) : 0));

/** Returns whether the line is eligible: by product, by category, or because the coupon names neither. */
const isEligible = ({ productIds, categoryIds }: Coupon, line: PricedLine): boolean =>
  (productIds.length === 0 && categoryIds.length === 0) ||
  productIds.includes(line.productId) ||
  line.categoryIds.some((id) => categoryIds.includes(id));

/**
 * Returns each line's share of the discount in minor units, in the lines' order. A fixed amount is capped at
 * the eligible lines' subtotal; a percentage of that subtotal is rounded half up.
 */
export function discounts(lines: readonly PricedLine[], coupon: Coupon): number[] {
  const weights = eligibleSubtotals(lines, coupon);
  const eligible = weights.reduce((sum, weight) => sum + weight, 0);
  return prorate(Math.min(amountOff(coupon, eligible), eligible), weights);
}

function amountOff({ benefit }: Coupon, eligible: number): number {
  switch (benefit.kind) {
    case 'percent':
      return share(eligible, benefit.rate);
    case 'fixed':
      return benefit.amount;
    case 'free_shipping':
      return 0;
  }
}

/**
 * Splits `total` in proportion to `weights` (integers, at least 0) by the largest-remainder method.
 * The parts sum to `total` exactly. No part exceeds its weight if `total` is at most the sum of the weights.
 * Of equal remainders, the earlier is rounded up.
 */
export function prorate(total: number, weights: readonly number[]): number[] {
  const sum = BigInt(weights.reduce((all, weight) => all + weight, 0));
  if (sum === 0n && total !== 0) throw new RangeError('nothing to prorate over');
  if (sum === 0n) return weights.map(() => 0);
  const products = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = products.map((product) => Number(product / sum));
  const left = total - parts.reduce((all, part) => all + part, 0);
  const up = products
    .map((product, index) => ({ index, rest: Number(product % sum) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
    .slice(0, left);
  const roundedUp = new Set(up.map(({ index }) => index));
  return parts.map((part, index) => (roundedUp.has(index) ? part + 1 : part));
}
