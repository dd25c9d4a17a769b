import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { type OrderForChange, type Transition, transitionOf } from '../lifecycle/apply-transition.ts';
import { cancelRefunded } from '../refunds/cancellation.ts';
import { ended, refundsTransition } from '../refunds/change.ts';
import { MAX_REFUNDS, refundTooLarge } from '../refunds/plan-refund.ts';
import { leftOf, paymentOfOrder, remainderOf } from '../refunds/refundable.ts';
import { counts } from '../refunds/store.ts';
import type { RefundRow } from '../refunds/tables.ts';
import type { OrderWithPayments, StoredOrder } from '../store.ts';
import { EXTERNAL, type PaymentRow } from '../tables.ts';
import { type ProviderRefund, type ProviderReport, refundsAfter } from './adopt.ts';
import type { Dispute, ProviderDispute } from './disputes.ts';

/** What a provider reports of one payment of an order. */
interface PaymentReport extends ProviderReport {
  readonly paymentId: string;
}

/**
 * Records what the provider reports of a payment's refunds and disputes. A report that says nothing new changes
 * nothing. A paid order is cancelled when the refund of its cancellation was accepted, or all of its payment was
 * refunded at the provider at once.
 */
export const applyReport = transitionOf<PaymentReport>((ctx, { order, input }) => {
  const payment = order.payments.find(({ id }) => id === input.paymentId);
  if (!payment) return { result: ok(order) };
  const reported = refundsAfter(order.refunds, payment, input);
  const whole = cancelsAtOnce(order, payment, reported);
  const after = whole ? withEverything(order, payment, reported) : reported;
  const dispute = disputeAfter(order, payment, input.disputes);
  if (after === order.refunds && dispute === order.row.dispute) return { result: ok(order) };
  return { transition: completed(ctx, order, { after, dispute, whole }) };
});

/** Returns the transition for changed refunds, or with it that of the cancellation that they complete. */
function completed(
  ctx: TenantContext,
  order: OrderForChange,
  { after, dispute, whole }: { after: readonly RefundRow[]; dispute: Dispute | null; whole: boolean },
): Transition {
  const main = paymentOfOrder(order);
  const { row } = order;
  const accepted = after.some(
    ({ source, status, reference }) =>
      source === 'cancellation' && (status === 'succeeded' || (status === 'pending' && reference !== null)),
  );
  const pending = after.some(({ source, status }) => source === 'cancellation' && status === 'pending');
  const emptied = row.cancelReason !== null && !pending && main !== undefined && leftOf(main, after) === 0;
  const cancels = row.status === 'paid' && (accepted || emptied || whole);
  const set = { dispute, ...(cancels && { status: 'cancelled' as const }) };
  const transition = refundsTransition(ctx, order, { after, set });
  return cancels ? cancelRefunded(ctx, order, transition) : transition;
}

/** Returns whether a paid order's payment was refunded at the provider, all of it by one refund. */
function cancelsAtOnce(order: OrderWithPayments, payment: PaymentRow, after: readonly RefundRow[]): boolean {
  if (order.row.status !== 'paid' || paymentOfOrder(order)?.id !== payment.id) return false;
  const known = new Set(order.refunds.map(({ id }) => id));
  return after.some(
    (one) => !known.has(one.id) && one.source === 'provider' && one.amount === payment.amount && counts(one),
  );
}

/** Names the order's remaining lines and shipping in the refund of all of its payment. */
const withEverything = (
  order: OrderWithPayments,
  { amount }: PaymentRow,
  after: readonly RefundRow[],
): readonly RefundRow[] => {
  const others = after.filter((one) => !(one.source === 'provider' && one.amount === amount));
  const rest = remainderOf({ ...order, refunds: others }, amount, true);
  return after.map((one) => (others.includes(one) ? one : { ...one, ...rest }));
};

/** Returns the order's latest dispute; the same object if nothing is new. */
function disputeAfter(
  order: OrderWithPayments,
  payment: PaymentRow,
  disputes: readonly ProviderDispute[],
): Dispute | null {
  const { dispute } = order.row;
  const latest = disputes.reduce<ProviderDispute | null>(
    (last, one) => (last === null || one.openedAt >= last.openedAt ? one : last),
    null,
  );
  if (!latest || paymentOfOrder(order)?.id !== payment.id) return dispute;
  const same =
    dispute?.reference === latest.reference &&
    dispute.status === latest.status &&
    dispute.amount === latest.amount;
  return same ? dispute : { ...latest, updatedAt: now() };
}

/** Returns the refunds that the provider had accepted and that failed since: the shop has that money again. */
export const reversedRefunds = (before: StoredOrder, after: StoredOrder): readonly RefundRow[] =>
  after.refunds.filter(({ id, status, source }) => {
    const known = before.refunds.find((one) => one.id === id);
    return status === 'failed' && source !== 'dispute' && known?.reference && known.status !== 'failed';
  });

/** Ends a pending refund that the provider refused; a later one may be accepted. */
export const failRefund = transitionOf<{ readonly refundId: string; readonly reason: string }>(
  (ctx, { order, input }) => {
    const refund = order.refunds.find(({ id }) => id === input.refundId);
    if (refund?.status !== 'pending' || refund.reference !== null) return { result: ok(order) };
    const failed = ended(refund, 'failed', input.reason);
    const after = order.refunds.map((one) => (one === refund ? failed : one));
    return { transition: refundsTransition(ctx, order, { after }) };
  },
);

/** A part of a payment that the tenant's own checkout has paid back. */
interface PartialRefund {
  /** The payment's reference, and the refund's own. */
  readonly reference: string;
  readonly refundReference: string;
  /** Minor units. */
  readonly amount: number;
}

/**
 * Records a refund that the tenant's own checkout reports, at most once for each `refundReference`. It changes
 * neither the order's status nor its stock. Fails with `refund_too_large` if less is left, with `reference_taken` if
 * the reference is that of another amount, and with `order_not_refundable` if the payment is unknown or after
 * {@link MAX_REFUNDS}.
 */
export const recordPartialRefund = transitionOf<PartialRefund>((ctx, { order, input }) => {
  const { payments, refunds } = order;
  const known = refunds.find(({ reference }) => reference === input.refundReference);
  if (known && known.amount !== input.amount) {
    const message = 'A refund of another amount has this reference.';
    return { result: fail('reference_taken', { message }) };
  }
  if (known) return { result: ok(order) };
  const payment = payments.find(({ reference }) => reference === input.reference);
  const main = paymentOfOrder(order);
  if (!payment || payment !== main || payment.provider !== EXTERNAL) {
    return { result: fail('order_not_refundable', { message: 'The order has no such payment.' }) };
  }
  const report: ProviderRefund = {
    reference: input.refundReference,
    refundId: null,
    status: 'succeeded',
    amount: input.amount,
    failureReason: null,
  };
  if (refunds.length >= MAX_REFUNDS) {
    const message = `An order takes at most ${MAX_REFUNDS} refunds. Report the rest without \`amount\`.`;
    return { result: fail('order_not_refundable', { message }) };
  }
  const refundable = leftOf(payment, refunds);
  if (input.amount > refundable) {
    return { result: refundTooLarge(payment, { requested: input.amount, refundable }) };
  }
  const after = refundsAfter(refunds, payment, { refunds: [report], disputes: [] });
  return { transition: refundsTransition(ctx, order, { after }) };
});

/** Returns one of an order's refunds. */
export const refundOf = ({ refunds }: StoredOrder, id: string): Result<RefundRow> => {
  const refund = refunds.find((one) => one.id === id);
  return refund ? ok(refund) : fail('conflict');
};
