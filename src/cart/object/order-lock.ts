import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import type { CartEdit } from './aggregate.ts';
import { withoutReservation, withReservation } from './reserved-stock.ts';
import { lockingOrder, type OrderLock } from './state.ts';

const held =
  (order: OrderLock | null): CartEdit =>
  (state, at) =>
    ok({ ...state, head: { ...state.head, order, changedAt: at } });

/** The refusal of what an order's lock forbids; names the order once it is known to be placed. */
export const lockedBy = ({ id, state }: OrderLock): Failed =>
  fail('cart_locked', state === 'placing' ? {} : { details: { order_id: id } });

/** Locks this version of the cart for an order that is about to be placed. */
export const lockFor =
  (orderId: string, version: number): CartEdit =>
  (state, at) => {
    const order = lockingOrder(state, at);
    if (order?.id === orderId) return ok(state);
    if (order) return lockedBy(order);
    if (state.head.version !== version) return fail('precondition_failed');
    return held({ id: orderId, state: 'placing', since: at })(state, at);
  };

/** Notes that stock is kept for this version of the cart until then; with an instant that is over, no more. */
export const noteReservation =
  (version: number, until: number): CartEdit =>
  (state, at) => {
    if (state.head.version !== version) return ok(state);
    return ok(until <= at ? withoutReservation(state) : withReservation(state, until));
  };

/** Frees the cart if this order holds it. */
export const unlockFrom =
  (orderId: string): CartEdit =>
  (state, at) =>
    state.head.order?.id === orderId ? held(null)(state, at) : ok(state);

/** How an order stands, as a cart is told. */
export type NotifiedStatus = 'pending' | 'paid' | 'cancelled';

/**
 * Notes the status of the order that holds the cart. Another order's changes nothing, nor does one that was
 * overtaken on its way by a newer one of the same order: revisions of an order rise.
 */
export const noteOrderStatus =
  (orderId: string, status: NotifiedStatus, revision: number): CartEdit =>
  (state, at) => {
    const { order, heard } = state.head;
    const others = order !== null && order.id !== orderId && lockingOrder(state, at) !== null;
    if (others || (heard?.id === orderId && heard.revision >= revision)) return ok(state);
    const next = { ...state, head: { ...state.head, heard: { id: orderId, revision } } };
    if (status === 'cancelled') return unlockFrom(orderId)(withoutReservation(next), at);
    return held({ id: orderId, state: status, since: at })(next, at);
  };
