import { type Failed, fail } from '../../kernel/core/result.ts';
import type { CartState, Line, Reserved } from '../object/state.ts';
import type { Offer, OfferQuantity, StockNeed } from '../options/offer.ts';

/** The quantity that several lines take of one stock item or slot. */
export interface ClaimedStock {
  readonly need: StockNeed;
  readonly offer: Offer;
  readonly quantity: number;
}

/** Returns the key of a stock item or slot. */
const stockKey = ({ kind, id }: StockNeed): string => `${kind}:${id}`;

/** Returns the need with the lower availability: what the lines of a cart know may be of different times. */
const scarcer = (one: StockNeed, other: StockNeed): StockNeed =>
  (other.available ?? Number.POSITIVE_INFINITY) < (one.available ?? Number.POSITIVE_INFINITY) ? other : one;

/**
 * Sums the stock that lines take, by item and slot. Each `need` has the lowest availability of the lines; each `offer` is
 * the first line's.
 */
export function claimedStock(lines: readonly Pick<Line, 'offer' | 'quantity'>[]): Map<string, ClaimedStock> {
  const all = new Map<string, ClaimedStock>();
  for (const { offer, quantity } of lines) {
    for (const need of offer.needs) {
      const before = all.get(stockKey(need));
      const sum = (before?.quantity ?? 0) + need.quantity * quantity;
      const known = before ? { ...before, need: scarcer(before.need, need) } : { need, offer };
      all.set(stockKey(need), { ...known, quantity: sum });
    }
  }
  return all;
}

/** Returns the failure for a line that is no longer on sale. At checkout `in_cart` is the line's quantity. */
export const unavailable = ({ offer }: Line, requested: number, in_cart = 0): Failed =>
  insufficientStock(offer, {
    product_id: offer.productId,
    variant_id: offer.variantId,
    requested,
    in_cart,
    available: 0,
  });

/** The times of a slot (ISO 8601). */
interface SlotTimes {
  readonly from: string;
  readonly to: string;
}

/** The `details` of a failure for insufficient stock. */
interface ShortageDetails {
  readonly product_id: number;
  readonly variant_id: number | null;
  readonly requested: number;
  readonly in_cart: number;
  readonly available: number;
}

/** Returns the failure for insufficient stock of an offer; slots have a code of their own, and times. */
function insufficientStock({ needs, options }: Offer, details: ShortageDetails): Failed {
  if (needs[0]?.kind !== 'slot') return fail('insufficient_stock', { details: { ...details } });
  // Written by resolveSlot().
  const { booking } = JSON.parse(options) as { readonly booking: SlotTimes };
  return fail('slot_unavailable', { details: { ...details, from: booking.from, to: booking.to } });
}

/**
 * Returns a failure if the requested lines exceed availability, counted over the whole cart; else null. Availability is
 * the lowest that the cart knows plus its own reservation; unlimited if the requested offers' is.
 */
export function shortage(
  requested: readonly Pick<Line, 'offer' | 'quantity'>[],
  others: readonly Line[],
  own: Reserved['own'],
): Failed | null {
  const inCart = claimedStock(others);
  for (const [key, { need, offer, quantity }] of claimedStock(requested)) {
    const other = inCart.get(key);
    const already = other?.quantity ?? 0;
    const known = need.available === null || !other ? need : scarcer(need, other.need);
    const available = known.available === null ? null : known.available + (own[key] ?? 0);
    if (available !== null && already + quantity > available) {
      return insufficientStock(offer, {
        product_id: need.productId,
        variant_id: need.variantId,
        requested: quantity,
        in_cart: already,
        available,
      });
    }
  }
  return null;
}

/** A line whose quantity exceeds availability. `available` is the quantity that can be bought. */
interface ShortLine {
  readonly line: Line;
  readonly available: number;
}

/** Returns the lines with insufficient stock. Stock is allotted to the lines in their order. */
export function shortLines(lines: readonly Line[], own: Reserved['own']): ShortLine[] {
  const left = new Map<string, number>();
  for (const [key, { need }] of claimedStock(lines)) {
    if (need.available !== null) left.set(key, need.available + (own[key] ?? 0));
  }
  const short: ShortLine[] = [];
  for (const line of lines) {
    const { needs } = line.offer;
    const possible = line.gone ? 0 : maxQuantity(needs, line.quantity, left);
    if (possible < line.quantity) short.push({ line, available: possible });
    for (const need of needs) {
      const rest = left.get(stockKey(need));
      if (rest !== undefined) left.set(stockKey(need), Math.max(0, rest - need.quantity * possible));
    }
  }
  return short;
}

/** Returns how many of `wanted` units the stock that is left suffices for. */
function maxQuantity(needs: readonly StockNeed[], wanted: number, left: ReadonlyMap<string, number>): number {
  const quantities = needs.map((need) => {
    const rest = left.get(stockKey(need));
    return rest === undefined ? wanted : Math.floor(rest / need.quantity);
  });
  return Math.min(wanted, ...quantities);
}

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
 * Caps the wanted offers' availability at what the cart knows: cached offers may still count stock that was reserved or
 * sold a moment ago. Where that makes them short, the stock of now is looked up.
 */
export function withKnownAvailability(
  state: CartState,
  wanted: readonly OfferQuantity[],
): readonly OfferQuantity[] {
  const here = claimedStock(state.lines);
  const figure = (available: number, key: string) =>
    Math.min(available, here.get(key)?.need.available ?? available);
  return wanted.map((one) => ({ ...one, offer: withFigures(one.offer, figure) }));
}

/**
 * Returns wanted offers that were read while the cart had its reservation, as they are without it: at most what the cart
 * knows, since cached offers may be of before.
 */
export function withReleasedStock(
  before: CartState,
  wanted: readonly OfferQuantity[],
): readonly OfferQuantity[] {
  const own = reservedStock(before);
  const released = (available: number, key: string) => available + (own[key] ?? 0);
  return withKnownAvailability(before, wanted).map((one) => ({
    ...one,
    offer: withFigures(one.offer, released),
  }));
}

/** Returns the new availability of the stock item or slot with this key. */
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
