import type { OrderLineRow } from '../tables.ts';
import { amountOfUnits } from './refundable.ts';
import { counts, shippedUnitsNamed } from './store.ts';
import type { RefundedItem, RefundRow } from './tables.ts';

/**
 * Returns an order's refunds after a fulfilment was cancelled; `lines` are those after it. Units that refunds cover as
 * shipped, and that no other fulfilment can have had, were not shipped. Refunds that stay are the same objects.
 */
export const unshipRefunded = (refunds: readonly RefundRow[], lines: readonly OrderLineRow[]): RefundRow[] =>
  lines.reduce((list, line) => unshipLine(list, line), [...refunds]);

function unshipLine(refunds: readonly RefundRow[], { id, fulfilled }: OrderLineRow): RefundRow[] {
  let excess = shippedUnitsNamed(refunds.filter(counts), id) - fulfilled;
  const unshipItem = (item: RefundedItem): RefundedItem[] => {
    const { lineId, shipped, quantity, amount } = item;
    const units = lineId === id && shipped ? Math.min(quantity, Math.max(0, excess)) : 0;
    if (units === 0) return [item];
    excess -= units;
    const part = amountOfUnits({ quantity, amount }, units);
    const rest = { ...item, quantity: quantity - units, amount: amount - part };
    return [...(rest.quantity > 0 ? [rest] : []), { ...item, shipped: false, quantity: units, amount: part }];
  };
  return refunds.map((refund) => {
    if (excess <= 0 || !counts(refund)) return refund;
    const items = refund.items.flatMap(unshipItem);
    return items.every((item, n) => item === refund.items[n]) ? refund : { ...refund, items };
  });
}
