import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * What orders brought in, by currency and hour: orders that were paid in it, less what was refunded of them since, in
 * minor units; and the carts that were abandoned in it.
 */
export const salesHours = sqliteTable(
  'sales_hours',
  {
    tenantId: integer().notNull(),
    currency: text().notNull(),
    /** The beginning of the hour (ms since the epoch). */
    start: integer().notNull(),
    /** Paid orders, less those that were cancelled or refunded as a whole. */
    orders: integer().notNull().default(0),
    sales: integer().notNull().default(0),
    abandonedCarts: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.start, t.currency] }), index('sales_hours_age').on(t.start)],
);

/** The lengths of time by which units are counted. */
export type Span = 'hour' | 'day';

/** Units of each SKU that were paid for in an hour and in a day (UTC), less what was refunded since. */
export const itemSales = sqliteTable(
  'item_sales',
  {
    tenantId: integer().notNull(),
    span: text().$type<Span>().notNull(),
    start: integer().notNull(),
    sku: text().notNull(),
    productId: integer().notNull(),
    /** The name at the latest sale. */
    name: text().notNull(),
    units: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.span, t.start, t.sku] }),
    index('item_sales_age').on(t.span, t.start),
  ],
);

/** How often an application called, and how often that failed. */
const calls = () => ({
  tenantId: integer().notNull(),
  /** The beginning of the hour or day (ms since the epoch). */
  start: integer().notNull(),
  applicationId: integer().notNull(),
  calls: integer().notNull(),
  /** Responses with a 4xx and with a 5xx status. */
  clientErrors: integer().notNull(),
  serverErrors: integer().notNull(),
});

/** Calls of the API by application and hour, with those that failed. */
export const callHours = sqliteTable('call_hours', calls(), (t) => [
  primaryKey({ columns: [t.tenantId, t.start, t.applicationId] }),
  index('call_hours_age').on(t.start),
]);

/** The sums of {@link callHours} by day (UTC). */
export const callDays = sqliteTable('call_days', calls(), (t) => [
  primaryKey({ columns: [t.tenantId, t.start, t.applicationId] }),
  index('call_days_age').on(t.start),
]);
