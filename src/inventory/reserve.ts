import { and, eq, sql } from 'drizzle-orm';
import { iso, now } from '../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../kernel/core/result.ts';
import { id } from '../kernel/crypto/crypto.ts';
import { batch, type Database, jsonList, rows, violation } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { outcome, publishStock } from './adjustments.ts';
import { type HoldTime, holdTime } from './hold-time.ts';
import { type Change, changeOf, effect, reservationsOf, stillThere } from './reservations.ts';
import { moveStock, type WriteCause } from './stock-moves.ts';
import { type Policy, type Reservation, type ReservedLine, reservations } from './tables.ts';

/** So many of one item (by a product's or a variant's id), or so many places of one slot. */
export type StockDemand =
  | { readonly itemId: number; readonly quantity: number }
  | { readonly slotId: number; readonly quantity: number };

/** What shall be reserved: for which version of which cart, and how much of what. */
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

/** What a reservation is made from. Items and slots that can't be sold (any more) are missing. */
interface Ground {
  /** What the cart holds, its reservation of this version, and its newest one. */
  readonly existing: Reservation[];
  readonly items: Map<number, Item>;
  readonly slots: Map<number, Slot>;
}

/**
 * Keeps stock for a version of a cart for as long as {@link holdTime} says; what it held of other versions is
 * given back in the same batch. A second call keeps the one reservation and its end. Where the cart's time is
 * used up the reservation is `released`: nothing is kept, and placing an order takes the stock if it is still
 * there. Items that are not tracked take nothing. `insufficient_stock` and `slot_unavailable` say of what there
 * is too little; `cart_locked` when the version has an order.
 */
export async function reserve(
  runtime: Runtime,
  db: Database,
  wanted: StockClaim,
): Promise<Result<Reservation>> {
  const demands = merged(wanted.demands);
  for (let tries = 0; tries < 5; tries++) {
    const ground = await survey(db, wanted, demands);
    const mine = ground.existing.find((one) => one.cartVersion === wanted.version);
    if (mine?.status === 'ordered' || mine?.status === 'consumed') return fail('cart_locked');
    const short = mine?.status === 'held' ? null : shortage(demands, ground);
    if (short) return short;
    const time = holdTime(ground.existing, mine, now());
    const others = ground.existing.some((one) => one !== mine && one.status === 'held');
    if (mine && !others && (mine.status === 'held' ? mine.expiresAt === time.until : time.until <= now())) {
      return ok(mine);
    }
    try {
      return ok(await hold(runtime, db, wanted, takenOf(demands, ground), ground.existing, time));
    } catch (error) {
      // A CHECK, a guard or a unique key: somebody else was quicker, so look again.
      if (!violation(error)) throw error;
    }
  }
  return fail('conflict');
}

/** One demand for each item and slot. */
function merged(demands: readonly StockDemand[]): StockDemand[] {
  const byKey = new Map<string, StockDemand>();
  for (const demand of demands) {
    const key = 'itemId' in demand ? `item:${demand.itemId}` : `slot:${demand.slotId}`;
    byKey.set(key, { ...demand, quantity: demand.quantity + (byKey.get(key)?.quantity ?? 0) });
  }
  return [...byKey.values()];
}

/** Reads what there is of everything demanded, and what the cart holds already: one round trip. */
async function survey(
  db: Database,
  { tenantId, cartId, version }: Omit<StockClaim, 'demands'>,
  demands: readonly StockDemand[],
): Promise<Ground> {
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
 * What there is too little of for a reservation to be ordered, what its cart holds counted in: the refusal
 * as {@link reserve} gives it. `null` when there is enough.
 */
export async function shortageOf(db: Database, reservation: Reservation): Promise<Failed | null> {
  const { cartVersion: version, lines } = reservation;
  return shortage(lines, await survey(db, { ...reservation, version }, lines));
}

/** What there is too little of, what the cart holds counted in. */
function shortage(demands: readonly StockDemand[], { existing, items, slots }: Ground): Failed | null {
  const own = existing.filter(({ status }) => status === 'held').flatMap(({ lines }) => lines);
  for (const demand of demands) {
    const { quantity } = demand;
    if ('itemId' in demand) {
      const item = items.get(demand.itemId);
      if (item && item.policy !== 'deny') continue;
      const mineOfIt = own.filter((line) => 'itemId' in line && line.itemId === demand.itemId);
      const available = item ? item.stock + sum(mineOfIt) : 0;
      if (available < quantity) return tooLittle(demand.itemId, item, quantity, available);
    } else {
      const slot = slots.get(demand.slotId);
      const mineOfIt = own.filter((line) => 'slotId' in line && line.slotId === demand.slotId);
      const available = slot ? slot.stock + sum(mineOfIt) : 0;
      if (available < quantity) return noPlace(slot, quantity, available);
    }
  }
  return null;
}

const sum = (lines: readonly ReservedLine[]): number =>
  lines.reduce((total, { quantity }) => total + quantity, 0);

const tooLittle = (itemId: number, item: Item | undefined, quantity: number, available: number) =>
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

/** A slot that has begun or was deleted is not known any more. */
const noPlace = (slot: Slot | undefined, quantity: number, available: number) =>
  fail('slot_unavailable', {
    details: {
      ...(slot && { product_id: slot.product_id, from: iso(slot.starts_at), to: iso(slot.ends_at) }),
      requested: quantity,
      available,
    },
  });

/** What the demands take: nothing of items that are not tracked. */
const takenOf = (demands: readonly StockDemand[], { items, slots }: Ground): ReservedLine[] =>
  demands.flatMap((demand): ReservedLine[] => {
    if ('itemId' in demand) return items.get(demand.itemId)?.policy === 'untracked' ? [] : [demand];
    return [{ ...demand, productId: slots.get(demand.slotId)?.product_id ?? 0 }];
  });

/** Writes the reservation and moves stock, in one batch; throws the violation when it is refused. */
async function hold(
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
      .map((one) => changeOf(db, one, 'released')),
    mine ? heldAgain(db, mine, lines, time) : firstHeld(db, { tenantId, cartId, version }, lines, time),
  ];
  const held = and(
    eq(reservations.tenantId, tenantId),
    eq(reservations.cartId, cartId),
    eq(reservations.cartVersion, version),
  );
  const results = await batch(db, [
    ...(mine?.status === 'held' ? [] : [stillThere(db, tenantId, lines)]),
    ...changes.flatMap(({ statements }) => statements),
    ...moveStock(
      db,
      cause,
      changes.flatMap(({ moves }) => moves),
      changes.flatMap(({ follow }) => follow),
    ),
    db.select().from(reservations).where(held),
    ...outcome(db, cause),
  ]);
  await publishStock(runtime, tenantId, results);
  // The statement before the two of outcome().
  const [row] = results.at(-3) as Reservation[];
  if (!row) throw new Error('A reservation vanished in its own batch');
  return row;
}

const columnsOf = ({ from, until }: HoldTime) => ({ heldFrom: from, expiresAt: until });
const statusFor = ({ until }: HoldTime) => (until > now() ? 'held' : 'released');

/** A reservation of this version that is there; one that was given back takes `lines`, while there is time. */
function heldAgain(db: Database, mine: Reservation, lines: ReservedLine[], time: HoldTime): Change {
  const status = mine.status === 'held' ? 'held' : statusFor(time);
  return changeOf(db, mine, status, { ...columnsOf(time), ...(mine.status === 'held' ? {} : { lines }) });
}

/** The first reservation of a version. */
function firstHeld(
  db: Database,
  { tenantId, cartId, version }: Omit<StockClaim, 'demands'>,
  lines: ReservedLine[],
  time: HoldTime,
): Change {
  const status = statusFor(time);
  const row = { tenantId, cartId, cartVersion: version, lines, ...columnsOf(time), createdAt: now() };
  const change = effect(db, tenantId, lines, 'released', status);
  const insert = db.insert(reservations).values({ ...row, status });
  return { ...change, statements: [insert, ...change.statements] };
}
