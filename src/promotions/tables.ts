import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Amount } from '../kernel/core/money.ts';

/** What a coupon grants. */
export type CouponKind = 'percent' | 'fixed' | 'free_shipping';

/** A tenant's coupons. The CHECK is what keeps a coupon from being used too often. */
export const coupons = sqliteTable(
  'coupons',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** As the tenant writes it, and folded, as it is looked up. */
    code: text().notNull(),
    codeKey: text().notNull(),
    kind: text().$type<CouponKind>().notNull(),
    value: text({ mode: 'json' }).$type<Amount>().notNull(),
    minimumSubtotal: text({ mode: 'json' }).$type<Amount>(),
    startsAt: integer(),
    endsAt: integer(),
    maxUses: integer(),
    maxUsesPerCustomer: integer(),
    /** Which lines it is for; both null or empty: all. */
    productIds: text({ mode: 'json' }).$type<number[]>(),
    categoryIds: text({ mode: 'json' }).$type<number[]>(),
    /** Orders that hold a use of it. */
    uses: integer().notNull().default(0),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    deletedAt: integer(),
  },
  (t) => [
    uniqueIndex('coupons_code').on(t.tenantId, t.codeKey).where(sql`deleted_at IS NULL`),
    index('coupons_tenant').on(t.tenantId, t.id),
    index('coupons_deleted').on(t.deletedAt).where(sql`deleted_at IS NOT NULL`),
    check('coupon_uses_within_limit', sql`max_uses IS NULL OR uses <= max_uses`),
    check('coupon_uses_never_negative', sql`uses >= 0`),
  ],
);

/** Which order used which coupon, and whom it counts for. */
export const couponUses = sqliteTable(
  'coupon_uses',
  {
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    couponId: integer().notNull(),
    shoppers: text({ mode: 'json' }).$type<string[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.orderId] })],
);

/** How often one shopper has used a coupon, and how often it was allowed when it was last used. */
export const couponShoppers = sqliteTable(
  'coupon_shoppers',
  {
    tenantId: integer().notNull(),
    couponId: integer().notNull(),
    /** A customer's id or a keyed digest of an e-mail address: see {@link shopperKeys}. */
    shopper: text().notNull(),
    uses: integer().notNull(),
    most: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.couponId, t.shopper] }),
    check('coupon_uses_within_customer_limit', sql`most IS NULL OR uses <= most`),
  ],
);

/** Wrong codes from one address in a window of time: who guesses is turned away. */
export const couponGuesses = sqliteTable(
  'coupon_guesses',
  {
    tenantId: integer().notNull(),
    /** A keyed digest of the address. */
    address: text().notNull(),
    wrong: integer().notNull(),
    /** When the window began. */
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.address] }), index('coupon_guesses_age').on(t.since)],
);

/** A coupon as it is on disk. */
export type CouponRow = typeof coupons.$inferSelect;
