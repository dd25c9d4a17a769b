import { and, eq, sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { iso, now } from '../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../kernel/core/result.ts';
import { jsonList, namedBatch, rows, violation } from '../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { type HoldTime, holdTime } from './hold-time.ts';
import {
  assertStillSellable,
  changeStatus,
  reservationsOf,
  type StatusChange,
  stockEffect,
} from './reservations.ts';
import { moveStock, newCause } from './stock-moves.ts';
import { type Policy, type Reservation, type ReservedLine, reservations } from './tables.ts';

/** Quantity of one item (under a product's or a variant's id), or number of places in one slot. */
export type StockDemand =
  | { readonly itemId: number; readonly quantity: number }
  | { readonly slotId: number; readonly quantity: number };

/** Stock to reserve for one version of one cart. */
export interface StockClaim {
  readonly cartId: string;
  readonly version: number;
  readonly demands: readonly StockDemand[];
}

interface Item {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly policy: Policy;
  readonly stock: number;
}

interface Slot {
  readonly id: number;
  readonly product_id: number;
  readonly starts_at: number;
  readonly ends_at: number;
  /** Free places. */
  readonly stock: number;
}

/** Largest number of attempts of {@link reserve} under concurrent writes. */
const MAX_ATTEMPTS = 5;

/** Rows that a reservation is decided on. Items and slots that can't be sold are absent. */
interface ClaimContext {
  /** The cart's held reservations, its reservation of this version, and its newest one. */
  readonly existing: Reservation[];
  readonly items: Map<number, Item>;
  readonly slots: Map<number, Slot>;
}

/**
 * Reserves stock for a cart version until the end of its {@link holdTime}, and releases the cart's other
 * versions in the same batch. A repeated call keeps the reservation and its expiry. When the cart has used up
 * its time, the reservation is `released` at once, and placing the order reserves the stock if it is still
 * available. Untracked items take nothing. Fails with `insufficient_stock` or `slot_unavailable`, whose
 * details name the shortage, or with `cart_locked` when the version has an order.
 */
export async function reserve(ctx: TenantContext, claim: StockClaim): Promise<Result<Reservation>> {
  const demands = mergeDemands(claim.demands);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const context = await loadContext(ctx, claim, demands);
    const mine = context.existing.find((one) => one.cartVersion === claim.version);
    if (mine?.status === 'ordered' || mine?.status === 'consumed') return fail('cart_locked');
    const short = mine?.status === 'held' ? null : shortage(demands, context);
    if (short) return short;
    const time = holdTime(context.existing, mine, now());
    const others = context.existing.some((one) => one !== mine && one.status === 'held');
    if (mine && !others && (mine.status === 'held' ? mine.expiresAt === time.until : time.until <= now())) {
      return ok(mine);
    }
    try {
      const { existing } = context;
      const lines = reservedLines(demands, context);
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

/** Reads the demanded items and slots and the cart's reservations in one round trip. */
async function loadContext(
  ctx: TenantDatabase,
  { cartId, version }: Omit<StockClaim, 'demands'>,
  demands: readonly StockDemand[],
): Promise<ClaimContext> {
  const { db, tenantId } = ctx;
  const itemIds = demands.flatMap((demand) => ('itemId' in demand ? [demand.itemId] : []));
  const slotIds = demands.flatMap((demand) => ('slotId' in demand ? [demand.slotId] : []));
  const { existing, items, slots } = await namedBatch(db, {
    existing: reservationsOf(ctx, cartId, version),
    items: rows<Item>(
      db,
      sql`SELECT id, product_id, sku, policy, max(0, on_hand - reserved) AS stock FROM inventory_items
        WHERE tenant_id = ${tenantId} AND deleted = 0 AND derived = 'none'
          AND id IN (${jsonList(itemIds)})`,
    ),
    slots: rows<Slot>(
      db,
      sql`SELECT id, product_id, starts_at, ends_at, capacity - reserved AS stock FROM slots
        WHERE tenant_id = ${tenantId} AND starts_at > ${now()}
          AND id IN (${jsonList(slotIds)})`,
    ),
  });
  const byId = <T extends { id: number }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
  return { existing, items: byId(items), slots: byId(slots) };
}

/**
 * Returns the failure that {@link reserve} would return for a reservation to be ordered, or null when stock
 * suffices. Stock that the cart itself holds counts as available.
 */
export async function shortageOf(ctx: TenantDatabase, reservation: Reservation): Promise<Failed | null> {
  const { cartVersion: version, lines } = reservation;
  return shortage(lines, await loadContext(ctx, { ...reservation, version }, lines));
}

/** Returns the first shortage, or null. Stock that the cart itself holds counts as available. */
function shortage(demands: readonly StockDemand[], { existing, items, slots }: ClaimContext): Failed | null {
  const own = existing.filter(({ status }) => status === 'held').flatMap(({ lines }) => lines);
  for (const demand of demands) {
    const { quantity } = demand;
    if ('itemId' in demand) {
      const item = items.get(demand.itemId);
      if (item && item.policy !== 'deny') continue;
      const ownLines = own.filter((line) => 'itemId' in line && line.itemId === demand.itemId);
      const available = item ? item.stock + sum(ownLines) : 0;
      if (available < quantity) return insufficientStock(demand, item, available);
    } else {
      const slot = slots.get(demand.slotId);
      const ownLines = own.filter((line) => 'slotId' in line && line.slotId === demand.slotId);
      const available = slot ? slot.stock + sum(ownLines) : 0;
      if (available < quantity) return slotUnavailable(slot, quantity, available);
    }
  }
  return null;
}

const sum = (lines: readonly ReservedLine[]): number =>
  lines.reduce((total, { quantity }) => total + quantity, 0);

const insufficientStock = (
  { itemId, quantity }: { readonly itemId: number; readonly quantity: number },
  item: Item | undefined,
  available: number,
) =>
  fail('insufficient_stock', {
    details: {
      product_id: item?.product_id ?? itemId,
      variant_id: item && item.id !== item.product_id ? item.id : null,
      sku: item?.sku ?? null,
      requested: quantity,
      in_cart: quantity,
      available,
    },
  });

/** Returns the failure for a slot; one that has begun or was deleted is undefined. */
const slotUnavailable = (slot: Slot | undefined, quantity: number, available: number) =>
  fail('slot_unavailable', {
    details: {
      ...(slot && { product_id: slot.product_id, from: iso(slot.starts_at), to: iso(slot.ends_at) }),
      requested: quantity,
      available,
    },
  });

/** Converts demands to reserved lines; untracked items take no stock. */
const reservedLines = (demands: readonly StockDemand[], { items, slots }: ClaimContext): ReservedLine[] =>
  demands.flatMap((demand): ReservedLine[] => {
    if ('itemId' in demand) return items.get(demand.itemId)?.policy === 'untracked' ? [] : [demand];
    return [{ ...demand, productId: slots.get(demand.slotId)?.product_id ?? 0 }];
  });

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

/** What a reservation takes, the cart's reservations so far, and for how long it holds. */
interface Hold {
  readonly lines: ReservedLine[];
  readonly existing: readonly Reservation[];
  readonly time: HoldTime;
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
