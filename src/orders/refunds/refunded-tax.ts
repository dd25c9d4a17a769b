/** The tax in refunds, to the minor unit: a share of their order's tax. */
import { divideHalfUp } from '../../kernel/values/money.ts';
import type { StoredOrder } from '../store.ts';
import { lineGross, refundsOfOrder, shippingGross } from './refundable.ts';
import { counts } from './store.ts';
import type { RefundRow } from './tables.ts';

/** A part of an order that is not refunded, and the tax in it (minor units). */
interface Unrefunded {
  readonly amount: number;
  readonly tax: number;
}

/** What is not refunded of an order: all of it, and each line by its id, with shipping as {@link SHIPPING}. */
interface UnrefundedOrder {
  readonly whole: Unrefunded;
  readonly parts: ReadonlyMap<number, Unrefunded>;
}

/** The key of shipping beside the ids of lines, which begin at 1. */
const SHIPPING = 0;

/** Returns the tax in some of a part's amount, rounded half up. The last of it has all the tax that is left. */
const taxIn = ({ amount, tax }: Unrefunded, refunded: number): number =>
  refunded >= amount ? tax : divideHalfUp(BigInt(tax) * BigInt(refunded), amount);

const without = (part: Unrefunded, refunded: Unrefunded): Unrefunded => ({
  amount: Math.max(0, part.amount - refunded.amount),
  tax: Math.max(0, part.tax - refunded.tax),
});

function unrefunded({ row, lines }: StoredOrder): UnrefundedOrder {
  const ofLines = lines.reduce((sum, { tax }) => sum + tax, 0);
  const shipping = { amount: shippingGross(row, lines), tax: row.tax - ofLines };
  return {
    whole: { amount: row.grandTotal, tax: row.tax },
    parts: new Map([
      [SHIPPING, shipping],
      ...lines.map((line) => [line.id, { amount: lineGross(row, line), tax: line.tax }] as const),
    ]),
  };
}

/** Returns the tax in a refund, and what is not refunded after it. */
function splitOff(
  { whole, parts }: UnrefundedOrder,
  { items, shipping, amount }: RefundRow,
): { readonly tax: number; readonly left: UnrefundedOrder } {
  const after = new Map(parts);
  let named = { amount: 0, tax: 0 };
  for (const [key, refunded] of [
    ...items.map((item) => [item.lineId, item.amount] as const),
    [SHIPPING, shipping] as const,
  ]) {
    const part = after.get(key) ?? { amount: 0, tax: 0 };
    const taken = { amount: refunded, tax: taxIn(part, refunded) };
    after.set(key, without(part, taken));
    named = { amount: named.amount + taken.amount, tax: named.tax + taken.tax };
  }
  const wanted = named.tax + taxIn(without(whole, named), amount - named.amount);
  // What is left has no more tax than money: earlier amounts may have taken of this line's tax, or left more of it.
  const least = whole.tax - (whole.amount - amount);
  const tax = Math.min(whole.tax, Math.max(wanted, least));
  return { tax, left: { whole: without(whole, { amount, tax }), parts: after } };
}

/**
 * Returns the tax in each of an order's refunds (minor units), by refund id: units have that of their line, shipping
 * has its own, and any other amount has that of all that is left, in proportion. The tax of refunds that did not fail
 * sums to the order's once everything is refunded. `refunds` of the order are oldest first.
 */
export function taxOfRefunds(order: StoredOrder): ReadonlyMap<string, number> {
  const taxes = new Map<string, number>();
  let left = unrefunded(order);
  for (const refund of refundsOfOrder(order.refunds)) {
    const split = splitOff(left, refund);
    taxes.set(refund.id, split.tax);
    if (counts(refund)) left = split.left;
  }
  return taxes;
}
