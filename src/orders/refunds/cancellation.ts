import { SYSTEM } from '../../kernel/core/actor.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type OrderForChange, type Transition, transitionOf } from '../lifecycle/apply-transition.ts';
import { cancelTransition } from '../lifecycle/cancel-transition.ts';
import { findPayment, type PaymentReference } from '../lifecycle/payments.ts';
import type { CancelReason } from '../tables.ts';
import { ended, newRefund, refundsTransition } from './change.ts';
import { leftOf, paymentOfOrder, remainderOf } from './refundable.ts';
import { counts } from './store.ts';
import type { RefundRow } from './tables.ts';

/**
 * Requests the refund of all that is left of a paid order, to cancel it: the order is cancelled once the provider
 * has accepted the refund, and at once if nothing is left.
 */
export const requestRefund = transitionOf<CancelReason>((ctx, { order, input: cancelReason }) => {
  const { row, refunds } = order;
  const payment = paymentOfOrder(order);
  const requested = refunds.some(({ source, status }) => source === 'cancellation' && status === 'pending');
  if (row.status !== 'paid' || !payment || requested) return { result: ok(order) };
  const amount = leftOf(payment, refunds);
  if (amount === 0 && payment.amount > 0) {
    const set = { cancelReason, status: 'cancelled' as const };
    // Of a cancelled order, payments that it couldn't use count as well.
    return { transition: cancelRefunded(ctx, order, refundsTransition(ctx, order, { after: refunds, set })) };
  }
  const refund = newRefund({
    payment,
    source: 'cancellation',
    amount,
    ...remainderOf(order, amount, true),
    requestedBy: ctx.actor ?? SYSTEM,
  });
  const after = [...refunds, refund];
  return { transition: refundsTransition(ctx, order, { after, set: { cancelReason } }) };
});

/** Returns the transition that cancels an order of which nothing is left to refund; `more` is that of its refunds. */
export function cancelRefunded(ctx: TenantDatabase, order: OrderForChange, more: Transition): Transition {
  const cancelReason = more.set.cancelReason ?? order.row.cancelReason ?? 'tenant';
  return cancelTransition(ctx, order, { ...more, set: { ...more.set, cancelReason } });
}

/**
 * Records that all that is left of a payment was paid back, at most once. A paid order is also cancelled, its
 * stock released, and `order.cancelled` emitted, unless the order couldn't use the payment. Fails with
 * `order_not_refundable` if the payment is unknown.
 */
export const recordRefunded = transitionOf<PaymentReference>((ctx, { order, input: reported }) => {
  const { row, payments, refunds } = order;
  const payment = findPayment(payments, reported);
  if (!payment) {
    return { result: fail('order_not_refundable', { message: 'The order has no such payment.' }) };
  }
  const isMain = paymentOfOrder(order) === payment;
  const cancels = isMain && row.status === 'paid';
  const hasMoney = ['paid', 'refund_due'].includes(payment.state);
  // Parts may have paid all of it back before, which cancelled nothing.
  const isPaidBack = payment.state === 'refunded' && cancels;
  if (!hasMoney && !isPaidBack) return { result: ok(order) };
  const settled = refunds.map((refund) =>
    refund.paymentId === payment.id && refund.status === 'pending' ? ended(refund, 'succeeded') : refund,
  );
  const left = leftOf(payment, settled);
  const hasRefund = settled.some((refund) => refund.paymentId === payment.id && counts(refund));
  const after: RefundRow[] =
    left === 0 && hasRefund
      ? settled
      : [
          ...settled,
          newRefund({
            payment,
            source: 'provider',
            status: 'succeeded',
            amount: left,
            ...(isMain && remainderOf({ ...order, refunds: settled }, left, true)),
            requestedBy: ctx.actor ?? SYSTEM,
          }),
        ];
  const set = cancels ? { status: 'cancelled' as const } : {};
  const transition = refundsTransition(ctx, order, { after, set });
  return { transition: cancels ? cancelRefunded(ctx, order, transition) : transition };
});
