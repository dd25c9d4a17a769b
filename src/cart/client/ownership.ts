import { countryOnly } from '../../kernel/core/postal-address.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import type { CartEdit } from '../object/aggregate.ts';
import { lockedBy } from '../object/order-lock.ts';
import { emptied, lockingOrder } from '../object/state.ts';

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
