import { and, eq } from 'drizzle-orm';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { moveStock, type WriteCause } from '../stock-moves.ts';
import { type Reservation, type ReservedLine, reservations } from '../tables.ts';
import type { StockDemand } from './shortage.ts';
import { assertUnchanged, stockEffect } from './status-change.ts';

/** Sold units that an order no longer counts as sold. */
export interface SoldUnits {
  /** Units that can be sold again. */
  readonly restocked: readonly StockDemand[];
  /** Units that can't; a later release of the reservation doesn't return them either. */
  readonly writtenOff: readonly StockDemand[];
}

const keyOf = (line: StockDemand): string =>
  'itemId' in line ? `item:${line.itemId}` : `slot:${line.slotId}`;

/** Takes demands off reserved lines, as far as these go. Returns what was taken and what is left. */
function takeOff(
  lines: readonly ReservedLine[],
  demands: readonly StockDemand[],
): { readonly taken: readonly ReservedLine[]; readonly left: readonly ReservedLine[] } {
  const wanted = new Map<string, number>();
  for (const demand of demands) {
    wanted.set(keyOf(demand), (wanted.get(keyOf(demand)) ?? 0) + demand.quantity);
  }
  const parts = lines.map((line) => {
    const taken = Math.min(line.quantity, wanted.get(keyOf(line)) ?? 0);
    return { taken: { ...line, quantity: taken }, left: { ...line, quantity: line.quantity - taken } };
  });
  const some = ({ quantity }: ReservedLine) => quantity > 0;
  return {
    taken: parts.map(({ taken }) => taken).filter(some),
    left: parts.map(({ left }) => left).filter(some),
  };
}

/**
 * Returns the statements that take units off a sold reservation, and return those that can be sold again to
 * stock. Returns no more than the reservation still has, so that no unit comes back twice. A guard rolls the
 * batch back when the reservation changed after it was read.
 */
export function returnSold(
  ctx: TenantDatabase,
  cause: WriteCause,
  { reservation, restocked, writtenOff }: { readonly reservation: Reservation } & SoldUnits,
): Statement[] {
  if (reservation.status !== 'consumed') return [];
  const back = takeOff(reservation.lines, restocked);
  const { left } = takeOff(back.left, writtenOff);
  const effect = stockEffect(ctx, back.taken, { from: 'consumed', to: 'released' });
  const update = ctx.db
    .update(reservations)
    .set({ lines: [...left], revision: reservation.revision + 1 })
    .where(and(eq(reservations.tenantId, ctx.tenantId), eq(reservations.id, reservation.id)));
  return [assertUnchanged(ctx, reservation), update, ...effect.statements, ...moveStock(ctx, cause, effect)];
}
