import { and, eq } from 'drizzle-orm';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { moveStock, type WriteCause } from '../stock-moves.ts';
import { type Reservation, type ReservedLine, reservations, type StockDemand } from '../tables.ts';
import { demandKey, unitsByKey } from './shortage.ts';
import { assertUnchanged, type OrderedChange, stockEffect } from './status-change.ts';

/** Units that an order no longer counts as sold. */
export interface SoldUnits {
  /** Units to return to stock. */
  readonly restocked: readonly StockDemand[];
  /** Units that don't come back, of whatever is returned. */
  readonly writtenOff: readonly StockDemand[];
}

/**
 * Returns the statements that return units of a sold reservation to stock. Its lines are what the order still has out
 * of stock; no more than that comes back, so that no unit comes back twice. A guard rolls the batch back when the
 * reservation changed after it was read.
 */
export function returnSold(
  ctx: TenantDatabase,
  cause: WriteCause,
  { reservation, restocked, writtenOff }: { readonly reservation: Reservation } & SoldUnits,
): Statement[] {
  const { lines, status } = reservation;
  if (status !== 'consumed' && status !== 'released') return [];
  const { taken } = takeOff(takeOff(lines, writtenOff).left, restocked);
  if (taken.length === 0) return [];
  return putBack(ctx, cause, { reservation, units: taken, set: { lines: takeOff(lines, taken).left } });
}

/**
 * Returns the statements that release a sold reservation: all but the units written off return to stock. These stay its
 * lines, so that {@link returnSold} can return them later.
 */
export function releaseSold(
  ctx: TenantDatabase,
  cause: WriteCause,
  {
    reservation,
    orderId,
    writtenOff,
  }: Pick<OrderedChange, 'reservation' | 'orderId'> & Pick<SoldUnits, 'writtenOff'>,
): Statement[] {
  const { taken, left } = takeOff(reservation.lines, writtenOff);
  return putBack(ctx, cause, {
    reservation,
    units: left,
    set: { status: 'released', lines: taken, orderId },
  });
}

function putBack(
  ctx: TenantDatabase,
  cause: WriteCause,
  {
    reservation,
    units,
    set,
  }: {
    readonly reservation: Reservation;
    readonly units: readonly ReservedLine[];
    readonly set: Partial<Pick<Reservation, 'status' | 'lines' | 'orderId'>>;
  },
): Statement[] {
  const effect = stockEffect(ctx, units, { from: 'consumed', to: 'released' });
  const update = ctx.db
    .update(reservations)
    .set({ ...set, revision: reservation.revision + 1 })
    .where(and(eq(reservations.tenantId, ctx.tenantId), eq(reservations.id, reservation.id)));
  return [assertUnchanged(ctx, reservation), update, ...effect.statements, ...moveStock(ctx, cause, effect)];
}

/** Takes demands off reserved lines, as far as these go. Returns what was taken and what is left. */
function takeOff(
  lines: readonly ReservedLine[],
  demands: readonly StockDemand[],
): { readonly taken: ReservedLine[]; readonly left: ReservedLine[] } {
  const wanted = unitsByKey(demands);
  const parts = lines.map((line) => {
    const taken = Math.min(line.quantity, wanted.get(demandKey(line)) ?? 0);
    return { taken: { ...line, quantity: taken }, left: { ...line, quantity: line.quantity - taken } };
  });
  const some = ({ quantity }: ReservedLine) => quantity > 0;
  return {
    taken: parts.map(({ taken }) => taken).filter(some),
    left: parts.map(({ left }) => left).filter(some),
  };
}
