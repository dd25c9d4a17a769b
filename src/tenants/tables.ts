import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Plan, Quota } from './plans.ts';
import type { Settings, TenantStatus } from './schemas.ts';

/** One row for each tenant. Its counters are what orders the tenant's changes. */
export const tenants = sqliteTable(
  'tenants',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    slug: text().notNull().unique(),
    name: text().notNull(),
    /** The main currency, and all that the tenant sells in (the main one first). */
    currency: text().notNull(),
    currencies: text({ mode: 'json' }).$type<string[]>().notNull(),
    plan: text().$type<Plan>().notNull(),
    status: text().$type<TenantStatus>().notNull(),
    settings: text({ mode: 'json' }).$type<Settings>().notNull(),
    /** Moves with every change that a catalogue read could show: the later of now (ms) and the last one plus 1. */
    catalogVersion: integer().notNull().default(1),
    /** When stock moved that `catalogVersion` doesn't tell of yet (ms), else null. */
    stockMovedAt: integer(),
    /** The last instant given to a change of a product (ms), unique and rising; 0: never had a product. */
    clock: integer().notNull().default(0),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [index('tenants_stock_moved').on(t.stockMovedAt)],
);

/** A secret of a tenant (a payment key, `checkout_secret`), sealed under the master key. */
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

/**
 * How much of each quota a tenant uses: kept by triggers on the tables that are counted, so that no creation has
 * to count. A batch that sets `exceeded` to 1 is refused (see quotas.ts).
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

/** A tenant as it is on disk. */
export type TenantRow = typeof tenants.$inferSelect;
