import { type Failed, fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { isDeliverable, presentShippingMethods } from '../../pricing/index.ts';
import { offeredMethods } from '../../shipping/index.ts';
import type { CartState } from '../object/state.ts';
import type { ShippingMethodList } from '../schemas.ts';
import { priceCart } from './cart-promotions.ts';

/**
 * Chooses a shipping method. Fails with a 422 for a method that the tenant does not offer, and with
 * `shipping_unavailable` for one that does not fit the cart's country, currency or items.
 */
export function chooseShippingMethod(state: CartState, id: string): Result<CartState> {
  const offered = offeredMethods(state.pricing.shipping).map((method) => method.id);
  if (!offered.includes(id)) return invalid('id', `must be one of ${offered.join(', ')}`);
  const fitting = shippingMethodsOf(state).data.map((method) => method.id);
  if (!fitting.includes(id)) {
    return fail('shipping_unavailable', {
      message: 'The shipping method does not fit the country, currency or items of this cart.',
      details: { available: fitting },
    });
  }
  if (id === state.head.shippingMethod) return ok(state);
  return ok({ ...state, head: { ...state.head, shippingMethod: id } });
}

/** Returns the shipping methods that fit the cart, with their prices. */
export const shippingMethodsOf = (state: CartState): ShippingMethodList => ({
  data: presentShippingMethods(priceCart(state).shipping, state.head.currency),
});

/** Returns why the cart can't be delivered, or null. Before its country is known, checkout asks for it. */
export function undeliverable(state: CartState): Failed | null {
  if (state.head.address === null) return null;
  return isDeliverable(priceCart(state).shipping) ? null : fail('shipping_unavailable');
}
