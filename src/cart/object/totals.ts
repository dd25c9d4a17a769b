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

/** Whether so many of it can be reckoned exactly. */
export const isWithinMaxAmount = (unitPrice: number, quantity: number): boolean =>
  unitPrice * quantity <= MAX_AMOUNT;

/** A line as pricing sees it. */
export const pricedLine = ({ offer, quantity, unitPrice }: Line): PricedLine => ({
  productId: offer.productId,
  categoryIds: offer.categoryIds,
  unitPrice,
  quantity,
  ships: offer.ships,
  taxClass: offer.taxClass,
});

/** Why a coupon has no effect on a cart. */
export type CouponRejection = 'not_started' | 'ended' | 'currency' | CouponRefusal;

/** A coupon in the cart's currency if it applies to the cart at that instant, else why not. */
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

/** What a cart comes to, and whether its coupon had a part in it. */
export interface CartBill {
  readonly totals: CartTotals;
  readonly couponApplies: boolean;
}

/** Reckons a cart with the prices that it holds. */
export function priceCart(state: CartState, at: number): CartBill {
  const { head, pricing, lines } = state;
  const rules = rulesFor(pricing, head.currency, head.address?.country ?? null);
  const held = head.coupon && couponOn(state, head.coupon, at);
  const coupon = held && 'coupon' in held ? held.coupon : null;
  return { totals: computeTotals(lines.map(pricedLine), rules, coupon), couponApplies: coupon !== null };
}
