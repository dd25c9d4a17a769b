import { commit, firstEvent } from '../../events/index.ts';
import { abandonedStatement } from '../../insights/index.ts';
import { HOUR, iso } from '../../kernel/core/clock.ts';
import { guardFailed } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { guestNotErased, notErased } from '../../orders/index.ts';
import { priceCart } from '../pricing/cart-promotions.ts';
import { presentCart } from '../pricing/present.ts';
import type { CartAbandoned } from '../schemas.ts';
import { type CartState, expiresAt, lockingOrder } from './state.ts';

/** The time (ms) after its last change when a cart counts as abandoned. */
const ABANDONED_AFTER_MS = HOUR;

/**
 * Returns when a cart counts as abandoned (ms): filled, without an order, of a customer or of a guest who gave an e-mail
 * address with an order, and not reported before. Infinity if it can't.
 */
export function abandonedAt(state: CartState, at: number): number {
  const { head, lines } = state;
  const due = head.changedAt + ABANDONED_AFTER_MS;
  const isKnown = head.customerId !== null || head.guestEmail !== null;
  // The lock of an order that is never placed expires by then, and nothing else would set the alarm.
  const isOpen = lockingOrder(state, Math.max(at, due)) === null && at < expiresAt(state);
  // The buyer of an agent's cart has not given the shop their address to write to.
  const isReportable = head.tenantId !== null && !head.abandoned && head.agent === null;
  if (lines.length === 0 || !isKnown || !isOpen || !isReportable) return Number.POSITIVE_INFINITY;
  return due;
}

/** Returns the data of a cart's event, with its token, which leads back to it. */
function eventData(state: CartState): CartAbandoned {
  const { head } = state;
  const cart = presentCart(state, priceCart(state), true);
  const { cart_token, items, total_quantity, totals, currency, metadata } = cart;
  return {
    cart_token,
    customer_id: head.customerId,
    email: head.email ?? head.guestEmail,
    items,
    total_quantity,
    totals,
    currency,
    metadata,
    created_at: iso(head.createdAt),
    updated_at: iso(head.changedAt),
  };
}

/**
 * Records the event `cart.abandoned`, once for a cart also when a crash repeats it, and none once its shopper is erased.
 * Throws if the database can't be reached.
 */
export async function recordAbandonment(ctx: TenantContext, cartId: string, state: CartState): Promise<void> {
  const type = 'cart.abandoned';
  const resource = `cart:${cartId}`;
  const event = { type, resource, data: { ...eventData(state) } } as const;
  const { customerId, heard } = state.head;
  // A guest's e-mail address is that of the order which came to nothing.
  const known = customerId === null ? guestNotErased(ctx, heard?.id ?? null) : notErased(ctx, customerId);
  try {
    await commit(ctx, {
      guards: [firstEvent(ctx, { type, resource }), ...known],
      statements: [abandonedStatement(ctx, event.data.currency)],
      events: [event],
    });
  } catch (error) {
    if (!guardFailed(error)) throw error;
  }
}
