import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Amount } from '../kernel/values/money.ts';

/** What a promotion does. */
export type PromotionKind = 'percent' | 'fixed' | 'free_shipping' | 'buy_x_get_y';

/** The tenants' promotions; a coupon is one with a code. The CHECK enforces `max_uses`. */
export const promotions = sqliteTable(
  'promotions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** As entered, "" for an automatic promotion. */
    code: text().notNull(),
    /** The folded form of the code for lookups; of an automatic promotion, a random key that no code can have. */
    codeKey: text().notNull(),
    kind: text().$type<PromotionKind>().notNull(),
    /** The amount of `fixed`, or the percentage of `percent` and `buy_x_get_y`. */
    value: text({ mode: 'json' }).$type<Amount>().notNull(),
    minimumSubtotal: text({ mode: 'json' }).$type<Amount>(),
    startsAt: integer(),
    endsAt: integer(),
    maxUses: integer(),
    maxUsesPerCustomer: integer(),
    /** The eligible products and categories; both null or empty: every line. */
    productIds: text({ mode: 'json' }).$type<number[]>(),
    categoryIds: text({ mode: 'json' }).$type<number[]>(),
    /** The number of orders that have redeemed it, without cancelled ones. */
    uses: integer().notNull().default(0),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    deletedAt: integer(),
    name: text().notNull().default(''),
    /** Whether every cart gets it; otherwise a shopper enters the code. */
    automatic: integer({ mode: 'boolean' }).notNull().default(false),
    minimumQuantity: integer(),
    /** Only for a shopper without a paid order. */
    firstOrder: integer({ mode: 'boolean' }).notNull().default(false),
    /** The units to buy and to get, of `buy_x_get_y`. */
    buy: integer(),
    get: integer(),
    /** The lowest number applies first. */
    priority: integer().notNull().default(100),
    combinable: integer({ mode: 'boolean' }).notNull().default(false),
    active: integer({ mode: 'boolean' }).notNull().default(true),
  },
  (t) => [
    uniqueIndex('promotions_code').on(t.tenantId, t.codeKey).where(sql`deleted_at IS NULL`),
    index('promotions_tenant').on(t.tenantId, t.id),
    // Deleted ones stay for 90 days, before all others.
    index('promotions_kept').on(t.tenantId, t.id).where(sql`deleted_at IS NULL`),
    index('promotions_automatic')
      .on(t.tenantId, t.priority, t.id)
      .where(sql`automatic AND active AND deleted_at IS NULL`),
    index('promotions_deleted').on(t.deletedAt).where(sql`deleted_at IS NOT NULL`),
    check('coupon_uses_within_limit', sql`max_uses IS NULL OR uses <= max_uses`),
    check('coupon_uses_never_negative', sql`uses >= 0`),
  ],
);

/** Redemptions: the promotions of each order, and the shopper keys that each counts for. */
export const promotionRedemptions = sqliteTable(
  'promotion_redemptions',
  {
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    promotionId: integer().notNull(),
    /** Empty if the redemptions per shopper are not counted, and once the shopper is erased. */
    shoppers: text({ mode: 'json' }).$type<string[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.orderId, t.promotionId] }),
    index('promotion_redemptions_promotion').on(t.tenantId, t.promotionId, t.orderId),
  ],
);

/** Redemptions per shopper; `most` is the limit at the last redemption, enforced by the CHECK. */
export const promotionShoppers = sqliteTable(
  'promotion_shoppers',
  {
    tenantId: integer().notNull(),
    promotionId: integer().notNull(),
    /** A customer id or a keyed digest of an e-mail address: see {@link shopperKeys}. */
    shopper: text().notNull(),
    uses: integer().notNull(),
    most: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.promotionId, t.shopper] }),
    check('coupon_uses_within_customer_limit', sql`most IS NULL OR uses <= most`),
  ],
);

/** Wrong codes per client address in the current window, for throttling. */
export const couponGuesses = sqliteTable(
  'coupon_guesses',
  {
    tenantId: integer().notNull(),
    /** A keyed digest of the client's address. */
    address: text().notNull(),
    wrong: integer().notNull(),
    /** The start of the window (ms). */
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.address] }), index('coupon_guesses_age').on(t.since)],
);

/** A row of `promotions`. */
export type PromotionRow = typeof promotions.$inferSelect;
