import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Actor } from '../../kernel/core/actor.ts';

/** The states of a refund. `pending`: the provider has not completed it yet. */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/**
 * What a refund comes from: a call, the cancellation of a paid order, a refund that was made at the provider (or
 * in the tenant's own checkout), or a dispute that was lost.
 */
export const REFUND_SOURCES = ['request', 'cancellation', 'provider', 'dispute'] as const;
/** `surplus`: the return of a payment that the order couldn't use. The API doesn't show it. */
export type RefundSource = (typeof REFUND_SOURCES)[number] | 'surplus';

/** Units of an order line that a refund covers; `amount` in minor units, tax included. */
export interface RefundedItem {
  readonly lineId: number;
  readonly quantity: number;
  readonly restock: boolean;
  /** Whether the units had been shipped; missing from refunds of earlier versions, and where it is not known. */
  readonly shipped?: boolean;
  readonly amount: number;
}

/** Refunds of payments; amounts in minor units of `currency`. */
export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    paymentId: text().notNull(),
    provider: text().notNull(),
    /** The provider's id of the refund or dispute; null until it is known. */
    reference: text(),
    source: text().$type<RefundSource>().notNull(),
    status: text().$type<RefundStatus>().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    items: text({ mode: 'json' }).$type<readonly RefundedItem[]>().notNull(),
    /** The part of `amount` that is shipping, tax included. */
    shipping: integer().notNull(),
    /** Free text of the tenant. */
    reason: text(),
    /** The provider's code for a refund that failed. */
    failureReason: text(),
    /** Who asked for it, for the order's timeline. */
    requestedBy: text({ mode: 'json' }).$type<Actor>().notNull(),
    /** The number of attempts, and when the next one or a check of the status is due (ms). */
    tries: integer().notNull().default(0),
    nextTryAt: integer(),
    /** Part of the provider's idempotency key: a new generation is a new request to the provider. */
    generation: integer().notNull().default(0),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('refunds_order').on(t.tenantId, t.orderId, t.createdAt),
    uniqueIndex('refunds_reference').on(t.tenantId, t.provider, t.reference),
    index('refunds_due').on(t.nextTryAt).where(sql`status = 'pending'`),
  ],
);

/**
 * How much of a payment (subject `pay_…`, minor units) and of an order line (subject `line_<id>`, units) pending and
 * succeeded refunds take. Rows exist once an order has a refund.
 */
export const refundAllowances = sqliteTable(
  'refund_allowances',
  {
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    subject: text().notNull(),
    total: integer().notNull(),
    used: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.orderId, t.subject] }),
    check('refunds_within_allowance', sql`used BETWEEN 0 AND total`),
  ],
);

/** A stored row of {@link refunds}. */
export type RefundRow = typeof refunds.$inferSelect;
