import { countryOnly } from '../../kernel/core/postal-address.ts';
import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import type { CartEdit } from './aggregate.ts';
import { type CartState, emptied, lockingOrder, type OrderLock } from './state.ts';
import { withoutReservation, withReservation } from './stock.ts';

const withOrder = (state: CartState, order: OrderLock | null, at: number): CartState => ({
  ...state,
  head: { ...state.head, order, changedAt: at },
});

const releasedFrom = (state: CartState, orderId: string, at: number): CartState =>
  state.head.order?.id === orderId ? withOrder(state, null, at) : state;

/** Returns `cart_locked`, with the order's id once the order is known to exist. */
export const lockedBy = ({ id, state }: OrderLock): Failed =>
  fail('cart_locked', state === 'placing' ? {} : { details: { order_id: id } });

/** Locks this version of the cart for an order about to be placed. */
export const lockFor =
  (orderId: string, version: number): CartEdit =>
  (state, at) => {
    const order = lockingOrder(state, at);
    if (order?.id === orderId) return ok(state);
    if (order) return lockedBy(order);
    if (state.head.version !== version) return fail('precondition_failed');
    return ok(withOrder(state, { id: orderId, state: 'placing', since: at }, at));
  };

/** Records a reservation for this version until `until` (ms); a past instant removes it. */
export const noteReservation =
  (version: number, until: number): CartEdit =>
  (state, at) => {
    if (state.head.version !== version) return ok(state);
    return ok(until <= at ? withoutReservation(state) : withReservation(state, until));
  };

/** Releases the lock if this order holds it. */
export const unlockFrom =
  (orderId: string): CartEdit =>
  (state, at) =>
    ok(releasedFrom(state, orderId, at));

/** An order's status in a notification to its cart. */
export type NotifiedStatus = 'pending' | 'paid' | 'cancelled';

/**
 * Records the status of the order that locks the cart; `cancelled` releases the lock. Ignores other orders
 * while one holds the lock. Ignores notifications that arrive out of order: an order's revisions rise.
 */
export const noteOrderStatus =
  (orderId: string, status: NotifiedStatus, revision: number): CartEdit =>
  (state, at) => {
    const { order, heard } = state.head;
    const others = order !== null && order.id !== orderId && lockingOrder(state, at) !== null;
    if (others || (heard?.id === orderId && heard.revision >= revision)) return ok(state);
    const next = { ...state, head: { ...state.head, heard: { id: orderId, revision } } };
    if (status === 'cancelled') return ok(releasedFrom(withoutReservation(next), orderId, at));
    return ok(withOrder(next, { id: orderId, state: status, since: at }, at));
  };

/** The customer that a cart is assigned to. */
export interface CartOwner {
  readonly id: number;
  readonly email: string;
}

/**
 * Assigns the cart to this customer; `cart_not_found` if another customer owns it. Drops the previous contact
 * data except the country, which determines the total. Lines and total stay, so the version does too: an open
 * checkout session stays valid, and its order belongs to the owner at the time of the snapshot.
 */
export const assignTo =
  ({ id, email }: CartOwner): CartEdit =>
  (state, at) => {
    const { head } = state;
    if (head.customerId !== null && head.customerId !== id) return fail('cart_not_found');
    if (head.customerId === id && head.email === email) return ok(state);
    const address = head.customerId === id ? head.address : countryOnly(head.address);
    return ok({ ...state, head: { ...head, customerId: id, email, address, changedAt: at } });
  };

/** Removes owner and contact data, if this customer owns the cart: they asked for erasure. */
export const withoutOwner =
  (customerId: number): CartEdit =>
  (state) => {
    if (state.head.customerId !== customerId) return ok(state);
    return ok({ ...state, head: { ...state.head, customerId: null, email: null, address: null } });
  };

/** Empties the cart and redirects it to another; `precondition_failed` if edited since this version. */
export const redirectTo =
  (cartId: string, version: number): CartEdit =>
  (state, at) => {
    if (state.head.version !== version) return fail('precondition_failed');
    const order = lockingOrder(state, at);
    if (order) return lockedBy(order);
    const { head, ...rest } = emptied(state);
    return ok({ ...rest, head: { ...head, movedTo: cartId, changedAt: at } });
  };
