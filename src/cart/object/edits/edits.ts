import { MAX_CLOCK_STEP_MS, MINUTE } from '../../../kernel/core/clock.ts';
import type { Failure } from '../../../kernel/core/errors.ts';
import { MAX_LINE_QUANTITY, MAX_LINES } from '../../../kernel/core/limits.ts';
import { fail, invalid, ok, type Result } from '../../../kernel/core/result.ts';
import type { PostalAddress } from '../../../kernel/values/postal-address.ts';
import type { CartPromotion } from '../../../promotions/index.ts';
import type { Offer, OfferQuantity } from '../../options/offer.ts';
import { applyCode } from '../../pricing/cart-promotions.ts';
import {
  reservedStock,
  shortage,
  unavailable,
  withKnownAvailability,
  withoutReservation,
} from '../../pricing/stock.ts';
import type { CartAddition } from '../messages.ts';
import { type CartState, isWithinMaxAmount, type Line } from '../state.ts';
import { bytesOf, MAX_LINES_BYTES } from './line-bytes.ts';
import { repriced } from './preconditions.ts';

/** Adds offers, all or none. An offer that the cart already has raises its line's quantity. */
export function addLines(state: CartState, { version, wanted }: CartAddition): Result<CartState> {
  const known = withKnownAvailability(state, wanted);
  return shortage(known, state.lines, reservedStock(state)) ?? withLines(state, { version, wanted: known });
}

/** Adds offers as {@link addLines} does, without regard to availability. */
export function withLines(state: CartState, { version, wanted }: CartAddition): Result<CartState> {
  let { head, lines } = state;
  for (const one of wanted) {
    const line = lineWith({ ...state, head, lines }, one);
    if (!line.ok) return line;
    const { id } = line.value;
    if (id === head.nextLine) {
      lines = [...lines, line.value];
      head = { ...head, nextLine: id + 1 };
    } else lines = lines.map((known) => (known.id === id ? line.value : known));
  }
  if (lines.length > MAX_LINES)
    return invalid('product_id', `would exceed the ${MAX_LINES} line items of a cart`);
  if (lines.reduce((bytes, line) => bytes + bytesOf(line), 0) > MAX_LINES_BYTES)
    return invalid('options', 'would make the line items of the cart exceed 1 MiB');
  const fresh = state.lines.length === 0 && head.codes.length === 0;
  const pricedAt = fresh ? version : Math.min(head.pricedAt, version);
  return ok({ ...state, head: { ...head, pricedAt }, lines });
}

/** Returns whether two offers share a line. */
export const sharesLine = (a: Offer, b: Offer): boolean =>
  a.productId === b.productId && a.options === b.options;

/** Returns the offer's line with its quantity raised, or a new line. */
function lineWith(
  { head: { currency, nextLine }, lines }: CartState,
  { offer, quantity: more }: OfferQuantity,
): Result<Line> {
  const unitPrice = offer.prices[currency];
  if (unitPrice === undefined)
    return invalid('product_id', `${nameWithChoices(offer)} has no price in ${currency}`);
  const line = lines.find((one) => sharesLine(one.offer, offer));
  const quantity = (line?.quantity ?? 0) + more;
  const fits = checkLimits(unitPrice, quantity);
  if (!fits.ok) return fits;
  const fresh = { id: nextLine, offer, quantity, unitPrice, was: null, gone: false };
  return ok(line ? { ...repriced(line, offer, unitPrice), quantity } : fresh);
}

/** Returns the name with the choices that have prices, of which the currency may lack one: "Shirt (M, Blue)". */
const nameWithChoices = ({ name, type, selected }: Offer): string =>
  selected.length > 0 && type !== 'booking'
    ? `${name} (${selected.map(({ value }) => value).join(', ')})`
    : name;

function checkLimits(unitPrice: number, quantity: number): Result<void> {
  if (quantity > MAX_LINE_QUANTITY)
    return invalid('quantity', `must be at most ${MAX_LINE_QUANTITY} per line`);
  if (!isWithinMaxAmount(unitPrice, quantity))
    return invalid('quantity', 'line total exceeds the largest amount');
  return ok(undefined);
}

/** Sets the quantity of a line. */
export function setQuantity(state: CartState, lineId: number, quantity: number): Result<CartState> {
  const line = state.lines.find(({ id }) => id === lineId);
  if (!line) return fail('cart_item_not_found');
  const changed = { ...line, quantity };
  const others = state.lines.filter(({ id }) => id !== lineId);
  const short = line.gone ? unavailable(line, quantity) : shortage([changed], others, reservedStock(state));
  if (short) return short;
  const fits = checkLimits(line.unitPrice, quantity);
  if (!fits.ok) return fits;
  if (quantity === line.quantity) return ok(state);
  return ok({ ...state, lines: state.lines.map((one) => (one.id === lineId ? changed : one)) });
}

/** Removes a line. */
export function removeLine(state: CartState, lineId: number): Result<CartState> {
  const lines = state.lines.filter(({ id }) => id !== lineId);
  return lines.length === state.lines.length ? fail('cart_item_not_found') : ok({ ...state, lines });
}

/** The wrong codes in a row after which a cart rejects every code for {@link CODE_LOCKOUT_MS}. */
const MAX_WRONG_CODES = 10;
const CODE_LOCKOUT_MS = 15 * MINUTE;

/** Applies the promotion that was found for a code; `rate_limited` during the lockout. */
export function tryCode(state: CartState, found: Result<CartPromotion>, at: number): Result<CartState> {
  const { until } = state.head.guesses;
  // A later lockout was begun by a clock that was set back since.
  if (at < until && until <= at + CODE_LOCKOUT_MS + MAX_CLOCK_STEP_MS) {
    const retryAfter = Math.ceil((until - at) / 1000);
    return fail('rate_limited', { message: 'Too many wrong coupon codes.', retryAfter });
  }
  if (!found.ok) return found;
  const applied = applyCode(state, found.value, at);
  if (!applied.ok || applied.value === state) return applied;
  const head = { ...applied.value.head, guesses: { wrong: 0, until: 0 } };
  return ok({ ...applied.value, head });
}

/** Counts a wrong code; starts the lockout at the limit. */
export function countWrongCode(state: CartState, { code }: Failure, at: number): CartState {
  if (code !== 'coupon_not_found') return state;
  const wrong = state.head.guesses.wrong + 1;
  const guesses = wrong < MAX_WRONG_CODES ? { wrong, until: 0 } : { wrong: 0, until: at + CODE_LOCKOUT_MS };
  return { ...state, head: { ...state.head, guesses } };
}

/** Sets the shipping address. */
export function setAddress(state: CartState, address: PostalAddress | null): Result<CartState> {
  const same = JSON.stringify(address) === JSON.stringify(state.head.address);
  return ok(same ? state : { ...state, head: { ...state.head, address } });
}

/**
 * Returns the edited cart with the next version, without a reservation, the notice of a merge and an expired lock.
 * `was` and `removedCodes` keep only what has changed since `before`, the state that the shopper has seen.
 */
export function withNextVersion(after: CartState, before: CartState, at: number): CartState {
  const seen = new Map(before.lines.map((line) => [line.id, line.unitPrice]));
  const lines = after.lines.map((line) => {
    const price = seen.get(line.id) ?? line.unitPrice;
    const was = price === line.unitPrice ? null : price;
    return was === line.was ? line : { ...line, was };
  });
  const { version, removedCodes } = after.head;
  return withoutReservation({
    ...after,
    head: {
      ...after.head,
      version: version + 1,
      changedAt: at,
      notMerged: null,
      removedCodes: removedCodes.slice(before.head.removedCodes.length),
      order: null,
    },
    lines,
  });
}

/** Returns the version before which reservations must be released, if the edit invalidated one. */
export const releasesOf = (before: CartState, after: CartState) =>
  before.head.reserved ? { releases: after.head.version } : {};
