import type { TracedTotals } from '../../pricing/index.ts';
import { presentAgentCart } from '../agent/present.ts';
import type { CartRequest } from '../object/messages.ts';
import type { CartState } from '../object/state.ts';
import { priceCart } from './cart-promotions.ts';
import { presentCart, type Viewer } from './present.ts';

/** Returns a cart's body as its viewer gets it, as JSON. */
export const bodyOf = (state: CartState, viewer: Viewer, traced: TracedTotals = priceCart(state)): string =>
  JSON.stringify(
    viewer === 'agent' ? presentAgentCart(state, traced) : presentCart(state, traced, viewer === 'owner'),
  );

/** Returns for whom a cart is rendered. */
export function viewerOf(
  { head }: CartState,
  { customerId, agent }: Pick<CartRequest, 'customerId' | 'agent'>,
): Viewer {
  if (agent !== undefined) return 'agent';
  return customerId !== null && customerId === head.customerId ? 'owner' : 'anyone';
}
