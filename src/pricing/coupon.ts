import type { Amount } from '../kernel/core/money.ts';
import { lineSubtotal, type PricedLine } from './line.ts';
import { type Rate, rateOf } from './rate.ts';
import { amountIn } from './rules.ts';

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

/** Returns whether the line is eligible: by product, by category, or because the coupon names neither. */
export const isEligible = ({ productIds, categoryIds }: Coupon, line: PricedLine): boolean =>
  (productIds.length === 0 && categoryIds.length === 0) ||
  productIds.includes(line.productId) ||
  line.categoryIds.some((id) => categoryIds.includes(id));
