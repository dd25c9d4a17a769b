import { DurableObject } from 'cloudflare:workers';
import { now } from '../../kernel/core/clock.ts';
import type { PostalAddress } from '../../kernel/core/postal-address.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import type { CartOwnership, CartStatus, OrderNotice } from '../snapshot.ts';
import { CartAggregate, type CartEdit, releasesOf } from './aggregate.ts';
import {
  addLines,
  countWrongCode,
  dropCoupon,
  mergeLines,
  removeLine,
  setContact,
  setQuantity,
  tryCoupon,
  withNextVersion,
} from './edits.ts';
import type {
  CartAddition,
  CartContents,
  CartReply,
  CartRequest,
  CheckoutRequest,
  FreezeReply,
  FreezeRequest,
  FreshOffers,
  LinesReply,
  MergedInto,
  TakeReply,
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
import {
  checkPreconditions,
  covers,
  repriceNeeds,
  unavailability,
  withCurrentContext,
  withExpiredRemoved,
  withFreshOffers,
} from './preconditions.ts';
import { priceCart, snapshotOf, unsellable } from './present.ts';
import { type CartState, lockingOrder } from './state.ts';

/**
 * The Durable Object of one cart: its lines, its prices and the replies stored by Idempotency-Key. It never
 * reads the catalogue: a reply with `needs` asks the caller to retry with fresh offers (see messages.ts).
 * Named `<tenant>:<cart id>`.
 */
export class Cart extends DurableObject<Env> {
  private readonly aggregate = new CartAggregate(this.ctx.storage);

  /** Creates an empty cart. */
  create(request: CartRequest, currency: string): CartReply {
    return this.aggregate.create(request, currency, ok);
  }

  /** Returns the cart, priced at the request's catalogue version or a newer one. */
  read(request: CartRequest): CartReply {
    return this.aggregate.read(request);
  }

  /**
   * Adds lines, all or none. With a `currency` it creates the cart, which must not exist yet. `addition` may
   * be a failed lookup, so that a retry with the same key gets the stored reply.
   */
  add(request: CartRequest, addition: Result<CartAddition>, currency: string | null): CartReply {
    const change: CartEdit = (state) => (addition.ok ? addLines(state, addition.value) : addition);
    return currency === null
      ? this.aggregate.edit(request, change)
      : this.aggregate.create(request, currency, change);
  }

  /** Sets a line's quantity. */
  change(request: CartRequest, lineId: number, quantity: number): CartReply {
    return this.aggregate.edit(request, (state) => setQuantity(state, lineId, quantity));
  }

  /** Removes a line. */
  remove(request: CartRequest, lineId: number): CartReply {
    return this.aggregate.edit(request, (state) => removeLine(state, lineId));
  }

  /** Applies the coupon that was found for a code, or counts a wrong code. */
  applyCoupon(request: CartRequest, found: Result<CartCoupon>): CartReply {
    return this.aggregate.edit(request, (state, at) => tryCoupon(state, found, at), countWrongCode);
  }

  /** Removes the coupon. */
  removeCoupon(request: CartRequest): CartReply {
    return this.aggregate.edit(request, dropCoupon);
  }

  /** Sets the shipping address. */
  setAddress(request: CartRequest, address: PostalAddress): CartReply {
    return this.aggregate.edit(request, (state) => setContact(state, { address }));
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
    const state = withFreshOffers(current, offers);
    const refused = unsellable(state);
    if (refused) {
      this.aggregate.put(state);
      return refused;
    }
    if (priceCart(state, at).totals.grandTotal > state.head.seen) {
      const { cart } = this.aggregate.show(state, request.customerId);
      return fail('price_changed', { details: { cart: JSON.parse(cart.body) } });
    }
    return { ok: true, snapshot: JSON.stringify(snapshotOf(this.aggregate.put(state), request, at)) };
  }

  private forCheckout({ verifiedOrder }: CheckoutRequest) {
    const conditions = { edit: true, ifMatch: null, verifiedOrder };
    return checkPreconditions(this.aggregate.state, conditions, now());
  }

  /** Returns the current version, the owner and the locking order. */
  standing(): Result<CartStatus> {
    const found = this.aggregate.update(ok);
    return found.ok ? ok(statusOf(found.value)) : found;
  }

  /** Sets address and e-mail; returns the resulting version. */
  setContact(contact: { address?: PostalAddress; email?: string }): Result<number> {
    const found = this.aggregate.update((state, at) => {
      const order = lockingOrder(state, at);
      if (order) return lockedBy(order);
      const changed = setContact(state, contact);
      return changed.ok && changed.value !== state ? ok(withNextVersion(changed.value, state, at)) : changed;
    });
    return found.ok ? ok(found.value.head.version) : found;
  }

  /** Records that checkout has reserved stock for this version until `until` (ms). */
  reserved(version: number, until: number): Result<void> {
    return done(this.aggregate.update(noteReservation(version, until)));
  }

  /** Locks this version for an order about to be placed; returns the owner. */
  lock(orderId: string, version: number): Result<CartOwnership> {
    const found = this.aggregate.update(lockFor(orderId, version));
    return found.ok ? ok({ customerId: found.value.head.customerId }) : found;
  }

  /** Releases the lock if this order holds it. */
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

  /** Erases this customer's data and the carts in stored replies, unless another customer owns the cart. */
  forgetPerson(customerId: number): Result<void> {
    const found = this.aggregate.update(withoutOwner(customerId));
    // A merged or expired cart has no owner, but its stored replies may contain the customer's data.
    if ((this.aggregate.state?.head.customerId ?? null) === null) this.aggregate.dropReplyCarts();
    return done(found);
  }

  /** Returns the lines for a merge into another cart; `cart_locked` if an order holds them. */
  contents(): Result<CartContents> {
    const found = this.aggregate.update((state, at) => {
      const order = lockingOrder(state, at);
      return order ? lockedBy(order) : ok(state);
    });
    if (!found.ok) return found;
    const { head, lines } = found.value;
    const quantities = lines.map(({ id, quantity }) => ({ id, quantity }));
    return ok({ version: head.version, needs: repriceNeeds(found.value), quantities });
  }

  /** Merges another cart's lines; the larger quantity of each wins. The new total does not count as seen. */
  take(request: CartRequest, addition: CartAddition): TakeReply {
    const entered = this.aggregate.enter(request, { edit: true });
    if (!entered.ok) return entered;
    const { before, state } = entered;
    const merged = mergeLines(state, addition);
    if (merged === state) return { ok: true };
    const after = this.aggregate.put(withNextVersion(merged, before, now()));
    return { ok: true, ...releasesOf(before, after) };
  }

  /** Empties this cart and redirects it to another, unless it was edited since `version`. */
  moveTo(cartId: string, version: number): Result<void> {
    return done(this.aggregate.update(redirectTo(cartId, version)));
  }

  /** Deletes old replies, expires the cart, and deletes it 30 days after expiry. */
  override async alarm(): Promise<void> {
    await this.aggregate.onAlarm();
  }
}

const done = (found: Result<CartState>): Result<void> => (found.ok ? ok(undefined) : found);

const statusOf = (state: CartState): CartStatus => {
  const order = lockingOrder(state, now());
  const { version, customerId } = state.head;
  return { version, customerId, order: order && { id: order.id, state: order.state } };
};
