import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import { countryOnly } from '../../kernel/values/postal-address.ts';
import type { CartAgent } from '../agent/agent-cart.ts';
import { withoutCustomData } from '../options/offer.ts';
import { withoutReservation, withReservation } from '../pricing/stock.ts';
import type { OrderNotice } from '../snapshot.ts';
import { type CartState, emptied, isLockFinal, type Line, lockingOrder, type OrderLock } from './state.ts';
import type { CartEdit } from './stored-cart.ts';

const withOrder = (state: CartState, order: OrderLock | null, at: number): CartState => ({
  ...state,
  head: { ...state.head, order, changedAt: at },
});

const releasedFrom = (state: CartState, orderId: string, at: number): CartState =>
  state.head.order?.id === orderId ? withOrder(state, null, at) : state;

/** Returns `cart_locked`, with the order's id once the order is known to exist. */
export const lockedBy = ({ id, state }: OrderLock): Failed =>
  fail('cart_locked', state === 'placing' ? {} : { details: { order_id: id } });

/**
 * Locks this version of the cart for an order about to be placed; renews the lock if this order holds it. Keeps a guest's
 * e-mail address, in case the order comes to nothing.
 */
export const lockFor =
  (orderId: string, version: number, email: string | null): CartEdit =>
  (state, at) => {
    const order = lockingOrder(state, at);
    if (order?.id === orderId) {
      return ok(order.state === 'placing' ? withOrder(state, { ...order, since: at }, at) : state);
    }
    if (order) return lockedBy(order);
    if (state.head.version !== version) return fail('precondition_failed');
    const head = { ...state.head, guestEmail: state.head.customerId === null ? email : null };
    return ok(withOrder({ ...state, head }, { id: orderId, state: 'placing', since: at }, at));
  };

/** Records a reservation for this version until `until` (ms); a past instant removes it. */
export const noteReservation =
  (version: number, until: number): CartEdit =>
  (state, at) => {
    if (state.head.version !== version) return ok(state);
    return ok(until <= at ? withoutReservation(state) : withReservation(state, until));
  };

/** Releases the lock if this order holds it and is not known to be placed: a concurrent request may have placed it. */
export const unlockFrom =
  (orderId: string): CartEdit =>
  (state, at) =>
    ok(state.head.order?.state === 'placing' ? releasedFrom(state, orderId, at) : state);

/** Returns whether a notice says something that the lock of its order lacks. */
const completes = (order: OrderLock, { payUrl }: OrderNotice): boolean =>
  order.number === undefined || (order.payUrl === undefined && payUrl !== null);

/** Returns whether a notice was overtaken by another one of the same order. */
function isOvertaken({ head: { order, heard } }: CartState, notice: OrderNotice): boolean {
  if (heard?.id !== notice.id || heard.revision < notice.revision) return false;
  return heard.revision > notice.revision || order?.id !== notice.id || !completes(order, notice);
}

/** Returns the state in which an order locks its cart; null if it is cancelled, and no agent's buyer had paid it. */
function lockStateOf(
  { head: { agent } }: CartState,
  { status, paidAt }: OrderNotice,
): 'pending' | 'paid' | null {
  if (status !== 'cancelled') return status;
  return agent !== null && paidAt ? 'paid' : null;
}

/**
 * Records the status of the order that locks the cart; `cancelled` releases the lock, unless it is final or would be,
 * had the notice of the payment arrived. Ignores other orders while one holds the lock, notices that arrive out of
 * order, and an order of an earlier version of a cart that was released since: the cart is no longer what was ordered.
 * Fails with `cart_locked` while another order is only about to be placed, which may come to nothing: repeat the notice.
 */
export const noteOrderStatus =
  (notice: OrderNotice): CartEdit =>
  (state, at) => {
    const { order } = state.head;
    const others = order !== null && order.id !== notice.id && lockingOrder(state, at) !== null;
    if (others && order.state === 'placing' && notice.status !== 'cancelled') return lockedBy(order);
    return ok(others || isOvertaken(state, notice) ? state : withNotice(state, notice, at));
  };

/** Returns a cart with what a notice of its order says. */
function withNotice(state: CartState, notice: OrderNotice, at: number): CartState {
  const { order } = state.head;
  const { id, number, status, revision, cartVersion } = notice;
  const heard = { ...state, head: { ...state.head, heard: { id, revision } } };
  const next = status === 'cancelled' ? withoutReservation(heard) : heard;
  if (status === 'cancelled' && isLockFinal(state)) return next;
  const lockState = lockStateOf(state, notice);
  if (lockState === null) return releasedFrom(next, id, at);
  if (order?.id !== id && state.head.version !== cartVersion) return next;
  const payUrl = notice.payUrl ?? (order?.id === id ? order.payUrl : undefined);
  const lock = { id, state: lockState, since: at, number, ...(payUrl !== undefined && { payUrl }) };
  const locked = withOrder(next, lock, at);
  return lockState === 'paid' ? { ...locked, head: { ...locked.head, guestEmail: null } } : locked;
}

/** The customer that a cart is assigned to. */
export interface CartOwner {
  readonly id: number;
  readonly email: string;
  /** The automatic promotions that they can't redeem. */
  readonly barred: readonly number[];
}

/**
 * Assigns the cart to this customer; `cart_not_found` if another customer owns it. Drops the previous contact
 * data except the country, which determines the total. Lines and total stay, so the version does too: an open
 * checkout session stays valid, and its order belongs to the owner at the time of the snapshot.
 */
export const assignTo =
  ({ id, email, barred }: CartOwner): CartEdit =>
  (state, at) => {
    const { head } = state;
    if (head.customerId !== null && head.customerId !== id) return fail('cart_not_found');
    if (head.customerId === id && head.email === email) return ok(state);
    const address = head.customerId === id ? head.address : countryOnly(head.address);
    return ok({
      ...state,
      head: { ...head, customerId: id, email, guestEmail: null, address, barred, changedAt: at },
    });
  };

/** Returns a line without what the shopper wrote on its goods; the same line if there is nothing. */
function withoutTexts(line: Line): Line {
  const offer = withoutCustomData(line.offer);
  return offer === line.offer ? line : { ...line, offer };
}

/** Returns an agent's part of a cart without the buyer: a code that was refused may be any text. */
const withoutBuyer = (agent: CartAgent): CartAgent => ({
  ...agent,
  buyer: {},
  notes: '',
  codes: agent.codes.filter(({ refusal }) => refusal === null),
});

/** Returns a cart without its owner, contact data, metadata, and what was written on the goods. */
function anonymous({ head, lines, ...rest }: CartState): CartState {
  const { agent } = head;
  const nobody = { customerId: null, email: null, guestEmail: null, address: null, barred: [], metadata: {} };
  return {
    ...rest,
    head: { ...head, ...nobody, agent: agent && withoutBuyer(agent) },
    lines: lines.map(withoutTexts),
  };
}

/** Removes the person from the cart, if this customer owns it: they asked for erasure. Null: if a guest does. */
export const withoutOwner =
  (customerId: number | null): CartEdit =>
  (state) =>
    ok(state.head.customerId === customerId ? anonymous(state) : state);

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
