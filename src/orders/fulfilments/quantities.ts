import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { counts, shippedUnitsNamed, unitsNamed } from '../refunds/store.ts';
import type { StoredOrder } from '../store.ts';
import type { FulfilmentStatus, OrderLineRow } from '../tables.ts';
import type { FulfilmentCreate } from './schemas.ts';
import type { FulfilledItem } from './tables.ts';

/** An order's lines and refunds. */
type RefundedLines = Pick<StoredOrder, 'lines' | 'refunds'>;

/**
 * Returns the quantity of a line that is still to be shipped: neither what was shipped, of which refunds named some as
 * shipped, nor what other refunds cover. Units of a cancelled fulfilment that were refunded are not shipped again.
 */
export function leftToShip(line: OrderLineRow, refunds: StoredOrder['refunds']): number {
  if (!line.ships) return 0;
  const counted = refunds.filter(counts);
  const shippedRefunded = shippedUnitsNamed(counted, line.id);
  const unshippedRefunded = unitsNamed(counted, line.id) - shippedRefunded;
  return Math.max(0, line.quantity - Math.max(line.fulfilled, shippedRefunded) - unshippedRefunded);
}

/** Returns the lines after `items` were fulfilled, or given back (`sign` -1). */
export const withFulfilled = (
  lines: readonly OrderLineRow[],
  items: readonly FulfilledItem[],
  sign: 1 | -1,
): OrderLineRow[] =>
  lines.map((line) => {
    const item = items.find(({ lineId }) => lineId === line.id);
    return item ? { ...line, fulfilled: line.fulfilled + sign * item.quantity } : line;
  });

/**
 * Returns the status of a paid order: `fulfilled` once nothing is left to ship, also if it has nothing to ship. One of
 * which everything was refunded before any of it was shipped stays `unfulfilled`.
 */
export function fulfilmentStatusOf({ lines, refunds }: RefundedLines): FulfilmentStatus {
  const isBegun = lines.some(({ fulfilled }) => fulfilled > 0);
  const isOver = lines.every((line) => leftToShip(line, refunds) === 0);
  if (isOver && (isBegun || !lines.some(({ ships }) => ships))) return 'fulfilled';
  return isBegun ? 'partially_fulfilled' : 'unfulfilled';
}

/**
 * Returns what a fulfilment ships: the requested items, or all that is left. A 422 names each item that is
 * not a line of goods, or exceeds what is left of it.
 */
export function itemsToFulfil(
  { lines, refunds }: RefundedLines,
  requested: FulfilmentCreate['items'],
): Result<FulfilledItem[]> {
  if (!requested) {
    const left = lines.map((line) => ({ lineId: line.id, quantity: leftToShip(line, refunds) }));
    return ok(left.filter(({ quantity }) => quantity > 0));
  }
  for (const [n, { line_id, quantity }] of requested.entries()) {
    const line = lines.find(({ id }) => id === line_id);
    if (!line) return invalid(`items.${n}.line_id`, 'must be the id of a line of the order');
    if (!line.ships) return invalid(`items.${n}.line_id`, 'must be the id of a line that is shipped');
    const left = leftToShip(line, refunds);
    if (quantity > left) return invalid(`items.${n}.quantity`, `must be at most ${left}, which is left`);
  }
  return ok(requested.map(({ line_id, quantity }) => ({ lineId: line_id, quantity })));
}
