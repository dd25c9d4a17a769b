import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SequenceName } from './ids.ts';

/** Always empty: the CHECK refuses every row, so that an insert aborts its batch. */
export const guards = sqliteTable('guards', { reason: text().notNull() }, (t) => [
  check('guard_holds', sql`${t.reason} = ''`),
]);

/** The last id of each sequence, in the range of this database's shard (see ids.ts). */
export const sequences = sqliteTable('sequences', {
  name: text().$type<SequenceName>().primaryKey(),
  value: integer().notNull(),
});

/**
 * The tenants that are moving or have moved, in each shard that they came to or left. `arriving`: being copied here;
 * `held`: refuses writes until `held_until` (ms, the database's clock); `moved`: an old copy, which refuses writes;
 * `live`: moved or imported here. `epoch` is that of the last step that changed the row. `importing`: from another
 * deployment, until it is activated.
 */
export const tenantFences = sqliteTable('tenant_fences', {
  tenantId: integer().primaryKey(),
  state: text({ enum: ['arriving', 'held', 'moved', 'live', 'importing'] }).notNull(),
  epoch: integer().notNull(),
  heldUntil: integer(),
});

/** One row for each Idempotency-Key of the last 24 hours. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tenantId: integer().notNull(),
    applicationId: integer().notNull(),
    /** SHA-256 of method, path and key. */
    key: text().notNull(),
    /** Keyed digest of the query and body of the first use. A stream's is set after the stream was read. */
    fingerprint: text().notNull(),
    owner: text().notNull(),
    lockedUntil: integer().notNull(),
    /** Reference to what the write committed. Set by the write's own batch. */
    ref: text(),
    /** The response, encrypted because some contain a secret. */
    answer: text(),
    /** The customer whose data the response contains, for erasure; null for none. */
    customerId: integer(),
    /** The guest's order whose buyer's data the response contains, for erasure; null for none. */
    orderId: text(),
    createdAt: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.applicationId, t.key] }),
    index('idempotency_keys_age').on(t.createdAt),
    index('idempotency_keys_customer').on(t.tenantId, t.customerId).where(sql`customer_id IS NOT NULL`),
    index('idempotency_keys_order').on(t.tenantId, t.orderId).where(sql`order_id IS NOT NULL`),
  ],
);
