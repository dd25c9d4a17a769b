import { DAY, now } from '../../kernel/core/clock.ts';
import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { type Failed, fail, type Result } from '../../kernel/core/result.ts';
import { isReplayable } from '../../kernel/http/idempotency.ts';
import { withNextVersion } from './edits.ts';
import type {
  CartReply,
  CartRequest,
  LockedByOrder,
  MergedInto,
  NeedsOffers,
  ShownCart,
  ShownReply,
} from './messages.ts';
import { type AdmittedCart, admit, checkPreconditions, unavailability } from './preconditions.ts';
import { type CartBill, presentCart, priceCart } from './present.ts';
import { type CartState, EXPIRED_RETENTION_MS, emptyCart, etagOf, expiresAt, tombstone } from './state.ts';
import { CartStore, NewerFormat } from './store.ts';

/** Returns the edited cart, the same state if nothing changes, or a failure. */
export type CartEdit = (state: CartState, at: number) => Result<CartState>;
/** Returns the state to store after a failed edit. */
type OnFailure = (state: CartState, failure: Failure, at: number) => CartState;

const bodyOf = (state: CartState, mine: boolean, bill: CartBill = priceCart(state, now())): string =>
  JSON.stringify(presentCart(state, bill, mine));

/** Returns the version before which reservations must be released, if the edit invalidated one. */
export const releasesOf = (before: CartState, after: CartState) =>
  before.head.reserved ? { releases: after.head.version } : {};

/** A stored reply; its cart may have been dropped. */
type ParsedReply = (Omit<ShownReply, 'cart'> & Partial<Pick<ShownReply, 'cart'>>) | Failed;

const TOO_MANY_KEYS = 'Too many Idempotency-Keys were used on this cart within 24 hours.';

/** Returns whether a reply is stored for its key. */
function isStorable(reply: CartReply): boolean {
  if (reply.ok) return true;
  if (!('failure' in reply)) return false;
  const [status] = ERRORS[reply.failure.code];
  return isReplayable(status);
}

/** One cart in memory and storage, with its alarm. No method awaits I/O, so each call is atomic. */
export class CartAggregate {
  private current: CartState | null;
  private store: CartStore;
  private alarmAt = Number.POSITIVE_INFINITY;
  private rendered: { state: CartState; mine: boolean; body: string } | null = null;

  constructor(private readonly storage: DurableObjectStorage) {
    this.store = new CartStore(storage);
    this.current = this.store.load();
  }

  /** The cart, or null if there is none. Throws {@link NewerFormat}; every call reads it. */
  get state(): CartState | null {
    this.assertReadable();
    return this.current;
  }

  private assertReadable(): void {
    if (this.store.newer) throw new NewerFormat();
  }

  /**
   * Returns the reply stored for the request's key, or null if the request is to be executed. If the stored
   * cart was dropped for its size, returns the current cart. `rate_limited` at the limit of keys.
   */
  private earlierReply(request: CartRequest): CartReply | null {
    const { idempotency } = request;
    if (!idempotency) return null;
    // Checked before the lookup: a newer version may store replies in another format.
    this.assertReadable();
    const kept = this.store.reply(idempotency.key);
    if (kept && kept.fingerprint !== idempotency.fingerprint) return fail('idempotency_key_reused');
    // Written by keepReply(); the cart may have been dropped since.
    if (kept) return this.replay(request, JSON.parse(kept.reply) as ParsedReply);
    if (idempotency.applied) return this.reread(request);
    const blockedMs = this.store.blockedForMs();
    if (blockedMs <= 0) return null;
    return fail('rate_limited', { message: TOO_MANY_KEYS, retryAfter: Math.ceil(blockedMs / 1000) });
  }

  /** Stores a reply under the request's key for 24 hours. Returns the reply. */
  private keepReply({ idempotency }: CartRequest, reply: CartReply): CartReply {
    if (!idempotency || !isStorable(reply)) return reply;
    this.store.saveReply(idempotency.key, {
      fingerprint: idempotency.fingerprint,
      reply: JSON.stringify(reply),
    });
    this.schedule();
    return reply;
  }

  private replay(request: CartRequest, kept: ParsedReply): CartReply {
    if (!kept.ok) return { ...kept, replayed: true };
    const { cart, ...rest } = kept;
    if (cart) return { ...rest, cart, replayed: true };
    const reply = this.reread(request);
    if (reply.ok) return { ...rest, ...reply };
    return 'movedTo' in reply ? { ...reply, applied: true } : reply;
  }

  /** Returns the current cart for a key that was applied before. */
  private reread(request: CartRequest): CartReply {
    const reply = this.read(request);
    return reply.ok ? { ...reply, replayed: true } : reply;
  }

  /** Returns the cart, priced at the request's catalogue version or a newer one. */
  read(request: CartRequest): CartReply {
    const entered = this.enter(request, { edit: false });
    return entered.ok ? this.show(entered.state, request.customerId) : entered;
  }

  /** Checks a request's preconditions and returns the cart at current prices. */
  enter(
    request: CartRequest,
    { edit }: { readonly edit: boolean },
  ): AdmittedCart | Failed | MergedInto | LockedByOrder | NeedsOffers {
    const at = now();
    const { ifMatch, verifiedOrder } = request;
    const found = checkPreconditions(this.state, { edit, ifMatch, verifiedOrder }, at);
    return found.ok ? admit(found.before, request, at) : found;
  }

  /** Creates the cart with a first edit. `keyExpired` if it exists: its key is older than 24 hours. */
  create(request: CartRequest, currency: string, change: CartEdit): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    if (this.state) return { ok: false, keyExpired: true };
    const at = now();
    const made = change(emptyCart(request, currency, at), at);
    return this.keepReply(request, made.ok ? this.show(made.value, request.customerId) : made);
  }

  /** Applies an edit as a new version. A failed edit still stores new prices and `onFailure`'s state. */
  edit(request: CartRequest, change: CartEdit, onFailure: OnFailure = (state) => state): CartReply {
    const earlier = this.earlierReply(request);
    if (earlier) return earlier;
    const entered = this.enter(request, { edit: true });
    if (!entered.ok) return this.keepReply(request, entered);
    const at = now();
    const { before, state } = entered;
    const changed = change(state, at);
    if (!changed.ok) {
      this.put(onFailure(state, changed.failure, at));
      return this.keepReply(request, changed);
    }
    const isSame = changed.value === state;
    const after = isSame ? state : withNextVersion(changed.value, before, at);
    const shown = this.show(after, request.customerId);
    return this.keepReply(request, isSame ? shown : { ...shown, ...releasesOf(before, after) });
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
  show(next: CartState, customerId: number | null): { readonly ok: true; readonly cart: ShownCart } {
    const mine = customerId !== null && customerId === next.head.customerId;
    if (this.rendered?.state !== next || this.rendered.mine !== mine) {
      const bill = priceCart(next, now());
      const seen = bill.totals.grandTotal;
      const state = this.put(seen === next.head.seen ? next : { ...next, head: { ...next.head, seen } });
      this.rendered = { state, mine, body: bodyOf(state, mine, bill) };
    }
    const { state, body } = this.rendered;
    return { ok: true, cart: { body, etag: etagOf(state, mine) } };
  }

  /** Stores a state; changes the ETag if the rendering changed. Returns the stored state. */
  put(next: CartState): CartState {
    const before = this.state;
    if (next === before) return next;
    const other =
      before && (before.head.version !== next.head.version || bodyOf(before, true) !== bodyOf(next, true));
    const after = other ? { ...next, head: { ...next.head, shown: before.head.shown + 1 } } : next;
    this.store.save(before, after);
    this.current = after;
    this.schedule();
    return after;
  }

  /** Drops the carts from stored replies, and with them personal data. */
  dropReplyCarts(): void {
    this.store.dropReplyCarts();
  }

  /** Deletes old replies, empties an expired cart, and deletes it 30 days after expiry. */
  async onAlarm(): Promise<void> {
    this.alarmAt = Number.POSITIVE_INFINITY;
    const at = now();
    if (this.store.newer) return this.wake(at + DAY);
    this.store.pruneReplies();
    const { state } = this;
    const until = state ? expiresAt(state) : Number.NEGATIVE_INFINITY;
    if (at >= until + EXPIRED_RETENTION_MS && this.store.repliesExpireAt() === Number.POSITIVE_INFINITY) {
      await this.storage.deleteAll();
      this.store = new CartStore(this.storage);
      this.current = null;
      return;
    }
    if (state && at >= until) {
      this.store.deleteReplies();
      if (state.head.expired === null) this.put(tombstone(state));
    }
    this.schedule();
  }

  /** Sets the alarm to the next expiry, unless an earlier one is set. */
  private schedule(): void {
    const { state } = this;
    const until = state ? expiresAt(state) : Number.POSITIVE_INFINITY;
    const due = until <= now() ? until + EXPIRED_RETENTION_MS : until;
    const next = Math.min(due, this.store.repliesExpireAt());
    if (next < this.alarmAt) this.wake(next);
  }

  private wake(at: number): void {
    this.alarmAt = at;
    void this.storage.setAlarm(at);
  }
}
