import { type Failed, fail } from '../../../kernel/core/result.ts';
import type { Offer } from '../../options/offer.ts';
import { withRunning } from '../../pricing/cart-promotions.ts';
import { withoutReservation } from '../../pricing/stock.ts';
import type {
  CartRequest,
  FreshOffers,
  LockedByOrder,
  MergedInto,
  NeedsOffers,
  RepriceNeeds,
} from '../messages.ts';
import {
  automaticOf,
  type CartState,
  EXPIRED_RETENTION_MS,
  expiresAt,
  type Head,
  ifMatch,
  isLockFinal,
  isWithinMaxAmount,
  type Line,
  lockingOrder,
  type PricingContext,
  pricingOf,
} from '../state.ts';
import { bytesOf, MAX_LINES_BYTES } from './line-bytes.ts';

/** A cart that an operation may use. */
export interface AdmittedCart {
  readonly ok: true;
  /** As stored. */
  readonly before: CartState;
  /** With fresh offers and settings, and without what has expired. */
  readonly state: CartState;
}

/** Returns why a cart is not available: 404, 410 or a redirect; null if it is. */
export function unavailability(state: CartState | null, at: number): Failed | MergedInto | null {
  if (!state || at >= expiresAt(state) + EXPIRED_RETENTION_MS) return fail('cart_not_found');
  if (at >= expiresAt(state)) return fail('cart_expired');
  return state.head.movedTo === null ? null : { ok: false, movedTo: state.head.movedTo };
}

/** The conditions of an operation: whether it edits the cart, and what the caller knows about it. */
export type Conditions = Pick<CartRequest, 'ifMatch' | 'verifiedOrder' | 'agent'> & {
  readonly edit: boolean;
  /** The line that the request's path names. */
  readonly lineId?: number | undefined;
};

/** The cart if an operation may use it, or why it may not. */
type Checked = { readonly ok: true; readonly before: CartState } | Failed | MergedInto | LockedByOrder;

const lacksLine = ({ lines }: CartState, lineId: number | undefined): boolean =>
  lineId !== undefined && !lines.some(({ id }) => id === lineId);

/**
 * Checks the preconditions in the contract's order: 404, 412, 410, 409. An expired cart has no lines to miss. A cart
 * that an order locks can only be read; an order that the cart does not know well enough to show is verified first, as
 * one whose lock has expired is before an edit.
 */
export function checkPreconditions(state: CartState | null, conditions: Conditions, at: number): Checked {
  const absent = unavailability(state, at);
  const foreign = conditions.agent !== undefined && state?.head.agent?.profile !== conditions.agent;
  const gone = absent !== null && 'failure' in absent && absent.failure.code === 'cart_not_found';
  if (!state || foreign || gone) return fail('cart_not_found');
  if (absent && 'movedTo' in absent) return absent;
  if (!absent && lacksLine(state, conditions.lineId)) return fail('cart_item_not_found');
  if (conditions.edit && !ifMatch(conditions.ifMatch, state)) return fail('precondition_failed');
  return absent ?? checkLock(state, conditions, at);
}

/** Checks that no order's lock forbids the operation. */
function checkLock(state: CartState, { edit, verifiedOrder }: Conditions, at: number): Checked {
  const order = lockingOrder(state, at);
  const expired = order ? null : state.head.order;
  // The notices of the order that was placed under an expired lock may be lost.
  if (expired && edit && verifiedOrder !== expired.id) return { ok: false, lockedBy: expired.id };
  const verified = verifiedOrder === order?.id;
  if (!order || (!edit && (verified || order.number !== undefined))) return { ok: true, before: state };
  const known = edit && (order.state === 'placing' || verified || isLockFinal(state));
  return known ? fail('cart_locked', { details: { order_id: order.id } }) : { ok: false, lockedBy: order.id };
}

/**
 * Returns the cart at the request's catalogue version or a newer one. Offers for prices older than that must
 * come with the request. An ordered cart keeps its prices.
 */
export function admit(before: CartState, request: CartRequest, at: number): AdmittedCart | NeedsOffers {
  if (lockingOrder(before, at)) return { ok: true, before, state: before };
  const { context, refresh } = request;
  const state = withCurrentContext(before, context, at);
  if (refresh && covers(refresh, state)) {
    return { ok: true, before, state: withRunning(withFreshOffers(state, refresh), at) };
  }
  if (isStale(state, context.version)) return { ok: false, needs: repriceNeeds(state) };
  return { ok: true, before, state };
}

/** Returns the cart with the tenant's pricing settings, if they are newer, and without what has expired. */
export const withCurrentContext = (state: CartState, context: PricingContext, at: number): CartState =>
  withRunning(withPricingContext(withExpiredRemoved(state, at), context), at);

/** Returns what the cart needs for repricing. */
export const repriceNeeds = ({ head, lines }: CartState): RepriceNeeds => ({
  lines: lines.map(({ id, offer }) => ({ id, productId: offer.productId, options: offer.options })),
  codeIds: head.codes.map(({ id }) => id),
  customerId: head.customerId,
});

/** Returns whether prices are older than this catalogue version. */
const isStale = ({ head, lines }: CartState, version: number): boolean =>
  head.pricedAt < version && (lines.length > 0 || head.codes.length > 0);

/** Returns whether a refresh covers all of the cart's lines and its codes. */
export function covers(refresh: FreshOffers, { head, lines }: CartState): boolean {
  const covered = new Set(refresh.offers.map(({ line }) => line));
  const codes = head.codes.every(({ id }, n) => refresh.codeIds[n] === id);
  return codes && refresh.codeIds.length === head.codes.length && lines.every(({ id }) => covered.has(id));
}

/**
 * Returns the cart with fresh offers. `was` holds the previous price of a changed line. A line whose product has grown
 * beyond {@link MAX_LINES_BYTES} is no longer on sale: the cart could not be ordered with it.
 */
export function withFreshOffers(state: CartState, refresh: FreshOffers): CartState {
  const offers = new Map(refresh.offers.map(({ line, offer }) => [line, offer]));
  const { currency } = state.head;
  let bytes = 0;
  const lines = state.lines.map((line) => {
    const fresh = withOffer(line, offers.get(line.id) ?? null, currency);
    if (fresh.gone) return fresh;
    if (bytes + bytesOf(fresh) > MAX_LINES_BYTES) return withOffer(line, null, currency);
    bytes += bytesOf(fresh);
    return fresh;
  });
  const { head } = state;
  return {
    ...state,
    head: {
      ...head,
      pricedAt: refresh.version,
      codes: refresh.codes,
      removedCodes: [...head.removedCodes, ...removedCodes(head, refresh)],
      barred: refresh.barred ?? head.barred,
    },
    lines,
  };
}

/** Returns the codes that the cart has and that can no longer be used. */
const removedCodes = ({ codes }: Head, refresh: FreshOffers): readonly string[] =>
  codes.flatMap(({ id, code }) =>
    code === null || refresh.codes.some((kept) => kept.id === id) ? [] : [code],
  );

/**
 * Returns the line with its current offer, or the same line if nothing changed. A line that is no longer on
 * sale keeps its last price.
 */
function withOffer(line: Line, offer: Offer | null, currency: string): Line {
  const unitPrice = offer?.prices[currency];
  if (!offer || unitPrice === undefined || !isWithinMaxAmount(unitPrice, line.quantity)) {
    return line.gone ? line : { ...line, gone: true };
  }
  const current = repriced(line, offer, unitPrice);
  return JSON.stringify(current) === JSON.stringify(line) ? line : current;
}

/** Returns the line with an offer at this unit price; `was` keeps the price before the first change. */
export function repriced(line: Line, offer: Offer, unitPrice: number): Line {
  const first = line.was ?? line.unitPrice;
  return { ...line, offer, unitPrice, was: unitPrice === first ? null : first, gone: false };
}

/** Returns the cart with the tenant's pricing settings and automatic promotions, if they are newer. */
function withPricingContext(state: CartState, context: PricingContext): CartState {
  if (context.version <= state.head.shopAt) return state;
  const same = {
    pricing: context.pricing === JSON.stringify(state.pricing),
    automatic: context.promotions === JSON.stringify(state.automatic),
  };
  return {
    ...state,
    head: { ...state.head, shopAt: context.version },
    pricing: same.pricing ? state.pricing : pricingOf(context),
    automatic: same.automatic ? state.automatic : automaticOf(context),
  };
}

/** Returns the cart without what has expired: lines of slots that have begun (marked `gone`), and the reservation. */
export function withExpiredRemoved(before: CartState, at: number): CartState {
  const over = (until: number | null | undefined) => until != null && until <= at;
  const state = over(before.head.reserved?.until) ? withoutReservation(before) : before;
  const begun = (line: Line) => !line.gone && over(line.offer.until);
  if (!state.lines.some(begun)) return state;
  return { ...state, lines: state.lines.map((line) => (begun(line) ? { ...line, gone: true } : line)) };
}
