import { DAY, now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { redeemCoupon, releaseRedemption, shopperKeys } from '../promotions/index.ts';
import { applyTransition, type Decision, type OrderForChange, type Transition } from './apply-transition.ts';
import { findPayment, type PaymentReference, recordPayment, setPaymentStates } from './payments.ts';
import type { StoredOrder } from './store.ts';
import type { CancelReason, OrderRow } from './tables.ts';

const unchanged = (order: OrderForChange): Decision => ({ result: ok(order) });

/** An order waits so long (ms) for money on its way, counted from when it was placed. */
const MAX_PAYMENT_WAIT_MS = 14 * DAY;

/** Whether an order was placed so long ago that it no longer waits for money, nor takes it. */
export const tooLateToPay = ({ createdAt }: Pick<OrderRow, 'createdAt'>): boolean =>
  now() >= createdAt + MAX_PAYMENT_WAIT_MS;

/**
 * Takes note that money has come in; once, however often it is told. A pending order is `paid`. One that was
 * given up for its time takes its stock again and is paid, if there is enough; else, after two weeks, and
 * when it was cancelled by somebody or had been paid before, the payment is `refund_due`.
 */
export const markPaid = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  payment: PaymentReference,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (order, refused) => {
    const { row, payments, reservation } = order;
    const known = findPayment(payments, payment);
    if (known && !['open', 'failed', 'void'].includes(known.state)) return unchanged(order);
    const note = (state: 'paid' | 'refund_due') => recordPayment(db, row, payments, payment, state);
    if (row.status === 'pending') {
      return { transition: paidTransition([setPaymentStates(db, row, 'open', 'void'), note('paid')]) };
    }
    const late = row.status === 'cancelled' && row.cancelReason === 'timeout' && !tooLateToPay(row);
    if (late && reservation.status === 'released' && refused === 0) {
      const { couponId } = row;
      const keys = shopperKeys(runtime.env, tenantId, row);
      const coupon = couponId === null ? [] : redeemCoupon(db, tenantId, couponId, orderId, keys);
      return { transition: paidTransition([note('paid'), ...coupon]) };
    }
    const set = row.status === 'cancelled' ? { paymentStatus: 'paid' as const } : {};
    return { transition: { set, statements: [note('refund_due')] } };
  });

const paidTransition = (statements: Transition['statements']): Transition => ({
  set: { status: 'paid', paymentStatus: 'paid', cancelReason: null, cartNotice: 'paid' },
  statements,
  reservation: { to: 'consumed', reason: 'sale' },
  event: 'order.paid',
});

/** Notes an attempt to pay that failed; the order goes on waiting. */
export const recordDeclined = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  payment: PaymentReference,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (order) => {
    const known = order.payments.find(({ reference }) => reference === payment.reference);
    if (known || order.row.status !== 'pending') return unchanged(order);
    return {
      transition: { set: {}, statements: [recordPayment(db, order.row, order.payments, payment, 'failed')] },
    };
  });

/** What cancelling does besides the payments: coupon and stock go back, cart and world are told. */
const cancelTransition = (db: Database, { row }: OrderForChange, more: Transition): Transition => ({
  ...more,
  set: { status: 'cancelled', cartNotice: 'cancelled', ...more.set },
  statements: [...more.statements, ...releaseRedemption(db, row.tenantId, row.id)],
  reservation: { to: 'released', reason: 'order_cancelled' },
  event: 'order.cancelled',
});

/** Cancels a pending order, once; `order_not_cancellable` when it is paid: then the money goes back first. */
export const cancelPending = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  reason: CancelReason,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (order) => {
    if (order.row.status === 'cancelled') return unchanged(order);
    if (order.row.status === 'paid') return { result: fail('order_not_cancellable') };
    const statements = [setPaymentStates(db, order.row, 'open', 'void')];
    return {
      transition: cancelTransition(db, order, { set: { cancelReason: reason }, statements }),
    };
  });

/** Says that a paid order's money goes back; the order is cancelled by {@link recordRefunded}, when it has. */
export const requestRefund = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  reason: CancelReason,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (order) => {
    if (order.row.status !== 'paid' || !order.payments.some(({ state }) => state === 'paid')) {
      return unchanged(order);
    }
    const statements = [setPaymentStates(db, order.row, 'paid', 'refund_due')];
    return { transition: { set: { cancelReason: reason }, statements } };
  });

/**
 * Takes note that a payment's money has gone back, once. With the last of them the order is `refunded`, and
 * a paid one is cancelled: stock back, `order.cancelled`.
 */
export const recordRefunded = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  payment: PaymentReference,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (order) => {
    const { row, payments } = order;
    const known = findPayment(payments, payment);
    if (!known || !['paid', 'refund_due'].includes(known.state)) return unchanged(order);
    const statements = [recordPayment(db, row, payments, payment, 'refunded')];
    const left = payments.some((one) => one !== known && ['paid', 'refund_due'].includes(one.state));
    if (left) return { transition: { set: {}, statements } };
    const set = { paymentStatus: 'refunded' as const };
    if (row.status !== 'paid') return { transition: { set, statements } };
    const cancelReason = row.cancelReason ?? 'tenant';
    return {
      transition: cancelTransition(db, order, { set: { ...set, cancelReason }, statements }),
    };
  });
