import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CartSnapshot } from '../cart/index.ts';
import type { PricingSettings } from '../pricing/index.ts';
import type { BuyerDraft } from './pages/buyer.ts';

/** One way to one order: what a redirect URL leads to. */
export const checkoutSessions = sqliteTable(
  'checkout_sessions',
  {
    /** SHA-256 of the token: who reads this table can't buy. */
    digest: text().primaryKey(),
    tenantId: integer().notNull(),
    /** The id that its order has, or will have. */
    orderId: text().notNull(),
    cartId: text().notNull(),
    cartVersion: integer().notNull(),
    reservationId: integer().notNull(),
    /** `void`: the cart was edited, another session was made, or the shopper turned back. */
    status: text().$type<'open' | 'void' | 'ordered'>().notNull(),
    /** Who takes the money: a payment provider, or `external` for the tenant's own checkout. */
    provider: text().notNull(),
    /** The origin of the request that made it: its page, its links. */
    origin: text().notNull(),
    returnUrl: text().notNull(),
    cancelUrl: text(),
    /** The cart as it was frozen, and the tax and shipping rules of that moment. */
    snapshot: text({ mode: 'json' }).$type<CartSnapshot>().notNull(),
    pricing: text({ mode: 'json' }).$type<PricingSettings>().notNull(),
    /** What the shopper has typed so far. */
    buyer: text({ mode: 'json' }).$type<BuyerDraft>().notNull(),
    /** Until when an order can be placed (ms). */
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

/** How many bytes each tenant's sessions without an order take: kept by triggers, so that nobody has to count. */
export const checkoutUsage = sqliteTable('checkout_usage', {
  tenantId: integer().primaryKey(),
  bytes: integer().notNull(),
});

/** A session as it is on disk. */
export type SessionRow = typeof checkoutSessions.$inferSelect;
