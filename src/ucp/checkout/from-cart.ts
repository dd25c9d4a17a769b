import { editAgentCart, type FoundAgentCart, keepAgentCart, readAgentCart } from '../../cart/index.ts';
import { countryOnly } from '../../kernel/values/postal-address.ts';
import { CART_NOT_FOUND, holderOf, readUcpCartId } from '../cart/names.ts';
import { readNotes, writeNotes } from '../cart/notes.ts';
import { cartFailure, requestOf } from '../cart/outcomes.ts';
import type { UcpContext } from '../context.ts';
import type { UcpResult } from '../protocol/outcome.ts';
import { checkoutDelivery } from './delivery.ts';
import { NOT_MODIFIABLE, START, shownCheckout } from './outcomes.ts';
import type { Checkout, CheckoutCreate } from './schemas.ts';

/**
 * Starts the checkout of an agent's cart, or returns the one that it has. Items, buyer, context and codes are the
 * cart's; of the request only what carts don't have counts: delivery and consent, and only for a new checkout.
 */
export async function fromCart(
  ctx: UcpContext,
  id: string,
  input: CheckoutCreate,
): Promise<UcpResult<Checkout>> {
  const cartId = readUcpCartId(holderOf(ctx), id);
  if (cartId === null) return CART_NOT_FOUND;
  const before = await readAgentCart(ctx, requestOf(ctx), cartId);
  if (!before.ok) return before.failure.code === 'cart_locked' ? NOT_MODIFIABLE : cartFailure(before);
  if (before.value.replayed) return shownCheckout(ctx, before);
  const { agent, order } = before.value.cart;
  if (agent.ended || order?.state === 'paid') return CART_NOT_FOUND;
  // The order of its checkout waits for the payment.
  if (order) return shownCheckout(ctx, await keepAgentCart(ctx, requestOf(ctx), cartId));
  const isNew = agent.checkouts === 0 || agent.cancelled;
  const steps = isNew ? [deliveryStep(ctx, before.value, input), START] : [START];
  return shownCheckout(ctx, await editAgentCart(ctx, { ...requestOf(ctx), cartId }, steps));
}

function deliveryStep(ctx: UcpContext, { cart }: FoundAgentCart, { fulfillment, buyer }: CheckoutCreate) {
  const before = readNotes(cart.agent.notes);
  const delivery = checkoutDelivery(ctx, { fulfillment, buyer, context: undefined }, before);
  // Those about the delivery of a cancelled checkout went with it.
  const kept = before.messages.filter(({ path }) => !path?.startsWith('$.fulfillment'));
  const messages = [...kept, ...delivery.messages];
  const { cancelled, superseded } = cart.agent;
  // The destination of a cancelled checkout is gone with it; until the cart changes it still has the address.
  const known = cancelled && !superseded ? countryOnly(cart.address) : cart.address;
  return {
    op: 'agent_delivery',
    delivery: {
      address: delivery.address ?? known,
      shippingMethod: delivery.shippingMethod,
      notes: writeNotes({ ...delivery.notes, messages }),
    },
  } as const;
}
