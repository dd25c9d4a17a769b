import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { FulfilmentStatus, OrderLineRow } from '../tables.ts';
import type { FulfilmentCreate } from './schemas.ts';
import type { FulfilledItem } from './tables.ts';

/** Returns the quantity of a line that can still be fulfilled; 0 for what is not shipped. */
export const leftToFulfil = ({ ships, quantity, fulfilled }: OrderLineRow): number =>
  ships ? Math.max(0, quantity - fulfilled) : 0;

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

/** Returns the status of a paid order with these lines: `fulfilled` as well if it has nothing to ship. */
export function fulfilmentStatusOf(lines: readonly OrderLineRow[]): FulfilmentStatus {
  if (lines.every((line) => leftToFulfil(line) === 0)) return 'fulfilled';
  return lines.some(({ fulfilled }) => fulfilled > 0) ? 'partially_fulfilled' : 'unfulfilled';
}

/**
 * Returns what a fulfilment ships: the requested items, or all that is left. A 422 names each item that is
 * not a line of goods, or exceeds what is left of it.
 */
export function itemsToFulfil(
  lines: readonly OrderLineRow[],
  requested: FulfilmentCreate['items'],
): Result<FulfilledItem[]> {
  if (!requested) {
    const left = lines.map((line) => ({ lineId: line.id, quantity: leftToFulfil(line) }));
    return ok(left.filter(({ quantity }) => quantity > 0));
  }
  for (const [n, { line_id, quantity }] of requested.entries()) {
    const line = lines.find(({ id }) => id === line_id);
    if (!line) return invalid(`items.${n}.line_id`, 'must be the id of a line of the order');
    if (!line.ships) return invalid(`items.${n}.line_id`, 'must be the id of a line that is shipped');
    const left = leftToFulfil(line);
    if (quantity > left) return invalid(`items.${n}.quantity`, `must be at most ${left}, which is left`);
  }
  return ok(requested.map(({ line_id, quantity }) => ({ lineId: line_id, quantity })));
}
