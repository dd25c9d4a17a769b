/** The stock that checkout has reserved for a cart: unavailable to others, available to the cart. */
import type { Offer, OfferQuantity } from '../options/offer.ts';
import { claimedStock, stockKey } from './availability.ts';
import type { CartState, Reserved } from './state.ts';

/** Returns the cart's own reservation by item and slot, which adds to its offers' availability. */
export const reservedStock = ({ head: { reserved } }: CartState): Reserved['own'] => reserved?.own ?? {};

/** Returns the cart with its lines' stock reserved until `until` (ms). Its offers must be fresh. */
export function withReservation(state: CartState, until: number): CartState {
  const { reserved } = state.head;
  const own = Object.fromEntries(
    [...claimedStock(state.lines)].map(([key, { quantity }]) => [key, quantity]),
  );
  const next = { ...state, head: { ...state.head, reserved: { until, own } } };
  // Figures read during an earlier reservation already exclude it.
  return reserved ? next : refigured(next, (available, key) => available - (own[key] ?? 0));
}

/** Returns the cart without a reservation; the released stock counts as available to all again. */
export function withoutReservation(state: CartState): CartState {
  const { reserved } = state.head;
  if (!reserved) return state;
  const next = { ...state, head: { ...state.head, reserved: null } };
  return refigured(next, (available, key) => available + (reserved.own[key] ?? 0));
}

/**
 * Caps the wanted offers' availability at what the cart knows: cached offers may still count stock that was
 * reserved for this cart a moment ago.
 */
export function withKnownAvailability(
  state: CartState,
  wanted: readonly OfferQuantity[],
): readonly OfferQuantity[] {
  if (!state.head.reserved) return wanted;
  const here = claimedStock(state.lines);
  const figure = (available: number, key: string) =>
    Math.min(available, here.get(key)?.need.available ?? available);
  return wanted.map((one) => ({ ...one, offer: withFigures(one.offer, figure) }));
}

type Figure = (available: number, key: string) => number;

const refigured = (state: CartState, figure: Figure): CartState => ({
  ...state,
  lines: state.lines.map((line) => ({ ...line, offer: withFigures(line.offer, figure) })),
});

/** Returns the offer with other availability figures, at least 0; unlimited availability stays null. */
const withFigures = (offer: Offer, figure: Figure): Offer => ({
  ...offer,
  needs: offer.needs.map((need) => {
    const { available } = need;
    return available === null ? need : { ...need, available: Math.max(0, figure(available, stockKey(need))) };
  }),
});
