import { DurableObject } from 'cloudflare:workers';
import { now } from '../../kernel/core/clock.ts';
import type { PostalAddress } from '../../kernel/core/postal-address.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import { countGuess, tryCoupon } from '../client/coupon-throttle.ts';
import { boundTo, type CartOwner, movedTo, ownerless } from '../client/ownership.ts';
import type { CartOwnership, CartStatus } from '../snapshot.ts';
import { CartAggregate, type CartEdit, releasesOf } from './aggregate.ts';
import {
  addLines,
  type CartAddition,
  dropCoupon,
  mergeLines,
  removeLine,
  setContact,
  setQuantity,
  withNextVersion,
} from './edits.ts';
import {
  lockedBy,
  lockFor,
  type NotifiedStatus,
  noteOrderStatus,
  noteReservation,
  unlockFrom,
} from './order-lock.ts';
import {
  type CartReply,
  type CartRequest,
  checkPreconditions,
  type MergedInto,
  present,
  type Retry,
  type ShownReply,
} from './preconditions.ts';
import { type RepriceNeeds, repriceNeeds } from './reprice.ts';
import { snapshotOf, unsellable } from './snapshot.ts';
import { type CartState, emptyCart, lockingOrder } from './state.ts';
import { priceCart } from './totals.ts';

/** What freezing answers: a {@link CartSnapshot} as JSON. */
export type FreezeReply = { readonly ok: true; readonly snapshot: string } | Failed | Retry;

/** What taking another cart's lines answers: as an edit does, but the cart. */
export type TakeReply = Omit<ShownReply, 'cart'> | Failed | Retry;

/** A cart's lines, for another cart to take. */
export interface Contents {
  readonly version: number;
  readonly needs: RepriceNeeds;
  readonly quantities: readonly { readonly id: number; readonly quantity: number }[];
}

/**
 * One cart: its lines, its prices, and the answers it gave to Idempotency-Keys. It knows no catalogue:
 * who calls brings the offers along, and is told (`needs`) when the cart has to hear of its products
 * again. Named `<tenant>:<cart id>`.
 */
export class Cart extends DurableObject<Env> {
  private readonly keeper = new CartAggregate(this.ctx.storage);

  /** Makes the cart, empty. */
  create(visit: CartRequest, currency: string): CartReply {
    return this.make(visit, currency, ok);
  }

  /** The cart, priced at the visit's catalogue version or a newer one. */
  read(visit: CartRequest): CartReply {
    const entered = checkPreconditions(this.keeper.state, visit, now(), { edit: false });
    return entered.ok ? this.keeper.show(entered.state, visit) : entered;
  }

  /**
   * Adds lines, all or none. With a `currency` it makes the cart, which must not exist yet. `wish` may be
   * the catalogue's refusal, so that a key's answer is the same whatever the catalogue says by now.
   */
  add(visit: CartRequest, wish: Result<CartAddition>, currency: string | null): CartReply {
    const change: CartEdit = (state) => (wish.ok ? addLines(state, wish.value) : wish);
    return currency === null ? this.keeper.edit(visit, change) : this.make(visit, currency, change);
  }

  /** Sets a line's quantity. */
  change(visit: CartRequest, lineId: number, quantity: number): CartReply {
    return this.keeper.edit(visit, (state) => setQuantity(state, lineId, quantity));
  }

  /** Takes a line out. */
  remove(visit: CartRequest, lineId: number): CartReply {
    return this.keeper.edit(visit, (state) => removeLine(state, lineId));
  }

  /** Holds the coupon that was found for a code; after ten wrong ones in a row, none for a while. */
  applyCoupon(visit: CartRequest, found: Result<CartCoupon>): CartReply {
    return this.keeper.edit(visit, (state, at) => tryCoupon(state, found, at), countGuess);
  }

  /** Lets the coupon go. */
  removeCoupon(visit: CartRequest): CartReply {
    return this.keeper.edit(visit, dropCoupon);
  }

  /** Sets where the goods go. */
  setAddress(visit: CartRequest, address: PostalAddress): CartReply {
    return this.keeper.edit(visit, (state) => setContact(state, { address }));
  }

  /** Prices the cart anew, from offers read a moment ago, and answers what is sold. */
  freeze(visit: CartRequest, cartId: string): FreezeReply {
    const at = now();
    const entered = checkPreconditions(this.keeper.state, visit, at, { edit: true, fresh: true });
    if (!entered.ok) return entered;
    const { state } = entered;
    const refused = unsellable(state);
    if (refused) {
      this.keeper.put(state);
      return refused;
    }
    if (priceCart(state, at).totals.grandTotal > state.head.seen) {
      const { cart } = this.keeper.show(state, visit);
      return fail('price_changed', { details: { cart: JSON.parse(cart.body) } });
    }
    return {
      ok: true,
      snapshot: JSON.stringify(snapshotOf(this.keeper.put(state), cartId, visit.customerId, at)),
    };
  }

  /** The version now, whose it is, and the order that holds the cart. */
  standing(): Result<CartStatus> {
    const found = this.keeper.update(ok);
    return found.ok ? ok(standingOf(found.value)) : found;
  }

  /** Notes address and e-mail as checkout takes them; answers the version then. */
  setContact(contact: { address?: PostalAddress; email?: string }): Result<number> {
    const found = this.keeper.update((state, at) => {
      const order = lockingOrder(state, at);
      if (order) return lockedBy(order);
      const changed = setContact(state, contact);
      return changed.ok && changed.value !== state ? ok(withNextVersion(changed.value, state, at)) : changed;
    });
    return found.ok ? ok(found.value.head.version) : found;
  }

  /** Notes that stock is kept for this version until then: the cart doesn't take it for sold out. */
  reserved(version: number, until: number): Result<void> {
    return done(this.keeper.update(noteReservation(version, until)));
  }

  /** Locks this version for an order that is about to be placed; returns whose the cart is. */
  lock(orderId: string, version: number): Result<CartOwnership> {
    const found = this.keeper.update(lockFor(orderId, version));
    return found.ok ? ok({ customerId: found.value.head.customerId }) : found;
  }

  /** Frees the cart if this order holds it. */
  unlock(orderId: string): Result<void> {
    return done(this.keeper.update(unlockFrom(orderId)));
  }

  /** Notes the status of the order that holds the cart, as of this revision of the order. */
  orderStatus(orderId: string, status: NotifiedStatus, revision: number): Result<void> {
    return done(this.keeper.update(noteOrderStatus(orderId, status, revision)));
  }

  /** Makes the cart a customer's; `cart_not_found` when it is another's. */
  bind(owner: CartOwner): Result<void> | MergedInto {
    const absent = present(this.keeper.state, now());
    return absent ?? done(this.keeper.update(boundTo(owner)));
  }

  /** Forgets this customer, and what kept answers show of anybody, unless the cart is somebody else's. */
  forgetPerson(customerId: number): Result<void> {
    const found = this.keeper.update(ownerless(customerId));
    // A cart that was merged or has expired is nobody's, and may have kept answers that name its customer.
    if ((this.keeper.state?.head.customerId ?? null) === null) this.keeper.dropBodies();
    return done(found);
  }

  /** What another cart needs to take this one's lines; `cart_locked` when they are ordered. */
  contents(): Result<Contents> {
    const found = this.keeper.update((state, at) => {
      const order = lockingOrder(state, at);
      return order ? lockedBy(order) : ok(state);
    });
    if (!found.ok) return found;
    const { head, lines } = found.value;
    const quantities = lines.map(({ id, quantity }) => ({ id, quantity }));
    return ok({ version: head.version, needs: repriceNeeds(found.value), quantities });
  }

  /** Takes another cart's lines: the larger quantity of each wins. Nobody has seen the new total yet. */
  take(visit: CartRequest, wish: CartAddition): TakeReply {
    const at = now();
    const entered = checkPreconditions(this.keeper.state, visit, at, { edit: true });
    if (!entered.ok) return entered;
    const { before, state } = entered;
    const merged = mergeLines(state, wish);
    if (merged === state) return { ok: true };
    const after = this.keeper.put(withNextVersion(merged, before, at));
    return { ok: true, ...releasesOf(before, after) };
  }

  /** Sends who asks for this cart to another, unless it was edited since `version`. */
  moveTo(cartId: string, version: number): Result<void> {
    return done(this.keeper.update(movedTo(cartId, version)));
  }

  /** Forgets old answers; at the end of its life buries the cart, and a month later forgets it. */
  override async alarm(): Promise<void> {
    await this.keeper.retire();
  }

  private make(visit: CartRequest, currency: string, change: CartEdit): CartReply {
    return this.keeper.once(visit, () => {
      if (this.keeper.state) return { ok: false, spent: true };
      const at = now();
      const made = change(emptyCart(visit.token, currency, visit.shop, at), at);
      return made.ok ? this.keeper.show(made.value, visit) : made;
    });
  }
}

const done = (found: Result<CartState>): Result<void> => (found.ok ? ok(undefined) : found);

const standingOf = (state: CartState): CartStatus => {
  const order = lockingOrder(state, now());
  const { version, customerId } = state.head;
  return { version, customerId, order: order && { id: order.id, state: order.state } };
};
