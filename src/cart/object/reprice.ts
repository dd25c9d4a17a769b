import type { CartCoupon } from '../../promotions/index.ts';
import type { Offer } from '../options/offer.ts';
import { withoutReservation } from './reserved-stock.ts';
import { type CartState, type Line, type PricingContext, pricingOf } from './state.ts';
import { isWithinMaxAmount } from './totals.ts';

/** What a cart has to be told before it can go on: its lines' offers, and its coupon, as they are now. */
export interface RepriceNeeds {
  readonly lines: readonly { readonly id: number; readonly productId: number; readonly options: string }[];
  readonly couponId: number | null;
}

/** The answer to {@link RepriceNeeds}, read at one catalogue version. */
export interface FreshOffers {
  readonly version: number;
  /** By line: `null` when it is no longer on sale like that. */
  readonly offers: readonly { readonly line: number; readonly offer: Offer | null }[];
  readonly couponId: number | null;
  /** `null` when there is no such coupon any more. */
  readonly coupon: CartCoupon | null;
}

/** What the cart must be told. */
export const repriceNeeds = ({ head, lines }: CartState): RepriceNeeds => ({
  lines: lines.map(({ id, offer }) => ({ id, productId: offer.productId, options: offer.options })),
  couponId: head.coupon?.id ?? null,
});

/** Whether prices have to be looked up again to be those of this catalogue version. */
export const isStale = ({ head, lines }: CartState, version: number): boolean =>
  head.pricedAt < version && (lines.length > 0 || head.coupon !== null);

/** Whether a refresh tells of every line, and of the coupon, that the cart has now. */
export function covers(refresh: FreshOffers, { head, lines }: CartState): boolean {
  const told = new Set(refresh.offers.map(({ line }) => line));
  return lines.every(({ id }) => told.has(id)) && refresh.couponId === (head.coupon?.id ?? null);
}

/** The cart with the offers of a refresh. A price that moved is remembered in `was`. */
export function withFreshOffers(state: CartState, refresh: FreshOffers): CartState {
  const offers = new Map(refresh.offers.map(({ line, offer }) => [line, offer]));
  const lines = state.lines.map((line) => withOffer(line, offers.get(line.id) ?? null, state.head.currency));
  const head = { ...state.head, pricedAt: refresh.version, coupon: refresh.coupon };
  return { ...state, head, lines };
}

/**
 * A line with what its offer is now, the same line if nothing is new; one that can't be bought any more keeps
 * its last price.
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

/** The cart with newer settings of its tenant. */
export function withPricingContext(state: CartState, shop: PricingContext): CartState {
  if (shop.version <= state.head.shopAt) return state;
  const same = shop.pricing === JSON.stringify(state.pricing);
  const head = { ...state.head, shopAt: shop.version };
  return { ...state, head, pricing: same ? state.pricing : pricingOf(shop) };
}

/**
 * The cart as time has changed it: slots that have begun are gone, a coupon that has ended too, and stock that
 * was kept for it is there for everybody.
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
