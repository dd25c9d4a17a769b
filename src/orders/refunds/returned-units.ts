/** What refunds return to stock, and what they don't. */
import type { SoldUnits, StockDemand } from '../../inventory/index.ts';
import type { StoredOrder } from '../store.ts';
import type { OrderLineRow } from '../tables.ts';
import { counts } from './store.ts';
import type { RefundedItem, RefundRow } from './tables.ts';

/** Returns the units that refunds cover without returning them to stock. Those of failed refunds count as sold. */
export const unitsWrittenOff = ({ lines, refunds }: Pick<StoredOrder, 'lines' | 'refunds'>): StockDemand[] =>
  demandsOf(lines, refunds.filter(counts).flatMap(itemsWrittenOff));

const itemsWrittenOff = ({ items }: RefundRow): RefundedItem[] => items.filter(({ restock }) => !restock);

/** Returns the units that a new refund of an order returns to stock. */
export const unitsReturnedBy = (order: StoredOrder, { items }: RefundRow): SoldUnits => ({
  restocked: demandsOf(
    order.lines,
    items.filter(({ restock }) => restock),
  ),
  writtenOff: unitsWrittenOff(order),
});

/**
 * Returns the units that return to stock because their refunds failed after the order was cancelled: the cancellation
 * would have returned them. While an order is paid, units of a failed refund are sold.
 */
export function unitsOfFailed(
  { row, lines, refunds }: StoredOrder,
  after: readonly RefundRow[],
): SoldUnits | undefined {
  if (row.status !== 'cancelled') return undefined;
  const counted = new Set(refunds.filter(counts).map(({ id }) => id));
  const failed = after.filter((refund) => counted.has(refund.id) && !counts(refund));
  const restocked = demandsOf(lines, failed.flatMap(itemsWrittenOff));
  return restocked.length === 0
    ? undefined
    : { restocked, writtenOff: unitsWrittenOff({ lines, refunds: after }) };
}

const demandsOf = (lines: readonly OrderLineRow[], items: readonly RefundedItem[]): StockDemand[] =>
  items.flatMap(({ lineId, quantity }) => {
    const line = lines.find(({ id }) => id === lineId);
    return line ? demandsOfLine(line, quantity) : [];
  });

/** Returns what some units of a line took of stock. Orders of earlier versions have one item for each line. */
function demandsOfLine(line: OrderLineRow, units: number): StockDemand[] {
  const whole: readonly StockDemand[] =
    line.stock.length > 0
      ? line.stock
      : [{ itemId: line.variantId ?? line.productId, quantity: line.quantity }];
  return whole.map((demand) => ({
    ...demand,
    quantity: Math.floor((demand.quantity * units) / line.quantity),
  }));
}
