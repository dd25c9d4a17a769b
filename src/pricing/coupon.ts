import type { Amount } from '../kernel/core/money.ts';
import { lineSubtotal, type PricedLine } from './line.ts';
import { type Rate, rateOf } from './rate.ts';
import { amountIn } from './rules.ts';

/** What a coupon grants, as the coupons' API has it. Dates and use limits are for whoever keeps the coupons. */
export interface CouponTerms {
  readonly kind: 'percent' | 'fixed' | 'free_shipping';
  /** A percentage, or an amount; nothing for `free_shipping`. */
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
  /** Compared with the whole cart's subtotal. */
  readonly minimumSubtotal: number;
  /** With `categoryIds`: the lines it is for. Both empty: every line. */
  readonly productIds: readonly number[];
  readonly categoryIds: readonly number[];
}

/** A coupon's terms in the cart's currency; `null` when its amounts are named in other currencies only. */
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

/** Why a coupon has no effect on a cart. */
export type CouponRefusal = 'no_eligible_line' | 'below_minimum_subtotal';

/** `null` when the coupon applies to these lines, else what is missing. */
export function couponRefusal(coupon: Coupon, lines: readonly PricedLine[]): CouponRefusal | null {
  if (!lines.some((line) => isEligible(coupon, line))) return 'no_eligible_line';
  const subtotal = lines.reduce((sum, line) => sum + lineSubtotal(line), 0);
  return subtotal < coupon.minimumSubtotal ? 'below_minimum_subtotal' : null;
}

/** Whether the coupon is for this line: by its product, by one of its categories, or by naming neither. */
export const isEligible = ({ productIds, categoryIds }: Coupon, line: PricedLine): boolean =>
  (productIds.length === 0 && categoryIds.length === 0) ||
  productIds.includes(line.productId) ||
  line.categoryIds.some((id) => categoryIds.includes(id));
