import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The kinds of events that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'product.updated',
  'stock.changed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What happened, written in the same batch as the change itself (transactional outbox). */
export const outbox = sqliteTable(
  'outbox',
  {
    /** `evt_…`: the `webhook-id` of every delivery. */
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    type: text().$type<EventType>().notNull(),
    /** What it happened to: `product:7`, `item:8`, `order:ord_…`. */
    resource: text().notNull(),
    /** Increases for one resource: an instant of the tenant's clock. */
    sequence: integer().notNull(),
    /** The event's `data`, without `sequence` and `occurred_at`. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    occurredAt: integer().notNull(),
    /** The batch of the change: one write's events are found by it. */
    batch: text().notNull(),
    /** When the queues were told; null until then. */
    relayedAt: integer(),
  },
  (t) => [
    index('outbox_batch').on(t.tenantId, t.batch),
    index('outbox_unrelayed').on(t.occurredAt).where(sql`relayed_at IS NULL`),
    index('outbox_age').on(t.tenantId, t.occurredAt),
  ],
);

/** An event as it is on disk. */
export type OutboxRow = typeof outbox.$inferSelect;
