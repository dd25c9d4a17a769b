import { and, eq, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { assertInBatch, type Database, jsonList, run, type Statement } from '../kernel/data/database.ts';
import { moveStock, type StockMove, type WriteCause } from './stock-moves.ts';
import { type Reservation, type ReservationStatus, type ReservedLine, reservations } from './tables.ts';

/** What one unit of a line has done to stock in each status, compared with no reservation at all. */
const EFFECTS: Readonly<Record<ReservationStatus, { onHand: number; reserved: number; places: number }>> = {
  held: { onHand: 0, reserved: 1, places: 1 },
  ordered: { onHand: 0, reserved: 1, places: 1 },
  consumed: { onHand: -1, reserved: 0, places: 1 },
  released: { onHand: 0, reserved: 0, places: 0 },
};

/** What a change of status means: rows to write, and stock to move with {@link moveStock} afterwards. */
export interface Change {
  readonly statements: Statement[];
  readonly moves: StockMove[];
  /** Booking products whose slots changed. */
  readonly follow: number[];
}

/** What stock does when these lines go from one status to another. */
export function effect(
  db: Database,
  tenantId: number,
  lines: readonly ReservedLine[],
  from: ReservationStatus,
  to: ReservationStatus,
): Change {
  const [before, after] = [EFFECTS[from], EFFECTS[to]];
  const onHand = after.onHand - before.onHand;
  const reserved = after.reserved - before.reserved;
  const places = after.places - before.places;
  const moves =
    onHand === 0 && reserved === 0
      ? []
      : lines.flatMap((line) =>
          'itemId' in line
            ? [{ itemId: line.itemId, delta: onHand * line.quantity, reserve: reserved * line.quantity }]
            : [],
        );
  const slots = places === 0 ? [] : lines.filter((line) => 'slotId' in line);
  if (slots.length === 0) return { statements: [], moves, follow: [] };
  const taken = slots.map(({ slotId, quantity }) => ({ slotId, places: places * quantity }));
  return {
    statements: [
      run(
        db,
        sql`UPDATE slots SET reserved = reserved + n.places
          FROM (SELECT value ->> 'slotId' AS id, sum(value ->> 'places') AS places
            FROM json_each(${JSON.stringify(taken)}) GROUP BY 1) n
          WHERE slots.tenant_id = ${tenantId} AND slots.id = n.id`,
      ),
    ],
    moves,
    follow: slots.map(({ productId }) => productId),
  };
}

/** A reservation that an order took over is kept this long (ms): a late payment takes its stock again. */
const ORDERED_KEPT_MS = 90 * DAY;

/** Aborts the batch when somebody has changed the reservation since it was read. */
export const unchanged = (db: Database, { id: one, tenantId, revision }: Reservation): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM reservations
      WHERE tenant_id = ${tenantId} AND id = ${one} AND revision = ${revision})`,
  );

/** The change of a reservation that was read before; for a batch whose stock moves are gathered. */
export function changeOf(
  db: Database,
  reservation: Reservation,
  to: ReservationStatus,
  more: { lines?: ReservedLine[]; expiresAt?: number; heldFrom?: number } = {},
): Change {
  const { id: one, tenantId, status, revision } = reservation;
  const { statements, moves, follow } = effect(db, tenantId, more.lines ?? reservation.lines, status, to);
  const update = db
    .update(reservations)
    .set({ ...more, status: to, revision: revision + 1 })
    .where(and(eq(reservations.tenantId, tenantId), eq(reservations.id, one)));
  return { statements: [unchanged(db, reservation), update, ...statements], moves, follow };
}

/** Aborts the batch when an item was deleted, or a slot deleted or begun, since it was looked up. */
export function stillThere(db: Database, tenantId: number, lines: readonly ReservedLine[]): Statement {
  const items = lines.flatMap((line) => ('itemId' in line ? [line.itemId] : []));
  const slots = lines.flatMap((line) => ('slotId' in line ? [line.slotId] : []));
  return assertInBatch(
    db,
    sql`(SELECT count(*) FROM inventory_items WHERE tenant_id = ${tenantId} AND deleted = 0
        AND derived = 'none' AND id IN (${jsonList(items)})) = ${items.length}
      AND (SELECT count(*) FROM slots WHERE tenant_id = ${tenantId} AND starts_at > ${now()}
        AND id IN (${jsonList(slots)})) = ${slots.length}`,
  );
}

/**
 * Brings a reservation that was read before to another status, in the batch of the write that causes it,
 * and moves stock by what that means: `ordered` takes a held one over (or takes a released one's stock
 * again), `consumed` sells it, `released` gives it back. The batch is refused (`guardBroke`) when the
 * reservation has changed since, or when something of what is being sold is gone; by a CHECK when there
 * is not enough.
 */
export function turnReservation(
  db: Database,
  cause: WriteCause,
  reservation: Reservation,
  to: ReservationStatus,
): Statement[] {
  const more = to === 'ordered' ? { expiresAt: now() + ORDERED_KEPT_MS } : {};
  const { statements, moves, follow } = changeOf(db, reservation, to, more);
  const sells = to !== 'released' && reservation.status !== 'ordered';
  return [
    ...(sells ? [stillThere(db, reservation.tenantId, reservation.lines)] : []),
    ...statements,
    ...moveStock(db, cause, moves, follow),
  ];
}

/** The query for one reservation, for a batch. */
export const reservationById = (db: Database, tenantId: number | SQL, one: number | SQL) =>
  db
    .select()
    .from(reservations)
    .where(and(eq(reservations.tenantId, tenantId), eq(reservations.id, one)));

/** The query for what a cart holds, for its reservation of one version, and for its newest one. */
export const reservationsOf = (db: Database, tenantId: number, cartId: string, version: number) =>
  db
    .select()
    .from(reservations)
    .where(
      and(
        eq(reservations.tenantId, tenantId),
        eq(reservations.cartId, cartId),
        sql`(status = 'held' OR cart_version = ${version} OR cart_version = (SELECT max(cart_version)
          FROM reservations WHERE tenant_id = ${tenantId} AND cart_id = ${cartId}))`,
      ),
    );
