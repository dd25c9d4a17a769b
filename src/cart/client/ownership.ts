import { countryOnly } from '../../kernel/core/postal-address.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import type { CartEdit } from '../object/aggregate.ts';
import { lockedBy } from '../object/order-lock.ts';
import { emptied, lockingOrder } from '../object/state.ts';

/** Whose a cart becomes. */
export interface CartOwner {
  readonly id: number;
  readonly email: string;
}

/**
 * Makes the cart this customer's; another customer's cart is not there for them. What the cart knew of the
 * person before goes, but for the country, which decides the total and is shown to anybody. Neither lines nor
 * total change, so it is no new version: a checkout that is open goes on, and its order stays with whoever
 * owned the cart when it was frozen.
 */
export const boundTo =
  ({ id, email }: CartOwner): CartEdit =>
  (state, at) => {
    const { head } = state;
    if (head.customerId !== null && head.customerId !== id) return fail('cart_not_found');
    if (head.customerId === id && head.email === email) return ok(state);
    const address = head.customerId === id ? head.address : countryOnly(head.address);
    return ok({ ...state, head: { ...head, customerId: id, email, address, changedAt: at } });
  };

/** Forgets whose the cart is and where it goes: its customer wants to be forgotten. */
export const ownerless =
  (customerId: number): CartEdit =>
  (state) => {
    if (state.head.customerId !== customerId) return ok(state);
    return ok({ ...state, head: { ...state.head, customerId: null, email: null, address: null } });
  };

/** Empties the cart and sends who asks for it to another, unless it was edited since this version. */
export const movedTo =
  (cartId: string, version: number): CartEdit =>
  (state, at) => {
    if (state.head.version !== version) return fail('precondition_failed');
    const order = lockingOrder(state, at);
    if (order) return lockedBy(order);
    const { head, ...rest } = emptied(state);
    return ok({ ...rest, head: { ...head, movedTo: cartId, changedAt: at } });
  };
