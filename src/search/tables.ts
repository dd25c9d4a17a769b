import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * One row for each indexed product, with the JSON that a hit returns. Drizzle can't describe the FTS5 table
 * `search_index(terms)` that belongs to it: see the search database's migration.
 */
export const searchDocuments = sqliteTable(
  'search_documents',
  {
    productId: integer().primaryKey(),
    tenantId: integer().notNull(),
    /** The catalogue version and product sequence at which the row was read: an older write is a no-op. */
    version: integer().notNull().default(0),
    sequence: integer().notNull(),
    /** The rowid in `search_index`; null after deletion, when the row remains to reject late writes. */
    place: integer(),
    /** Digest of the product's `search_index` entry: a write that leaves it equal doesn't reindex. */
    digest: text(),
    /** The product in list shape, as JSON; null after deletion. */
    item: text(),
  },
  (t) => [
    index('search_documents_tenant').on(t.tenantId, t.productId),
    index('search_documents_gone').on(t.sequence).where(sql`place IS NULL`),
  ],
);

/** Every word in a tenant's products: the dictionary for typo correction. */
export const searchSpellings = sqliteTable(
  'search_spellings',
  {
    tenantId: integer().notNull(),
    word: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.word] })],
);

/** The indexing position of each tenant, and the state of its rebuild. */
export const searchProgress = sqliteTable('search_progress', {
  tenantId: integer().primaryKey(),
  /** Every change up to this instant of the tenant's clock is indexed. */
  sequence: integer().notNull(),
  /** Every change up to this catalogue version is indexed. */
  version: integer().notNull(),
  /** Id of the running rebuild, or null; 1 if another one is requested; instant of the last step (ms). */
  run: text(),
  again: integer().notNull().default(0),
  runAt: integer().notNull().default(0),
});
