import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CartSnapshot } from '../cart/index.ts';
import type { PricingSettings } from '../pricing/index.ts';
import type { BuyerDraft } from './buyer.ts';

/** Checkout sessions: each redirect URL leads to one and can place one order. */
export const checkoutSessions = sqliteTable(
  'checkout_sessions',
  {
    /** SHA-256 of the token, so that read access to this table is not enough to buy. */
    digest: text().primaryKey(),
    tenantId: integer().notNull(),
    /** The id of its order, chosen before the order is placed. */
    orderId: text().notNull(),
    cartId: text().notNull(),
    cartVersion: integer().notNull(),
    reservationId: integer().notNull(),
    /** `void`: the cart was edited, a newer session replaced it, or the shopper cancelled. */
    status: text().$type<'open' | 'void' | 'ordered'>().notNull(),
    /** The payment provider, or `external` for the tenant's own checkout. */
    provider: text().notNull(),
    /** The origin of the request that created it, used for its page and links. */
    origin: text().notNull(),
    returnUrl: text().notNull(),
    cancelUrl: text(),
    /** The frozen cart, and the tax and shipping rules at that time. */
    snapshot: text({ mode: 'json' }).$type<CartSnapshot>().notNull(),
    pricing: text({ mode: 'json' }).$type<PricingSettings>().notNull(),
    /** The buyer form as entered so far. */
    buyer: text({ mode: 'json' }).$type<BuyerDraft>().notNull(),
    /** When the session expires (ms). */
    expiresAt: integer().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [
    index('checkout_sessions_by_cart').on(t.tenantId, t.cartId, t.createdAt),
    index('checkout_sessions_order').on(t.tenantId, t.orderId),
    index('checkout_sessions_age').on(t.expiresAt),
    index('checkout_sessions_unordered').on(t.expiresAt).where(sql`status <> 'ordered'`),
  ],
);

/** What each tenant's sessions take, in bytes. Triggers maintain it. */
export const checkoutUsage = sqliteTable('checkout_usage', {
  tenantId: integer().primaryKey(),
  /** Of those without an order. */
  bytes: integer().notNull(),
  /** Of those opened on `orderedDay` that were ordered, paid or not. */
  orderedBytes: integer().notNull().default(0),
  /** The latest day (UTC, since 1970) on which a session was opened that was ordered. */
  orderedDay: integer().notNull().default(0),
});

/** A stored session. */
export type SessionRow = typeof checkoutSessions.$inferSelect;
