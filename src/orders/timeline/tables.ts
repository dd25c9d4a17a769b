import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Actor } from '../../kernel/core/actor.ts';

/** What happens to an order. */
export const TIMELINE_TYPES = [
  'placed',
  'paid',
  'refunded',
  'fulfilled',
  'cancelled',
  'edited',
  'noted',
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

/** What an entry says beyond its type: JSON. What may be personal in it is removed by `redactTimelines`. */
export type TimelineDetails = Readonly<Record<string, unknown>>;

/** The history of each order, written in the batch of each change. */
export const orderTimeline = sqliteTable(
  'order_timeline',
  {
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    /** The position in the order's history, from 1. */
    id: integer().notNull(),
    at: integer().notNull(),
    type: text().$type<TimelineType>().notNull(),
    actorKind: text().$type<Actor['kind']>().notNull(),
    actorId: text(),
    details: text({ mode: 'json' }).$type<TimelineDetails>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.orderId, t.id] })],
);

/** A stored row of {@link orderTimeline}. */
export type TimelineRow = typeof orderTimeline.$inferSelect;
