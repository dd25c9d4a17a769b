import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The states of a fulfilment. */
export const FULFILMENT_STATES = ['shipped', 'delivered', 'cancelled'] as const;
export type FulfilmentState = (typeof FULFILMENT_STATES)[number];

/** A quantity of an order line in a fulfilment. */
export interface FulfilledItem {
  readonly lineId: number;
  readonly quantity: number;
}

/** How a parcel can be followed. */
export interface Tracking {
  readonly carrier: string | null;
  readonly number: string | null;
  readonly url: string | null;
}

/** Fulfilments: the items of an order that were shipped together. */
export const orderFulfilments = sqliteTable(
  'order_fulfilments',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    orderId: text().notNull(),
    /** The position among the order's fulfilments, from 1. */
    position: integer().notNull(),
    state: text().$type<FulfilmentState>().notNull(),
    items: text({ mode: 'json' }).$type<FulfilledItem[]>().notNull(),
    tracking: text({ mode: 'json' }).$type<Tracking>(),
    /** When it was reported as delivered, or cancelled (ms); null otherwise, and in rows of earlier versions. */
    endedAt: integer(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [index('order_fulfilments_order').on(t.tenantId, t.orderId, t.position)],
);

/** A stored row of {@link orderFulfilments}. */
export type FulfilmentRow = typeof orderFulfilments.$inferSelect;
