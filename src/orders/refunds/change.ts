import type { Actor } from '../../kernel/core/actor.ts';
import { now } from '../../kernel/core/clock.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { fulfilmentStatusOf } from '../fulfilments/quantities.ts';
import type { OrderForChange, Transition } from '../lifecycle/apply-transition.ts';
import { setPaymentState } from '../lifecycle/payments.ts';
import type { StoredOrder } from '../store.ts';
import {
  EXTERNAL,
  type OrderRow,
  type PaymentRow,
  type PaymentState,
  type PaymentStatus,
} from '../tables.ts';
import { leftOf, RECEIVED, refundsOfOrder, unusedPayments } from './refundable.ts';
import { unitsOfFailed } from './returned-units.ts';
import { refundStatements, unitsNamed } from './store.ts';
import type { RefundedItem, RefundRow, RefundSource, RefundStatus } from './tables.ts';

/** A refund to add to an order; amounts in minor units. */
interface RefundDraft {
  /** By default a new one. */
  readonly id?: string;
  readonly payment: PaymentRow;
  readonly source: RefundSource;
  readonly amount: number;
  readonly requestedBy: Actor;
  readonly status?: RefundStatus;
  readonly items?: readonly RefundedItem[];
  readonly shipping?: number;
  readonly reference?: string;
  readonly reason?: string;
}

/** Returns a new refund of a payment. Pending ones are attempted at once, except by the tenant's own checkout. */
export function newRefund(draft: RefundDraft): RefundRow {
  const { payment, source, amount, requestedBy, status = 'pending' } = draft;
  const at = now();
  const { tenantId, orderId, id: paymentId, provider, currency } = payment;
  return {
    id: draft.id ?? id('ref'),
    tenantId,
    orderId,
    paymentId,
    provider,
    source,
    status,
    amount,
    currency,
    requestedBy,
    items: draft.items ?? [],
    shipping: draft.shipping ?? 0,
    reason: draft.reason ?? null,
    reference: draft.reference ?? null,
    failureReason: null,
    tries: 0,
    generation: 0,
    nextTryAt: status === 'pending' && provider !== EXTERNAL ? at : null,
    createdAt: at,
    updatedAt: at,
  };
}

/** Returns a refund that the provider has ended. */
export const ended = (
  refund: RefundRow,
  status: RefundStatus,
  failureReason: string | null = null,
): RefundRow => ({
  ...refund,
  status,
  failureReason,
  nextTryAt: null,
  updatedAt: now(),
});

/** An order's row and lines. */
type OrderedLines = Pick<StoredOrder, 'row' | 'lines'>;

/** Returns whether an order for which nothing was paid has units that no refund covers; amounts can't tell. */
const leavesUnits = ({ row, lines }: OrderedLines, succeeded: readonly RefundRow[]): boolean =>
  row.grandTotal === 0 &&
  row.status !== 'cancelled' &&
  // The return of a payment that came twice is all of that payment.
  succeeded.every(({ source }) => source === 'request') &&
  lines.some(({ id: lineId, quantity }) => unitsNamed(succeeded, lineId) < quantity);

/** Returns the state that a received payment has with these refunds. */
function paymentStateWith(
  order: OrderedLines,
  payment: PaymentRow,
  refunds: readonly RefundRow[],
): PaymentState {
  const ofPayment = refunds.filter(({ paymentId }) => paymentId === payment.id);
  const succeeded = ofPayment.filter(({ status }) => status === 'succeeded');
  const isPaidBack = succeeded.length > 0 && leftOf(payment, succeeded) <= 0;
  if (isPaidBack && !leavesUnits(order, succeeded)) return 'refunded';
  const due = ofPayment.some(
    ({ status, source }) => status === 'pending' && (source === 'surplus' || source === 'cancellation'),
  );
  return due ? 'refund_due' : 'paid';
}

/**
 * Returns what became of an order's money; null if none was received. A payment that a paid order couldn't use
 * doesn't count. An order for which nothing was paid is refunded once all of its units are, or it is cancelled.
 */
export function paymentStatusWith(
  order: OrderedLines,
  payments: readonly PaymentRow[],
  refunds: readonly RefundRow[],
): PaymentStatus | null {
  const { status } = order.row;
  const unused = unusedPayments(refunds);
  const received = payments.filter(
    ({ id, state }) => RECEIVED.includes(state) && (status === 'cancelled' || !unused.has(id)),
  );
  if (received.length === 0) return null;
  const ids = new Set(received.map((payment) => payment.id));
  const succeeded = refunds.filter((one) => one.status === 'succeeded' && ids.has(one.paymentId));
  if (succeeded.length === 0) return 'paid';
  const kept = received.reduce((sum, payment) => sum + leftOf(payment, succeeded), 0);
  if (kept <= 0) return leavesUnits(order, succeeded) ? 'paid' : 'refunded';
  return succeeded.some(({ amount }) => amount > 0) ? 'partially_refunded' : 'paid';
}

/** Returns whether a refund has succeeded now for the first time. The event of a dispute is sent when it is first lost. */
const isNewlyMade = ({ status, source }: RefundRow, before: RefundStatus | undefined): boolean =>
  status === 'succeeded' && before !== 'succeeded' && !(source === 'dispute' && before === 'failed');

/** A change of an order's refunds. */
interface RefundsChange {
  /** All of its refunds afterwards; those that don't change are the same objects. */
  readonly after: readonly RefundRow[];
  /** The order's payments, if the change adds one. */
  readonly payments?: readonly PaymentRow[];
  /** What else the transition sets. */
  readonly set?: Partial<OrderRow>;
  readonly statements?: readonly Statement[];
}

/**
 * Returns the transition that stores an order's changed refunds, with all that follows from them: the states of
 * its payments, `payment_status`, `fulfilment_status`, the stock, and an event for each successful refund.
 */
export function refundsTransition(
  ctx: TenantDatabase,
  order: OrderForChange,
  change: RefundsChange,
): Transition {
  const { after, payments = order.payments, set = {}, statements = [] } = change;
  const before = new Map(order.refunds.map((refund) => [refund.id, refund.status]));
  const next = { row: { ...order.row, ...set }, lines: order.lines, refunds: after };
  const states = payments
    .filter(({ state }) => RECEIVED.includes(state))
    .map((payment) => ({ payment, state: paymentStateWith(next, payment, after) }));
  const paymentStatus = paymentStatusWith(next, payments, after);
  const returned = unitsOfFailed(order, after);
  return {
    set: {
      ...set,
      ...(paymentStatus && { paymentStatus }),
      // What is refunded before it was shipped is not shipped any more.
      ...(order.row.status === 'paid' && {
        fulfilmentStatus: fulfilmentStatusOf({ ...order, refunds: after }),
      }),
    },
    statements: [
      ...statements,
      ...refundStatements(ctx, { order: { ...order, payments }, after }),
      ...states
        .filter(({ payment, state }) => payment.state !== state)
        .map(({ payment, state }) => setPaymentState(ctx, payment, state)),
    ],
    next: { refunds: after },
    ...(returned && { returned }),
    refunded: refundsOfOrder(after).filter((refund) => isNewlyMade(refund, before.get(refund.id))),
  };
}
