import { MAX_AMOUNT } from '../../kernel/core/money.ts';
import {
  type CartTotals,
  type Coupon,
  type CouponRefusal,
  computeTotals,
  couponFor,
  couponRefusal,
  type PricedLine,
  rulesFor,
} from '../../pricing/index.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import type { CartState, Line } from './state.ts';

/** Returns whether a line's total is within the largest exact amount. */
export const isWithinMaxAmount = (unitPrice: number, quantity: number): boolean =>
  unitPrice * quantity <= MAX_AMOUNT;

/** Returns the pricing input of a line. */
export const pricedLine = ({ offer, quantity, unitPrice }: Line): PricedLine => ({
  productId: offer.productId,
  categoryIds: offer.categoryIds,
  unitPrice,
  quantity,
  ships: offer.ships,
  taxClass: offer.taxClass,
});

/** The reason why a coupon does not apply to a cart. */
export type CouponRejection = 'not_started' | 'ended' | 'currency' | CouponRefusal;

/** Returns the coupon in the cart's currency, or the reason why it does not apply at `at` (ms). */
export function couponOn(
  { head, lines }: CartState,
  coupon: CartCoupon,
  at: number,
): { readonly coupon: Coupon } | { readonly refusal: CouponRejection } {
  if (coupon.startsAt !== null && at < coupon.startsAt) return { refusal: 'not_started' };
  if (coupon.endsAt !== null && at >= coupon.endsAt) return { refusal: 'ended' };
  const terms = couponFor(coupon.terms, head.currency);
  if (!terms) return { refusal: 'currency' };
  const refusal = couponRefusal(terms, lines.map(pricedLine));
  return refusal ? { refusal } : { coupon: terms };
}

/** A cart's totals, and whether its coupon applies. */
export interface CartBill {
  readonly totals: CartTotals;
  readonly couponApplies: boolean;
}

/** Computes the totals of a cart at its current prices. */
export function priceCart(state: CartState, at: number): CartBill {
  const { head, pricing, lines } = state;
  const rules = rulesFor(pricing, head.currency, head.address?.country ?? null);
  const applied = head.coupon && couponOn(state, head.coupon, at);
  const coupon = applied && 'coupon' in applied ? applied.coupon : null;
  return { totals: computeTotals(lines.map(pricedLine), rules, coupon), couponApplies: coupon !== null };
}
