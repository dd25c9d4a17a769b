import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';

/** The addresses that customers have saved: at most 20 of each, and one default. */
export const customerAddresses = sqliteTable(
  'customer_addresses',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    customerId: integer().notNull(),
    label: text(),
    address: text({ mode: 'json' }).$type<PostalAddress>().notNull(),
    isDefault: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('customer_addresses_customer').on(t.tenantId, t.customerId, t.createdAt, t.id),
    uniqueIndex('customer_addresses_default').on(t.tenantId, t.customerId).where(sql`is_default = 1`),
  ],
);

/** A stored address. */
export type AddressRow = typeof customerAddresses.$inferSelect;
