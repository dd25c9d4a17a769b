import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EventType } from '../events/index.ts';

/** Type of a delivery: an event type that a webhook can subscribe to, or the test event `ping`. */
export type DeliveredType = EventType | 'ping';

/** Identifies a webhook and its object, whose name is `<tenant id>:<webhook id>`. */
export interface WebhookName {
  readonly tenantId: number;
  readonly webhookId: number;
}

/** Maps each unsubscribed event to the instant (ms) until which deliveries of it may be stored. */
type FormerEvents = Partial<Record<EventType, number>>;

/** The values that an event must have, by filter key: see filter.ts. */
export type WebhookFilter = Record<string, (string | number)[]>;

/** A platform whose agents shop at a tenant: the URIs of its profile, and of the tenant's that it knows. */
export interface AgentPlatform {
  readonly profile: string;
  readonly business: string;
  /** The registrable domain of its profile: all of its profiles belong to one owner. Absent in older rows. */
  readonly site?: string;
}

/** Webhook registrations: a URL and the events that it subscribes to. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    url: text().notNull(),
    /** The owner's note on what the webhook is for; "" without one. */
    description: text().notNull().default(''),
    events: text({ mode: 'json' }).$type<EventType[]>().notNull(),
    /** Unsubscribed events whose deliveries may still be stored. */
    formerEvents: text({ mode: 'json' }).$type<FormerEvents>().notNull().default({}),
    /** Only events that match are delivered; null for all. */
    filter: text({ mode: 'json' }).$type<WebhookFilter>(),
    /** Whether the events of each resource are delivered one after the other. */
    ordered: integer({ mode: 'boolean' }).notNull().default(false),
    /** The platform (UCP) that gets the events of its agent's orders here; null for a webhook of the tenant's own. */
    agent: text({ mode: 'json' }).$type<AgentPlatform>(),
    /** When (ms) a platform's webhook ends; null for one of the tenant's own. */
    endsAt: integer(),
    status: text().$type<'active' | 'paused'>().notNull(),
    /** Paused by its owner, by its receiver's status 410, or after five days of failures. */
    pausedReason: text().$type<'requested' | 'gone' | 'failing'>(),
    /** The current run of failures: its first instant (ms), count and last error; written by the object. */
    failingSince: integer(),
    failures: integer().notNull().default(0),
    lastError: text(),
    /** The signing secret, sealed, and its last four characters. */
    secret: text().notNull(),
    secretTail: text().notNull(),
    /** The sealed secret before the last rotation; it also signs until `previousUntil` (ms). */
    previousSecret: text(),
    previousUntil: integer(),
    /** Unique: a retried creation finds its webhook by this reference. */
    ref: text().notNull().unique(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('webhooks_tenant').on(t.tenantId, t.id),
    index('webhooks_ending').on(t.endsAt).where(sql`ends_at IS NOT NULL`),
    index('webhooks_failing').on(t.failingSince).where(sql`failing_since IS NOT NULL`),
  ],
);

/** A stored webhook. */
export type WebhookRow = typeof webhooks.$inferSelect;

/** A run of failures: its first instant (ms), its count, and the last error ("500 status_not_2xx"). */
export type Failing = { readonly since: number; readonly failures: number; readonly error: string };
