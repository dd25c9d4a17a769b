import { iso } from '../kernel/clock.ts';
import { toNumber } from '../kernel/money.ts';
import { countryOnly } from '../kernel/postal-address.ts';
import { presentTotals } from '../pricing/index.ts';
import { countryOf, totalsFor } from './price.ts';
import type { CheckoutSession } from './schemas.ts';
import type { LoadedSession } from './sessions.ts';
import type { Stage } from './stage.ts';

/** Returns a session as a tenant's own checkout reads it; `ended` as soon as no order can come of it. */
export function presentSession({ token, session, order }: LoadedSession, stage: Stage): CheckoutSession {
  const { snapshot } = session;
  const totals = totalsFor(session, countryOf(session));
  const money = (minor: number) => toNumber(minor, snapshot.currency);
  return {
    id: token,
    status: order ? 'ordered' : stage === 'open' ? 'open' : 'ended',
    items: snapshot.lines.map((line, n) => ({
      id: line.id,
      product_id: line.productId,
      variant_id: line.variantId,
      sku: line.sku,
      name: line.name,
      options: { ...line.options },
      quantity: line.quantity,
      unit_price: money(line.unitPrice),
      total: money(totals.lines[n]?.subtotal ?? 0),
    })),
    totals: presentTotals(totals, snapshot.currency),
    currency: snapshot.currency,
    coupon: snapshot.coupon?.code ?? null,
    customer: { id: snapshot.customerId, email: snapshot.contactShown ? snapshot.email : null },
    shipping_address: snapshot.contactShown ? snapshot.address : countryOnly(snapshot.address),
    return_url: session.returnUrl,
    cancel_url: session.cancelUrl,
    order_id: order?.row.id ?? null,
    expires_at: iso(session.expiresAt),
  };
}
