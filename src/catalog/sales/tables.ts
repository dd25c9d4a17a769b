import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Prices of products and variants that are no longer displayed: one row for each item, currency and UTC day,
 * with the day's lowest. Rows older than the window of `lowest_price_30d` are deleted.
 */
export const priceHistory = sqliteTable(
  'price_history',
  {
    tenantId: integer().notNull(),
    itemId: integer().notNull(),
    currency: text().notNull(),
    /** Days since the Unix epoch. */
    day: integer().notNull(),
    /** The lowest price that ended on this day, in minor units. */
    price: integer().notNull(),
    /** When the last of the day's prices ended (ms). */
    endedAt: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.itemId, t.currency, t.day] }),
    index('price_history_ended').on(t.endedAt),
  ],
);
