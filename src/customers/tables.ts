import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** People with an account. An erased one keeps its row for 30 days, empty. */
export const customers = sqliteTable(
  'customers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** In lower case; unique for each tenant among those that are not erased. */
    email: text().notNull(),
    name: text().notNull(),
    phone: text(),
    /** A PHC string: see password.ts. */
    password: text().notNull(),
    /** The cart that the customer used last. */
    cartId: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    erasedAt: integer(),
  },
  (t) => [
    uniqueIndex('customers_email').on(t.tenantId, t.email).where(sql`erased_at IS NULL`),
    index('customers_erased').on(t.erasedAt).where(sql`erased_at IS NOT NULL`),
  ],
);

/** The last 100 carts that were a customer's (held by a trigger): who erases the person has to tell each. */
export const customerCarts = sqliteTable(
  'customer_carts',
  {
    tenantId: integer().notNull(),
    customerId: integer().notNull(),
    cartId: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.customerId, t.cartId] })],
);

/** Open sessions, the 100 of each customer that were used last (held by a trigger). One that ends is deleted. */
export const customerSessions = sqliteTable(
  'customer_sessions',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    tenantId: integer().notNull(),
    customerId: integer().notNull(),
    createdAt: integer().notNull(),
    /** Moves with use. */
    expiresAt: integer().notNull(),
  },
  (t) => [
    index('customer_sessions_customer').on(t.tenantId, t.customerId),
    index('customer_sessions_end').on(t.expiresAt),
  ],
);

/** Tokens with which a customer may set a new password, once; the 20 newest of each customer (held by a trigger). */
export const passwordResets = sqliteTable(
  'password_resets',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    tenantId: integer().notNull(),
    customerId: integer().notNull(),
    expiresAt: integer().notNull(),
  },
  (t) => [
    index('password_resets_customer').on(t.tenantId, t.customerId),
    index('password_resets_end').on(t.expiresAt),
  ],
);

/** A customer as it is on disk. */
export type CustomerRow = typeof customers.$inferSelect;
