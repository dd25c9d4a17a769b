import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Database } from '../../kernel/data/database.ts';
import { type Runtime, tenantContext } from '../../kernel/data/tenant-context.ts';
import {
  type CancelReason,
  cancelPending,
  EXTERNAL,
  type OrderWithPayments,
  orderById,
  requestRefund,
  type StoredOrder,
} from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import { paymentOf, recordPaid } from './pay.ts';
import type { Provider } from './provider.ts';
import { refundDuePayments } from './refund.ts';
import { type CheckoutTenant, createProvider, readCheckoutSecrets } from './resolve-provider.ts';

/**
 * Cancels an order for the tenant; returns one that is already cancelled. Ends a pending order's payment at
 * the provider first, if reachable. Refunds a paid order first, and fails with `unavailable` until the
 * provider accepts the refund, which is retried. Fails with `order_not_cancellable` if it was paid in the
 * tenant's own checkout and no refund is reported.
 */
export async function cancelOrder(
  runtime: Runtime,
  db: Database,
  tenant: CheckoutTenant,
  orderId: string,
): Promise<Result<StoredOrder>> {
  const found = await orderById({ db, tenantId: tenant.id }, orderId);
  if (!found.ok || found.value.row.status === 'cancelled') return found;
  const provider = await resolveProvider(runtime.env, db, tenant, found.value.row.provider);
  if (found.value.row.status === 'pending') {
    await endPayment(runtime, db, found.value, provider);
    const order = await cancelIfPending(runtime, db, found.value, 'tenant');
    if (!order.ok || order.value.row.status === 'cancelled') return order;
  }
  if (!provider.ok) return provider;
  if (!provider.value) {
    return fail('order_not_cancellable', {
      message: 'The order was paid in an external checkout, which must report the refund first.',
    });
  }
  const requested = await requestRefund(tenantContext(runtime, tenant.id), orderId, 'tenant');
  if (!requested.ok) return requested;
  const after = await refundDuePayments(runtime, db, {
    tenantId: tenant.id,
    orderId,
    provider: provider.value,
  });
  if (!after.ok) return after;
  return after.value.row.status === 'cancelled'
    ? after
    : fail('unavailable', {
        message: 'The refund failed and will be retried. The order is cancelled once it succeeds.',
        retryAfter: 60,
      });
}

/**
 * Cancels an unpaid order for its shopper, and returns its current state: `paid` if the payment came first,
 * `pending` if the money has not arrived yet. Refunds nothing. Fails with `unavailable` if the provider is
 * unreachable.
 */
export async function cancelUnpaid(
  runtime: Runtime,
  db: Database,
  tenant: CheckoutTenant,
  orderId: string,
): Promise<Result<StoredOrder>> {
  const found = await orderById({ db, tenantId: tenant.id }, orderId);
  if (!found.ok || found.value.row.status !== 'pending') return found;
  const provider = await resolveProvider(runtime.env, db, tenant, found.value.row.provider);
  const ended = await endPayment(runtime, db, found.value, provider);
  if (ended === 'unreachable') return fail('unavailable');
  return ended === 'processing' ? found : cancelIfPending(runtime, db, found.value, 'shopper');
}

/** Cancels an order if it is still pending, notifies its cart, and returns its current state. */
async function cancelIfPending(
  runtime: Runtime,
  db: Database,
  { row }: StoredOrder,
  reason: CancelReason,
): Promise<Result<StoredOrder>> {
  const cancelled = await cancelPending(tenantContext(runtime, row.tenantId), row.id, reason);
  if (cancelled.ok) notifyCart(runtime, db, cancelled.value);
  // The order was paid concurrently.
  const paid = !cancelled.ok && cancelled.failure.code === 'order_not_cancellable';
  return paid ? orderById({ db, tenantId: row.tenantId }, row.id) : cancelled;
}

/** Returns the provider of an order; null for the tenant's own checkout. */
export async function resolveProvider(
  env: Env,
  db: Database,
  tenant: CheckoutTenant,
  name: string,
): Promise<Result<Provider | null>> {
  if (name === EXTERNAL) return ok(null);
  if (name === 'sandbox') return createProvider(name, tenant, {});
  const secrets = await readCheckoutSecrets(env, db, tenant);
  return secrets.ok ? createProvider(name, tenant, secrets.value.secrets) : secrets;
}

/**
 * Ends a pending order's payment at the provider, and records one that is already paid. Returns `processing`
 * if the money has not arrived yet, `unreachable` if the provider did not respond.
 */
async function endPayment(
  runtime: Runtime,
  db: Database,
  order: OrderWithPayments,
  provider: Result<Provider | null>,
): Promise<'ended' | 'processing' | 'unreachable'> {
  const { tenantId, id: orderId } = order.row;
  const [open] = order.payments.filter(({ state, reference }) => state === 'open' && reference !== null);
  if (!provider.ok) return open ? 'unreachable' : 'ended';
  const payment = provider.value && paymentOf(order, provider.value);
  if (!provider.value || !payment) return 'ended';
  try {
    const checked = await provider.value.checkStatus(payment, true);
    if (checked.state === 'paid') {
      await recordPaid(runtime, db, { tenantId, orderId, provider: provider.value }, checked.payment);
    }
    return checked.state === 'processing' ? 'processing' : 'ended';
  } catch {
    // A payment that arrives later is refunded.
    const { name } = provider.value;
    console.warn(JSON.stringify({ event: 'payment_not_ended', tenant: tenantId, provider: name }));
    return 'unreachable';
  }
}
