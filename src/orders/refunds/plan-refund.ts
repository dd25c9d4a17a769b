import { type Failed, fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { amountError, toMinor, toNumber } from '../../kernel/values/money.ts';
import type { OrderWithPayments } from '../store.ts';
import type { PaymentRow } from '../tables.ts';
import {
  amountOfUnits,
  leftOf,
  paymentOfOrder,
  RECEIVED,
  type Refundable,
  refundableOf,
  remainderOf,
} from './refundable.ts';
import type { RefundCreate } from './schemas.ts';
import { counts, shippedUnitsNamed } from './store.ts';
import type { RefundedItem } from './tables.ts';

/** The most refunds of an order that the API takes. */
export const MAX_REFUNDS = 100;

/** What a refund covers; amounts in minor units. */
interface RefundPlan {
  readonly payment: PaymentRow;
  readonly items: readonly RefundedItem[];
  readonly shipping: number;
  /** All of it: items, shipping and anything else. */
  readonly amount: number;
}

const UNUSED_PAYMENT =
  'The order was cancelled before it was paid: its payment goes back as a whole, by the payment provider or by your own checkout, which reports it.';

/** Returns whether money arrived for an order that has none to refund. */
const hasUnusedPayment = ({ payments }: OrderWithPayments): boolean =>
  payments.some(({ state }) => RECEIVED.includes(state));

/** Why nothing can be refunded. */
const notRefundable = (message: string) => fail('order_not_refundable', { message });

/**
 * Returns what a request refunds. Fails with `order_not_refundable` if nothing is left or after
 * {@link MAX_REFUNDS}, `refund_too_large` if it asks for more than is left, and 422 for lines that the order
 * doesn't have or more shipped units than there are.
 */
export function planRefund(order: OrderWithPayments, input: RefundCreate): Result<RefundPlan> {
  const payment = paymentOfOrder(order);
  if (!payment) return notRefundable(hasUnusedPayment(order) ? UNUSED_PAYMENT : 'The order is not paid.');
  if (order.refunds.length >= MAX_REFUNDS) {
    return notRefundable(`An order takes at most ${MAX_REFUNDS} refunds.`);
  }
  const left = leftOf(payment, order.refunds);
  // Its units are no longer sold, also those that no refund names.
  if (left === 0 && order.row.status === 'cancelled') return notRefundable('Everything has been refunded.');
  const { items, shipping, amount } = input;
  const isWhole = items === undefined && shipping === undefined && amount === undefined;
  return isWhole ? planWhole(order, { payment, left }) : planNamed(order, input, { payment, left });
}

/** A payment, and what is left of it to refund, in minor units. */
interface Rest {
  readonly payment: PaymentRow;
  readonly left: number;
}

/** Returns the refund of all that is left. */
function planWhole(order: OrderWithPayments, { payment, left }: Rest): Result<RefundPlan> {
  const rest = remainderOf(order, left, false);
  // Where nothing was paid, units may be left all the same.
  const isOver = left === 0 && (payment.amount > 0 || rest.items.length === 0);
  return isOver ? notRefundable('Everything has been refunded.') : ok({ payment, ...rest, amount: left });
}

/** Returns the refund of what a request names. */
function planNamed(
  order: OrderWithPayments,
  { items = [], shipping = false, amount }: RefundCreate,
  { payment, left }: Rest,
): Result<RefundPlan> {
  const refundable = refundableOf(order);
  const covered = coveredItems(order, refundable, items);
  if (!covered.ok) return covered;
  const further = amount === undefined ? ok(0) : requestedAmount(amount, payment.currency);
  if (!further.ok) return further;
  const shippingPart = shipping ? refundable.shipping : 0;
  const total = covered.value.reduce((sum, item) => sum + item.amount, shippingPart + further.value);
  if (total === 0 && covered.value.length === 0)
    return notRefundable('The refund names nothing that is left.');
  if (total > left) return refundTooLarge(payment, { requested: total, refundable: left });
  return ok({ payment, items: covered.value, shipping: shippingPart, amount: total });
}

/** Returns the failure of a refund for which less is left of its payment (minor units). */
export function refundTooLarge(
  { currency }: PaymentRow,
  { requested, refundable }: { readonly requested: number; readonly refundable: number },
): Failed {
  const money = (minor: number) => toNumber(minor, currency);
  return fail('refund_too_large', {
    details: { requested: money(requested), refundable: money(refundable) },
  });
}

/** Returns the `amount` of a request in minor units; a 422 for one that the currency can't have. */
export function requestedAmount(amount: number, currency: string): Result<number> {
  const minor = toMinor(amount, currency);
  const problem = amountError(amount, currency);
  return minor === null || problem ? invalid('amount', problem ?? 'must be an amount') : ok(minor);
}

/** Returns the items with what was paid for them; a 422 names the one that the order doesn't have. */
function coveredItems(
  { lines, refunds }: OrderWithPayments,
  refundable: Refundable,
  items: NonNullable<RefundCreate['items']>,
): Result<RefundedItem[]> {
  const covered = new Map<number, RefundedItem>();
  for (const [n, { line_id: lineId, quantity, restock, shipped }] of items.entries()) {
    const line = lines.find(({ id }) => id === lineId);
    const left = refundable.lines.get(lineId);
    if (!line || !left) return invalid(`items.${n}.line_id`, 'must be a line of this order');
    if (covered.has(lineId)) return invalid(`items.${n}.line_id`, 'must not be repeated');
    if (quantity > line.quantity) return invalid(`items.${n}.quantity`, `must be at most ${line.quantity}`);
    if (quantity > left.quantity) {
      const details = { line_id: lineId, requested: quantity, refundable: left.quantity };
      return fail('refund_too_large', { message: 'Units of the line have been refunded already.', details });
    }
    const most = line.fulfilled - shippedUnitsNamed(refunds.filter(counts), lineId);
    if (shipped && quantity > most) {
      return invalid(`items.${n}.quantity`, `must be at most ${Math.max(0, most)}, which were shipped`);
    }
    covered.set(lineId, { lineId, quantity, restock, shipped, amount: amountOfUnits(left, quantity) });
  }
  return ok([...covered.values()]);
}
