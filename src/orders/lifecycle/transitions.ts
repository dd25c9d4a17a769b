import { countSale } from '../../inventory/index.ts';
import { type Actor, SYSTEM } from '../../kernel/core/actor.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import { mergeMetadata } from '../../kernel/core/metadata.ts';
import { toNumber } from '../../kernel/core/money.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { redeemPromotions, releaseRedemptions, shopperKeys } from '../../promotions/index.ts';
import { fulfilmentStatusOf } from '../fulfilments/quantities.ts';
import { promotionsOfOrder } from '../present.ts';
import type { OrderPatch } from '../schemas.ts';
import { type CancelReason, EXTERNAL, type OrderRow } from '../tables.ts';
import { type Decision, type OrderForChange, type Transition, transitionOf } from './apply-transition.ts';
import { hasPaidOrder } from './first-order.ts';
import { findPayment, type PaymentReference, recordPayment, setPaymentStates } from './payments.ts';

const unchanged = (order: OrderForChange): Decision => ({ result: ok(order) });

/** How long after its placement an order waits for a payment that the provider is processing (ms). */
const MAX_PAYMENT_WAIT_MS = 14 * DAY;

/** Returns whether an order is too old to wait for a payment or accept one. */
export const tooLateToPay = ({ createdAt }: Pick<OrderRow, 'createdAt'>): boolean =>
  now() >= createdAt + MAX_PAYMENT_WAIT_MS;

/**
 * Records a received payment, at most once. A pending order becomes `paid`. An order that expired takes its
 * stock again and becomes `paid` if there is enough. The payment becomes `refund_due` if stock is missing,
 * the order is over two weeks old, was cancelled on request, or was already paid.
 */
export const markPaid = transitionOf<PaymentReference>((ctx, { order, input: payment, rejections }) => {
  const { row, payments, reservation } = order;
  const known = findPayment(payments, payment);
  if (known && !['open', 'failed', 'void'].includes(known.state)) return unchanged(order);
  const record = (state: 'paid' | 'refund_due') => recordPayment(ctx, { order, payment, state });
  if (row.status === 'pending') {
    const others = setPaymentStates(ctx, row.id, { from: 'open', to: 'void' });
    return { transition: paidTransition(ctx, order, { payment, statements: [others, record('paid')] }) };
  }
  const expired = row.status === 'cancelled' && row.cancelReason === 'timeout' && !tooLateToPay(row);
  if (expired && reservation.status === 'released' && rejections === 0) {
    const redeemed = redeemPromotions(ctx, {
      promotionIds: promotionsOfOrder(row).map((one) => one.id),
      orderId: row.id,
      shoppers: shopperKeys(ctx.env, ctx.tenantId, row),
      hasPaid: hasPaidOrder(ctx.tenantId, row, row.id),
    });
    return { transition: paidTransition(ctx, order, { payment, statements: [record('paid'), ...redeemed] }) };
  }
  const set = row.status === 'cancelled' ? { paymentStatus: 'paid' as const } : {};
  return { transition: { set, statements: [record('refund_due')] } };
});

/** Completes a payment: consumes the stock, counts the sale, and notifies the cart and subscribers. */
function paidTransition(
  ctx: TenantContext,
  { lines }: OrderForChange,
  { payment, statements }: { readonly payment: PaymentReference } & Pick<Transition, 'statements'>,
): Transition {
  const paidAt = now();
  const { provider } = payment;
  const by: Actor = provider === EXTERNAL ? (ctx.actor ?? SYSTEM) : { kind: 'provider', id: provider };
  return {
    set: {
      status: 'paid',
      paymentStatus: 'paid',
      cancelReason: null,
      cartNotice: 'paid',
      paidAt,
      fulfilmentStatus: fulfilmentStatusOf(lines),
    },
    statements: [...statements, ...countSale(ctx, { lines, paidAt, refunded: false })],
    reservation: { to: 'consumed', reason: 'sale' },
    timeline: [{ type: 'paid', details: { provider }, by }],
    event: 'order.paid',
  };
}

/** Records a declined payment; the order stays pending. */
export const recordDeclined = transitionOf<PaymentReference>((ctx, { order, input: payment }) => {
  const known = order.payments.some(({ reference }) => reference === payment.reference);
  if (known || order.row.status !== 'pending') return unchanged(order);
  const statements = [recordPayment(ctx, { order, payment, state: 'failed' })];
  return { transition: { set: {}, statements } };
});

/** Completes a cancellation: releases redemptions and stock, and notifies the cart and subscribers. */
const cancelTransition = (ctx: TenantDatabase, { row }: OrderForChange, more: Transition): Transition => ({
  set: { status: 'cancelled', cartNotice: 'cancelled', ...more.set },
  timeline: [
    ...(more.timeline ?? []),
    { type: 'cancelled', details: { cancel_reason: more.set.cancelReason ?? null } },
  ],
  statements: [...more.statements, ...releaseRedemptions(ctx, row.id)],
  reservation: { to: 'released', reason: 'order_cancelled' },
  event: 'order.cancelled',
});

/** Cancels a pending order, at most once; `order_not_cancellable` if it is paid and needs a refund first. */
export const cancelPending = transitionOf<CancelReason>((ctx, { order, input: cancelReason }) => {
  if (order.row.status === 'cancelled') return unchanged(order);
  if (order.row.status === 'paid') return { result: fail('order_not_cancellable') };
  const statements = [setPaymentStates(ctx, order.row.id, { from: 'open', to: 'void' })];
  return { transition: cancelTransition(ctx, order, { set: { cancelReason }, statements }) };
});

/** Marks a paid order's payments as `refund_due`. {@link recordRefunded} cancels the order later. */
export const requestRefund = transitionOf<CancelReason>((ctx, { order, input: cancelReason }) => {
  const { row, payments } = order;
  if (row.status !== 'paid' || !payments.some(({ state }) => state === 'paid')) return unchanged(order);
  const statements = [setPaymentStates(ctx, row.id, { from: 'paid', to: 'refund_due' })];
  return { transition: { set: { cancelReason }, statements } };
});

/**
 * Records a refund, at most once. After the last one the order is `refunded`; a paid order is also cancelled,
 * its stock released, and `order.cancelled` emitted.
 */
export const recordRefunded = transitionOf<PaymentReference>((ctx, { order, input: payment }) => {
  const { row, payments } = order;
  const known = findPayment(payments, payment);
  if (!known || !['paid', 'refund_due'].includes(known.state)) return unchanged(order);
  const statements = [recordPayment(ctx, { order, payment, state: 'refunded' })];
  const { amount, currency } = known;
  const details = { amount: toNumber(amount, currency), currency };
  const timeline = [{ type: 'refunded' as const, details }];
  const left = payments.some((one) => one !== known && ['paid', 'refund_due'].includes(one.state));
  if (left) return { transition: { set: {}, statements, timeline } };
  const set = { paymentStatus: 'refunded' as const };
  if (row.status !== 'paid') return { transition: { set, statements, timeline } };
  const cancelReason = row.cancelReason ?? 'tenant';
  const { paidAt } = row;
  const sale = paidAt === null ? [] : countSale(ctx, { lines: order.lines, paidAt, refunded: true });
  const refund = { set: { ...set, cancelReason }, statements: [...statements, ...sale], timeline };
  return { transition: cancelTransition(ctx, order, refund) };
});

/**
 * Changes what a tenant's own systems keep with an order: tags and metadata. Fails with 422 when it is too
 * much metadata.
 */
export const patchOrder = transitionOf<OrderPatch>((_, { order, input }) => {
  const metadata = mergeMetadata(order.row.metadata, input.metadata);
  if (!metadata.ok) return { result: metadata };
  const set = { metadata: metadata.value, tags: input.tags ?? order.row.tags };
  const changed = (['metadata', 'tags'] as const).filter(
    (field) => canonicalJson(set[field]) !== canonicalJson(order.row[field]),
  );
  if (changed.length === 0) return unchanged(order);
  return { transition: { set, statements: [], timeline: [{ type: 'edited', details: { changed } }] } };
});
