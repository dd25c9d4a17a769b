import { DAY, MINUTE, now } from '../../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TracedTotals } from '../../pricing/index.ts';
import { presentAgentCart } from '../agent/present.ts';
import { priceCart } from '../pricing/cart-promotions.ts';
import { explainCart } from '../pricing/explain.ts';
import { presentCart, type RenderedCart, type Viewer } from '../pricing/present.ts';
import { shippingMethodsOf } from '../pricing/shipping.ts';
import { abandonedAt } from './abandonment.ts';
import { CartAlarm, dueAt } from './alarm.ts';
import { countWrongCode, releasesOf, withNextVersion } from './edits.ts';
import {
  entryOf,
  type HistoryOperation,
  operationsOf,
  presentHistory,
  type VersionOrigin,
} from './history.ts';
import type {
  CartReply,
  CartRequest,
  CartSteps,
  LockedByOrder,
  MergedInto,
  NeedsOffers,
  ReportKind,
  ReportReply,
  ShownCart,
} from './messages.ts';
import { type AdmittedCart, admit, checkPreconditions, unavailability } from './preconditions.ts';
import { earlierReply, storeReply } from './replies.ts';
import { type CartState, EXPIRED_RETENTION_MS, emptyCart, etagOf, expiresAt, tombstone } from './state.ts';
import { applySteps } from './steps.ts';
import { parseContent } from './storage/cart-content.ts';
import { CartStore, NewerFormat } from './storage/cart-store.ts';

/** Returns the edited cart, the same state if nothing changes, or a failure. */
export type CartEdit = (state: CartState, at: number) => Result<CartState>;

const bodyOf = (state: CartState, viewer: Viewer, bill: TracedTotals = priceCart(state)): string =>
  JSON.stringify(
    viewer === 'agent' ? presentAgentCart(state, bill) : presentCart(state, bill, viewer === 'owner'),
  );

/** Returns for whom a cart is rendered. */
const viewerOf = (
  { head }: CartState,
  { customerId, agent }: Pick<CartRequest, 'customerId' | 'agent'>,
): Viewer =>
  agent !== undefined ? 'agent' : customerId !== null && customerId === head.customerId ? 'owner' : 'anyone';

/** One cart in memory and storage, with its alarm. No method awaits I/O, so each call is atomic. */
export class CartAggregate {
  private stored: CartState | null;
  private store: CartStore;
  private readonly alarm: CartAlarm;
  private rendered: RenderedCart | null = null;

  /** Before this time (ms), an abandoned cart is not reported again after a failure. */
  private reportsAfter = 0;

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly tenantId: number | null,
  ) {
    this.alarm = new CartAlarm(storage);
    this.store = new CartStore(storage);
    this.stored = this.store.load();
  }

  /** The cart, or null if there is none. Throws {@link NewerFormat}; every call reads it. */
  get state(): CartState | null {
    this.assertReadable();
    return this.stored;
  }

  private assertReadable(): void {
    if (this.store.newer) throw new NewerFormat();
  }

  /** Returns the reply to an earlier request with the same key, or null if the request is to be executed. */
  private earlierReply(request: CartRequest): CartReply | null {
    if (!request.idempotency) return null;
    // Checked before the lookup: a newer version may store replies in another format.
    this.assertReadable();
    return earlierReply(this.store.replies, request.idempotency, () => this.current(request));
  }

  /** Stores a reply under the request's key, if it has one. Returns the reply. */
  private keepReply({ idempotency }: CartRequest, reply: CartReply): CartReply {
    if (idempotency && storeReply(this.store.replies, idempotency, reply)) this.schedule();
    return reply;
  }

  /**
   * Returns the cart, priced at the request's catalogue version or a newer one; with an idempotency key the reply that
   * was stored for it. With `keep`, stores the reply.
   */
  read(request: CartRequest, keep = false): CartReply {
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
  enter(
    request: CartRequest,
    { edit }: { readonly edit: boolean },
  ): AdmittedCart | Failed | MergedInto | LockedByOrder | NeedsOffers {
    const at = now();
    const found = checkPreconditions(this.state, { ...request, edit }, at);
    return found.ok ? admit(found.before, request, at) : found;
  }

  /** Creates the cart with a first edit. `keyExpired` if it exists: its key is older than 24 hours. */
  create(request: CartRequest, currency: string, edits: CartSteps): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    if (this.state) return { ok: false, keyExpired: true };
    const at = now();
    const made = applySteps(emptyCart(request, currency, at), edits, at);
    if (!made.ok) return this.keepReply(request, made);
    const shown = this.show(made.value, request);
    const operations: HistoryOperation[] = [{ op: 'create' }, ...edits.steps.flatMap(operationsOf)];
    this.record(made.value, { application: request.applicationId, operations });
    return this.keepReply(request, shown);
  }

  /** Makes edits as a new version. A failure still stores new prices, and counts a wrong coupon code. */
  edit(request: CartRequest, edits: CartSteps): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    const entered = this.enter(request, { edit: true });
    if (!entered.ok) return this.keepReply(request, entered);
    const at = now();
    const { before, state } = entered;
    const changed = applySteps(state, edits, at);
    if (!changed.ok) {
      this.put(countWrongCode(state, changed.failure, at));
      return this.keepReply(request, changed);
    }
    const isSame = changed.value === state;
    const after = isSame ? state : withNextVersion(changed.value, before, at);
    const shown = this.show(after, request);
    if (isSame) return this.keepReply(request, shown);
    const operations = edits.steps.flatMap(operationsOf);
    this.record(after, { application: request.applicationId, operations });
    return this.keepReply(request, { ...shown, ...releasesOf(before, after) });
  }

  /** Records what made this version, with its totals. */
  record(state: CartState, made: VersionOrigin): void {
    const { version } = state.head;
    const shown = this.rendered?.version === version ? this.rendered.bill : null;
    this.store.history.add(version, entryOf(made, (shown ?? priceCart(state)).totals));
  }

  /** Returns the history, or at current prices the explanation of the totals or the shipping methods, as JSON. */
  report(request: CartRequest, kind: ReportKind): ReportReply {
    const entered = this.enter(request, { edit: false });
    if (!entered.ok) return entered;
    const { state } = entered;
    const report =
      kind === 'history'
        ? presentHistory(this.store.history.list(), state.head.currency)
        : (kind === 'explain' ? explainCart : shippingMethodsOf)(state, now());
    return { ok: true, report: JSON.stringify(report) };
  }

  /** Changes the cart, if it exists, without pricing or rendering it. */
  update(change: CartEdit): Result<CartState> {
    const at = now();
    const absent = unavailability(this.state, at);
    if (!this.state || absent) return absent && 'failure' in absent ? absent : fail('cart_not_found');
    const changed = change(this.state, at);
    if (changed.ok) this.put(changed.value);
    return changed;
  }

  /** Stores and renders a state; its total counts as seen by the shopper. */
  show(
    next: CartState,
    request: Pick<CartRequest, 'customerId' | 'agent'>,
  ): { readonly ok: true; readonly cart: ShownCart } {
    const viewer = viewerOf(next, request);
    if (this.rendered?.state !== next || this.rendered.viewer !== viewer) {
      const bill = priceCart(next);
      const seen = bill.totals.grandTotal;
      const state = this.put(seen === next.head.seen ? next : { ...next, head: { ...next.head, seen } });
      const { version } = state.head;
      this.rendered = { state, version, viewer, body: bodyOf(state, viewer, bill), bill };
    }
    const { state, body } = this.rendered;
    return { ok: true, cart: { body, etag: etagOf(state, viewer === 'owner') } };
  }

  /** Stores a state; changes the ETag if the rendering changed. Returns the stored state. */
  put(next: CartState): CartState {
    const before = this.state;
    if (next === before) return next;
    const { tenantId } = this;
    if (next.head.tenantId !== tenantId && tenantId !== null) {
      return this.put({ ...next, head: { ...next.head, tenantId } });
    }
    const other =
      before &&
      (before.head.version !== next.head.version || bodyOf(before, 'owner') !== bodyOf(next, 'owner'));
    const after = other ? { ...next, head: { ...next.head, shown: before.head.shown + 1 } } : next;
    this.store.save(before, after);
    this.stored = after;
    this.schedule();
    return after;
  }

  /** Returns the cart if it is abandoned and that is not reported yet; null also for one of a newer format. */
  get abandoned(): CartState | null {
    const at = now();
    const { stored } = this;
    if (this.store.newer || !stored || at < this.reportsAfter) return null;
    return abandonedAt(stored, at) <= at ? stored : null;
  }

  /** Records that the abandoned cart was reported. */
  markAbandoned(): void {
    this.update((state) => ok({ ...state, head: { ...state.head, abandoned: true } }));
  }

  /** Delays the report of the abandoned cart by a minute, since the database can't be reached. */
  postponeReport(): void {
    this.reportsAfter = now() + MINUTE;
  }

  /** Returns the cart as it is stored, as JSON; null if there is none. */
  dump(): string | null {
    return this.state ? this.store.dump() : null;
  }

  /** Stores a cart of another deployment, unless there is one. Returns false for what is not a cart's content. */
  restore(content: string): boolean {
    if (this.state) return true;
    const parsed = parseContent(content);
    if (!parsed) return false;
    this.store.restore(parsed);
    this.stored = this.store.load();
    this.schedule();
    return true;
  }

  /** Drops the carts from stored replies, and with them personal data. */
  dropReplyCarts(): void {
    this.store.replies.dropCarts();
  }

  /** Deletes old replies, empties an expired cart, and deletes it 30 days after expiry. */
  async onAlarm(): Promise<void> {
    this.alarm.wentOff();
    const at = now();
    if (this.store.newer) return this.alarm.setBy(at + DAY);
    this.store.replies.prune();
    const { state } = this;
    const until = state ? expiresAt(state) : Number.NEGATIVE_INFINITY;
    if (at >= until + EXPIRED_RETENTION_MS && this.store.replies.expireAt() === Number.POSITIVE_INFINITY) {
      await this.storage.deleteAll();
      this.store = new CartStore(this.storage);
      this.stored = null;
      return;
    }
    if (state && at >= until) {
      this.store.replies.deleteAll();
      this.store.history.deleteAll();
      if (state.head.expired === null) this.put(tombstone(state));
    }
    this.schedule();
  }

  /** Sets the alarm to the next expiry, unless an earlier one is set. */
  private schedule(): void {
    const due = this.state ? dueAt(this.state, this.reportsAfter) : Number.POSITIVE_INFINITY;
    this.alarm.setBy(Math.min(due, this.store.replies.expireAt()));
  }
}
