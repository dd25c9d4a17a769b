import { and, eq, sql } from 'drizzle-orm';
import { iso, now } from '../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../kernel/core/result.ts';
import { id } from '../kernel/crypto/crypto.ts';
import { batch, type Database, jsonList, rows, violation } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { publishQueries, publishStock } from './adjustments.ts';
import { type HoldTime, holdTime } from './hold-time.ts';
import {
  assertStillSellable,
  changeStatus,
  reservationsOf,
  type StatusChange,
  stockEffect,
} from './reservations.ts';
import { moveStock, type WriteCause } from './stock-moves.ts';
import { type Policy, type Reservation, type ReservedLine, reservations } from './tables.ts';

/** Quantity of one item (under a product's or a variant's id), or number of places in one slot. */
export type StockDemand =
  | { readonly itemId: number; readonly quantity: number }
  | { readonly slotId: number; readonly quantity: number };

/** Stock to reserve for one version of one cart. */
export interface StockClaim {
  readonly tenantId: number;
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
export async function reserve(
  runtime: Runtime,
  db: Database,
  claim: StockClaim,
): Promise<Result<Reservation>> {
  const demands = mergeDemands(claim.demands);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const context = await loadContext(db, claim, demands);
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
      return ok(
        await writeReservation(runtime, db, claim, reservedLines(demands, context), context.existing, time),
      );
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
  db: Database,
  { tenantId, cartId, version }: Omit<StockClaim, 'demands'>,
  demands: readonly StockDemand[],
): Promise<ClaimContext> {
  const itemIds = demands.flatMap((demand) => ('itemId' in demand ? [demand.itemId] : []));
  const slotIds = demands.flatMap((demand) => ('slotId' in demand ? [demand.slotId] : []));
  const [existing, items, slots] = await db.batch([
    reservationsOf(db, tenantId, cartId, version),
    rows<Item>(
      db,
      sql`SELECT id, product_id, sku, policy, max(0, on_hand - reserved) AS stock FROM inventory_items
        WHERE tenant_id = ${tenantId} AND deleted = 0 AND derived = 'none'
          AND id IN (${jsonList(itemIds)})`,
    ),
    rows<Slot>(
      db,
      sql`SELECT id, product_id, starts_at, ends_at, capacity - reserved AS stock FROM slots
        WHERE tenant_id = ${tenantId} AND starts_at > ${now()}
          AND id IN (${jsonList(slotIds)})`,
    ),
  ]);
  const byId = <T extends { id: number }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
  return { existing, items: byId(items), slots: byId(slots) };
}

/**
 * Returns the failure that {@link reserve} would return for a reservation to be ordered, or null when stock
 * suffices. Stock that the cart itself holds counts as available.
 */
export async function shortageOf(db: Database, reservation: Reservation): Promise<Failed | null> {
  const { cartVersion: version, lines } = reservation;
  return shortage(lines, await loadContext(db, { ...reservation, version }, lines));
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
      if (available < quantity) return insufficientStock(demand.itemId, item, quantity, available);
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

const insufficientStock = (itemId: number, item: Item | undefined, quantity: number, available: number) =>
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
  runtime: Runtime,
  db: Database,
  { tenantId, cartId, version }: StockClaim,
  lines: ReservedLine[],
  existing: readonly Reservation[],
  time: HoldTime,
): Promise<Reservation> {
  const cause: WriteCause = { tenantId, batch: id('bat'), reason: 'checkout' };
  const mine = existing.find((one) => one.cartVersion === version);
  const changes = [
    ...existing
      .filter((one) => one !== mine && one.status === 'held')
      .map((one) => changeStatus(db, one, 'released')),
    mine ? renewedHold(db, mine, lines, time) : newHold(db, { tenantId, cartId, version }, lines, time),
  ];
  const held = and(
    eq(reservations.tenantId, tenantId),
    eq(reservations.cartId, cartId),
    eq(reservations.cartVersion, version),
  );
  const results = await batch(db, [
    ...(mine?.status === 'held' ? [] : [assertStillSellable(db, tenantId, lines)]),
    ...changes.flatMap(({ statements }) => statements),
    ...moveStock(
      db,
      cause,
      changes.flatMap(({ moves }) => moves),
      changes.flatMap(({ follow }) => follow),
    ),
    db.select().from(reservations).where(held),
    ...publishQueries(db, cause),
  ]);
  await publishStock(runtime, tenantId, results);
  // The result before the two of publishQueries().
  const [row] = results.at(-3) as Reservation[];
  if (!row) throw new Error('The batch returned no reservation');
  return row;
}

const holdColumns = ({ from, until }: HoldTime) => ({ heldFrom: from, expiresAt: until });
const statusFor = ({ until }: HoldTime) => (until > now() ? 'held' : 'released');

/**
 * Updates the version's reservation. A released one takes `lines` again while the cart has hold time left.
 */
function renewedHold(db: Database, mine: Reservation, lines: ReservedLine[], time: HoldTime): StatusChange {
  const status = mine.status === 'held' ? 'held' : statusFor(time);
  return changeStatus(db, mine, status, {
    ...holdColumns(time),
    ...(mine.status === 'held' ? {} : { lines }),
  });
}

/** Inserts the version's first reservation. */
function newHold(
  db: Database,
  { tenantId, cartId, version }: Omit<StockClaim, 'demands'>,
  lines: ReservedLine[],
  time: HoldTime,
): StatusChange {
  const status = statusFor(time);
  const row = { tenantId, cartId, cartVersion: version, lines, ...holdColumns(time), createdAt: now() };
  const change = stockEffect(db, tenantId, lines, 'released', status);
  const insert = db.insert(reservations).values({ ...row, status });
  return { ...change, statements: [insert, ...change.statements] };
}
