import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Database } from '../../kernel/data/database.ts';
import type { Runtime } from '../../kernel/http/context.ts';
import {
  askRefund,
  type CancelReason,
  cancelPending,
  EXTERNAL,
  orderById,
  type StoredOrder,
  type WholeOrder,
} from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import { paymentOf, received } from './pay.ts';
import type { Provider } from './provider.ts';
import { refundPayment } from './refund.ts';
import { type CheckoutTenant, providerOf, resolveProvider } from './resolve-provider.ts';

/**
 * Cancels an order for the tenant; one that is cancelled already is returned. A pending one's payment is ended
 * at the provider first, as far as it can be reached: what is paid all the same goes back. A paid one is refunded
 * first, and `unavailable` until the provider takes that on (it is tried again by itself); one that was paid
 * in the tenant's own checkout is `order_not_cancellable` until that reports the refund.
 */
export async function cancelOrder(
  runtime: Runtime,
  db: Database,
  shop: CheckoutTenant,
  orderId: string,
): Promise<Result<StoredOrder>> {
  const found = await orderById(db, shop.id, orderId);
  if (!found.ok || found.value.row.status === 'cancelled') return found;
  const provider = await providerFor(runtime.env, db, shop, found.value.row.provider);
  if (found.value.row.status === 'pending') {
    await endPayment(runtime, db, found.value, provider);
    const order = await cancelIfPending(runtime, db, found.value, 'tenant');
    if (!order.ok || order.value.row.status === 'cancelled') return order;
  }
  if (!provider.ok) return provider;
  if (!provider.value) {
    return fail('order_not_cancellable', {
      message: 'The order was paid in an external checkout, which has to report the refund first.',
    });
  }
  const asked = await askRefund(runtime, db, shop.id, orderId, 'tenant');
  if (!asked.ok) return asked;
  const after = await refundPayment(runtime, db, { tenantId: shop.id, orderId, provider: provider.value });
  if (!after.ok) return after;
  return after.value.row.status === 'cancelled'
    ? after
    : fail('unavailable', {
        message: 'The refund could not be made yet. It will be tried again; the order is cancelled then.',
        retryAfter: 60,
      });
}

/**
 * Cancels an order for its shopper, as long as it is not paid: returns it is then, `paid` if the payment
 * came first, and `pending` if the money is on its way. Nothing is refunded. `unavailable` while the provider
 * can't say whether it was paid.
 */
export async function cancelUnpaid(
  runtime: Runtime,
  db: Database,
  shop: CheckoutTenant,
  orderId: string,
): Promise<Result<StoredOrder>> {
  const found = await orderById(db, shop.id, orderId);
  if (!found.ok || found.value.row.status !== 'pending') return found;
  const provider = await providerFor(runtime.env, db, shop, found.value.row.provider);
  const ended = await endPayment(runtime, db, found.value, provider);
  if (ended === 'unreachable') return fail('unavailable');
  return ended === 'waiting' ? found : cancelIfPending(runtime, db, found.value, 'shopper');
}

/** Cancels an order in a batch that holds only while it is pending, and tells its cart; returns it is then. */
async function cancelIfPending(
  runtime: Runtime,
  db: Database,
  { row }: StoredOrder,
  reason: CancelReason,
): Promise<Result<StoredOrder>> {
  const cancelled = await cancelPending(runtime, db, row.tenantId, row.id, reason);
  if (cancelled.ok) notifyCart(runtime, db, cancelled.value);
  // Paid at the last moment.
  const paid = !cancelled.ok && cancelled.failure.code === 'order_not_cancellable';
  return paid ? orderById(db, row.tenantId, row.id) : cancelled;
}

/** The provider of an order; null for the tenant's own checkout. */
export async function providerFor(
  env: Env,
  db: Database,
  shop: CheckoutTenant,
  name: string,
): Promise<Result<Provider | null>> {
  if (name === EXTERNAL) return ok(null);
  if (name === 'sandbox') return providerOf(name, shop, {});
  const till = await resolveProvider(env, db, shop);
  return till.ok ? providerOf(name, shop, till.value.secrets) : till;
}

/**
 * Ends the payment of a pending order, so that nobody pays what is being cancelled; one that is paid already is
 * noted. `waiting` when its money is on the way, `unreachable` when the provider could not be asked.
 */
async function endPayment(
  runtime: Runtime,
  db: Database,
  order: WholeOrder,
  provider: Result<Provider | null>,
): Promise<'ended' | 'waiting' | 'unreachable'> {
  const { tenantId, id: orderId } = order.row;
  const [open] = order.payments.filter(({ state, reference }) => state === 'open' && reference !== null);
  if (!provider.ok) return open ? 'unreachable' : 'ended';
  const payment = provider.value && paymentOf(order, provider.value);
  if (!provider.value || !payment) return 'ended';
  try {
    const standing = await provider.value.settle(payment, true);
    if (standing.state === 'paid') {
      await received(runtime, db, { tenantId, orderId, provider: provider.value }, standing.payment);
    }
    return standing.state === 'waiting' ? 'waiting' : 'ended';
  } catch {
    // Money that comes all the same is given back.
    const { name } = provider.value;
    console.warn(JSON.stringify({ event: 'payment_not_ended', tenant: tenantId, provider: name }));
    return 'unreachable';
  }
}
