import { DAY, MINUTE, now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { bodyOf } from '../pricing/body.ts';
import { abandonedAt } from './abandonment.ts';
import { unavailability } from './edits/preconditions.ts';
import { type CartState, EXPIRED_RETENTION_MS, expiresAt, tombstone } from './state.ts';
import { parseContent } from './storage/cart-content.ts';
import { CartStore, NewerFormat } from './storage/cart-store.ts';

/** Returns the edited cart, the same state if nothing changes, or a failure. */
export type CartEdit = (state: CartState, at: number) => Result<CartState>;

/**
 * Returns when a cart next needs its alarm (ms): when it expires, is to be deleted, or counts as abandoned, which is
 * reported after `reportsAfter` only.
 */
function dueAt(state: CartState, reportsAfter: number): number {
  const at = now();
  const until = expiresAt(state);
  const due = until <= at ? until + EXPIRED_RETENTION_MS : until;
  return Math.min(due, Math.max(abandonedAt(state, at), reportsAfter));
}

/** The alarm of one Cart object, which goes off once, at the earliest time that it was set to. */
class CartAlarm {
  private at = Number.POSITIVE_INFINITY;

  constructor(private readonly storage: DurableObjectStorage) {}

  /** Sets the alarm to a time (ms), unless it is set to an earlier one. */
  setBy(at: number): void {
    if (at >= this.at) return;
    this.at = at;
    void this.storage.setAlarm(at);
  }

  /** Records that the alarm went off, so that it can be set anew. */
  wentOff(): void {
    this.at = Number.POSITIVE_INFINITY;
  }
}

/** One cart in memory and storage, with its alarm. But for the alarm's, no method awaits I/O. */
export class StoredCart {
  private stored: CartState | null;
  protected store: CartStore;
  private readonly alarm: CartAlarm;

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

  protected assertReadable(): void {
    if (this.store.newer) throw new NewerFormat();
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
  protected schedule(): void {
    const due = this.state ? dueAt(this.state, this.reportsAfter) : Number.POSITIVE_INFINITY;
    this.alarm.setBy(Math.min(due, this.store.replies.expireAt()));
  }
}
