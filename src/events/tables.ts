import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The event types that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'order.fulfilled',
  'order.tracking_changed',
  'order.refunded',
  'product.updated',
  'category.updated',
  'stock.changed',
  'customer.created',
  'customer.email_changed',
  'cart.abandoned',
] as const;
/** One of {@link EVENT_TYPES}. */
export type EventType = (typeof EVENT_TYPES)[number];

/** SQL condition for events that may contain personal data. */
export const NAMES_PERSONS = "type NOT IN ('product.updated', 'category.updated', 'stock.changed')";

/** Events, inserted in the same batch as the change itself (transactional outbox). */
export const outbox = sqliteTable(
  'outbox',
  {
    /**
     * Increases in commit order and is never used twice, because D1 runs one batch at a time: a reader that has read
     * up to a position finds every later event above it.
     */
    position: integer().primaryKey({ autoIncrement: true }),
    /** `evt_…`: the `webhook-id` of every delivery. */
    id: text().notNull().unique(),
    tenantId: integer().notNull(),
    type: text().$type<EventType>().notNull(),
    /** The changed resource: `product:7`, `item:8`, `order:ord_…`. */
    resource: text().notNull(),
    /** A timestamp of the tenant's clock; increases for each resource. */
    sequence: integer().notNull(),
    /** The event's `data`, without `sequence` and `occurred_at`. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    occurredAt: integer().notNull(),
    /** Identifies the batch of the change, to find its events. */
    batch: text().notNull(),
    /** When the event was sent to the queues; null until then. */
    relayedAt: integer(),
  },
  (t) => [
    index('outbox_batch').on(t.tenantId, t.batch),
    index('outbox_unrelayed').on(t.occurredAt).where(sql`relayed_at IS NULL`),
    // SQLite adds the position to each index: events of a type, or of a resource, in commit order.
    index('outbox_feed').on(t.tenantId, t.type),
    index('outbox_resource').on(t.tenantId, t.resource),
    index('outbox_occurred').on(t.occurredAt),
  ],
);

/** A row of {@link outbox}. */
export type OutboxRow = typeof outbox.$inferSelect;

/** The queues whose dead letters can be retried. */
export const QUEUES = ['webhook-events', 'search-index', 'imports'] as const;
/** One of {@link QUEUES}. */
export type QueueName = (typeof QUEUES)[number];

/** Messages of any queue that failed on every retry, kept for inspection and manual retry. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    /** The message id of the queue, so that a redelivered letter is recorded once. */
    id: text().primaryKey(),
    /** The message: ids only. */
    body: text({ mode: 'json' }).notNull(),
    /** The original queue; null if it can't be derived from the message. */
    queue: text().$type<QueueName>(),
    /** Number of attempts and the last error; null if they were not recorded. */
    attempts: integer(),
    error: text(),
    sentAt: integer().notNull(),
    recordedAt: integer().notNull(),
  },
  (t) => [index('dead_letters_age').on(t.recordedAt), index('dead_letters_queue').on(t.queue, t.recordedAt)],
);

/** Errors of messages that are being retried, since a dead letter doesn't carry its error. */
export const queueFailures = sqliteTable(
  'queue_failures',
  {
    queue: text().$type<QueueName>().notNull(),
    /** The message as JSON. */
    body: text().notNull(),
    attempts: integer().notNull(),
    error: text().notNull(),
    failedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.queue, t.body] }), index('queue_failures_age').on(t.failedAt)],
);
