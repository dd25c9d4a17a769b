import { MAX_AMOUNT } from '../kernel/money.ts';
import {
  type CartTotals,
  type Coupon,
  type CouponRefusal,
  computeTotals,
  couponFor,
  couponRefusal,
  type PricedLine,
  rulesFor,
} from '../pricing/index.ts';
import type { HeldCoupon } from '../promotions/index.ts';
import type { CartState, Line } from './state.ts';

/** Whether so many of it can be reckoned exactly. */
export const reckonable = (unitPrice: number, quantity: number): boolean =>
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
export type Refusal = 'not_started' | 'ended' | 'currency' | CouponRefusal;

/** A coupon in the cart's currency if it applies to the cart at that instant, else why not. */
export function couponOn(
  { head, lines }: CartState,
  coupon: HeldCoupon,
  at: number,
): { readonly coupon: Coupon } | { readonly refusal: Refusal } {
  if (coupon.startsAt !== null && at < coupon.startsAt) return { refusal: 'not_started' };
  if (coupon.endsAt !== null && at >= coupon.endsAt) return { refusal: 'ended' };
  const terms = couponFor(coupon.terms, head.currency);
  if (!terms) return { refusal: 'currency' };
  const refusal = couponRefusal(terms, lines.map(pricedLine));
  return refusal ? { refusal } : { coupon: terms };
}

/** What a cart comes to, and whether its coupon had a part in it. */
export interface Bill {
  readonly totals: CartTotals;
  readonly couponApplies: boolean;
}

/** Reckons a cart with the prices that it holds. */
export function billOf(state: CartState, at: number): Bill {
  const { head, pricing, lines } = state;
  const rules = rulesFor(pricing, head.currency, head.address?.country ?? null);
  const held = head.coupon && couponOn(state, head.coupon, at);
  const coupon = held && 'coupon' in held ? held.coupon : null;
  return { totals: computeTotals(lines.map(pricedLine), rules, coupon), couponApplies: coupon !== null };
}
