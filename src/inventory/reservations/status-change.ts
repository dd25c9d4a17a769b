import { and, eq, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../../kernel/core/clock.ts';
import {
  assertInBatch,
  type Database,
  jsonList,
  ofTenant,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { advanceVersion } from '../../tenants/index.ts';
import { moveStock, type StockMove, type WriteCause } from '../stock-moves.ts';
import { type Reservation, type ReservationStatus, type ReservedLine, reservations } from '../tables.ts';

/** Effect of one reserved unit on stock in each status, relative to no reservation. */
const STOCK_BY_STATUS: Readonly<
  Record<ReservationStatus, { onHand: number; reserved: number; places: number }>
> = {
  held: { onHand: 0, reserved: 1, places: 1 },
  ordered: { onHand: 0, reserved: 1, places: 1 },
  consumed: { onHand: -1, reserved: 0, places: 1 },
  released: { onHand: 0, reserved: 0, places: 0 },
};

/** Parts of a status change: statements to run, then moves for {@link moveStock}. */
export interface StatusChange {
  readonly statements: Statement[];
  readonly moves: StockMove[];
  /** Booking products whose slots changed. */
  readonly follow: number[];
}

/** Returns the stock changes of these lines for a transition between two statuses. */
export function stockEffect(
  ctx: TenantDatabase,
  lines: readonly ReservedLine[],
  { from, to }: { readonly from: ReservationStatus; readonly to: ReservationStatus },
): StatusChange {
  const [before, after] = [STOCK_BY_STATUS[from], STOCK_BY_STATUS[to]];
  const onHand = after.onHand - before.onHand;
  const reserved = after.reserved - before.reserved;
  const places = after.places - before.places;
  const items = onHand === 0 && reserved === 0 ? [] : lines.filter((line) => 'itemId' in line);
  const slots = places === 0 ? [] : lines.filter((line) => 'slotId' in line);
  const taken = slots.map(({ slotId, quantity }) => ({ slotId, places: places * quantity }));
  return {
    statements: taken.length > 0 ? takePlaces(ctx, taken) : [],
    moves: items.map(({ itemId, quantity }) => ({
      itemId,
      delta: onHand * quantity,
      reserve: reserved * quantity,
    })),
    follow: slots.map(({ productId }) => productId),
  };
}

/** Returns the statements that take places of slots, or give back as many as are negative. */
function takePlaces(
  { db, tenantId }: TenantDatabase,
  taken: readonly { readonly slotId: number; readonly places: number }[],
): Statement[] {
  const list = JSON.stringify(taken);
  return [
    run(
      db,
      sql`UPDATE slots SET reserved = reserved + n.places
        FROM (SELECT value ->> 'slotId' AS id, sum(value ->> 'places') AS places
          FROM json_each(${list}) GROUP BY 1) n
        WHERE ${ofTenant('slots.tenant_id', tenantId)} AND slots.id = n.id`,
    ),
    // As an item's: that a slot is full, or has free places again, is a change of the catalogue.
    advanceVersion(
      { db, tenantId },
      sql`EXISTS (SELECT 1 FROM json_each(${list}) n
        CROSS JOIN slots s ON s.id = n.value ->> 'slotId'
        WHERE ${ofTenant('s.tenant_id', tenantId)} AND s.starts_at > ${now()}
          AND (s.capacity > s.reserved) <> (s.capacity > s.reserved - (n.value ->> 'places')))`,
    ),
  ];
}

/** Retention of a reservation that an order owns (ms): a late payment may reserve its stock again. */
const ORDERED_RETENTION_MS = 90 * DAY;

/** Rolls the batch back when the reservation changed after it was read. */
export const assertUnchanged = (
  { db, tenantId }: TenantDatabase,
  { id: one, revision }: Reservation,
): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM reservations
      WHERE tenant_id = ${tenantId} AND id = ${one} AND revision = ${revision})`,
  );

/**
 * Returns the status change of a loaded reservation, for a batch that combines the stock moves of several.
 */
export function changeStatus(
  ctx: TenantDatabase,
  reservation: Reservation,
  set: {
    readonly status: ReservationStatus;
    readonly lines?: ReservedLine[];
    readonly expiresAt?: number;
    readonly heldFrom?: number;
    readonly orderId?: string | null;
  },
): StatusChange {
  const { db, tenantId } = ctx;
  const { id: one, status, revision } = reservation;
  const { statements, moves, follow } = stockEffect(ctx, set.lines ?? reservation.lines, {
    from: status,
    to: set.status,
  });
  const update = db
    .update(reservations)
    .set({ ...set, revision: revision + 1 })
    .where(and(eq(reservations.tenantId, tenantId), eq(reservations.id, one)));
  return { statements: [assertUnchanged(ctx, reservation), update, ...statements], moves, follow };
}

/** Rolls the batch back when an item was deleted, or a slot deleted, begun or moved, after it was read. */
export function assertStillSellable(
  { db, tenantId }: TenantDatabase,
  lines: readonly ReservedLine[],
): Statement {
  const items = [...new Set(lines.flatMap((line) => ('itemId' in line ? [line.itemId] : [])))];
  const slots = lines.filter((line) => 'slotId' in line);
  return assertInBatch(
    db,
    sql`(SELECT count(*) FROM inventory_items WHERE ${ofTenant('tenant_id', tenantId)} AND deleted = 0
        AND derived = 'none' AND id IN (${jsonList(items)})) = ${items.length}
      AND (SELECT count(*) FROM json_each(${JSON.stringify(slots)}) n CROSS JOIN slots s ON s.id = n.value ->> 'slotId'
        WHERE ${ofTenant('s.tenant_id', tenantId)} AND s.starts_at > ${now()}
          AND s.starts_at = coalesce(n.value ->> '$.period.startsAt', s.starts_at)
          AND s.ends_at = coalesce(n.value ->> '$.period.endsAt', s.ends_at)) = ${slots.length}`,
  );
}

/** A change of a loaded reservation by its order. */
export interface OrderedChange {
  readonly reservation: Reservation;
  readonly to: ReservationStatus;
  readonly orderId: string;
}

/**
 * Returns the statements that move a loaded reservation to another status, stock included. `ordered` takes
 * over a held one or reserves a released one's stock again; `consumed` sells it. A guard rolls the batch back
 * when the reservation changed or a sold item was deleted; a CHECK does on a shortage.
 */
export function setReservationStatus(
  ctx: TenantDatabase,
  cause: WriteCause,
  { reservation, to, orderId }: OrderedChange,
): Statement[] {
  const more = to === 'ordered' ? { expiresAt: now() + ORDERED_RETENTION_MS } : {};
  const change = changeStatus(ctx, reservation, { status: to, orderId, ...more });
  const sells = to !== 'released' && reservation.status !== 'ordered';
  return [
    ...(sells ? [assertStillSellable(ctx, reservation.lines)] : []),
    ...change.statements,
    ...moveStock(ctx, cause, change),
  ];
}

/** Returns the query for one reservation, for use in a batch. */
export const reservationById = (db: Database, tenantId: number | SQL, one: number | SQL) =>
  db
    .select()
    .from(reservations)
    .where(and(eq(reservations.tenantId, tenantId), eq(reservations.id, one)));

/** Returns the query for the `order_id` of a reservation that is an order's, placed or paid; it finds no other. */
export const orderedReservation = (tenantId: number, id: number): SQL =>
  sql`SELECT order_id FROM reservations
    WHERE tenant_id = ${tenantId} AND id = ${id} AND status IN ('ordered', 'consumed')`;

/** A version of a cart. */
export interface CartVersion {
  readonly cartId: string;
  readonly version: number;
}

/** Returns the query for each cart's held reservations, its reservation of `version`, and its newest one. */
export const reservationsOf = ({ db, tenantId }: TenantDatabase, carts: readonly CartVersion[]) =>
  db
    .select()
    .from(reservations)
    .where(sql`id IN (SELECT r.id FROM json_each(${cartList(carts)}) c CROSS JOIN reservations r
        ON r.tenant_id = ${tenantId} AND r.cart_id = c.value ->> 0
      WHERE r.status = 'held' OR r.cart_version = c.value ->> 1 OR r.cart_version = (SELECT max(cart_version)
        FROM reservations WHERE tenant_id = ${tenantId} AND cart_id = r.cart_id))`);

/** Returns the query for the reservations of these versions. */
export const reservationsAt = ({ db, tenantId }: TenantDatabase, carts: readonly CartVersion[]) =>
  db
    .select()
    .from(reservations)
    .where(sql`id IN (SELECT r.id FROM json_each(${cartList(carts)}) c CROSS JOIN reservations r
      ON r.tenant_id = ${tenantId} AND r.cart_id = c.value ->> 0 AND r.cart_version = c.value ->> 1)`);

const cartList = (carts: readonly CartVersion[]): string =>
  JSON.stringify(carts.map(({ cartId, version }) => [cartId, version]));
