import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/values/money.ts';
import { countryOnly } from '../../kernel/values/postal-address.ts';
import type { StoredOrder } from '../../orders/index.ts';
import { presentLineShares, presentPromotions, presentTotals } from '../../pricing/index.ts';
import type { CheckoutSession } from '../schemas.ts';
import type { SessionRow } from '../tables.ts';
import type { LoadedSession } from './load-session.ts';
import { deliveryOf, emptyPurchase, orderPurchase, type Purchase, sessionPurchase } from './purchase.ts';
import type { SessionStatus } from './session-status.ts';

/** Returns a session as a tenant's own checkout reads it; `ended` once it can no longer create an order. */
export function presentSession(
  { token, session, order }: LoadedSession,
  status: SessionStatus,
): CheckoutSession {
  const purchase = purchaseOf(session, order, status);
  const money = (minor: number) => toNumber(minor, purchase.currency);
  const unordered = status === 'open' ? 'open' : 'ended';
  return {
    id: token,
    status: order ? 'ordered' : unordered,
    items: purchase.lines.map(({ id, productId, variantId, sku, name, options, quantity, ...line }) => ({
      id,
      product_id: productId,
      variant_id: variantId,
      sku,
      name,
      options: { ...options },
      quantity,
      unit_price: money(line.unitPrice),
      total: money(line.subtotal),
      discounts: presentLineShares(line.discounts, purchase.currency),
    })),
    totals: presentTotals(purchase.totals, purchase.currency),
    currency: purchase.currency,
    coupon: purchase.coupon,
    applied_promotions: presentPromotions(purchase.promotions, purchase.currency),
    shipping_method: purchase.shippingMethod,
    shipping_methods: [...purchase.shippingMethods],
    ...contactOf(session, order, status),
    return_url: session.returnUrl,
    cancel_url: session.cancelUrl,
    order_id: order?.row.id ?? null,
    expires_at: iso(session.expiresAt),
  };
}

function purchaseOf(session: SessionRow, order: StoredOrder | null, status: SessionStatus): Purchase {
  if (order) return orderPurchase(order);
  return status === 'open'
    ? sessionPurchase(session, deliveryOf(session, session.buyer))
    : emptyPurchase(session);
}

/**
 * Returns the contact data. E-mail and address appear only before the order is placed, and only if the
 * customer's session prepared the checkout.
 */
function contactOf({ snapshot }: SessionRow, order: StoredOrder | null, status: SessionStatus) {
  if (order) {
    const { customerId, shippingAddress } = order.row;
    return { customer: { id: customerId, email: null }, shipping_address: countryOnly(shippingAddress) };
  }
  const { customerId, email, address, contactShown } = snapshot;
  const shown = contactShown && status === 'open';
  return {
    customer: { id: customerId, email: shown ? email : null },
    shipping_address: shown ? address : countryOnly(address),
  };
}
