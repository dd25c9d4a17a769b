import { type Failed, fail, ok } from '../kernel/result.ts';
import type { Change } from './keeper.ts';
import { givenBack, keptUntil } from './kept.ts';
import { type HeldBy, holder } from './state.ts';

const held =
  (order: HeldBy | null): Change =>
  (state, at) =>
    ok({ ...state, head: { ...state.head, order, changedAt: at } });

/** The refusal of what an order's lock forbids; names the order once it is known to be placed. */
export const lockedBy = ({ id, state }: HeldBy): Failed =>
  fail('cart_locked', state === 'placing' ? {} : { details: { order_id: id } });

/** Locks this version of the cart for an order that is about to be placed. */
export const locked =
  (orderId: string, version: number): Change =>
  (state, at) => {
    const order = holder(state, at);
    if (order?.id === orderId) return ok(state);
    if (order) return lockedBy(order);
    if (state.head.version !== version) return fail('precondition_failed');
    return held({ id: orderId, state: 'placing', since: at })(state, at);
  };

/** Notes that stock is kept for this version of the cart until then; with an instant that is over, no more. */
export const reservedUntil =
  (version: number, until: number): Change =>
  (state, at) => {
    if (state.head.version !== version) return ok(state);
    return ok(until <= at ? givenBack(state) : keptUntil(state, until));
  };

/** Frees the cart if this order holds it. */
export const unlocked =
  (orderId: string): Change =>
  (state, at) =>
    state.head.order?.id === orderId ? held(null)(state, at) : ok(state);

/** How an order stands, as a cart is told. */
export type ToldStatus = 'pending' | 'paid' | 'cancelled';

/**
 * Notes the status of the order that holds the cart. Another order's changes nothing, nor does one that was
 * overtaken on its way by a newer one of the same order: revisions of an order rise.
 */
export const told =
  (orderId: string, status: ToldStatus, revision: number): Change =>
  (state, at) => {
    const { order, heard } = state.head;
    const others = order !== null && order.id !== orderId && holder(state, at) !== null;
    if (others || (heard?.id === orderId && heard.revision >= revision)) return ok(state);
    const next = { ...state, head: { ...state.head, heard: { id: orderId, revision } } };
    if (status === 'cancelled') return unlocked(orderId)(givenBack(next), at);
    return held({ id: orderId, state: status, since: at })(next, at);
  };
