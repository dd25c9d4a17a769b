import { sql } from 'drizzle-orm';
import { iso, now } from '../../kernel/core/clock.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { jsonList, namedBatch, ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Policy, Reservation, ReservedLine } from '../tables.ts';
import { reservationsOf } from './status-change.ts';

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

/** An item that can be sold. */
interface Item {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly policy: Policy;
  readonly stock: number;
}

/** A slot that can be booked. Instants in ms. */
interface Slot {
  readonly id: number;
  readonly product_id: number;
  readonly starts_at: number;
  readonly ends_at: number;
  /** Free places. */
  readonly stock: number;
}

/** The rows that decide on a reservation. Items and slots that can't be sold are absent. */
export interface ClaimedStock {
  /** The cart's held reservations, its reservation of this version, and its newest one. */
  readonly existing: Reservation[];
  readonly items: Map<number, Item>;
  readonly slots: Map<number, Slot>;
}

/** Reads the demanded items and slots and the cart's reservations in one round trip. */
export async function loadClaimedStock(
  ctx: TenantDatabase,
  { cartId, version }: Omit<StockClaim, 'demands'>,
  demands: readonly StockDemand[],
): Promise<ClaimedStock> {
  const { db, tenantId } = ctx;
  const itemIds = demands.flatMap((demand) => ('itemId' in demand ? [demand.itemId] : []));
  const slotIds = demands.flatMap((demand) => ('slotId' in demand ? [demand.slotId] : []));
  const { existing, items, slots } = await namedBatch(db, {
    existing: reservationsOf(ctx, cartId, version),
    items: rows<Item>(
      db,
      sql`SELECT id, product_id, sku, policy, max(0, on_hand - reserved) AS stock FROM inventory_items
        WHERE ${ofTenant('tenant_id', tenantId)} AND deleted = 0 AND derived = 'none'
          AND id IN (${jsonList(itemIds)})`,
    ),
    slots: rows<Slot>(
      db,
      sql`SELECT id, product_id, starts_at, ends_at, capacity - reserved AS stock FROM slots
        WHERE ${ofTenant('tenant_id', tenantId)} AND starts_at > ${now()}
          AND id IN (${jsonList(slotIds)})`,
    ),
  });
  const byId = <T extends { id: number }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
  return { existing, items: byId(items), slots: byId(slots) };
}

/**
 * Returns the failure that `reserve` would return for a reservation to be ordered, or null when stock
 * suffices. Stock that the cart itself holds counts as available.
 */
export async function shortageOf(ctx: TenantDatabase, reservation: Reservation): Promise<Failed | null> {
  const { cartVersion: version, lines } = reservation;
  return shortage(lines, await loadClaimedStock(ctx, { ...reservation, version }, lines));
}

/** Returns the first shortage, or null. Stock that the cart itself holds counts as available. */
export function shortage(
  demands: readonly StockDemand[],
  { existing, items, slots }: ClaimedStock,
): Failed | null {
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
