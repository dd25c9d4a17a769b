import { and, eq } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { violation } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { moveStock, newCause } from '../stock-moves.ts';
import { type Reservation, type ReservedLine, reservations } from '../tables.ts';
import { type HoldTime, holdTime } from './hold-time.ts';
import {
  type ClaimedStock,
  loadClaimedStock,
  type StockClaim,
  type StockDemand,
  shortage,
} from './shortage.ts';
import { assertStillSellable, changeStatus, type StatusChange, stockEffect } from './status-change.ts';

/** Largest number of attempts of {@link reserve} under concurrent writes. */
const MAX_RESERVE_ATTEMPTS = 5;

/**
 * Reserves stock for a cart version until the end of its {@link holdTime}, and releases the cart's other
 * versions in the same batch. A repeated call keeps the reservation and its expiry. When the cart has used up
 * its time, the reservation is `released` at once, and placing the order reserves the stock if it is still
 * available. Untracked items take nothing. Fails with `insufficient_stock` or `slot_unavailable`, whose
 * details name the shortage, or with `cart_locked` when the version has an order.
 */
export async function reserve(ctx: TenantContext, claim: StockClaim): Promise<Result<Reservation>> {
  const demands = mergeDemands(claim.demands);
  for (let attempt = 0; attempt < MAX_RESERVE_ATTEMPTS; attempt++) {
    const stock = await loadClaimedStock(ctx, claim, demands);
    const { existing } = stock;
    const mine = existing.find((one) => one.cartVersion === claim.version);
    if (mine?.status === 'ordered' || mine?.status === 'consumed') return fail('cart_locked');
    const short = mine?.status === 'held' ? null : shortage(demands, stock);
    if (short) return short;
    const time = holdTime(existing, mine, now());
    const others = existing.some((one) => one !== mine && one.status === 'held');
    if (mine && !others && (mine.status === 'held' ? mine.expiresAt === time.until : time.until <= now())) {
      return ok(mine);
    }
    try {
      const lines = reservedLines(demands, stock);
      return ok(await writeReservation(ctx, claim, { lines, existing, time }));
    } catch (error) {
      // A CHECK, a guard or a unique key failed: a concurrent write won, so read again.
      if (!violation(error)) throw error;
    }
  }
  return fail('conflict');
}

/** Adds up the demands for the same item or slot. */
function mergeDemands(demands: readonly StockDemand[]): StockDemand[] {
  const byKey = new Map<string, StockDemand>();
  for (const demand of demands) {
    const key = 'itemId' in demand ? `item:${demand.itemId}` : `slot:${demand.slotId}`;
    byKey.set(key, { ...demand, quantity: demand.quantity + (byKey.get(key)?.quantity ?? 0) });
  }
  return [...byKey.values()];
}

/** Converts demands to reserved lines; untracked items take no stock. */
const reservedLines = (demands: readonly StockDemand[], { items, slots }: ClaimedStock): ReservedLine[] =>
  demands.flatMap((demand): ReservedLine[] => {
    if ('itemId' in demand) return items.get(demand.itemId)?.policy === 'untracked' ? [] : [demand];
    return [{ ...demand, productId: slots.get(demand.slotId)?.product_id ?? 0 }];
  });

/** A reservation to write: its lines, the cart's reservations so far, and for how long it holds. */
interface Hold {
  readonly lines: ReservedLine[];
  readonly existing: readonly Reservation[];
  readonly time: HoldTime;
}

/**
 * Writes the reservation and moves stock in one batch. Throws the constraint violation that rolled it back.
 */
async function writeReservation(
  ctx: TenantContext,
  { cartId, version }: StockClaim,
  { lines, existing, time }: Hold,
): Promise<Reservation> {
  const cause = newCause(ctx, 'checkout');
  const mine = existing.find((one) => one.cartVersion === version);
  const changes = [
    ...existing
      .filter((one) => one !== mine && one.status === 'held')
      .map((one) => changeStatus(ctx, one, { status: 'released' })),
    mine ? renewedHold(ctx, mine, { lines, time }) : newHold(ctx, { cartId, version }, { lines, time }),
  ];
  const { read } = await commit(ctx, {
    batches: [cause.batch],
    guards: mine?.status === 'held' ? [] : [assertStillSellable(ctx, lines)],
    statements: [
      ...changes.flatMap(({ statements }) => statements),
      ...moveStock(ctx, cause, {
        moves: changes.flatMap(({ moves }) => moves),
        follow: changes.flatMap(({ follow }) => follow),
      }),
    ],
    reads: {
      reservation: ctx.db
        .select()
        .from(reservations)
        .where(
          and(
            eq(reservations.tenantId, ctx.tenantId),
            eq(reservations.cartId, cartId),
            eq(reservations.cartVersion, version),
          ),
        ),
    },
  });
  const [row] = read.reservation;
  if (!row) throw new Error('The batch returned no reservation');
  return row;
}

const holdColumns = ({ from, until }: HoldTime) => ({ heldFrom: from, expiresAt: until });
const statusFor = ({ until }: HoldTime) => (until > now() ? 'held' : 'released');

/**
 * Updates the version's reservation. A released one takes `lines` again while the cart has hold time left.
 */
function renewedHold(
  ctx: TenantDatabase,
  mine: Reservation,
  { lines, time }: Omit<Hold, 'existing'>,
): StatusChange {
  if (mine.status === 'held') return changeStatus(ctx, mine, { status: 'held', ...holdColumns(time) });
  return changeStatus(ctx, mine, { status: statusFor(time), ...holdColumns(time), lines });
}

/** Inserts the version's first reservation. */
function newHold(
  ctx: TenantDatabase,
  { cartId, version }: Omit<StockClaim, 'demands'>,
  { lines, time }: Omit<Hold, 'existing'>,
): StatusChange {
  const { db, tenantId } = ctx;
  const status = statusFor(time);
  const row = { tenantId, cartId, cartVersion: version, lines, ...holdColumns(time), createdAt: now() };
  const change = stockEffect(ctx, lines, { from: 'released', to: status });
  const insert = db.insert(reservations).values({ ...row, status });
  return { ...change, statements: [insert, ...change.statements] };
}
