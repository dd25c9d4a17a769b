import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Rows that must never be: an insert here aborts the batch that it is part of. */
export const guards = sqliteTable('guards', { reason: text().notNull() }, (t) => [
  check('guard_holds', sql`${t.reason} = ''`),
]);

/** One row for each Idempotency-Key of the last 24 hours. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tenantId: integer().notNull(),
    applicationId: integer().notNull(),
    /** SHA-256 of method, path and key. */
    key: text().notNull(),
    /** A keyed digest of the query and body that the key was first used with; of a stream once it was read. */
    fingerprint: text().notNull(),
    owner: text().notNull(),
    lockedUntil: integer().notNull(),
    /** What the write committed, noted by the write's own batch. */
    ref: text(),
    /** The answer, sealed: some show a secret. */
    answer: text(),
    /** The customer whom the answer names, so that erasing them finds it; null where it names none. */
    customerId: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.applicationId, t.key] }),
    index('idempotency_keys_age').on(t.createdAt),
    index('idempotency_keys_customer').on(t.tenantId, t.customerId).where(sql`customer_id IS NOT NULL`),
  ],
);
