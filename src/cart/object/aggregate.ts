import { DAY, now } from '../../kernel/core/clock.ts';
import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { type Failed, fail, type Result } from '../../kernel/core/result.ts';
import { isReplayable } from '../../kernel/http/idempotency.ts';
import { withNextVersion } from './edits.ts';
import { NewerFormat } from './format.ts';
import {
  type CartReply,
  type CartRequest,
  checkPreconditions,
  present,
  type ShownCart,
  type ShownReply,
} from './preconditions.ts';
import { presentCart } from './present.ts';
import { type CartState, EXPIRED_RETENTION_MS, etagOf, expiresAt, tombstone } from './state.ts';
import { CartStore } from './store.ts';
import { type CartBill, priceCart } from './totals.ts';

/** What an edit makes of a cart, or why it can't. */
export type CartEdit = (state: CartState, at: number) => Result<CartState>;
/** What a refused edit leaves behind. */
type OnFailure = (state: CartState, failure: Failure, at: number) => CartState;

const bodyOf = (state: CartState, mine: boolean, bill: CartBill = priceCart(state, now())): string =>
  JSON.stringify(presentCart(state, bill, mine));

/** The version whose predecessors' stock has to be given back after an edit, where any was kept. */
export const releasesOf = (before: CartState, after: CartState) =>
  before.head.reserved ? { releases: after.head.version } : {};

/** An answer as it is kept: the cart in it may have been dropped. */
type KeptReply = (Omit<ShownReply, 'cart'> & Partial<Pick<ShownReply, 'cart'>>) | Failed;

const TOO_MANY_KEYS = 'This cart was changed with too many Idempotency-Keys in a day.';

/** Whether the answer to a key is kept. */
function keeps(reply: CartReply): boolean {
  if (reply.ok) return true;
  if (!('failure' in reply)) return false;
  const [status] = ERRORS[reply.failure.code];
  return isReplayable(status);
}

/** Holds one cart in memory and on disk, and sees to its alarm. It never waits, so each call is one step. */
export class CartAggregate {
  private current: CartState | null;
  private store: CartStore;
  private alarmAt = Number.POSITIVE_INFINITY;
  private rendered: { state: CartState; mine: boolean; body: string } | null = null;

  constructor(private readonly storage: DurableObjectStorage) {
    this.store = new CartStore(storage);
    this.current = this.store.load();
  }

  /** The cart, null where there is none. Throws {@link NewerFormat}: every call goes by this. */
  get state(): CartState | null {
    this.refuseNewer();
    return this.current;
  }

  private refuseNewer(): void {
    if (this.store.newer) throw new NewerFormat();
  }

  /**
   * Answers a key what it was answered before, else what `run` answers, and keeps that for 24 hours. Where the
   * answer was dropped for its size, the cart as it is now. `rate_limited` when the cart keeps too many keys.
   */
  once(visit: CartRequest, run: () => CartReply): CartReply {
    const { once } = visit;
    if (!once) return run();
    // Before any answer is looked up: a newer version may keep them in another form.
    this.refuseNewer();
    const kept = this.store.answer(once.key);
    if (kept && kept.fingerprint !== once.fingerprint) return fail('idempotency_key_reused');
    // Kept below, as this very type; without its cart where that was dropped.
    if (kept) return this.replay(visit, JSON.parse(kept.reply) as KeptReply);
    if (once.applied) return this.reread(visit);
    const full = this.store.fullFor();
    if (full > 0) return fail('rate_limited', { message: TOO_MANY_KEYS, retryAfter: Math.ceil(full / 1000) });
    const reply = run();
    if (!keeps(reply)) return reply;
    this.store.keep(once.key, { fingerprint: once.fingerprint, reply: JSON.stringify(reply) });
    this.schedule();
    return reply;
  }

  private replay(visit: CartRequest, kept: KeptReply): CartReply {
    if (!kept.ok) return { ...kept, replayed: true };
    const { cart, ...rest } = kept;
    if (cart) return { ...rest, cart, replayed: true };
    const reply = this.reread(visit);
    if (reply.ok) return { ...rest, ...reply };
    return 'movedTo' in reply ? { ...reply, applied: true } : reply;
  }

  /** The cart as it is now, for a key that was applied before. */
  private reread(visit: CartRequest): CartReply {
    const entered = checkPreconditions(this.state, visit, now(), { edit: false });
    return entered.ok ? { ...this.show(entered.state, visit), replayed: true } : entered;
  }

  /** Makes an edit, one version on. Failed, it leaves prices that moved, and what `aftermath` says. */
  edit(visit: CartRequest, change: CartEdit, aftermath: OnFailure = (state) => state): CartReply {
    return this.once(visit, () => {
      const at = now();
      const entered = checkPreconditions(this.state, visit, at, { edit: true });
      if (!entered.ok) return entered;
      const { before, state } = entered;
      const changed = change(state, at);
      if (!changed.ok) {
        this.put(aftermath(state, changed.failure, at));
        return changed;
      }
      if (changed.value === state) return this.show(state, visit);
      const after = withNextVersion(changed.value, before, at);
      return { ...this.show(after, visit), ...releasesOf(before, after) };
    });
  }

  /** Changes the cart, if it is there, without pricing or showing it. */
  update(change: CartEdit): Result<CartState> {
    const at = now();
    const absent = present(this.state, at);
    if (!this.state || absent) return absent && 'failure' in absent ? absent : fail('cart_not_found');
    const changed = change(this.state, at);
    if (changed.ok) this.put(changed.value);
    return changed;
  }

  /** Keeps a state and renders it: its total counts as seen. */
  show(next: CartState, visit: CartRequest): { readonly ok: true; readonly cart: ShownCart } {
    const mine = visit.customerId !== null && visit.customerId === next.head.customerId;
    if (this.rendered?.state !== next || this.rendered.mine !== mine) {
      const bill = priceCart(next, now());
      const seen = bill.totals.grandTotal;
      const state = this.put(seen === next.head.seen ? next : { ...next, head: { ...next.head, seen } });
      this.rendered = { state, mine, body: bodyOf(state, mine, bill) };
    }
    const { state, body } = this.rendered;
    return { ok: true, cart: { body, etag: etagOf(state, mine) } };
  }

  /** Keeps a state; its entity tag moves if it looks another way. Answers it is kept. */
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

  /** Drops what the kept answers show of the cart, and of whose it was. */
  dropBodies(): void {
    this.store.dropBodies();
  }

  /** Forgets old answers, buries the cart when it has expired, and forgets it a month later. */
  async retire(): Promise<void> {
    this.alarmAt = Number.POSITIVE_INFINITY;
    const at = now();
    if (this.store.newer) return this.wake(at + DAY);
    this.store.pruneAnswers();
    const { state } = this;
    const until = state ? expiresAt(state) : Number.NEGATIVE_INFINITY;
    if (at >= until + EXPIRED_RETENTION_MS && this.store.answersEnd() === Number.POSITIVE_INFINITY) {
      await this.storage.deleteAll();
      this.store = new CartStore(this.storage);
      this.current = null;
      return;
    }
    if (state && at >= until) {
      this.store.forgetAnswers();
      if (state.head.expired === null) this.put(tombstone(state));
    }
    this.schedule();
  }

  /** Wakes the object when something of it is due, unless it wakes sooner anyway. */
  private schedule(): void {
    const { state } = this;
    const until = state ? expiresAt(state) : Number.POSITIVE_INFINITY;
    const due = until <= now() ? until + EXPIRED_RETENTION_MS : until;
    const next = Math.min(due, this.store.answersEnd());
    if (next < this.alarmAt) this.wake(next);
  }

  private wake(at: number): void {
    this.alarmAt = at;
    void this.storage.setAlarm(at);
  }
}
