import { DurableObject } from 'cloudflare:workers';
import { iso, now } from '../../kernel/core/clock.ts';
import { errorName, log } from '../../kernel/core/log.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import { isCancelled } from '../agent/agent-cart.ts';
import { readCartToken } from '../client/cart-id.ts';
import { priceCart, withRunning } from '../pricing/cart-promotions.ts';
import { presentCart } from '../pricing/present.ts';
import { undeliverable } from '../pricing/shipping.ts';
import { snapshotOf, unsellable } from '../pricing/snapshot.ts';
import type { CartStatus, OrderNotice } from '../snapshot.ts';
import { recordAbandonment } from './abandonment.ts';
import { CartAggregate } from './aggregate.ts';
import {
  checkPreconditions,
  covers,
  repriceNeeds,
  unavailability,
  withCurrentContext,
  withExpiredRemoved,
  withFreshOffers,
} from './edits/preconditions.ts';
import {
  type CartContents,
  type CartMerge,
  type CartReply,
  type CartRequest,
  type CheckoutRequest,
  type FreezeReply,
  type FreezeRequest,
  type FreshOffers,
  type LinesReply,
  type MergedInto,
  parseSteps,
  type ReportKind,
  type ReportReply,
  type TakeReply,
} from './messages.ts';
import {
  assignTo,
  type CartOwner,
  lockedBy,
  lockFor,
  noteOrderStatus,
  noteReservation,
  redirectTo,
  unlockFrom,
  withoutOwner,
} from './ownership.ts';
import { type CartState, lockingOrder } from './state.ts';
import { MergeHolds } from './storage/merge-holds.ts';

/**
 * The Durable Object of one cart: its lines, its prices and the replies stored by Idempotency-Key. It never
 * reads the catalogue: a reply with `needs` asks the caller to retry with fresh offers (see messages.ts).
 * Named `<tenant>:<cart id>`.
 */
export class Cart extends DurableObject<Env> {
  private readonly aggregate = new CartAggregate(this.ctx.storage, tenantOf(this.ctx.id.name));
  private readonly merges = new MergeHolds(this.ctx.storage);

  /** Creates the cart, which must not exist yet, with a first list of edits ({@link parseSteps}). */
  create(request: CartRequest, currency: string, edits: string): CartReply {
    return this.aggregate.create(request, currency, parseSteps(edits));
  }

  /** Returns the cart, priced at the request's catalogue version or a newer one. */
  read(request: CartRequest, keep = false): CartReply {
    return this.aggregate.read(request, keep);
  }

  /** Makes the edits of one request ({@link parseSteps}), all or none. */
  edit(request: CartRequest, edits: string): CartReply {
    return this.aggregate.edit(request, parseSteps(edits));
  }

  /** Returns the last versions of the cart, how its totals come about, or its shipping methods. */
  report(request: CartRequest, kind: ReportKind): ReportReply {
    return this.aggregate.report(request, kind);
  }

  /** Returns what checkout must look up before it freezes the cart; fails if the cart can't be edited. */
  lines(request: CheckoutRequest): LinesReply {
    const found = this.forCheckout(request);
    return found.ok ? ok(repriceNeeds(withExpiredRemoved(found.before, now()))) : found;
  }

  /** Reprices the cart from uncached offers for its `lines` and returns its snapshot. */
  freeze(request: FreezeRequest, offers: FreshOffers): FreezeReply {
    const at = now();
    const found = this.forCheckout(request);
    if (!found.ok) return found;
    const current = withCurrentContext(found.before, request.context, at);
    if (!covers(offers, current)) return { ok: false, needs: repriceNeeds(current) };
    const state = withRunning(withFreshOffers(current, offers), at);
    const refused = unsellable(state) ?? undeliverable(state);
    if (refused) {
      this.aggregate.put(state);
      return refused;
    }
    if (priceCart(state).totals.grandTotal > state.head.seen) {
      const { cart } = this.aggregate.show(state, request);
      return fail('price_changed', { details: { cart: JSON.parse(cart.body) } });
    }
    return { ok: true, snapshot: JSON.stringify(snapshotOf(this.aggregate.put(state), request)) };
  }

  private forCheckout({ verifiedOrder }: CheckoutRequest) {
    const { state } = this.aggregate;
    if (isCancelled(state?.head.agent)) return fail('cart_expired');
    const conditions = { edit: true, ifMatch: null, verifiedOrder };
    return checkPreconditions(state, conditions, now());
  }

  /** Returns the current version, the owner and the locking order. */
  standing(): Result<CartStatus> {
    const found = this.aggregate.update(ok);
    return found.ok ? ok(statusOf(found.value)) : found;
  }

  /** Records that this version has stock until `until` (ms), unless it was edited since. Returns the current version. */
  reserved(version: number, until: number): Result<number> {
    const found = this.aggregate.update(noteReservation(version, until));
    return found.ok ? ok(found.value.head.version) : found;
  }

  /** Locks this version for an order about to be placed with this e-mail. `unavailable` during a merge. */
  lock(orderId: string, version: number, email: string | null = null): Result<void> {
    if (this.merges.any) return fail('unavailable');
    return done(this.aggregate.update(lockFor(orderId, version, email)));
  }

  /** Releases the lock if this order holds it and is not known to be placed. */
  unlock(orderId: string): Result<void> {
    return done(this.aggregate.update(unlockFrom(orderId)));
  }

  /** Records the status of the order that locks the cart, at a revision of the order. */
  orderStatus(notice: OrderNotice): Result<void> {
    return done(this.aggregate.update(noteOrderStatus(notice)));
  }

  /** Assigns the cart to a customer; `cart_not_found` if another customer owns it. */
  bind(owner: CartOwner): Result<void> | MergedInto {
    const absent = unavailability(this.aggregate.state, now());
    return absent ?? done(this.aggregate.update(assignTo(owner)));
  }

  /** Erases this customer's data (null: a guest's) and the carts in stored replies, unless another customer owns the cart. */
  forgetPerson(customerId: number | null): Result<void> {
    const found = this.aggregate.update(withoutOwner(customerId));
    // A merged or expired cart has no owner, but its stored replies may contain the customer's data.
    if ((this.aggregate.state?.head.customerId ?? null) === null) this.aggregate.dropReplyCarts();
    return done(found);
  }

  /** Returns this customer's cart and when it changed, as JSON; null if it is not theirs, merged or expired. */
  personalData(customerId: number): string | null {
    const { state } = this.aggregate;
    if (state?.head.customerId !== customerId || unavailability(state, now())) return null;
    const cart = presentCart(state, priceCart(state), true);
    return JSON.stringify({ ...cart, updated_at: iso(state.head.changedAt) });
  }

  /** Returns the cart as it is stored, as JSON, for an export of the tenant; null if there is none. */
  dump(): string | null {
    return this.aggregate.dump();
  }

  /** Stores the content of a {@link dump} unless there is a cart. Returns false if it is not that of a cart. */
  restore(content: string): boolean {
    return this.aggregate.restore(content);
  }

  /** Begins or repeats a merge into another cart: returns what to take over. `cart_locked` if an order holds the cart. */
  contents(merge?: string): Result<CartContents> {
    const found = this.aggregate.update((state, at) => {
      const order = lockingOrder(state, at);
      return order ? lockedBy(order) : ok(state);
    });
    if (!found.ok) return found;
    const { head, lines } = found.value;
    const { version, nextLine, shippingMethod, metadata } = head;
    const quantities = lines.map(({ id, quantity, offer }) => ({ id, quantity, name: offer.name }));
    const needs = repriceNeeds(found.value);
    const running = { takes: this.aggregate.takes, merge: this.merges.begin(merge) };
    return ok({ version, ...running, needs, quantities, nextLine, shippingMethod, metadata });
  }

  /** Merges another cart into this one. The new total does not count as seen. */
  take(request: CartRequest, merge: CartMerge): TakeReply {
    return this.aggregate.take(request, merge);
  }

  /** Ends a merge that took nothing over: unless there are others, the cart can be ordered. */
  stay(merge?: string): void {
    this.merges.end(merge);
  }

  /** Returns the id of the cart that this one was merged into, or null. */
  movedTo(): string | null {
    return this.aggregate.state?.head.movedTo ?? null;
  }

  /**
   * Empties this cart and redirects it to another, unless it was edited since `version`, or another cart was merged into
   * it since `takes`: two carts that redirect to each other would lead nowhere. A failure doesn't end the merge.
   */
  moveTo(cartId: string, version: number, takes = this.aggregate.takes): Result<void> {
    if (takes !== this.aggregate.takes) return fail('precondition_failed');
    const moved = done(this.aggregate.update(redirectTo(cartId, version)));
    if (moved.ok) this.stay();
    return moved;
  }

  /** Reports an abandoned cart, deletes old replies, expires the cart, and deletes it 30 days after expiry. */
  override async alarm(): Promise<void> {
    await this.reportAbandonment();
    await this.aggregate.onAlarm();
  }

  /** Records the event of an abandoned cart; tries again in a minute if the database can't be reached. */
  private async reportAbandonment(): Promise<void> {
    const state = this.aggregate.abandoned;
    if (!state || state.head.tenantId === null) return;
    const { token, tenantId } = state.head;
    const cartId = readCartToken(this.env, tenantId, token);
    if (cartId === null) return this.aggregate.markAbandoned();
    try {
      await recordAbandonment(tenantContext({ env: this.env, ctx: this.ctx }, tenantId), cartId, state);
      this.aggregate.markAbandoned();
    } catch (error) {
      log('abandoned_cart_not_reported', { tenant: tenantId, name: errorName(error) });
      this.aggregate.postponeReport();
    }
  }
}

/** Returns the tenant of an object by its name; null where the runtime doesn't tell the name. */
const tenantOf = (name: string | undefined): number | null => Number(name?.split(':')[0]) || null;

const done = (found: Result<CartState>): Result<void> => (found.ok ? ok(undefined) : found);

const statusOf = (state: CartState): CartStatus => {
  const order = lockingOrder(state, now());
  const { version, customerId } = state.head;
  return { version, customerId, order: order && { id: order.id, state: order.state } };
};
