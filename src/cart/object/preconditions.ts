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

/** The input that every cart operation shares. */
export interface CartRequest {
  readonly token: string;
  readonly context: PricingContext;
  /** The session's customer; the cart's owner also sees contact data. */
  readonly customerId: number | null;
  /** The `If-Match` header. */
  readonly ifMatch: string | null;
  readonly refresh: FreshOffers | null;
  /** The order that the caller has just verified to be active: its lock holds. */
  readonly verifiedOrder: string | null;
  /** Digests of the Idempotency-Key (with application, method, path) and of the request's content. */
  readonly idempotency: {
    readonly key: string;
    readonly fingerprint: string;
    /** Set if the key was applied to a cart merged into this one: the cart is returned unchanged. */
    readonly applied?: boolean;
  } | null;
}

/** A rendered cart: JSON and its ETag. */
export interface ShownCart {
  readonly body: string;
  readonly etag: string;
}

/** The redirect of a cart that was merged into another. */
export interface MergedInto {
  readonly ok: false;
  readonly movedTo: string;
  /** Whether the request's key was applied before the merge. */
  readonly applied?: boolean;
}

/** Why the caller must retry, with what it must supply. */
export type Retry =
  | { readonly ok: false; readonly needs: RepriceNeeds }
  | MergedInto
  /** An order locks the cart; the caller must verify that the order is active. */
  | { readonly ok: false; readonly lockedBy: string }
  /** The key's cart exists and the key is older than 24 hours: the key now creates another cart. */
  | { readonly ok: false; readonly keyExpired: true };

/** The cart. `releases` is set if an edit invalidated reservations: those of earlier versions. */
export interface ShownReply {
  readonly ok: true;
  readonly cart: ShownCart;
  readonly releases?: number;
  readonly replayed?: boolean;
}

/** A failure; `replayed` if it was stored for the Idempotency-Key. */
export type RefusedReply = Failed & { readonly replayed?: boolean };

/** The result of a cart operation. */
export type CartReply = ShownReply | RefusedReply | Retry;

/** A cart that passed the preconditions: as stored, and with fresh offers, settings and expiries. */
export interface AdmittedCart {
  readonly ok: true;
  readonly before: CartState;
  readonly state: CartState;
}

/** Returns why a cart is not available: 404, 410 or a redirect; null if it is. */
export function present(state: CartState | null, at: number): Failed | MergedInto | null {
  if (!state || at >= expiresAt(state) + EXPIRED_RETENTION_MS) return fail('cart_not_found');
  if (at >= expiresAt(state)) return fail('cart_expired');
  return state.head.movedTo === null ? null : { ok: false, movedTo: state.head.movedTo };
}

/**
 * Checks the preconditions in the contract's order: 404, 412, 410, 409. Prices older than the request's
 * catalogue version (with `fresh`, all prices) must come with the request.
 */
export function checkPreconditions(
  state: CartState | null,
  request: CartRequest,
  at: number,
  wants: { readonly edit: boolean; readonly fresh?: boolean },
): AdmittedCart | Failed | Retry {
  const absent = present(state, at);
  if (!state || (absent && 'failure' in absent && absent.failure.code === 'cart_not_found')) {
    return absent ?? fail('cart_not_found');
  }
  if (absent && 'movedTo' in absent) return absent;
  if (wants.edit && !ifMatch(request.ifMatch, state)) return fail('precondition_failed');
  if (absent) return absent;
  const order = lockingOrder(state, at);
  if (wants.edit && order) {
    const known = order.state === 'placing' || request.verifiedOrder === order.id;
    if (!known) return { ok: false, lockedBy: order.id };
    return fail('cart_locked', { details: { order_id: order.id } });
  }
  // An ordered cart keeps its prices.
  if (order) return { ok: true, before: state, state };
  const now = withPricingContext(withExpiredRemoved(state, at), request.context);
  const { refresh } = request;
  if (refresh && covers(refresh, now))
    return { ok: true, before: state, state: withFreshOffers(now, refresh) };
  if (wants.fresh || isStale(now, request.context.version)) return { ok: false, needs: repriceNeeds(now) };
  return { ok: true, before: state, state: now };
}
