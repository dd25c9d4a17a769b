import type { CartAnswer } from '../schemas.ts';
import { type CartPlace, cartObject, retryOnce } from './cart-id.ts';

/** A cart as its owner sees it, and when it was last changed (ISO 8601). */
export interface OwnedCart extends CartAnswer {
  readonly updated_at: string;
}

/** Returns a cart as its owner sees it, or null if the customer doesn't own it any more, or it is deleted. */
export async function cartOfPerson(
  place: CartPlace,
  cartId: string,
  customerId: number,
): Promise<OwnedCart | null> {
  const json = await retryOnce(() => cartObject(place, cartId).personalData(customerId));
  // Written by Cart.personalData().
  return json === null ? null : (JSON.parse(json) as OwnedCart);
}
