import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** What happens when an item is sold out, from the strictest on: refused, sold anyway, or not counted at all. */
export const POLICIES = ['deny', 'continue', 'untracked'] as const;
export type Policy = (typeof POLICIES)[number];

/** Kinds of products whose stock follows from other rows. */
export type Derived = 'none' | 'configurable' | 'grouped' | 'bundled' | 'booking';

/**
 * One row for each product and each variant, by its id: its SKU and its stock. What can be sold is on
 * hand less reserved; the CHECK is what makes overselling impossible.
 */
export const inventoryItems = sqliteTable(
  'inventory_items',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    /** The product that this is, or that this is a variant of. */
    productId: integer().notNull(),
    sku: text().notNull(),
    onHand: integer().notNull(),
    reserved: integer().notNull().default(0),
    policy: text().$type<Policy>().notNull(),
    derived: text().$type<Derived>().notNull(),
    /** In the marketplace feed: shown, gone (shown with stock 0 to who follows changes), or never. */
    feed: text().$type<'live' | 'gone' | 'hidden'>().notNull(),
    deleted: integer({ mode: 'boolean' }).notNull().default(false),
    /** The tenant's clock when price or stock last changed: unique for each tenant. */
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('inventory_sku').on(t.tenantId, t.sku).where(sql`deleted = 0`),
    index('inventory_product').on(t.tenantId, t.productId),
    index('inventory_feed').on(t.tenantId, t.feed, t.updatedAt),
    check('stock_never_oversold', sql`policy <> 'deny' OR derived <> 'none' OR on_hand >= reserved`),
    check('reserved_never_negative', sql`reserved >= 0`),
  ],
);

/** How many items are live in each tenant's feed: kept by triggers, so that the feed has not to count. */
export const feedCounts = sqliteTable('feed_counts', {
  tenantId: integer().primaryKey(),
  total: integer().notNull(),
});

/** What a grouped or bundled product is made of. */
export const stockComponents = sqliteTable(
  'stock_components',
  {
    tenantId: integer().notNull(),
    parentId: integer().notNull(),
    groupId: integer().notNull(),
    memberId: integer().notNull(),
    quantity: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.parentId, t.groupId, t.memberId] }),
    index('stock_components_member').on(t.tenantId, t.memberId),
  ],
);

/** A slot of a booking product: so many places from one instant to another (ms). */
export const slots = sqliteTable(
  'slots',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    startsAt: integer().notNull(),
    endsAt: integer().notNull(),
    capacity: integer().notNull(),
    reserved: integer().notNull().default(0),
    /** Whether its start has been taken note of: its places can't be sold any more. */
    begun: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    uniqueIndex('slots_time').on(t.tenantId, t.productId, t.startsAt, t.endsAt),
    index('slots_begin').on(t.startsAt).where(sql`begun = 0`),
    check('slot_never_overbooked', sql`reserved BETWEEN 0 AND capacity`),
  ],
);

/** Every movement of stock, with its reason. */
export const stockMovements = sqliteTable(
  'stock_movements',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    itemId: integer().notNull(),
    batch: text().notNull(),
    reason: text().notNull(),
    /** What could be sold before and after. */
    oldStock: integer().notNull(),
    newStock: integer().notNull(),
    at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('stock_movements_batch').on(t.tenantId, t.batch, t.itemId),
    index('stock_movements_item').on(t.tenantId, t.itemId, t.id),
  ],
);

/** Where a reservation is: waiting for an order, with an order, sold, or given back. */
export type ReservationStatus = 'held' | 'ordered' | 'consumed' | 'released';

/** What a reservation holds of one item, or of one slot of a booking product. */
export type ReservedLine =
  | { readonly itemId: number; readonly quantity: number }
  | { readonly slotId: number; readonly productId: number; readonly quantity: number };

/** Stock that is kept for one version of one cart. Its lines are what was really taken. */
export const reservations = sqliteTable(
  'reservations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    cartId: text().notNull(),
    cartVersion: integer().notNull(),
    status: text().$type<ReservationStatus>().notNull(),
    lines: text({ mode: 'json' }).$type<ReservedLine[]>().notNull(),
    /** Counts the changes: a batch that began from an older one is refused. */
    revision: integer().notNull().default(1),
    /** When a held one is given back (ms), and until when one that was with an order is kept at least. */
    expiresAt: integer().notNull(),
    /** When the cart's hold period began that this one counts in (ms): see hold-time.ts. */
    heldFrom: integer().notNull().default(0),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('reservations_cart').on(t.tenantId, t.cartId, t.cartVersion),
    index('reservations_due').on(t.expiresAt).where(sql`status = 'held'`),
    index('reservations_released').on(t.expiresAt).where(sql`status = 'released'`),
  ],
);

/** A reservation as it is on disk. */
export type Reservation = typeof reservations.$inferSelect;
