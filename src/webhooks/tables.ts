import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { EVENT_TYPES, type EventType } from '../events/index.ts';

/** What a delivery can carry: the events that a webhook subscribes to, and what a ping sends. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'ping'] as const;
/** One of {@link DELIVERED_TYPES}. */
export type DeliveredType = (typeof DELIVERED_TYPES)[number];

/** Which webhook an object is. Its name is `<tenant id>:<webhook id>`. */
export interface WebhookName {
  readonly tenantId: number;
  readonly webhookId: number;
}

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
