import { sql } from 'drizzle-orm';
import { iso, now } from '../../kernel/core/clock.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { jsonList, namedBatch, ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { StockItem } from '../adjustments/items.ts';
import type { Reservation, ReservedLine, SlotPeriod, StockDemand } from '../tables.ts';
import { reservationsOf } from './status-change.ts';
import { movementsToday } from './usage.ts';

/** Names the item or slot that is demanded or reserved. */
export const demandKey = (demand: StockDemand): string =>
  'itemId' in demand ? `item:${demand.itemId}` : `slot:${demand.slotId}`;

const periodKey = (demand: StockDemand): string =>
  'period' in demand && demand.period ? `${demand.period.startsAt}-${demand.period.endsAt}` : '';

/** Stock to reserve for one version of one cart. */
export interface StockClaim {
  readonly cartId: string;
  readonly version: number;
  readonly demands: readonly StockDemand[];
}

/** An item that can be sold. */
type Item = Omit<StockItem, 'derived'>;

/** A slot, with whether it has not begun. Instants in ms. */
interface Slot {
  readonly id: number;
  readonly product_id: number;
  readonly starts_at: number;
  readonly ends_at: number;
  /** Free places. */
  readonly stock: number;
  readonly is_open: 0 | 1;
}

/** The items and slots that decide on reservations. Those that were deleted are absent. */
export interface SellableStock {
  readonly items: Map<number, Item>;
  readonly slots: Map<number, Slot>;
}

/** Reads what the claims demand, their carts' reservations and the movements of the day in one round trip. */
export async function loadClaimedStock(
  ctx: TenantDatabase,
  claims: readonly StockClaim[],
): Promise<SellableStock & { readonly reservations: readonly Reservation[]; readonly movements: number }> {
  const { db, tenantId } = ctx;
  const demands = claims.flatMap((claim) => claim.demands);
  const itemIds = demands.flatMap((demand) => ('itemId' in demand ? [demand.itemId] : []));
  const slotIds = demands.flatMap((demand) => ('slotId' in demand ? [demand.slotId] : []));
  const { reservations, items, slots, used } = await namedBatch(db, {
    used: movementsToday(ctx),
    reservations: reservationsOf(ctx, claims),
    items: rows<Item>(
      db,
      sql`SELECT id, product_id, sku, policy, max(0, on_hand - reserved) AS stock FROM inventory_items
        WHERE ${ofTenant('tenant_id', tenantId)} AND deleted = 0 AND derived = 'none'
          AND id IN (${jsonList(itemIds)})`,
    ),
    slots: rows<Slot>(
      db,
      sql`SELECT id, product_id, starts_at, ends_at, capacity - reserved AS stock, starts_at > ${now()} AS is_open
        FROM slots WHERE ${ofTenant('tenant_id', tenantId)} AND id IN (${jsonList(slotIds)})`,
    ),
  });
  const byId = <T extends { id: number }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
  const movements = used[0]?.movements ?? 0;
  return { reservations, movements, items: byId(items), slots: byId(slots) };
}

/** Adds units that reserved lines give back (`sign` 1), or subtracts those that they take (-1). */
export function moveClaimed(
  { items, slots }: SellableStock,
  lines: readonly ReservedLine[],
  sign: 1 | -1,
): void {
  for (const line of lines) {
    if ('itemId' in line) addStock(items, line.itemId, sign * line.quantity);
    else addStock(slots, line.slotId, sign * line.quantity);
  }
}

function addStock<T extends { readonly stock: number }>(
  rowsById: Map<number, T>,
  id: number,
  units: number,
): void {
  const row = rowsById.get(id);
  if (row) rowsById.set(id, { ...row, stock: row.stock + units });
}

/**
 * Returns the failure that `reserve` would return for a reservation to be ordered, or null when stock
 * suffices. Stock that the cart itself holds counts as available.
 */
export async function shortageOf(ctx: TenantDatabase, reservation: Reservation): Promise<Failed | null> {
  const { cartId, cartVersion: version, lines } = reservation;
  const { reservations, ...stock } = await loadClaimedStock(ctx, [{ cartId, version, demands: lines }]);
  return shortage(lines, reservations, stock);
}

/** Returns the first shortage, or null. Stock that the cart itself holds in `existing` counts as available. */
export function shortage(
  demands: readonly StockDemand[],
  existing: readonly Reservation[],
  stock: SellableStock,
): Failed | null {
  const held = unitsByKey(existing.flatMap(({ status, lines }) => (status === 'held' ? lines : [])));
  for (const demand of demands) {
    const short = shortageFor(demand, stock, held.get(demandKey(demand)) ?? 0);
    if (short) return short;
  }
  return null;
}

/** Returns the failure for a demand that exceeds the stock and the units that the cart itself holds, or null. */
function shortageFor(demand: StockDemand, { items, slots }: SellableStock, held: number): Failed | null {
  if ('itemId' in demand) {
    const item = items.get(demand.itemId);
    const available = item ? item.stock + held : 0;
    const suffices = (item && item.policy !== 'deny') || available >= demand.quantity;
    return suffices ? null : insufficientStock(demand, item, available);
  }
  const slot = slots.get(demand.slotId);
  const available = slot && isBookable(slot, demand) ? slot.stock + held : 0;
  return available >= demand.quantity ? null : slotUnavailable(slot, demand, available);
}

/** Returns whether a slot has not begun, and still has the period of a demand. */
export const isBookable = (
  { is_open, starts_at, ends_at }: Slot,
  { period }: { readonly period?: SlotPeriod },
): boolean => is_open === 1 && (!period || (period.startsAt === starts_at && period.endsAt === ends_at));

/** Returns whether a reservation takes what these demands do, but for untracked items. */
export function isOfDemands({ lines }: Reservation, demands: readonly StockDemand[]): boolean {
  const unitsOf = (demand: StockDemand) => `${demand.quantity} ${demandKey(demand)} ${periodKey(demand)}`;
  const demanded = new Set(demands.map(unitsOf));
  return lines.every((line) => demanded.has(unitsOf(line)));
}

/** Returns the units that demands sum to, by {@link demandKey}. */
export function unitsByKey(demands: readonly StockDemand[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const demand of demands) {
    const key = demandKey(demand);
    units.set(key, (units.get(key) ?? 0) + demand.quantity);
  }
  return units;
}

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

/** Returns the failure for a slot; one that was deleted is undefined. */
const slotUnavailable = (
  slot: Slot | undefined,
  { quantity, period }: { readonly quantity: number; readonly period?: SlotPeriod },
  available: number,
) =>
  fail('slot_unavailable', {
    details: {
      ...(slot && {
        product_id: slot.product_id,
        from: iso(period?.startsAt ?? slot.starts_at),
        to: iso(period?.endsAt ?? slot.ends_at),
      }),
      variant_id: null,
      requested: quantity,
      in_cart: quantity,
      available,
    },
  });
