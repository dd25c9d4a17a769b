import { type Actor, SYSTEM } from '../../kernel/core/actor.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import { keysOf } from '../../kernel/core/records.ts';
import { fail, invalid, ok } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { mergeMetadata } from '../../kernel/values/metadata.ts';
import { redeemPromotions, shopperKeys } from '../../promotions/index.ts';
import { fulfilmentStatusOf } from '../fulfilments/quantities.ts';
import { tagStatements } from '../listing/order-terms.ts';
import { promotionsOfOrder } from '../present.ts';
import { newRefund, refundsTransition } from '../refunds/change.ts';
import { MAX_TAGS, type OrderPatch } from '../schemas.ts';
import type { OrderWithPayments } from '../store.ts';
import { type CancelReason, EXTERNAL, type OrderRow } from '../tables.ts';
import { type Decision, type OrderForChange, type Transition, transitionOf } from './apply-transition.ts';
import { cancelTransition } from './cancel-transition.ts';
import { hasPaidOrder } from './first-order.ts';
import { findPayment, type PaymentReference, recordPayment, voidOpenPayments } from './payments.ts';

const unchanged = (order: OrderForChange): Decision => ({ result: ok(order) });

/** How long after its placement an order waits for a payment that the provider is processing (ms). */
const MAX_PAYMENT_WAIT_MS = 14 * DAY;

/**
 * The most payments that an order keeps, and the most of these that failed. A tenant's own checkout reports as many as
 * it likes, and every change of an order reads them all.
 */
const MAX_PAYMENTS = 100;
const MAX_FAILED_PAYMENTS = 50;

/** Returns whether an order is too old to wait for a payment or accept one. */
export const tooLateToPay = ({ createdAt }: Pick<OrderRow, 'createdAt'>): boolean =>
  now() >= createdAt + MAX_PAYMENT_WAIT_MS;

/**
 * Records a received payment, at most once. A pending order becomes `paid`. An order that expired takes its
 * stock again and becomes `paid` if there is enough. The payment becomes `refund_due` if stock is missing,
 * the order is over two weeks old, was cancelled on request, or was already paid. Ignores one of another provider than
 * the order's. Fails with `conflict` for one more than {@link MAX_PAYMENTS}.
 */
export const markPaid = transitionOf<PaymentReference>((ctx, { order, input: payment, rejections }) => {
  const { row, payments, reservation } = order;
  // A tenant's own checkout may name its orders at the same account, whose callbacks come here.
  if (payment.provider !== row.provider) return unchanged(order);
  const known = findPayment(payments, payment);
  if (known && !['open', 'failed', 'void'].includes(known.state)) return unchanged(order);
  if (!known && payments.length >= MAX_PAYMENTS) {
    return { result: fail('conflict', { message: `An order takes at most ${MAX_PAYMENTS} payments.` }) };
  }
  const record = (state: 'paid' | 'refund_due') => recordPayment(ctx, { order, payment, state });
  const received = () => record('paid').statement;
  if (row.status === 'pending') {
    const others = voidOpenPayments(ctx, row.id);
    return { transition: paidTransition(ctx, order, { payment, statements: [others, received()] }) };
  }
  const expired = row.status === 'cancelled' && row.cancelReason === 'timeout' && !tooLateToPay(row);
  if (expired && reservation.status === 'released' && rejections === 0) {
    const redeemed = redeemPromotions(ctx, {
      promotionIds: promotionsOfOrder(row).map((one) => one.id),
      orderId: row.id,
      shoppers: shopperKeys(ctx.env, ctx.tenantId, row),
      hasPaid: hasPaidOrder(ctx.tenantId, row, row.id),
    });
    return { transition: paidTransition(ctx, order, { payment, statements: [received(), ...redeemed] }) };
  }
  return { transition: returnSurplus(ctx, order, record('refund_due')) };
});

/** Returns the transition that records a payment which the order can't use, and its refund. */
function returnSurplus(
  ctx: TenantContext,
  order: OrderForChange,
  { payment, statement }: ReturnType<typeof recordPayment>,
): Transition {
  const { amount } = payment;
  const refund = newRefund({ payment, source: 'surplus', amount, requestedBy: ctx.actor ?? SYSTEM });
  return refundsTransition(ctx, order, {
    after: [...order.refunds, refund],
    payments: [...order.payments.filter(({ id }) => id !== payment.id), payment],
    statements: [statement],
  });
}

/** Completes a payment: consumes the stock, and notifies the cart and subscribers. */
function paidTransition(
  ctx: TenantContext,
  order: OrderForChange,
  { payment, statements }: { readonly payment: PaymentReference } & Pick<Transition, 'statements'>,
): Transition {
  const { provider } = payment;
  const by: Actor = provider === EXTERNAL ? (ctx.actor ?? SYSTEM) : { kind: 'provider', id: provider };
  return {
    set: {
      status: 'paid',
      paymentStatus: 'paid',
      cancelReason: null,
      cartNotice: 'paid',
      paidAt: now(),
      cancelledAt: null,
      fulfilmentStatus: fulfilmentStatusOf(order),
    },
    statements,
    reservation: { to: 'consumed', reason: 'sale' },
    timeline: [{ type: 'paid', details: { provider }, by }],
    event: 'order.paid',
  };
}

/** Records a declined payment, one of the first {@link MAX_FAILED_PAYMENTS}; the order stays pending. */
export const recordDeclined = transitionOf<PaymentReference>((ctx, { order, input: payment }) => {
  const known = order.payments.some(({ reference }) => reference === payment.reference);
  const isFull = order.payments.length >= MAX_FAILED_PAYMENTS;
  if (known || isFull || order.row.status !== 'pending') return unchanged(order);
  const statements = [recordPayment(ctx, { order, payment, state: 'failed' }).statement];
  return { transition: { set: {}, statements } };
});

/** A cancellation of a pending order. */
interface Cancellation {
  readonly reason: CancelReason;
  /** The order as its payment was ended at the provider. */
  readonly seen?: OrderWithPayments;
}

/** Returns whether a payment of an order has begun at its provider since the order was `seen`. */
const isBegunSince = ({ payments }: OrderWithPayments, seen: OrderWithPayments): boolean =>
  payments.some(
    ({ id, state, reference }) =>
      state === 'open' && reference !== null && !seen.payments.some((one) => one.id === id && one.reference),
  );

/**
 * Cancels a pending order, at most once; `order_not_cancellable` if it is paid and needs a refund first. Leaves it
 * pending if a payment has begun since it was `seen`: a shopper may be paying, so that payment must be ended first.
 */
export const cancelPending = transitionOf<Cancellation>((ctx, { order, input }) => {
  const { reason: cancelReason, seen } = input;
  if (order.row.status === 'cancelled') return unchanged(order);
  if (order.row.status === 'paid') return { result: fail('order_not_cancellable') };
  if (seen && isBegunSince(order, seen)) return unchanged(order);
  const statements = [voidOpenPayments(ctx, order.row.id)];
  return { transition: cancelTransition(ctx, order, { set: { cancelReason }, statements }) };
});

/** Changes to an order, with tags to add to those that it has, or to take away. */
interface OrderEdit extends OrderPatch {
  readonly add_tags?: readonly string[] | undefined;
  readonly remove_tags?: readonly string[] | undefined;
}

/** Returns an order's tags after an edit; 422 when it is too many. */
export function tagsAfter(before: readonly string[], { tags, add_tags = [], remove_tags = [] }: OrderEdit) {
  const after = [...new Set([...(tags ?? before), ...add_tags])].filter((tag) => !remove_tags.includes(tag));
  return after.length > MAX_TAGS ? invalid('add_tags', `would make more than ${MAX_TAGS} tags`) : ok(after);
}

/** Returns when an order was archived after an edit that is made `at` a time (ms). */
function archivedAfter(before: number | null, { archived = before !== null }: OrderEdit, at: number) {
  return archived ? (before ?? at) : null;
}

/** The names of the fields that an edit changes, by the order's columns. */
const EDITED_FIELDS = { metadata: 'metadata', tags: 'tags', archivedAt: 'archived' } as const;

/**
 * Changes what a tenant's own systems keep with an order: tags, metadata, and whether it is archived. Fails with 422
 * when it is too much metadata, or too many tags.
 */
export const patchOrder = transitionOf<OrderEdit>((ctx, { order, input }) => {
  const metadata = mergeMetadata(order.row.metadata, input.metadata);
  if (!metadata.ok) return { result: metadata };
  const tags = tagsAfter(order.row.tags, input);
  if (!tags.ok) return { result: tags };
  const archivedAt = archivedAfter(order.row.archivedAt, input, now());
  const set = { metadata: metadata.value, tags: tags.value, archivedAt };
  const changed = keysOf(set)
    .filter((key) => canonicalJson(set[key]) !== canonicalJson(order.row[key]))
    .map((key) => EDITED_FIELDS[key]);
  if (changed.length === 0) return unchanged(order);
  const statements = changed.includes('tags') ? tagStatements(ctx, order.row.id, set.tags) : [];
  const timeline = [{ type: 'edited', details: { changed } }] as const;
  return { transition: { set, statements, timeline } };
});
