import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import type { CartEdit } from './aggregate.ts';
import { withoutReservation, withReservation } from './reserved-stock.ts';
import { lockingOrder, type OrderLock } from './state.ts';

const withOrder =
  (order: OrderLock | null): CartEdit =>
  (state, at) =>
    ok({ ...state, head: { ...state.head, order, changedAt: at } });

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
    return withOrder({ id: orderId, state: 'placing', since: at })(state, at);
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
    state.head.order?.id === orderId ? withOrder(null)(state, at) : ok(state);

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
    if (status === 'cancelled') return unlockFrom(orderId)(withoutReservation(next), at);
    return withOrder({ id: orderId, state: status, since: at })(next, at);
  };
