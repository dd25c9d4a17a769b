import type { Runtime } from '../kernel/call.ts';
import type { Database } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import {
  askRefund,
  type CancelReason,
  cancelPending,
  EXTERNAL,
  orderById,
  type StoredOrder,
} from '../orders/index.ts';
import { giveBack } from './give-back.ts';
import { paymentOf, received } from './pay.ts';
import { openTill, providerOf, type Shop } from './provide.ts';
import type { Provider } from './providers/provider.ts';
import { tellCart } from './tell-cart.ts';

/**
 * Cancels an order; one that is cancelled already is answered. A pending one's payment is ended at the
 * provider first, as far as it can be reached: what is paid all the same goes back. A paid one is refunded
 * first, and `unavailable` until the provider takes that on (it is tried again by itself); one that was paid
 * in the tenant's own checkout is `order_not_cancellable` until that reports the refund.
 */
export async function cancel(
  runtime: Runtime,
  db: Database,
  shop: Shop,
  orderId: string,
  reason: CancelReason,
): Promise<Result<StoredOrder>> {
  const found = await orderById(db, shop.id, orderId);
  if (!found.ok) return found;
  const { row } = found.value;
  if (row.status === 'cancelled') return found;
  const provider = await providerFor(runtime.env, db, shop, row.provider);
  if (row.status === 'pending') {
    if (provider.ok && provider.value) await endPayment(runtime, db, shop, orderId, provider.value);
    const cancelled = await cancelPending(runtime, db, shop.id, orderId, reason);
    if (cancelled.ok) tellCart(runtime, db, cancelled.value);
    // Paid at the last moment: then its money goes back.
    if (cancelled.ok || cancelled.failure.code !== 'order_not_cancellable') return cancelled;
  }
  if (!provider.ok) return provider;
  if (!provider.value) {
    return fail('order_not_cancellable', {
      message: 'The order was paid in an external checkout, which has to report the refund first.',
    });
  }
  const asked = await askRefund(runtime, db, shop.id, orderId, reason);
  if (!asked.ok) return asked;
  const after = await giveBack(runtime, db, { tenantId: shop.id, orderId, provider: provider.value });
  if (!after.ok) return after;
  return after.value.row.status === 'cancelled'
    ? after
    : fail('unavailable', {
        message: 'The refund could not be made yet. It will be tried again; the order is cancelled then.',
        retryAfter: 60,
      });
}

/** The provider of an order; null for the tenant's own checkout. */
export async function providerFor(
  env: Env,
  db: Database,
  shop: Shop,
  name: string,
): Promise<Result<Provider | null>> {
  if (name === EXTERNAL) return ok(null);
  if (name === 'sandbox') return providerOf(name, shop, {});
  const till = await openTill(env, db, shop);
  return till.ok ? providerOf(name, shop, till.value.secrets) : till;
}

/** Ends the payment of a pending order, so that nobody pays what is being cancelled. */
async function endPayment(
  runtime: Runtime,
  db: Database,
  { id: tenantId }: Shop,
  orderId: string,
  provider: Provider,
): Promise<void> {
  const order = await orderById(db, tenantId, orderId);
  const payment = order.ok ? paymentOf(order.value, provider) : undefined;
  if (!payment) return;
  try {
    const standing = await provider.settle(payment, true);
    if (standing.state === 'paid') {
      await received(runtime, db, { tenantId, orderId, provider }, standing.payment);
    }
  } catch {
    // It can't be reached; money that comes all the same is given back.
    console.warn(JSON.stringify({ event: 'payment_not_ended', tenant: tenantId, provider: provider.name }));
  }
}
