import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How many orders a tenant has of each combination of states, without those that are 0. Kept by triggers on orders. */
export const orderCounts = sqliteTable(
  'order_counts',
  {
    tenantId: integer().notNull(),
    status: text().notNull(),
    paymentStatus: text().notNull(),
    fulfilmentStatus: text().notNull(),
    archived: integer({ mode: 'boolean' }).notNull(),
    total: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.status, t.paymentStatus, t.fulfilmentStatus, t.archived] })],
);

/** What `q` finds an order by: its number, e-mail address, and the folded words of name and SKUs. */
export const orderTerms = sqliteTable(
  'order_terms',
  {
    tenantId: integer().notNull(),
    term: text().notNull(),
    orderId: text().notNull(),
    /** Whether the term is of the customer's data, which erasure deletes. */
    personal: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.term, t.orderId] }),
    index('order_terms_order').on(t.tenantId, t.orderId, t.term),
  ],
);
