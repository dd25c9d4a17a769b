import { now } from '../../kernel/core/clock.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import { batch, type Database } from '../../kernel/data/database.ts';
import { type Runtime, tenantContext } from '../../kernel/data/tenant-context.ts';
import {
  cancelPending,
  extendDeadline,
  markPaid,
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
import { notifyCart } from '../notify-cart.ts';
import type { BeginResult, PaymentReturnUrls, Provider } from './provider.ts';
import { refundDuePayments } from './refund.ts';

/** How long a callback may arrive after the provider ended its session (ms). */
const CALLBACK_GRACE_MS = 60_000;
/**
 * How long after its expiry an order waits for an unreachable provider (ms), unless money is already on its
 * way.
 */
const UNREACHABLE_GRACE_MS = 10 * 60_000;
/** How often a payment in progress is checked (ms). */
const RECHECK_INTERVAL_MS = 3600_000;

/**
 * The outcome of a payment: `ended` when the order is cancelled, `processing` while the money has not
 * arrived, `unreachable` when the provider did not respond.
 */
export type PaymentOutcome =
  | {
      readonly state: 'paid' | 'declined' | 'ended' | 'open' | 'processing' | 'unreachable';
      readonly order: StoredOrder;
    }
  | { readonly state: 'redirect'; readonly url: string };

/** An order and the provider that it is paid with. */
export interface Payable {
  readonly tenantId: number;
  readonly orderId: string;
  readonly provider: Provider;
}

/** Returns the payment to check at the provider: the open one, else the provider's last one. */
export const paymentOf = ({ payments }: OrderWithPayments, provider: Provider): PaymentRow | undefined =>
  payments.find(({ state }) => state === 'open') ??
  payments.findLast((one) => one.provider === provider.name);

/** Begins or resumes an order's payment. */
export async function pay(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  returnUrls: PaymentReturnUrls,
  decline: boolean,
): Promise<Result<PaymentOutcome>> {
  const { tenantId, orderId, provider } = payable;
  const found = await orderById({ db, tenantId }, orderId);
  if (!found.ok) return found;
  const order = found.value;
  const payment = paymentOf(order, provider);
  if (order.row.status === 'cancelled' || !payment) return ok({ state: 'ended', order });
  if (order.row.status === 'paid') return ok({ state: 'paid', order });
  const begun = await begin(order, payment, payable, returnUrls, decline);
  switch (begun?.state) {
    case undefined:
      return ok({ state: 'unreachable', order });
    case 'paid':
      return recordPaid(runtime, db, payable, begun.payment);
    case 'ended':
      return giveUp(runtime, db, payable);
    case 'processing':
      return waitFor(runtime, db, payable, order, payment, begun.payment);
    case 'declined': {
      const recorded = await recordDeclined(tenantContext(runtime, tenantId), orderId, begun.payment);
      return recorded.ok ? ok({ state: 'declined', order: recorded.value }) : recorded;
    }
    case 'redirect':
      // If two concurrent submits began two payments, the shopper is redirected to the recorded one.
      return (await claimReference(db, payable, payment, begun))
        ? ok(begun)
        : pay(runtime, db, payable, returnUrls, decline);
  }
}

/**
 * Begins the payment at the provider; a total of 0 is paid without it. Returns `null` when the provider is
 * unreachable.
 */
async function begin(
  order: StoredOrder,
  payment: PaymentRow,
  { tenantId, provider }: Payable,
  returnUrls: PaymentReturnUrls,
  decline: boolean,
): Promise<BeginResult | null> {
  const { name } = provider;
  if (order.row.grandTotal === 0) {
    return { state: 'paid', payment: { provider: name, reference: `free_${payment.id}` } };
  }
  return provider.begin(order, payment, returnUrls, decline).catch(() => {
    console.warn(JSON.stringify({ event: 'payment_not_begun', tenant: tenantId, provider: name }));
    return null;
  });
}

/**
 * Records the reference of a payment and extends the order's deadline. Returns false if another payment was
 * recorded first.
 */
async function claimReference(
  db: Database,
  { tenantId, orderId, provider }: Payable,
  payment: PaymentRow,
  { reference, until }: Extract<BeginResult, { state: 'redirect' }>,
): Promise<boolean> {
  if (payment.reference === reference) return true;
  await batch(db, [
    setReference(db, payment, reference),
    extendDeadline({ db, tenantId }, orderId, until + CALLBACK_GRACE_MS),
  ]);
  const after = await orderById({ db, tenantId }, orderId);
  return !after.ok || paymentOf(after.value, provider)?.reference === reference;
}

/** Records a received payment. Either the order is paid, or the payment is refunded at once. */
export async function recordPaid(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  payment: PaymentReference,
): Promise<Result<PaymentOutcome>> {
  const { tenantId, orderId } = payable;
  const recorded = await markPaid(tenantContext(runtime, tenantId), orderId, payment);
  if (!recorded.ok) return recorded;
  const { row } = recorded.value;
  notifyCart(runtime, db, recorded.value);
  if (row.status === 'paid') return ok({ state: 'paid', order: recorded.value });
  await refundDuePayments(runtime, db, payable);
  return ok({ state: 'ended', order: recorded.value });
}

/** Cancels a pending order whose deadline, or the provider's, has passed. */
async function giveUp(
  runtime: Runtime,
  db: Database,
  { tenantId, orderId }: Payable,
): Promise<Result<PaymentOutcome>> {
  const cancelled = await cancelPending(tenantContext(runtime, tenantId), orderId, 'timeout');
  if (!cancelled.ok && cancelled.failure.code !== 'order_not_cancellable') return cancelled;
  const order = await orderById({ db, tenantId }, orderId);
  if (!order.ok) return order;
  notifyCart(runtime, db, order.value);
  return ok({ state: order.value.row.status === 'paid' ? 'paid' : 'ended', order: order.value });
}

/**
 * Checks a pending order's payment at the provider and applies the result. With `end`, ends the payment and
 * cancels the order unless it was paid.
 */
export async function syncPayment(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  end: boolean,
): Promise<Result<PaymentOutcome>> {
  const { tenantId, orderId, provider } = payable;
  const found = await orderById({ db, tenantId }, orderId);
  if (!found.ok) return found;
  const order = found.value;
  const { status, expiresAt } = order.row;
  if (status !== 'pending') return ok({ state: status === 'paid' ? 'paid' : 'ended', order });
  const payment = paymentOf(order, provider);
  if (!payment) return end ? giveUp(runtime, db, payable) : ok({ state: 'open', order });
  const checked = await provider.checkStatus(payment, end).catch((error) => {
    const inProgress = payment.charge !== null && !tooLateToPay(order.row);
    if (end && !inProgress && expiresAt + UNREACHABLE_GRACE_MS < now()) return { state: 'ended' } as const;
    throw error;
  });
  switch (checked.state) {
    case 'paid':
      return recordPaid(runtime, db, payable, checked.payment);
    case 'ended':
      return giveUp(runtime, db, payable);
    case 'processing':
      return waitFor(runtime, db, payable, order, payment, checked.payment);
    case 'open':
      return ok({ state: 'open', order });
  }
}

/** Extends a pending order's deadline while its money is on the way, for at most 14 days in total. */
async function waitFor(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  order: StoredOrder,
  payment: PaymentRow,
  { charge }: PaymentReference,
): Promise<Result<PaymentOutcome>> {
  if (tooLateToPay(order.row)) return giveUp(runtime, db, payable);
  const recorded = charge ? [setCharge(db, payment, charge)] : [];
  await batch(db, [
    ...recorded,
    extendDeadline({ db, tenantId: payable.tenantId }, payable.orderId, now() + RECHECK_INTERVAL_MS),
  ]);
  return ok({ state: 'processing', order });
}
