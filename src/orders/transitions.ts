import { DAY, now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { redeemCoupon, releaseRedemption, shopperKeys } from '../promotions/index.ts';
import { applyTransition, type Decision, type OrderForChange, type Transition } from './apply-transition.ts';
import { findPayment, type PaymentReference, recordPayment, setPaymentStates } from './payments.ts';
import type { StoredOrder } from './store.ts';
import type { CancelReason, OrderRow } from './tables.ts';

const unchanged = (order: OrderForChange): Decision => ({ result: ok(order) });

/** How long an order can wait for money on its way, from its placement (ms). */
const MAX_PAYMENT_WAIT_MS = 14 * DAY;

/** Returns whether an order is too old to wait for a payment or accept one. */
export const tooLateToPay = ({ createdAt }: Pick<OrderRow, 'createdAt'>): boolean =>
  now() >= createdAt + MAX_PAYMENT_WAIT_MS;

/**
 * Records a received payment, at most once. A pending order becomes `paid`. An order that expired takes its
 * stock again and becomes `paid` if there is enough. The payment becomes `refund_due` if stock is missing,
 * the order is over two weeks old, was cancelled on request, or was already paid.
 */
export const markPaid = (
  ctx: TenantContext,
  orderId: string,
  payment: PaymentReference,
): Promise<Result<StoredOrder>> =>
  applyTransition(ctx, orderId, (order, refused) => {
    const { row, payments, reservation } = order;
    const known = findPayment(payments, payment);
    if (known && !['open', 'failed', 'void'].includes(known.state)) return unchanged(order);
    const note = (state: 'paid' | 'refund_due') => recordPayment(ctx.db, row, payments, payment, state);
    if (row.status === 'pending') {
      return { transition: paidTransition([setPaymentStates(ctx.db, row, 'open', 'void'), note('paid')]) };
    }
    const late = row.status === 'cancelled' && row.cancelReason === 'timeout' && !tooLateToPay(row);
    if (late && reservation.status === 'released' && refused === 0) {
      const { couponId } = row;
      const keys = shopperKeys(ctx.env, ctx.tenantId, row);
      const coupon = couponId === null ? [] : redeemCoupon(ctx, { couponId, orderId, shoppers: keys });
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

/** Records a declined payment; the order stays pending. */
export const recordDeclined = (
  ctx: TenantContext,
  orderId: string,
  payment: PaymentReference,
): Promise<Result<StoredOrder>> =>
  applyTransition(ctx, orderId, (order) => {
    const known = order.payments.find(({ reference }) => reference === payment.reference);
    if (known || order.row.status !== 'pending') return unchanged(order);
    return {
      transition: {
        set: {},
        statements: [recordPayment(ctx.db, order.row, order.payments, payment, 'failed')],
      },
    };
  });

/** Completes a cancellation: releases coupon and stock, and notifies the cart and subscribers. */
const cancelTransition = (db: Database, { row }: OrderForChange, more: Transition): Transition => ({
  ...more,
  set: { status: 'cancelled', cartNotice: 'cancelled', ...more.set },
  statements: [...more.statements, ...releaseRedemption({ db, tenantId: row.tenantId }, row.id)],
  reservation: { to: 'released', reason: 'order_cancelled' },
  event: 'order.cancelled',
});

/** Cancels a pending order, at most once; `order_not_cancellable` if it is paid and needs a refund first. */
export const cancelPending = (
  ctx: TenantContext,
  orderId: string,
  reason: CancelReason,
): Promise<Result<StoredOrder>> =>
  applyTransition(ctx, orderId, (order) => {
    if (order.row.status === 'cancelled') return unchanged(order);
    if (order.row.status === 'paid') return { result: fail('order_not_cancellable') };
    const statements = [setPaymentStates(ctx.db, order.row, 'open', 'void')];
    return {
      transition: cancelTransition(ctx.db, order, { set: { cancelReason: reason }, statements }),
    };
  });

/** Marks a paid order's payments as `refund_due`. {@link recordRefunded} cancels the order later. */
export const requestRefund = (
  ctx: TenantContext,
  orderId: string,
  reason: CancelReason,
): Promise<Result<StoredOrder>> =>
  applyTransition(ctx, orderId, (order) => {
    if (order.row.status !== 'paid' || !order.payments.some(({ state }) => state === 'paid')) {
      return unchanged(order);
    }
    const statements = [setPaymentStates(ctx.db, order.row, 'paid', 'refund_due')];
    return { transition: { set: { cancelReason: reason }, statements } };
  });

/**
 * Records a refund, at most once. After the last one the order is `refunded`; a paid order is also cancelled,
 * its stock released, and `order.cancelled` emitted.
 */
export const recordRefunded = (
  ctx: TenantContext,
  orderId: string,
  payment: PaymentReference,
): Promise<Result<StoredOrder>> =>
  applyTransition(ctx, orderId, (order) => {
    const { row, payments } = order;
    const known = findPayment(payments, payment);
    if (!known || !['paid', 'refund_due'].includes(known.state)) return unchanged(order);
    const statements = [recordPayment(ctx.db, row, payments, payment, 'refunded')];
    const left = payments.some((one) => one !== known && ['paid', 'refund_due'].includes(one.state));
    if (left) return { transition: { set: {}, statements } };
    const set = { paymentStatus: 'refunded' as const };
    if (row.status !== 'paid') return { transition: { set, statements } };
    const cancelReason = row.cancelReason ?? 'tenant';
    return {
      transition: cancelTransition(ctx.db, order, { set: { ...set, cancelReason }, statements }),
    };
  });
