import { index, integer, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Changes that the list index follows and the tenant's clock doesn't show: a product's rank among the best sellers,
 * a group whose member has another inventory policy, and a category (`categoryId`) of the tree. Triggers write
 * them; the other column is 0. A newer change of the same product or category replaces the row under a higher id.
 */
export const listChanges = sqliteTable(
  'list_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    categoryId: integer().notNull(),
    /** The catalogue version of the change, which is at least its time (ms). */
    version: integer().notNull(),
  },
  (t) => [
    uniqueIndex('list_changes_subject').on(t.tenantId, t.productId, t.categoryId),
    index('list_changes_tenant').on(t.tenantId, t.id),
  ],
);
