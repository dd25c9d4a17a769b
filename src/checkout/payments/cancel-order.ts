import { log } from '../../kernel/core/log.ts';
import { fail, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import {
  type CancelReason,
  cancelPending,
  isPaidBack,
  type OrderWithPayments,
  orderById,
  requestRefund,
  type StoredOrder,
} from '../../orders/index.ts';
import { notifyCart } from '../placing/notify-cart.ts';
import { paymentOf, recordPaid } from './pay.ts';
import type { Provider } from './provider.ts';
import { settleRefunds } from './refund.ts';
import { type PaymentTenant, resolveProvider } from './resolve-provider.ts';

/**
 * Cancels an order for the tenant; returns one that is already cancelled. Ends a pending order's payment at
 * the provider first, if reachable. Refunds what is left of a paid order first, and fails with `unavailable` until
 * the provider accepts the refund, which is retried. Needs no provider if nothing is left. Fails with
 * `order_not_cancellable` if it was paid in the tenant's own checkout and no refund is reported.
 */
export async function cancelOrder(
  ctx: TenantContext,
  tenant: PaymentTenant,
  orderId: string,
): Promise<Result<StoredOrder>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok || found.value.row.status === 'cancelled') return found;
  const provider = await resolveProvider(ctx, tenant, found.value.row.provider);
  if (found.value.row.status === 'pending') {
    await endPayment(ctx, found.value, provider);
    const order = await cancelIfPending(ctx, found.value, 'tenant');
    if (!order.ok || order.value.row.status === 'cancelled') return order;
    // Its payment has begun meanwhile, and must be ended as well.
    if (order.value.row.status === 'pending') return cancelOrder(ctx, tenant, orderId);
  }
  return refundAndCancel(ctx, found.value, provider);
}

/** Refunds what is left of a paid order, which is cancelled then. */
async function refundAndCancel(
  ctx: TenantContext,
  order: OrderWithPayments,
  provider: Result<Provider | null>,
): Promise<Result<StoredOrder>> {
  const orderId = order.row.id;
  const isOver = isPaidBack(order);
  if (!provider.ok && !isOver) return provider;
  if (provider.ok && !provider.value && !isOver) {
    return fail('order_not_cancellable', {
      message: 'The order was paid in an external checkout, which must report the refund first.',
    });
  }
  const requested = notifyCart(ctx, await requestRefund(ctx, orderId, 'tenant'));
  if (!requested.ok) return requested;
  if (!provider.ok) return requested.value.row.status === 'cancelled' ? requested : provider;
  if (!provider.value) return requested;
  const after = await settleRefunds(ctx, { orderId, provider: provider.value });
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
  ctx: TenantContext,
  tenant: PaymentTenant,
  orderId: string,
): Promise<Result<StoredOrder>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok || found.value.row.status !== 'pending') return found;
  const provider = await resolveProvider(ctx, tenant, found.value.row.provider);
  const ended = await endPayment(ctx, found.value, provider);
  if (ended === 'unreachable') return fail('unavailable');
  if (ended === 'processing') return found;
  const order = await cancelIfPending(ctx, found.value, 'shopper');
  // Its payment has begun meanwhile, and must be ended as well.
  return order.ok && order.value.row.status === 'pending' ? cancelUnpaid(ctx, tenant, orderId) : order;
}

/**
 * Cancels an order if it is still pending and no payment of it has begun since it was `seen`, notifies its cart, and
 * returns its current state.
 */
async function cancelIfPending(
  ctx: TenantContext,
  seen: OrderWithPayments,
  reason: CancelReason,
): Promise<Result<StoredOrder>> {
  const { id: orderId } = seen.row;
  const cancelled = notifyCart(ctx, await cancelPending(ctx, orderId, { reason, seen }));
  // The order was paid concurrently.
  const paid = !cancelled.ok && cancelled.failure.code === 'order_not_cancellable';
  return paid ? orderById(ctx, orderId) : cancelled;
}

/**
 * Ends a pending order's payment at the provider, and records one that is already paid. Returns `processing`
 * if the money has not arrived yet, `unreachable` if the provider did not respond, or what it has received could not be
 * recorded.
 */
async function endPayment(
  ctx: TenantContext,
  order: OrderWithPayments,
  provider: Result<Provider | null>,
): Promise<'ended' | 'processing' | 'unreachable'> {
  const { id: orderId } = order.row;
  const [open] = order.payments.filter(({ state, reference }) => state === 'open' && reference !== null);
  if (!provider.ok) return open ? 'unreachable' : 'ended';
  const payment = provider.value && paymentOf(order, provider.value);
  if (!provider.value || !payment) return 'ended';
  try {
    const checked = await provider.value.checkStatus(payment, true);
    if (checked.state !== 'paid') return checked.state === 'processing' ? 'processing' : 'ended';
    const recorded = await recordPaid(ctx, { orderId, provider: provider.value }, checked.payment);
    return recorded.ok ? 'ended' : 'unreachable';
  } catch {
    // A payment that arrives later is refunded.
    const { name } = provider.value;
    log('payment_not_ended', { tenant: ctx.tenantId, order: orderId, provider: name });
    return 'unreachable';
  }
}
