import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * What the index knows of each product, and the body it answers with. The FTS5 table `search_index(terms)`
 * beside it can't be written in drizzle: see its own migration.
 */
export const searchDocuments = sqliteTable(
  'search_documents',
  {
    productId: integer().primaryKey(),
    tenantId: integer().notNull(),
    /** The catalogue version, and the product's sequence, that it was read at: an older write is a no-op. */
    version: integer().notNull().default(0),
    sequence: integer().notNull(),
    /** Its rowid in `search_index`; null once it is gone (the row stays, and keeps late writes out). */
    place: integer(),
    /** Digest of what `search_index` holds of it: a new price alone leaves the index as it is. */
    digest: text(),
    /** The product in list shape, as JSON; null once it is gone. */
    item: text(),
  },
  (t) => [
    index('search_documents_tenant').on(t.tenantId, t.productId),
    index('search_documents_gone').on(t.sequence).where(sql`place IS NULL`),
  ],
);

/** Every word that a tenant's products use, for correcting one typo. */
export const searchSpellings = sqliteTable(
  'search_spellings',
  {
    tenantId: integer().notNull(),
    word: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.word] })],
);

/** How far the index of each tenant has come, and whether it is being rebuilt. */
export const searchProgress = sqliteTable('search_progress', {
  tenantId: integer().primaryKey(),
  /** Everything up to this instant of the tenant's clock is indexed, */
  sequence: integer().notNull(),
  /** and everything up to this catalogue version. */
  version: integer().notNull(),
  /** The rebuild that runs, or null; whether another one shall follow; when its last step was (ms). */
  run: text(),
  again: integer().notNull().default(0),
  runAt: integer().notNull().default(0),
});
