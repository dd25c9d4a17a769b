import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Amount } from '../kernel/core/money.ts';

/** The kind of a coupon's benefit. */
export type CouponKind = 'percent' | 'fixed' | 'free_shipping';

/** The tenants' coupons. The CHECK enforces `max_uses`. */
export const coupons = sqliteTable(
  'coupons',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** As entered; `codeKey` is the folded form for lookups. */
    code: text().notNull(),
    codeKey: text().notNull(),
    kind: text().$type<CouponKind>().notNull(),
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
  },
  (t) => [
    uniqueIndex('coupons_code').on(t.tenantId, t.codeKey).where(sql`deleted_at IS NULL`),
    index('coupons_tenant').on(t.tenantId, t.id),
    index('coupons_deleted').on(t.deletedAt).where(sql`deleted_at IS NOT NULL`),
    check('coupon_uses_within_limit', sql`max_uses IS NULL OR uses <= max_uses`),
    check('coupon_uses_never_negative', sql`uses >= 0`),
  ],
);

/** Redemptions: the coupon of each order, and the shopper keys it counts for. */
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

/** Redemptions per shopper; `most` is the limit at the last redemption, enforced by the CHECK. */
export const couponShoppers = sqliteTable(
  'coupon_shoppers',
  {
    tenantId: integer().notNull(),
    couponId: integer().notNull(),
    /** A customer id or a keyed digest of an e-mail address: see {@link shopperKeys}. */
    shopper: text().notNull(),
    uses: integer().notNull(),
    most: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.couponId, t.shopper] }),
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

/** A row of `coupons`. */
export type CouponRow = typeof coupons.$inferSelect;
