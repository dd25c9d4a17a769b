/** What checkout keeps of stock for a cart: for others it isn't there, and the cart may count on it. */
import type { Offer, OfferQuantity } from '../options/offer.ts';
import { claimedStock, keyOf } from './availability.ts';
import type { CartState, Reserved } from './state.ts';

/** What is kept for this cart, by item and slot: it comes on top of what its offers say there is. */
export const reservedStock = ({ head: { reserved } }: CartState): Reserved['own'] => reserved?.own ?? {};

/** The cart with what its lines take kept for it until then. Its offers must have been read just before. */
export function withReservation(state: CartState, until: number): CartState {
  const { reserved } = state.head;
  const own = Object.fromEntries(
    [...claimedStock(state.lines)].map(([key, { quantity }]) => [key, quantity]),
  );
  const next = { ...state, head: { ...state.head, reserved: { until, own } } };
  // What was kept already isn't in the figures that were read.
  return reserved ? next : refigured(next, (available, key) => available - (own[key] ?? 0));
}

/** The cart once what was kept for it has gone back: it is there for everybody again. */
export function withoutReservation(state: CartState): CartState {
  const { reserved } = state.head;
  if (!reserved) return state;
  const next = { ...state, head: { ...state.head, reserved: null } };
  return refigured(next, (available, key) => available + (reserved.own[key] ?? 0));
}

/**
 * What is wanted, with what the cart knows better: offers from the catalogue's cache may still count what was
 * kept for the cart a moment ago as there for everybody.
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

/** The offer with other figures of what there is, never below nothing; what isn't counted stays so. */
const withFigures = (offer: Offer, figure: Figure): Offer => ({
  ...offer,
  needs: offer.needs.map((need) => {
    const { available } = need;
    return available === null ? need : { ...need, available: Math.max(0, figure(available, keyOf(need))) };
  }),
});
