import type { CartCoupon } from '../../promotions/index.ts';
import type { Offer } from '../options/offer.ts';
import { withoutReservation } from './reserved-stock.ts';
import { type CartState, type Line, type PricingContext, pricingOf } from './state.ts';
import { isWithinMaxAmount } from './totals.ts';

/** The offers and the coupon that a cart needs from the catalogue before it can continue. */
export interface RepriceNeeds {
  readonly lines: readonly { readonly id: number; readonly productId: number; readonly options: string }[];
  readonly couponId: number | null;
}

/** The current offers and coupon for {@link RepriceNeeds}, read at one catalogue version. */
export interface FreshOffers {
  readonly version: number;
  /** By line; `null` if the line is no longer on sale with its options. */
  readonly offers: readonly { readonly line: number; readonly offer: Offer | null }[];
  readonly couponId: number | null;
  /** `null` if the coupon no longer exists. */
  readonly coupon: CartCoupon | null;
}

/** Returns what the cart needs for repricing. */
export const repriceNeeds = ({ head, lines }: CartState): RepriceNeeds => ({
  lines: lines.map(({ id, offer }) => ({ id, productId: offer.productId, options: offer.options })),
  couponId: head.coupon?.id ?? null,
});

/** Returns whether prices are older than this catalogue version. */
export const isStale = ({ head, lines }: CartState, version: number): boolean =>
  head.pricedAt < version && (lines.length > 0 || head.coupon !== null);

/** Returns whether a refresh covers all of the cart's lines and its coupon. */
export function covers(refresh: FreshOffers, { head, lines }: CartState): boolean {
  const covered = new Set(refresh.offers.map(({ line }) => line));
  return lines.every(({ id }) => covered.has(id)) && refresh.couponId === (head.coupon?.id ?? null);
}

/** Returns the cart with fresh offers. `was` holds the previous price of a changed line. */
export function withFreshOffers(state: CartState, refresh: FreshOffers): CartState {
  const offers = new Map(refresh.offers.map(({ line, offer }) => [line, offer]));
  const lines = state.lines.map((line) => withOffer(line, offers.get(line.id) ?? null, state.head.currency));
  const head = { ...state.head, pricedAt: refresh.version, coupon: refresh.coupon };
  return { ...state, head, lines };
}

/**
 * Returns the line with its current offer, or the same line if nothing changed. A line that is no longer on
 * sale keeps its last price.
 */
export function withOffer(line: Line, offer: Offer | null, currency: string): Line {
  const unitPrice = offer?.prices[currency];
  if (!offer || unitPrice === undefined || !isWithinMaxAmount(unitPrice, line.quantity)) {
    return line.gone ? line : { ...line, gone: true };
  }
  const first = line.was ?? line.unitPrice;
  const now = { ...line, offer, unitPrice, was: unitPrice === first ? null : first, gone: false };
  return JSON.stringify(now) === JSON.stringify(line) ? line : now;
}

/** Returns the cart with the tenant's pricing settings, if they are newer. */
export function withPricingContext(state: CartState, context: PricingContext): CartState {
  if (context.version <= state.head.shopAt) return state;
  const same = context.pricing === JSON.stringify(state.pricing);
  const head = { ...state.head, shopAt: context.version };
  return { ...state, head, pricing: same ? state.pricing : pricingOf(context) };
}

/**
 * Returns the cart without what has expired: lines of slots that have begun (marked `gone`), the coupon, and
 * the reservation.
 */
export function withExpiredRemoved(before: CartState, at: number): CartState {
  const over = (until: number | null | undefined) => until != null && until <= at;
  const state = over(before.head.reserved?.until) ? withoutReservation(before) : before;
  const ended = over(state.head.coupon?.endsAt);
  const begun = (line: Line) => !line.gone && over(line.offer.until);
  if (!ended && !state.lines.some(begun)) return state;
  return {
    ...state,
    head: ended ? { ...state.head, coupon: null } : state.head,
    lines: state.lines.map((line) => (begun(line) ? { ...line, gone: true } : line)),
  };
}
