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

/** What a delivery can carry: the events that a webhook subscribes to, and what a ping sends. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'ping'] as const;
/** One of {@link DELIVERED_TYPES}. */
export type DeliveredType = (typeof DELIVERED_TYPES)[number];

/** Which webhook an object is. Its name is `<tenant id>:<webhook id>`. */
export interface WebhookName {
  readonly tenantId: number;
  readonly webhookId: number;
}

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

/** Until when (ms) a webhook may hold deliveries of an event that it no longer subscribes to. */
export type FormerEvents = Partial<Record<EventType, number>>;

/** A webhook that a tenant registered: where which events go. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    url: text().notNull(),
    events: text({ mode: 'json' }).$type<EventType[]>().notNull(),
    /** Events it no longer subscribes to, each with the instant (ms) until which deliveries of it may be stored. */
    formerEvents: text({ mode: 'json' }).$type<FormerEvents>().notNull().default({}),
    status: text().$type<'active' | 'paused'>().notNull(),
    /** Who paused it: its owner, its receiver by saying 410, or five days of failures. */
    pausedReason: text().$type<'requested' | 'gone' | 'failing'>(),
    /** Since when its receiver only fails (ms), how often it has, and how the last time; told by its object. */
    failingSince: integer(),
    failures: integer().notNull().default(0),
    lastError: text(),
    /** The signing secret, sealed, and its last four characters. */
    secret: text().notNull(),
    secretTail: text().notNull(),
    /** The sealed secret before the last rotation: it signs as well until `previousUntil`. */
    previousSecret: text(),
    previousUntil: integer(),
    /** Unique: by it a repeated creation finds what it made. */
    ref: text().notNull().unique(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('webhooks_tenant').on(t.tenantId, t.id),
    index('webhooks_failing').on(t.failingSince).where(sql`failing_since IS NOT NULL`),
  ],
);

/** A webhook as it is on disk. */
export type WebhookRow = typeof webhooks.$inferSelect;

/** A receiver that only fails: since when (ms), how often, and how the last time ("500 status_not_2xx"). */
export type Failing = { readonly since: number; readonly failures: number; readonly error: string };

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
