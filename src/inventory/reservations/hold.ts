import { sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { jsonLists, run, type Statement } from '../../kernel/data/database.ts';
import { EACH_ROW, nextPosition } from '../../kernel/data/ids.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Reservation, ReservationStatus, ReservedLine } from '../tables.ts';
import type { HoldTime } from './hold-time.ts';
import type { StockClaim } from './shortage.ts';
import { changeStatus, type StatusChange, stockEffect } from './status-change.ts';

/** A reservation to write: its lines, for how long it holds, and the cart's reservations that it replaces. */
export interface Hold {
  readonly claim: StockClaim;
  readonly lines: ReservedLine[];
  readonly time: HoldTime;
  /**
   * The version's own reservation, if it has one. Its lines may be others: what an order returned is taken off them,
   * and products change.
   */
  readonly own: Reservation | undefined;
  /** Whether `own` holds these lines already. */
  readonly isHeld: boolean;
  /** Held reservations of the cart's other versions. */
  readonly others: readonly Reservation[];
}

/** Returns the status in which a reservation of this time begins. */
export const statusFor = ({ until }: HoldTime): ReservationStatus => (until > now() ? 'held' : 'released');

/** Returns the changes that write reservations; those of carts without one share a statement. */
export function holdChanges(ctx: TenantDatabase, holds: readonly Hold[]): StatusChange[] {
  const changes = holds.flatMap((hold) => {
    const released = hold.others.map((one) => changeStatus(ctx, one, { status: 'released' }));
    return [...released, ...(hold.own ? renewal(ctx, hold.own, hold) : [newHold(ctx, hold)])];
  });
  const inserts = insertHolds(
    ctx,
    holds.filter(({ own }) => !own),
  );
  return [{ statements: inserts, moves: [], follow: [] }, ...changes];
}

const holdColumns = ({ from, until }: HoldTime) => ({ heldFrom: from, expiresAt: until });

/**
 * Returns the changes that update the version's reservation. One that doesn't hold `lines` gives back what it holds and
 * takes them while the cart has hold time left. It is no longer that of a cancelled order.
 */
function renewal(ctx: TenantDatabase, own: Reservation, { lines, time, isHeld }: Hold): StatusChange[] {
  if (isHeld) return [changeStatus(ctx, own, { status: 'held', ...holdColumns(time) })];
  const released = { ...own, status: 'released' } as const;
  const set = { status: statusFor(time), ...holdColumns(time), lines, orderId: null };
  return [
    stockEffect(ctx, own.lines, { from: own.status, to: 'released' }),
    changeStatus(ctx, released, set),
  ];
}

/** Returns the stock that a version's first reservation takes. */
const newHold = (ctx: TenantDatabase, { lines, time }: Hold): StatusChange =>
  stockEffect(ctx, lines, { from: 'released', to: statusFor(time) });

/** Returns the statements that insert the first reservations of versions. */
function insertHolds({ db, tenantId }: TenantDatabase, holds: readonly Hold[]): Statement[] {
  const inserted = holds.map(({ claim: { cartId, version }, lines, time }) => ({
    cartId,
    version,
    lines,
    ...holdColumns(time),
    status: statusFor(time),
  }));
  return jsonLists(inserted).map((list) =>
    run(
      db,
      sql`INSERT INTO reservations
          (id, tenant_id, cart_id, cart_version, status, lines, held_from, expires_at, created_at)
        SELECT ${nextPosition('reservations', EACH_ROW)}, ${tenantId}, value ->> 'cartId', value ->> 'version', value ->> 'status', value -> 'lines',
          value ->> 'heldFrom', value ->> 'expiresAt', ${now()}
        FROM json_each(${list}) ORDER BY key`,
    ),
  );
}
