import { HOUR, MINUTE, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import { batch } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import {
  cancelPending,
  extendDeadline,
  markPaid,
  type OrderRow,
  type OrderWithPayments,
  orderById,
  type PaymentReference,
  type PaymentRow,
  recordDeclined,
  type StoredOrder,
  setCharge,
  setReference,
  tooLateToPay,
} from '../../orders/index.ts';
import { notifyCart } from '../placing/notify-cart.ts';
import { freePayment } from './free-order.ts';
import type { BeginResult, Payable, PaymentStart, Provider, ProviderPaymentStatus } from './provider.ts';
import { settleRefunds } from './refund.ts';

/** How long a callback may arrive after the provider ended its session (ms). */
const CALLBACK_GRACE_MS = MINUTE;
/**
 * How long after its expiry an order waits for an unreachable provider (ms), unless its payment is already
 * being processed.
 */
const UNREACHABLE_GRACE_MS = 10 * MINUTE;
/** How often a payment that the provider is processing is checked (ms). */
const RECHECK_INTERVAL_MS = HOUR;

/**
 * The outcome of a payment: `ended` when the order is cancelled, `refused` when that is because the provider can't
 * charge its total, `processing` while the money has not arrived, `unreachable` when the provider did not respond.
 */
export type PaymentOutcome =
  | {
      readonly state: 'paid' | 'declined' | 'ended' | 'refused' | 'open' | 'processing' | 'unreachable';
      readonly order: StoredOrder;
    }
  | { readonly state: 'redirect'; readonly url: string };

/** A shopper's attempt to pay an order. */
export interface PaymentAttempt extends Payable, Pick<PaymentStart, 'returnUrls' | 'decline'> {}

/** Returns the payment to check at the provider: the open one, else the provider's last one. */
export const paymentOf = ({ payments }: OrderWithPayments, provider: Provider): PaymentRow | undefined =>
  payments.find(({ state }) => state === 'open') ??
  payments.findLast((one) => one.provider === provider.name);

/** Begins or resumes an order's payment. */
export async function pay(ctx: TenantContext, attempt: PaymentAttempt): Promise<Result<PaymentOutcome>> {
  const { orderId, provider } = attempt;
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  const order = found.value;
  const payment = paymentOf(order, provider);
  if (order.row.status === 'cancelled' || !payment) return ok({ state: 'ended', order });
  if (order.row.status === 'paid') return ok({ state: 'paid', order });
  const begun = await begin(provider, { ...attempt, order, payment });
  if (!begun) return ok({ state: 'unreachable', order });
  switch (begun.state) {
    case 'declined': {
      const recorded = await recordDeclined(ctx, orderId, begun.payment);
      return recorded.ok ? ok({ state: 'declined', order: recorded.value }) : recorded;
    }
    case 'redirect':
      // If two concurrent submits began two payments, the shopper is redirected to the recorded one.
      return (await claimReference(ctx, attempt, { ...begun, payment })) ? ok(begun) : pay(ctx, attempt);
    case 'refused':
      return giveUp(ctx, order, 'refused');
    default:
      return applyStatus(ctx, attempt, { order, payment, status: begun });
  }
}

/**
 * Begins the payment at the provider; a total of 0 is paid without it. Returns `null` when the provider is
 * unreachable.
 */
async function begin(provider: Provider, start: PaymentStart): Promise<BeginResult | null> {
  const { name } = provider;
  const { order, payment } = start;
  const free = freePayment(order, payment);
  if (free) return { state: 'paid', payment: free };
  return provider.begin(start).catch(() => {
    const { tenantId: tenant, id } = order.row;
    log('payment_not_begun', { tenant, order: id, provider: name });
    return null;
  });
}

/** A payment that has begun at the provider, where the shopper can pay it until `until` (ms). */
interface BegunPayment {
  readonly payment: PaymentRow;
  readonly reference: string;
  readonly until: number;
}

/**
 * Records the reference of a payment and extends the order's deadline. Returns false if another payment was
 * recorded first, or the order is no longer pending.
 */
async function claimReference(
  ctx: TenantContext,
  { orderId, provider }: Payable,
  { payment, reference, until }: BegunPayment,
): Promise<boolean> {
  if (payment.reference === reference) return true;
  await batch(ctx.db, [
    ...setReference(ctx, payment, reference),
    extendDeadline(ctx, orderId, until + CALLBACK_GRACE_MS),
  ]);
  const after = await orderById(ctx, orderId);
  if (!after.ok) return true;
  return after.value.row.status === 'pending' && paymentOf(after.value, provider)?.reference === reference;
}

/** The status of an order's payment, as its provider reports it. */
interface ReportedStatus {
  readonly order: OrderWithPayments;
  readonly payment: PaymentRow;
  readonly status: ProviderPaymentStatus;
}

/** Applies the status of a pending order's payment to the order. */
async function applyStatus(
  ctx: TenantContext,
  payable: Payable,
  { order, payment, status }: ReportedStatus,
): Promise<Result<PaymentOutcome>> {
  switch (status.state) {
    case 'paid':
      return recordPaid(ctx, payable, status.payment);
    case 'ended':
      return giveUp(ctx, order);
    case 'processing':
      return extendWait(ctx, { order, payment, charge: status.payment.charge });
    case 'open':
      return ok({ state: 'open', order });
  }
}

/** Records a received payment. Either the order is paid, or the payment is refunded at once. */
export async function recordPaid(
  ctx: TenantContext,
  payable: Payable,
  payment: PaymentReference,
): Promise<Result<PaymentOutcome>> {
  const recorded = notifyCart(ctx, await markPaid(ctx, payable.orderId, payment));
  if (!recorded.ok) return recorded;
  const order = recorded.value;
  if (order.row.status === 'paid') return ok({ state: 'paid', order });
  await settleRefunds(ctx, payable);
  return ok({ state: 'ended', order });
}

/**
 * Cancels a pending order that nobody can pay any more, and returns it as `ended` or `refused`, unless it is paid, or
 * `open` because a payment has begun since it was `seen`.
 */
async function giveUp(
  ctx: TenantContext,
  seen: OrderWithPayments,
  unpaid: 'ended' | 'refused' = 'ended',
): Promise<Result<PaymentOutcome>> {
  const { id: orderId } = seen.row;
  const cancelled = await cancelPending(ctx, orderId, { reason: 'timeout', seen });
  if (!cancelled.ok && cancelled.failure.code !== 'order_not_cancellable') return cancelled;
  const order = notifyCart(ctx, await orderById(ctx, orderId));
  if (!order.ok) return order;
  const state = { paid: 'paid', pending: 'open', cancelled: unpaid } as const;
  return ok({ state: state[order.value.row.status], order: order.value });
}

/** Returns whether an expired order waits for a provider that can't be asked about its payment. */
const waitsForProvider = (row: OrderRow, { charge }: PaymentRow): boolean =>
  (charge !== null && !tooLateToPay(row)) || row.expiresAt + UNREACHABLE_GRACE_MS >= now();

/**
 * Returns whether an expired order waits for a provider whose keys are missing or can't be read: its shopper may have
 * paid, as while the provider is unreachable.
 */
export const waitsForKeys = ({ row, payments }: OrderWithPayments): boolean =>
  payments.some((one) => one.state === 'open' && one.reference !== null && waitsForProvider(row, one));

/** A check of an order's payment. `end` ends the payment, and cancels the order unless it was paid. */
interface PaymentCheck extends Payable {
  readonly end: boolean;
}

/** Checks a pending order's payment at the provider and applies the result. */
export async function syncPayment(ctx: TenantContext, check: PaymentCheck): Promise<Result<PaymentOutcome>> {
  const { orderId, provider, end } = check;
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  const order = found.value;
  const { status: orderStatus } = order.row;
  if (orderStatus !== 'pending') return ok({ state: orderStatus === 'paid' ? 'paid' : 'ended', order });
  const payment = paymentOf(order, provider);
  if (!payment) return end ? giveUp(ctx, order) : ok({ state: 'open', order });
  const status = await provider.checkStatus(payment, end).catch((error) => {
    if (end && !waitsForProvider(order.row, payment)) return { state: 'ended' } as const;
    throw error;
  });
  return applyStatus(ctx, check, { order, payment, status });
}

/** A payment that the provider is processing, and its charge id if it is known. */
interface ProcessingPayment {
  readonly order: OrderWithPayments;
  readonly payment: PaymentRow;
  readonly charge: string | null | undefined;
}

/** Extends a pending order's deadline while the provider processes its payment, for at most 14 days in total. */
async function extendWait(
  ctx: TenantContext,
  { order, payment, charge }: ProcessingPayment,
): Promise<Result<PaymentOutcome>> {
  const { id: orderId } = order.row;
  if (tooLateToPay(order.row)) return giveUp(ctx, order);
  await batch(ctx.db, [
    ...(charge ? [setCharge(ctx, payment, charge)] : []),
    extendDeadline(ctx, orderId, now() + RECHECK_INTERVAL_MS),
  ]);
  return ok({ state: 'processing', order });
}
