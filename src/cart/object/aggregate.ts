import { now } from '../../kernel/core/clock.ts';
import type { Failed } from '../../kernel/core/result.ts';
import { bodyOf, viewerOf } from '../pricing/body.ts';
import { priceCart } from '../pricing/cart-promotions.ts';
import { explainCart } from '../pricing/explain.ts';
import type { Viewer } from '../pricing/present.ts';
import { shippingMethodsOf } from '../pricing/shipping.ts';
import { countWrongCode, releasesOf, withNextVersion } from './edits/edits.ts';
import { mergeCart, withNextLine, withNotMerged } from './edits/merge.ts';
import {
  type AdmittedCart,
  admit,
  type Conditions,
  checkPreconditions,
  repriceNeeds,
} from './edits/preconditions.ts';
import { applySteps, namedLine } from './edits/steps.ts';
import { entryOf, type HistoryOperation, operationsOf, presentHistory } from './history.ts';
import type {
  CartMerge,
  CartReply,
  CartRequest,
  CartSteps,
  LockedByOrder,
  MergedInto,
  NeedsOffers,
  ReportKind,
  ReportReply,
  ShownCart,
  TakeReply,
} from './messages.ts';
import { earlierReply, storeReply } from './replies.ts';
import { type CartState, emptyCart, etagOf, lockingOrder } from './state.ts';
import { StoredCart } from './stored-cart.ts';

/**
 * Returns the retry for a shortage of stock that was found in cached offers; null for other failures, and for what is
 * sold out: coming back is seen at once, and everybody asks for it.
 */
function needsCurrentStock(
  { failure: { code, details } }: Failed,
  state: CartState,
  { stockIsCurrent }: CartRequest,
): NeedsOffers | null {
  const isShort = code === 'insufficient_stock' && details?.available !== 0;
  if (!isShort && code !== 'slot_unavailable') return null;
  // Absent from the request of an earlier release, which can't look again.
  return stockIsCurrent === false ? { ok: false, needs: repriceNeeds(state), current: true } : null;
}

/** The last rendering of the cart. */
interface RenderedCart {
  readonly state: CartState;
  readonly viewer: Viewer;
  readonly cart: ShownCart;
}

/** What requests do to one cart. No method awaits I/O, so each call is atomic. */
export class CartAggregate extends StoredCart {
  private rendered: RenderedCart | null = null;
  /** Another number after each merge into this cart, also one that changes nothing, and after a restart of the object. */
  takes = Math.random();

  /** Returns the reply to an earlier request with the same key, or null if the request is to be executed. */
  private earlierReply(request: CartRequest): CartReply | null {
    if (!request.idempotency) return null;
    // Checked before the lookup: a newer version may store replies in another format.
    this.assertReadable();
    return earlierReply(this.store.replies, request.idempotency, () => this.current(request));
  }

  /** Whether an order of the cart is only about to be placed, which may come to nothing. */
  private get isBeingOrdered(): boolean {
    const { state } = this;
    return state !== null && lockingOrder(state, now())?.state === 'placing';
  }

  /** Stores a reply under the request's key, if it has one. Returns the reply. */
  private keepReply({ idempotency, agent }: CartRequest, reply: CartReply): CartReply {
    // Agents repeat a request with its key, also after a failure that passes.
    if (agent !== undefined && !reply.ok && this.isBeingOrdered) return reply;
    if (idempotency && storeReply(this.store.replies, idempotency, reply)) this.schedule();
    return reply;
  }

  /**
   * Returns the cart, priced at the request's catalogue version or a newer one; with an idempotency key the reply that
   * was stored for it. With `keep`, stores the reply.
   */
  read(request: CartRequest, keep: boolean): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    const reply = this.current(request);
    return keep ? this.keepReply(request, reply) : reply;
  }

  private current(request: CartRequest): CartReply {
    const entered = this.enter(request, { edit: false });
    return entered.ok ? this.show(entered.state, request) : entered;
  }

  /** Checks a request's preconditions and returns the cart at current prices. */
  private enter(
    request: CartRequest,
    conditions: Pick<Conditions, 'edit' | 'lineId'>,
  ): AdmittedCart | Failed | MergedInto | LockedByOrder | NeedsOffers {
    const at = now();
    const found = checkPreconditions(this.state, { ...request, ...conditions }, at);
    return found.ok ? admit(found.before, request, at) : found;
  }

  /** Creates the cart with a first edit. `keyExpired` if it exists: its key is older than 24 hours. */
  create(request: CartRequest, currency: string, edits: CartSteps): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    if (this.state) return { ok: false, keyExpired: true };
    const at = now();
    const empty = emptyCart(request, currency, at);
    const made = applySteps(empty, edits, at);
    if (!made.ok) return needsCurrentStock(made, empty, request) ?? this.keepReply(request, made);
    const shown = this.show(made.value, request);
    const operations: HistoryOperation[] = [{ op: 'create' }, ...edits.steps.flatMap(operationsOf)];
    this.record(made.value, request, operations);
    return this.keepReply(request, shown);
  }

  /** Makes edits as a new version. A failure still stores new prices, and counts a wrong coupon code. */
  edit(request: CartRequest, edits: CartSteps): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    const entered = this.enter(request, { edit: true, lineId: namedLine(edits) });
    if (!entered.ok) return this.keepReply(request, entered);
    const at = now();
    const { before, state } = entered;
    const changed = applySteps(state, edits, at);
    if (!changed.ok) {
      const retry = needsCurrentStock(changed, state, request);
      if (retry) return retry;
      this.put(countWrongCode(state, changed.failure, at));
      return this.keepReply(request, changed);
    }
    const isSame = changed.value === state;
    const after = isSame ? state : withNextVersion(changed.value, before, at);
    const shown = this.show(after, request);
    if (isSame) return this.keepReply(request, shown);
    this.record(after, request, edits.steps.flatMap(operationsOf));
    return this.keepReply(request, { ...shown, ...releasesOf(before, after) });
  }

  /** Merges another cart into this one. The new total does not count as seen. */
  take(request: CartRequest, merge: CartMerge): TakeReply {
    const entered = this.enter(request, { edit: true });
    if (!entered.ok) return entered;
    this.takes = Math.random();
    const at = now();
    const { before } = entered;
    const state = withNextLine(entered.state, merge);
    const { merged, notMerged } = mergeCart(state, merge, at);
    if (merged === state) {
      const noted = notMerged ? withNotMerged(state, notMerged) : state;
      if (noted !== entered.state) this.put(noted);
      return { ok: true };
    }
    const after = this.put(withNotMerged(withNextVersion(merged, before, at), notMerged));
    this.record(after, request, [{ op: 'merge' }]);
    return { ok: true, ...releasesOf(before, after) };
  }

  /** Records what made this version, with its totals. */
  private record(
    state: CartState,
    { applicationId: application }: CartRequest,
    operations: readonly HistoryOperation[],
  ): void {
    this.store.history.add(state.head.version, entryOf({ application, operations }, priceCart(state).totals));
  }

  /** Returns the history, or at current prices the explanation of the totals or the shipping methods, as JSON. */
  report(request: CartRequest, kind: ReportKind): ReportReply {
    const entered = this.enter(request, { edit: false });
    if (!entered.ok) return entered;
    return { ok: true, report: JSON.stringify(this.reportOn(entered.state, kind)) };
  }

  private reportOn(state: CartState, kind: ReportKind): object {
    switch (kind) {
      case 'history':
        return presentHistory(this.store.history.list(), state.head.currency);
      case 'explain':
        return explainCart(state, now());
      case 'shipping-methods':
        return shippingMethodsOf(state);
    }
  }

  /** Stores and renders a state; its total counts as seen by the shopper. */
  show(
    next: CartState,
    request: Pick<CartRequest, 'customerId' | 'agent'>,
  ): { readonly ok: true; readonly cart: ShownCart } {
    const viewer = viewerOf(next, request);
    if (this.rendered?.state !== next || this.rendered.viewer !== viewer) {
      const traced = priceCart(next);
      const seen = traced.totals.grandTotal;
      const state = this.put(seen === next.head.seen ? next : { ...next, head: { ...next.head, seen } });
      const body = bodyOf(state, viewer, traced);
      this.rendered = { state, viewer, cart: { body, etag: etagOf(state, body) } };
    }
    return { ok: true, cart: this.rendered.cart };
  }
}
