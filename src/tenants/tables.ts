import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Plan, Quota } from './plans.ts';
import type { Settings, TenantStatus } from './schemas.ts';

/** One row for each tenant. `catalogVersion` and `clock` order the tenant's changes. */
export const tenants = sqliteTable(
  'tenants',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    slug: text().notNull().unique(),
    name: text().notNull(),
    /** The main currency, and every currency that the tenant sells in (the main one first). */
    currency: text().notNull(),
    currencies: text({ mode: 'json' }).$type<string[]>().notNull(),
    plan: text().$type<Plan>().notNull(),
    status: text().$type<TenantStatus>().notNull(),
    settings: text({ mode: 'json' }).$type<Settings>().notNull(),
    /**
     * Increases with every change visible in a catalogue read: the later of now (ms) and the last one plus 1.
     */
    catalogVersion: integer().notNull().default(1),
    /** When stock changed that `catalogVersion` doesn't cover yet (ms), else null. */
    stockMovedAt: integer(),
    /**
     * The last timestamp assigned to a product change (ms), unique and increasing; 0: never had a product.
     */
    clock: integer().notNull().default(0),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [index('tenants_stock_moved').on(t.stockMovedAt)],
);

/** A tenant's secrets (payment keys, `checkout_secret`), encrypted under the master key. */
export const tenantSecrets = sqliteTable(
  'tenant_secrets',
  {
    tenantId: integer()
      .notNull()
      .references(() => tenants.id),
    name: text().notNull(),
    sealed: text().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.name] })],
);

/** The host names at which a tenant is found by `Host`, in the directory: see hosts.ts. */
export const tenantHosts = sqliteTable(
  'tenant_hosts',
  {
    host: text().primaryKey(),
    tenantId: integer().notNull(),
    /** When the settings that gain or lose it were about to change (ms); null once they name it. */
    pendingAt: integer(),
  },
  (t) => [
    index('tenant_hosts_tenant').on(t.tenantId),
    index('tenant_hosts_pending').on(t.pendingAt).where(sql`pending_at IS NOT NULL`),
  ],
);

/**
 * A tenant's usage of each quota. Triggers on the counted tables maintain it, so that inserts need not count.
 * The CHECK aborts a batch that sets `exceeded` to 1 (see quotas.ts).
 */
export const quotaCounts = sqliteTable(
  'quota_counts',
  {
    tenantId: integer().notNull(),
    quota: text().$type<Quota>().notNull(),
    total: integer().notNull(),
    exceeded: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.quota] }), check('within_quota', sql`exceeded = 0`)],
);

/** A row of {@link tenants}. */
export type TenantRow = typeof tenants.$inferSelect;
