import { DAY, now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { redeemCoupon, releaseRedemption, shopperKeys } from '../promotions/index.ts';
import { applyTransition, type Decision, type OrderForChange, type Step } from './apply-transition.ts';
import { findPayment, notePayment, type PaymentName, turnPayments } from './payments.ts';
import type { StoredOrder } from './store.ts';
import type { CancelReason, OrderRow } from './tables.ts';

const asItIs = (ground: OrderForChange): Decision => ({ answer: ok(ground) });

/** An order waits so long (ms) for money on its way, counted from when it was placed. */
const LONGEST_WAIT_MS = 14 * DAY;

/** Whether an order was placed so long ago that it no longer waits for money, nor takes it. */
export const tooLateToPay = ({ createdAt }: Pick<OrderRow, 'createdAt'>): boolean =>
  now() >= createdAt + LONGEST_WAIT_MS;

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
  payment: PaymentName,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (ground, refused) => {
    const { row, payments, reservation } = ground;
    const known = findPayment(payments, payment);
    if (known && !['open', 'failed', 'void'].includes(known.state)) return asItIs(ground);
    const note = (state: 'paid' | 'refund_due') => notePayment(db, row, payments, payment, state);
    if (row.status === 'pending') {
      return { step: paidStep([turnPayments(db, row, 'open', 'void'), note('paid')]) };
    }
    const late = row.status === 'cancelled' && row.cancelReason === 'timeout' && !tooLateToPay(row);
    if (late && reservation.status === 'released' && refused === 0) {
      const { couponId } = row;
      const keys = shopperKeys(runtime.env, tenantId, row);
      const coupon = couponId === null ? [] : redeemCoupon(db, tenantId, couponId, orderId, keys);
      return { step: paidStep([note('paid'), ...coupon]) };
    }
    const set = row.status === 'cancelled' ? { paymentStatus: 'paid' as const } : {};
    return { step: { set, statements: [note('refund_due')] } };
  });

const paidStep = (statements: Step['statements']): Step => ({
  set: { status: 'paid', paymentStatus: 'paid', cancelReason: null, cartNotice: 'paid' },
  statements,
  reservation: { to: 'consumed', reason: 'sale' },
  event: 'order.paid',
});

/** Notes an attempt to pay that failed; the order goes on waiting. */
export const noteDeclined = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  payment: PaymentName,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (ground) => {
    const known = ground.payments.find(({ reference }) => reference === payment.reference);
    if (known || ground.row.status !== 'pending') return asItIs(ground);
    return {
      step: { set: {}, statements: [notePayment(db, ground.row, ground.payments, payment, 'failed')] },
    };
  });

/** What cancelling does besides the payments: coupon and stock go back, cart and world are told. */
const cancelled = (db: Database, { row }: OrderForChange, more: Step): Step => ({
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
  applyTransition(runtime, db, tenantId, orderId, (ground) => {
    if (ground.row.status === 'cancelled') return asItIs(ground);
    if (ground.row.status === 'paid') return { answer: fail('order_not_cancellable') };
    const statements = [turnPayments(db, ground.row, 'open', 'void')];
    return {
      step: cancelled(db, ground, { set: { cancelReason: reason }, statements }),
    };
  });

/** Says that a paid order's money goes back; the order is cancelled by {@link noteRefunded}, when it has. */
export const askRefund = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  reason: CancelReason,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (ground) => {
    if (ground.row.status !== 'paid' || !ground.payments.some(({ state }) => state === 'paid')) {
      return asItIs(ground);
    }
    const statements = [turnPayments(db, ground.row, 'paid', 'refund_due')];
    return { step: { set: { cancelReason: reason }, statements } };
  });

/**
 * Takes note that a payment's money has gone back, once. With the last of them the order is `refunded`, and
 * a paid one is cancelled: stock back, `order.cancelled`.
 */
export const noteRefunded = (
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  payment: PaymentName,
): Promise<Result<StoredOrder>> =>
  applyTransition(runtime, db, tenantId, orderId, (ground) => {
    const { row, payments } = ground;
    const known = findPayment(payments, payment);
    if (!known || !['paid', 'refund_due'].includes(known.state)) return asItIs(ground);
    const statements = [notePayment(db, row, payments, payment, 'refunded')];
    const left = payments.some((one) => one !== known && ['paid', 'refund_due'].includes(one.state));
    if (left) return { step: { set: {}, statements } };
    const set = { paymentStatus: 'refunded' as const };
    if (row.status !== 'paid') return { step: { set, statements } };
    const cancelReason = row.cancelReason ?? 'tenant';
    return {
      step: cancelled(db, ground, { set: { ...set, cancelReason }, statements }),
    };
  });
