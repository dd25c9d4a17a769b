import { type Failed, fail } from '../../kernel/core/result.ts';
import {
  covers,
  type FreshOffers,
  isStale,
  type RepriceNeeds,
  repriceNeeds,
  withExpiredRemoved,
  withFreshOffers,
  withPricingContext,
} from './reprice.ts';
import {
  type CartState,
  EXPIRED_RETENTION_MS,
  expiresAt,
  ifMatch,
  lockingOrder,
  type PricingContext,
} from './state.ts';

/** What every call of a cart brings along. */
export interface CartRequest {
  readonly token: string;
  readonly shop: PricingContext;
  /** Whose session came with the request: the cart's own customer sees more. */
  readonly customerId: number | null;
  /** The header `If-Match`. */
  readonly ifMatch: string | null;
  readonly refresh: FreshOffers | null;
  /** The order of which the caller has just seen that it stands: its lock holds. */
  readonly orderStands: string | null;
  /** The Idempotency-Key with its application, method and path, and what it was used with. */
  readonly once: {
    readonly key: string;
    readonly fingerprint: string;
    /** The key was applied to a cart that was merged into this one: it only shows what there is. */
    readonly applied?: boolean;
  } | null;
}

/** A cart as it is sent: JSON, and its entity tag. */
export interface ShownCart {
  readonly body: string;
  readonly etag: string;
}

/** The cart was merged into the one with this id. */
export interface MergedInto {
  readonly ok: false;
  readonly movedTo: string;
  /** The visit's key was applied before the merge. */
  readonly applied?: boolean;
}

/** Why a cart could not answer yet; asked again with what it names, it will. */
export type Retry =
  | { readonly ok: false; readonly needs: RepriceNeeds }
  | MergedInto
  /** An order locks the cart: whether it stands has to be looked up before the lock is believed. */
  | { readonly ok: false; readonly lockedBy: string }
  /** The key's cart exists, and the key is older than 24 hours: it means another cart now. */
  | { readonly ok: false; readonly spent: true };

/** The cart. An edit that makes a reservation void says so, by the version that counts now. */
export interface ShownReply {
  readonly ok: true;
  readonly cart: ShownCart;
  readonly releases?: number;
  readonly replayed?: boolean;
}

/** A refusal; one that is kept for an Idempotency-Key says so when it is given again. */
export type RefusedReply = Failed & { readonly replayed?: boolean };

/** What a cart answers to a visit. */
export type CartReply = ShownReply | RefusedReply | Retry;

/** A cart that lets somebody in: as it was, and with what has happened since. */
export interface AdmittedCart {
  readonly ok: true;
  readonly before: CartState;
  readonly state: CartState;
}

/** Whether a cart is there at all: 404, 410, or where it went. */
export function present(state: CartState | null, at: number): Failed | MergedInto | null {
  if (!state || at >= expiresAt(state) + EXPIRED_RETENTION_MS) return fail('cart_not_found');
  if (at >= expiresAt(state)) return fail('cart_expired');
  return state.head.movedTo === null ? null : { ok: false, movedTo: state.head.movedTo };
}

/**
 * Lets a visit in, in the contract's order: 404, 412, 410, 409. Prices that are older than the visit's
 * catalogue version (or, with `fresh`, any) have to come with it.
 */
export function checkPreconditions(
  state: CartState | null,
  visit: CartRequest,
  at: number,
  wants: { readonly edit: boolean; readonly fresh?: boolean },
): AdmittedCart | Failed | Retry {
  const absent = present(state, at);
  if (!state || (absent && 'failure' in absent && absent.failure.code === 'cart_not_found')) {
    return absent ?? fail('cart_not_found');
  }
  if (absent && 'movedTo' in absent) return absent;
  if (wants.edit && !ifMatch(visit.ifMatch, state)) return fail('precondition_failed');
  if (absent) return absent;
  const order = lockingOrder(state, at);
  if (wants.edit && order) {
    const known = order.state === 'placing' || visit.orderStands === order.id;
    if (!known) return { ok: false, lockedBy: order.id };
    return fail('cart_locked', { details: { order_id: order.id } });
  }
  // What is ordered costs what it cost.
  if (order) return { ok: true, before: state, state };
  const now = withPricingContext(withExpiredRemoved(state, at), visit.shop);
  const { refresh } = visit;
  if (refresh && covers(refresh, now))
    return { ok: true, before: state, state: withFreshOffers(now, refresh) };
  if (wants.fresh || isStale(now, visit.shop.version)) return { ok: false, needs: repriceNeeds(now) };
  return { ok: true, before: state, state: now };
}
