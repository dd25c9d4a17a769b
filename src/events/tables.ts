import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The kinds of events that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'product.updated',
  'stock.changed',
  'customer.email_changed',
] as const;
/** One of {@link EVENT_TYPES}. */
export type EventType = (typeof EVENT_TYPES)[number];

/** Of events whose data may name a person; as SQL, for an index and the queries that go by it. */
export const NAMES_PERSONS = "type NOT IN ('product.updated', 'stock.changed')";

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
    // What may name a person, by what it happened to: whoever is erased is found in it.
    index('outbox_person').on(t.tenantId, t.resource).where(sql.raw(NAMES_PERSONS)),
    index('outbox_occurred').on(t.occurredAt),
  ],
);

/** An event as it is on disk. */
export type OutboxRow = typeof outbox.$inferSelect;

/** The queues whose messages can be sent again. */
export const QUEUES = ['webhook-events', 'search-index', 'imports'] as const;
/** One of {@link QUEUES}. */
export type QueueName = (typeof QUEUES)[number];

/** Messages of any queue that failed too often, so that somebody can look after them. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    /** The queue's id of the message: a letter that comes twice is recorded once. */
    id: text().primaryKey(),
    /** The message: ids only. */
    body: text({ mode: 'json' }).notNull(),
    /** The queue that gave up on it; null where its message doesn't tell. */
    queue: text().$type<QueueName>(),
    /** How often it was tried, and how the last time failed; null where that could not be noted. */
    attempts: integer(),
    error: text(),
    sentAt: integer().notNull(),
    recordedAt: integer().notNull(),
  },
  (t) => [index('dead_letters_age').on(t.recordedAt), index('dead_letters_queue').on(t.queue, t.recordedAt)],
);

/** How messages that a queue delivers again and again have failed: what a dead letter doesn't say itself. */
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
