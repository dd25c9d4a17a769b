import { errorName, log } from '../../kernel/core/log.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import {
  applyReport,
  failRefund,
  type OrderWithPayments,
  orderById,
  type PaymentRow,
  type ProviderReport,
  postponeRefund,
  type RefundRow,
  reversedRefunds,
} from '../../orders/index.ts';
import { notifyCart } from '../placing/notify-cart.ts';
import type { Payable, Provider } from './provider.ts';

const pendingOf = ({ refunds }: Pick<OrderWithPayments, 'refunds'>, { id }: PaymentRow): RefundRow[] =>
  refunds.filter(({ paymentId, status }) => paymentId === id && status === 'pending');

/**
 * Makes an order's pending refunds at the provider, and records what became of earlier ones. Postpones those that
 * are not completed. Returns the order as it is afterwards: a paid order is cancelled once the refund of its
 * cancellation was accepted.
 */
export async function settleRefunds(
  ctx: TenantContext,
  { orderId, provider }: Payable,
): Promise<Result<OrderWithPayments>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  const due = found.value.payments.filter((payment) => pendingOf(found.value, payment).length > 0);
  for (const payment of due) {
    const settled = await settlePayment(ctx, { orderId, provider, payment });
    if (!settled.ok) return settled;
  }
  return due.length === 0 ? found : orderById(ctx, orderId);
}

/** A payment whose refunds are to be made. */
interface PaymentToSettle extends Payable {
  readonly payment: PaymentRow;
}

async function settlePayment(ctx: TenantContext, to: PaymentToSettle): Promise<Result<undefined>> {
  const { orderId, provider, payment } = to;
  const where = { tenant: ctx.tenantId, order: orderId, provider: provider.name };
  const refused = new Set<string>();
  try {
    // Finds a refund that an attempt without a response has made, so that it isn't made twice.
    const synced = await recordReport(ctx, to, await reportAt(provider, payment));
    if (!synced.ok) return synced;
    const open = pendingOf(synced.value, payment).filter(({ reference }) => reference === null);
    for (const refund of open) {
      const made = await attempt(ctx, to, refund);
      if (!made.ok) return made;
      if (!made.value) refused.add(refund.id);
    }
  } catch (error) {
    log('refund_failed', { ...where, name: errorName(error) });
  }
  const after = await orderById(ctx, orderId);
  if (!after.ok) return after;
  for (const refund of pendingOf(after.value, payment)) {
    await postponeRefund(ctx, refund, refused.has(refund.id));
  }
  return ok(undefined);
}

/** Nothing was paid at the provider where the total was 0, or the shopper never got a URL to pay at. */
const isFree = ({ amount, reference }: PaymentRow): boolean => amount === 0 || reference === null;

const reportAt = (provider: Provider, payment: PaymentRow): Promise<ProviderReport> =>
  isFree(payment) ? Promise.resolve({ refunds: [], disputes: [] }) : provider.reportOf(payment);

/** Attempts a refund once. Returns false if the provider refused it. Throws if it didn't respond. */
async function attempt(ctx: TenantContext, to: PaymentToSettle, refund: RefundRow): Promise<Result<boolean>> {
  const { orderId, provider, payment } = to;
  const { id: refundId, amount } = refund;
  const result =
    isFree(payment) || amount === 0 ? withoutMoney(refund) : await provider.refund(payment, refund);
  if (result.state === 'made') {
    const recorded = await recordReport(ctx, to, { refunds: [result.refund], disputes: [] });
    return recorded.ok ? ok(result.refund.status !== 'failed') : recorded;
  }
  const { reason } = result;
  const where = { tenant: ctx.tenantId, order: orderId, provider: provider.name };
  log('refund_refused', { ...where, refund: refundId, reason });
  // A refund that has to be made is tried again; one that somebody requested has failed.
  if (refund.source !== 'request') return ok(false);
  const failed = await failRefund(ctx, orderId, { refundId, reason });
  return failed.ok ? ok(true) : failed;
}

const withoutMoney = ({ id, amount }: RefundRow) =>
  ({
    state: 'made',
    refund: { reference: `free_${id}`, refundId: id, status: 'succeeded', amount, failureReason: null },
  }) as const;

/** Records a payment's refunds and disputes, notifies the cart, and logs what an operator should know. */
async function recordReport(
  ctx: TenantContext,
  { orderId, provider, payment }: PaymentToSettle,
  report: ProviderReport,
): Promise<Result<OrderWithPayments>> {
  const before = await orderById(ctx, orderId);
  if (!before.ok) return before;
  const recorded = notifyCart(ctx, await applyReport(ctx, orderId, { ...report, paymentId: payment.id }));
  if (!recorded.ok) return recorded;
  const order = recorded.value;
  const where = { tenant: ctx.tenantId, order: orderId, provider: provider.name };
  for (const { id } of reversedRefunds(before.value, order)) log('refund_reversed', { ...where, refund: id });
  const { dispute } = order.row;
  if (dispute && dispute.status !== before.value.row.dispute?.status) {
    log('payment_disputed', { ...where, status: dispute.status });
  }
  return orderById(ctx, orderId);
}

/** Records the refunds and disputes of a charge as the provider has them. Throws if it doesn't respond. */
export async function syncReport(
  ctx: TenantContext,
  { orderId, provider }: Payable,
  charge: string,
): Promise<Result<unknown>> {
  const order = await orderById(ctx, orderId);
  if (!order.ok) return order;
  const payment = order.value.payments.find((one) => one.charge === charge);
  if (!payment) return order;
  return recordReport(ctx, { orderId, provider, payment }, await provider.reportOf(payment));
}
