import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PostalAddress } from '../kernel/core/postal-address.ts';

/** Where an order is, and what is known of its money. */
export const ORDER_STATUSES = ['pending', 'paid', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export const PAYMENT_STATUSES = ['unpaid', 'paid', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Who took the money where it wasn't a provider of ours: the tenant's own checkout. */
export const EXTERNAL = 'external';

/** Why an order was cancelled, or is going to be once it is refunded. */
export const CANCEL_REASONS = ['shopper', 'tenant', 'timeout'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** The last number that each tenant has given to an order. */
export const orderCounters = sqliteTable('order_counters', {
  tenantId: integer().primaryKey(),
  last: integer().notNull(),
});

/** What was sold: a snapshot, amounts in minor units of `currency`. */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    /** Counts for each tenant, without gaps. */
    number: integer().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    paymentStatus: text().$type<PaymentStatus>().notNull(),
    test: integer({ mode: 'boolean' }).notNull(),
    /** Who takes the money: a payment provider, or `external` for the tenant's own checkout. */
    provider: text().notNull(),
    /** The origin that it was bought on: its links lead there. */
    origin: text().notNull(),
    cartId: text().notNull(),
    cartVersion: integer().notNull(),
    reservationId: integer().notNull(),
    currency: text().notNull(),
    subtotal: integer().notNull(),
    discount: integer().notNull(),
    shipping: integer().notNull(),
    tax: integer().notNull(),
    grandTotal: integer().notNull(),
    taxIncluded: integer({ mode: 'boolean' }).notNull(),
    couponId: integer(),
    couponCode: text(),
    customerId: integer(),
    name: text(),
    email: text(),
    phone: text(),
    shippingAddress: text({ mode: 'json' }).$type<PostalAddress>(),
    cancelReason: text().$type<CancelReason>(),
    /** What the cart has to be told yet; null when it knows. */
    cartNotice: text().$type<OrderStatus>(),
    /** Counts the changes: a batch that began from an older one is refused. */
    revision: integer().notNull().default(1),
    /** When a pending one is given up (ms). */
    expiresAt: integer().notNull(),
    /** Until when (ms) a pending one whose time is up is in the hands of a message. */
    claimedUntil: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('orders_number').on(t.tenantId, t.number),
    uniqueIndex('orders_reservation').on(t.tenantId, t.reservationId).where(sql`status <> 'cancelled'`),
    index('orders_created').on(t.tenantId, t.createdAt),
    index('orders_customer').on(t.tenantId, t.customerId, t.createdAt),
    index('orders_due').on(t.expiresAt).where(sql`status = 'pending'`),
    index('orders_abandoned').on(t.updatedAt).where(sql`status = 'cancelled' AND payment_status = 'unpaid'`),
    index('orders_notices').on(t.updatedAt).where(sql`cart_notice IS NOT NULL`),
  ],
);

/** A line of an order, by its place in it (from 1). */
export const orderLines = sqliteTable(
  'order_lines',
  {
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    id: integer().notNull(),
    productId: integer().notNull(),
    variantId: integer(),
    sku: text().notNull(),
    name: text().notNull(),
    options: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    quantity: integer().notNull(),
    unitPrice: integer().notNull(),
    subtotal: integer().notNull(),
    discount: integer().notNull(),
    tax: integer().notNull(),
    /** The files of a downloadable line; their URLs are never shown. */
    links: text({ mode: 'json' }).$type<{ id: number; title: string; url: string }[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.orderId, t.id] })],
);

/**
 * Where a payment is. `open`: the provider was or will be asked; `void`: given up without money;
 * `refund_due`: money that has to go back.
 */
export type PaymentState = 'open' | 'paid' | 'failed' | 'void' | 'refund_due' | 'refunded';

/** Each attempt to pay an order. */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    provider: text().notNull(),
    /** The provider's own name for it; null until the provider has given one. */
    reference: text(),
    /** What a refund names, where that is something else than the reference. */
    charge: text(),
    state: text().$type<PaymentState>().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    /** Attempts to give the money back, and when the next one is due (ms). */
    tries: integer().notNull().default(0),
    nextTryAt: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('payments_reference').on(t.tenantId, t.provider, t.reference),
    index('payments_order').on(t.tenantId, t.orderId),
    index('payments_refunds').on(t.nextTryAt).where(sql`state = 'refund_due'`),
  ],
);

/** Rows as they are on disk. */
export type OrderRow = typeof orders.$inferSelect;
export type OrderLineRow = typeof orderLines.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;
