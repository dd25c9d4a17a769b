/** What is left to refund of an order, to the minor unit. */
import { divideHalfUp } from '../../kernel/values/money.ts';
import type { OrderWithPayments, StoredOrder } from '../store.ts';
import type { OrderLineRow, OrderRow, PaymentRow } from '../tables.ts';
import { counts } from './store.ts';
import type { RefundedItem, RefundRow } from './tables.ts';

/** Returns what was paid for a line: after its discount, with its tax (minor units). */
export const lineGross = ({ taxIncluded }: OrderRow, { subtotal, discount, tax }: OrderLineRow): number =>
  subtotal - discount + (taxIncluded ? 0 : tax);

/** Returns what was paid for shipping, with its tax: the part of the order's tax that no line has. */
export function shippingGross(
  { taxIncluded, shipping, tax }: OrderRow,
  lines: readonly OrderLineRow[],
): number {
  return shipping + (taxIncluded ? 0 : tax - lines.reduce((sum, line) => sum + line.tax, 0));
}

/** Units of a line, and what was paid for them (minor units). */
interface RefundableLine {
  readonly quantity: number;
  readonly amount: number;
}

/**
 * Returns what was paid for some of a line's remaining units, rounded half up. The last units get the rest, so
 * that the parts sum to the line's amount however it is divided.
 */
export const amountOfUnits = ({ quantity, amount }: RefundableLine, units: number): number =>
  units === quantity ? amount : divideHalfUp(BigInt(amount) * BigInt(units), quantity);

/** What is left of an order; amounts in minor units. */
export interface Refundable {
  /** By line id. */
  readonly lines: ReadonlyMap<number, RefundableLine>;
  readonly shipping: number;
}

/** Returns what refunds of lines and shipping have left; pending refunds count as made. */
export function refundableOf({ row, lines, refunds }: StoredOrder): Refundable {
  const made = refunds.filter(counts);
  const items = made.flatMap((refund) => refund.items);
  const left = (line: OrderLineRow): RefundableLine => {
    const ofLine = items.filter(({ lineId }) => lineId === line.id);
    return {
      quantity: line.quantity - ofLine.reduce((sum, item) => sum + item.quantity, 0),
      amount: lineGross(row, line) - ofLine.reduce((sum, item) => sum + item.amount, 0),
    };
  };
  return {
    lines: new Map(lines.map((line) => [line.id, left(line)])),
    shipping: shippingGross(row, lines) - made.reduce((sum, { shipping }) => sum + shipping, 0),
  };
}

/** Returns what is left of a payment (minor units). */
export const leftOf = ({ id, amount }: PaymentRow, refunds: readonly RefundRow[]): number =>
  refunds.reduce((left, one) => left - (counts(one) && one.paymentId === id ? one.amount : 0), amount);

/** The states of payments whose money arrived. */
export const RECEIVED: readonly PaymentRow['state'][] = ['paid', 'refund_due', 'refunded'];

/** Returns the ids of payments that an order couldn't use. */
export const unusedPayments = (refunds: readonly RefundRow[]): ReadonlySet<string> =>
  new Set(refunds.flatMap(({ source, paymentId }) => (source === 'surplus' ? [paymentId] : [])));

/** Returns the refunds of what was paid for an order, without those of {@link unusedPayments}. */
export function refundsOfOrder(refunds: readonly RefundRow[]): readonly RefundRow[] {
  const unused = unusedPayments(refunds);
  return refunds.filter(({ paymentId }) => !unused.has(paymentId));
}

/** Returns what is still to be returned of payments that an order couldn't use (minor units). */
export const surplusDue = (refunds: readonly RefundRow[]): number =>
  refunds.reduce(
    (sum, { source, status, amount }) => sum + (source === 'surplus' && status === 'pending' ? amount : 0),
    0,
  );

/** Returns the payment that an order was paid with; undefined if it has none, or only ones that it couldn't use. */
export function paymentOfOrder({
  payments,
  refunds,
}: Pick<OrderWithPayments, 'payments' | 'refunds'>): PaymentRow | undefined {
  const unused = unusedPayments(refunds);
  return payments.find(({ id, state }) => RECEIVED.includes(state) && !unused.has(id));
}

/** Returns whether nothing is left of what was paid for an order; pending refunds count as made. */
export function isPaidBack(order: Pick<OrderWithPayments, 'payments' | 'refunds'>): boolean {
  const payment = paymentOfOrder(order);
  return payment !== undefined && payment.amount > 0 && leftOf(payment, order.refunds) === 0;
}

/** Everything that is left of an order: remaining units and shipping, as far as `amount` goes. */
interface Remainder {
  readonly items: readonly RefundedItem[];
  readonly shipping: number;
}

/** Returns a function that takes what is wanted of an amount, as far as it goes. */
export function spendFrom(amount: number): (wanted: number) => number {
  let left = amount;
  return (wanted) => {
    const spent = Math.min(left, wanted);
    left -= spent;
    return spent;
  };
}

/**
 * Returns the items and the shipping of a refund of all that is left. Refunds of other amounts may have left
 * less than they cost; then `amount` is spent on the items first, in their order.
 */
export function remainderOf(order: StoredOrder, amount: number, restock: boolean): Remainder {
  const { lines, shipping } = refundableOf(order);
  const spend = spendFrom(amount);
  const items = [...lines]
    .filter(([, { quantity }]) => quantity > 0)
    .map(([lineId, line]) => ({ lineId, quantity: line.quantity, restock, amount: spend(line.amount) }));
  return { items, shipping: spend(shipping) };
}
