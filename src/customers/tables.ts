import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Metadata } from '../kernel/values/metadata.ts';

/** How many customers a tenant has, without erased ones. Kept by triggers on customers. */
export const customerCounts = sqliteTable('customer_counts', {
  tenantId: integer().primaryKey(),
  total: integer().notNull(),
});

/** Customer accounts. The row of an erased customer stays for 30 days without personal data. */
export const customers = sqliteTable(
  'customers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** Lower case; unique for each tenant among accounts that are not erased. */
    email: text().notNull(),
    name: text().notNull(),
    phone: text(),
    /** PHC string of the password hash: see password.ts. */
    password: text().notNull(),
    /** Id of the cart that the customer used last. */
    cartId: text(),
    /** Visible to the scope `customers:admin` only. */
    metadata: text({ mode: 'json' }).$type<Metadata>().notNull().default({}),
    createdAt: integer().notNull(),
    /** Of the tenant's clock, so that no change is at or before one that was committed earlier. */
    updatedAt: integer().notNull(),
    erasedAt: integer(),
  },
  (t) => [
    uniqueIndex('customers_email').on(t.tenantId, t.email).where(sql`erased_at IS NULL`),
    index('customers_updated').on(t.tenantId, t.updatedAt, t.id).where(sql`erased_at IS NULL`),
    index('customers_newest').on(t.tenantId, t.id).where(sql`erased_at IS NULL`),
    index('customers_erased').on(t.erasedAt).where(sql`erased_at IS NOT NULL`),
    index('customers_erased_of_tenant').on(t.tenantId, t.id).where(sql`erased_at IS NOT NULL`),
  ],
);

/** The folded words of each customer's name and e-mail, by which lists find them. */
export const customerTerms = sqliteTable(
  'customer_terms',
  {
    tenantId: integer().notNull(),
    term: text().notNull(),
    customerId: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.term, t.customerId] }),
    index('customer_terms_customer').on(t.tenantId, t.customerId),
  ],
);

/** The last 100 carts of each customer (a trigger enforces the limit). An erasure covers each of them. */
export const customerCarts = sqliteTable(
  'customer_carts',
  {
    tenantId: integer().notNull(),
    customerId: integer().notNull(),
    cartId: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.customerId, t.cartId] })],
);

/** Open sessions: the 100 last used of each customer (a trigger enforces the limit). Ended ones are deleted. */
export const customerSessions = sqliteTable(
  'customer_sessions',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    tenantId: integer().notNull(),
    customerId: integer().notNull(),
    createdAt: integer().notNull(),
    /** Extended by use. */
    expiresAt: integer().notNull(),
  },
  (t) => [
    index('customer_sessions_customer').on(t.tenantId, t.customerId),
    index('customer_sessions_end').on(t.expiresAt),
  ],
);

/** One-time password reset tokens: the 20 newest of each customer (a trigger enforces the limit). */
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

/** A stored customer. */
export type CustomerRow = typeof customers.$inferSelect;
