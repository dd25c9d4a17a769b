import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Policies for a sold-out item, strictest first: refuse the sale, sell on backorder, do not count stock. */
export const POLICIES = ['deny', 'continue', 'untracked'] as const;
export type Policy = (typeof POLICIES)[number];

/** How an item's stock is derived from other rows; `none` for an item with stock of its own. */
export type Derived = 'none' | 'configurable' | 'grouped' | 'bundled' | 'booking';

/**
 * SKU and stock of each product and each variant, under its id. Available stock is `on_hand - reserved`; the
 * CHECK prevents overselling.
 */
export const inventoryItems = sqliteTable(
  'inventory_items',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    /** The product itself, or the product that this variant belongs to. */
    productId: integer().notNull(),
    sku: text().notNull(),
    onHand: integer().notNull(),
    reserved: integer().notNull().default(0),
    policy: text().$type<Policy>().notNull(),
    derived: text().$type<Derived>().notNull(),
    /** State in the marketplace feed: listed, removed (reported with stock 0 in deltas), or never listed. */
    feed: text().$type<'live' | 'gone' | 'hidden'>().notNull(),
    deleted: integer({ mode: 'boolean' }).notNull().default(false),
    /** The tenant's clock when price or stock last changed; unique within a tenant. */
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('inventory_sku').on(t.tenantId, t.sku).where(sql`deleted = 0`),
    index('inventory_product').on(t.tenantId, t.productId),
    index('inventory_feed').on(t.tenantId, t.feed, t.updatedAt),
    index('inventory_live').on(t.tenantId, t.id).where(sql`feed = 'live'`),
    // Holds only what is about to run out, so that a list of it reads no more, and few changes of stock write it.
    index('inventory_low')
      .on(t.tenantId, sql`(on_hand - reserved)`)
      .where(
        sql`feed = 'live' AND derived = 'none' AND policy <> 'untracked' AND on_hand - reserved <= 1000`,
      ),
    check('stock_never_oversold', sql`policy <> 'deny' OR derived <> 'none' OR on_hand >= reserved`),
    check('reserved_never_negative', sql`reserved >= 0`),
  ],
);

/** Number of live feed items for each tenant, maintained by triggers so that the feed need not count. */
export const feedCounts = sqliteTable('feed_counts', {
  tenantId: integer().primaryKey(),
  total: integer().notNull(),
});

/** Members of grouped and bundled products. */
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

/** Slots of booking products: `capacity` places between two instants (ms). */
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
    /** Whether the start has been processed; the product's stock no longer counts this slot. */
    begun: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    uniqueIndex('slots_time').on(t.tenantId, t.productId, t.startsAt, t.endsAt),
    index('slots_begin').on(t.startsAt).where(sql`begun = 0`),
    check('slot_never_overbooked', sql`reserved BETWEEN 0 AND capacity`),
  ],
);

/** Log of stock movements, each with its reason. */
export const stockMovements = sqliteTable(
  'stock_movements',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    itemId: integer().notNull(),
    batch: text().notNull(),
    reason: text().notNull(),
    /** Available stock before and after. */
    oldStock: integer().notNull(),
    newStock: integer().notNull(),
    at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('stock_movements_batch').on(t.tenantId, t.batch, t.itemId),
    index('stock_movements_item').on(t.tenantId, t.itemId, t.id),
    index('stock_movements_age').on(t.at),
  ],
);

/** How many stock movements each tenant's started checkouts have made on the latest day on which one did. */
export const reservationUsage = sqliteTable('reservation_usage', {
  tenantId: integer().primaryKey(),
  /** The day (UTC, since 1970). */
  day: integer().notNull(),
  movements: integer().notNull(),
});

/** Status of a reservation: waiting for an order, owned by an order, sold, or released. */
export type ReservationStatus = 'held' | 'ordered' | 'consumed' | 'released';

/** When a slot begins and ends (ms). */
export interface SlotPeriod {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * Quantity of one item (under a product's or a variant's id), or number of places in one slot. A slot is demanded as it
 * was shown: once it has another period, it can't be sold. Without one only in what an earlier version stored.
 */
export type StockDemand =
  | { readonly itemId: number; readonly quantity: number }
  | { readonly slotId: number; readonly quantity: number; readonly period?: SlotPeriod };

/** Quantity that a reservation holds of one item, or of one slot of a booking product. */
export type ReservedLine =
  | Extract<StockDemand, { itemId: number }>
  | (Extract<StockDemand, { slotId: number }> & { readonly productId: number });

/**
 * Stock reserved for one version of one cart. The lines are what was taken; untracked items take nothing. Of stock that
 * was sold, they are what the order still has: what refunds have returned is taken off.
 */
export const reservations = sqliteTable(
  'reservations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    cartId: text().notNull(),
    cartVersion: integer().notNull(),
    status: text().$type<ReservationStatus>().notNull(),
    lines: text({ mode: 'json' }).$type<ReservedLine[]>().notNull(),
    /** Incremented by each change; a batch based on an older revision is rolled back. */
    revision: integer().notNull().default(1),
    /**
     * When a held reservation expires (ms); for one that an order owned, the earliest time of its deletion.
     */
    expiresAt: integer().notNull(),
    /** Start of the cart's hold period that this reservation counts towards (ms); see hold-time.ts. */
    heldFrom: integer().notNull().default(0),
    /**
     * The order that took it over last; null before, and once the cart reserves it anew after that order was
     * cancelled. From then on its stock is no longer that order's.
     */
    orderId: text(),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('reservations_cart').on(t.tenantId, t.cartId, t.cartVersion),
    index('reservations_due').on(t.expiresAt).where(sql`status = 'held'`),
    index('reservations_released').on(t.expiresAt).where(sql`status = 'released'`),
  ],
);

/** A row of {@link reservations}. */
export type Reservation = typeof reservations.$inferSelect;

/** Quantity of each product that was paid for on each day, less what was refunded. Counts lines of orders. */
export const productSales = sqliteTable(
  'product_sales',
  {
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    /** Days since the Unix epoch (UTC). */
    day: integer().notNull(),
    quantity: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.productId, t.day] })],
);

/** Tenants with rows in {@link productSales}, and when their best sellers are ranked next (ms). */
export const salesRankings = sqliteTable(
  'sales_rankings',
  {
    tenantId: integer().primaryKey(),
    dueAt: integer().notNull(),
    /** Products up to this id are ranked. */
    cursor: integer().notNull().default(0),
  },
  (t) => [index('sales_rankings_due').on(t.dueAt)],
);
