import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ProductType } from '../catalog/index.ts';
import type { StockDemand } from '../inventory/index.ts';
import type { Metadata } from '../kernel/values/metadata.ts';
import type { PostalAddress } from '../kernel/values/postal-address.ts';
import type { LineShare, PromotionShare, Selection } from '../pricing/index.ts';
import type { Dispute } from './provider-reports/disputes.ts';

/** The states of an order, and of its payment. */
export const ORDER_STATUSES = ['pending', 'paid', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export const PAYMENT_STATUSES = ['unpaid', 'paid', 'partially_refunded', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
/** How much of an order's goods is in fulfilments. */
export const FULFILMENT_STATUSES = ['unfulfilled', 'partially_fulfilled', 'fulfilled'] as const;
export type FulfilmentStatus = (typeof FULFILMENT_STATUSES)[number];

/** The provider name of the tenant's own checkout. */
export const EXTERNAL = 'external';

/** Why an order was cancelled, or will be cancelled after its refund. */
export const CANCEL_REASONS = ['shopper', 'tenant', 'timeout'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** The agent that filled the cart of an order, by the URI of its profile, and the number of the checkout. */
export interface OrderAgent {
  readonly profile: string;
  readonly checkout: number;
  /** The version of the master key that the cart's names are made with. Absent in older rows. */
  readonly keyVersion?: string | undefined;
}

/** The last order number of each tenant. */
export const orderCounters = sqliteTable('order_counters', {
  tenantId: integer().primaryKey(),
  last: integer().notNull(),
});

/** Orders: a snapshot of the sale; amounts in minor units of `currency`. */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    /** Sequential for each tenant, without gaps. */
    number: integer().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    paymentStatus: text().$type<PaymentStatus>().notNull(),
    fulfilmentStatus: text().$type<FulfilmentStatus>().notNull().default('unfulfilled'),
    test: integer({ mode: 'boolean' }).notNull(),
    /** The payment provider, or `external` for the tenant's own checkout. */
    provider: text().notNull(),
    /** The origin of the purchase; download links use it. */
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
    /** In millionths of a percent, 0 if shipping is not taxed; null in orders of earlier versions. */
    shippingTaxRate: integer(),
    /** The first of the promotions with a code. */
    couponId: integer(),
    couponCode: text(),
    /** What applied, in its order; null in orders from before, which had at most one coupon. */
    promotions: text({ mode: 'json' }).$type<PromotionShare[]>(),
    /** Null if nothing is shipped, and in orders from before there were methods. */
    shippingMethod: text({ mode: 'json' }).$type<{ readonly id: string; readonly name: string }>(),
    customerId: integer(),
    name: text(),
    email: text(),
    phone: text(),
    shippingAddress: text({ mode: 'json' }).$type<PostalAddress>(),
    /** Null if it is the shipping address. */
    billingAddress: text({ mode: 'json' }).$type<PostalAddress>(),
    /** The shopper's message to the shop, entered at checkout. */
    note: text(),
    /** Words by which the shop sorts its orders; visible as the metadata is. */
    tags: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    /** When the shop put the order away (ms); null while it is open. */
    archivedAt: integer(),
    /** Visible to the scopes `orders:read` and `orders:write` only. */
    metadata: text({ mode: 'json' }).$type<Metadata>().notNull().default({}),
    /** The agent that filled the cart, and which checkout of the cart it was; null for a shopper's own order. */
    agent: text({ mode: 'json' }).$type<OrderAgent>(),
    cancelReason: text().$type<CancelReason>(),
    /** The payment's latest dispute at the provider; null if there was none. */
    dispute: text({ mode: 'json' }).$type<Dispute>(),
    /** The status that the cart has not received yet; null if it is up to date. */
    cartNotice: text().$type<OrderStatus>(),
    /** Increases with each change; a batch based on an older revision is rejected. */
    revision: integer().notNull().default(1),
    /** When a pending order expires (ms). */
    expiresAt: integer().notNull(),
    /** Until when a message has claimed an expired order (ms). */
    claimedUntil: integer(),
    /** When the order was paid (ms); its sales count for that day. */
    paidAt: integer(),
    /** When the order was cancelled (ms); null otherwise, and in orders of earlier versions. */
    cancelledAt: integer(),
    createdAt: integer().notNull(),
    /** Of the tenant's clock, so that no change is at or before one that was committed earlier. */
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('orders_number').on(t.tenantId, t.number),
    uniqueIndex('orders_reservation').on(t.tenantId, t.reservationId).where(sql`status <> 'cancelled'`),
    index('orders_created').on(t.tenantId, t.createdAt),
    // A shop looks at its open orders most; after years nearly all orders are archived.
    index('orders_open').on(t.tenantId, t.createdAt).where(sql`archived_at IS NULL`),
    index('orders_pending').on(t.tenantId, t.createdAt).where(sql`status = 'pending'`),
    index('orders_total').on(t.tenantId, t.grandTotal, t.number),
    index('orders_updated').on(t.tenantId, t.updatedAt, t.number),
    index('orders_customer').on(t.tenantId, t.customerId, t.createdAt),
    index('orders_email').on(t.tenantId, t.email, t.createdAt),
    index('orders_payment').on(t.tenantId, t.paymentStatus, t.createdAt),
    index('orders_fulfilment').on(t.tenantId, t.fulfilmentStatus, t.paymentStatus, t.createdAt),
    index('orders_due').on(t.expiresAt).where(sql`status = 'pending'`),
    index('orders_abandoned').on(t.updatedAt).where(sql`status = 'cancelled' AND payment_status = 'unpaid'`),
    index('orders_notices').on(t.updatedAt).where(sql`cart_notice IS NOT NULL`),
  ],
);

/** Order lines; `id` is the position in the order, from 1. */
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
    /** What the product was called in URLs, and looked like, when it was ordered; null in orders of earlier versions. */
    slug: text(),
    type: text().$type<ProductType>(),
    image: text(),
    options: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    quantity: integer().notNull(),
    /** Whether it is goods to ship; the other lines need no fulfilment. */
    ships: integer({ mode: 'boolean' }).notNull().default(true),
    /** The quantity in fulfilments that are not cancelled. */
    fulfilled: integer().notNull().default(0),
    unitPrice: integer().notNull(),
    subtotal: integer().notNull(),
    discount: integer().notNull(),
    tax: integer().notNull(),
    /** In millionths of a percent; null in orders of earlier versions. */
    taxRate: integer(),
    /** The files of a downloadable line; the API never exposes their URLs. */
    links: text({ mode: 'json' }).$type<{ id: number; title: string; url: string }[]>().notNull(),
    /** The choices in words; empty in orders of earlier versions. */
    selected: text({ mode: 'json' }).$type<readonly Selection[]>().notNull().default([]),
    /** The stock that the whole quantity took, untracked items included; empty in orders of earlier versions. */
    stock: text({ mode: 'json' }).$type<readonly StockDemand[]>().notNull().default([]),
    /** What each promotion deducts; null in orders from before. They sum to `discount`. */
    discounts: text({ mode: 'json' }).$type<LineShare[]>(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.orderId, t.id] })],
);

/**
 * The state of a payment. `open`: not settled at the provider; `void`: ended without money; `refund_due`: all
 * that is left of it must be refunded; `refunded`: nothing is left of it.
 */
export type PaymentState = 'open' | 'paid' | 'failed' | 'void' | 'refund_due' | 'refunded';

/** Payment attempts of orders. */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    provider: text().notNull(),
    /** The provider's id of the payment; null until it is known. */
    reference: text(),
    /** The id that a refund uses, if it differs from the reference. */
    charge: text(),
    state: text().$type<PaymentState>().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('payments_reference').on(t.tenantId, t.provider, t.reference),
    index('payments_order').on(t.tenantId, t.orderId),
    index('payments_charge').on(t.tenantId, t.provider, t.charge),
  ],
);

/** Stored rows. */
export type OrderRow = typeof orders.$inferSelect;
export type OrderLineRow = typeof orderLines.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;
