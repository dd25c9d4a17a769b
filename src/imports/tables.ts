import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { LineError } from './csv/csv-row.ts';

/** Where an import stands; `receiving` until the whole file is here, and never shown. */
export type ImportStatus = 'receiving' | 'queued' | 'running' | 'done' | 'failed';

/** A chunk of a file has this many bytes, the last one fewer. */
export const CHUNK = 128 * 1024;

/** One row for each file that was sent: what came of it, and how far it is read. */
export const imports = sqliteTable(
  'imports',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    status: text().$type<ImportStatus>().notNull(),
    /** Whether quantities are written to products that exist (`?stock=set`) or only to new ones. */
    setsStock: integer({ mode: 'boolean' }).notNull(),
    /** Bytes of the file. */
    size: integer().notNull().default(0),
    /** Lines below the header; `processed` of them are done. */
    rows: integer().notNull().default(0),
    processed: integer().notNull().default(0),
    /** Products. */
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    /** Lines with an error; the first of them are told in `errors`. */
    failed: integer().notNull().default(0),
    errors: text({ mode: 'json' }).$type<LineError[]>().notNull().default([]),
    /** The cells of the first line, once it is read, and the place where reading goes on. */
    header: text({ mode: 'json' }).$type<string[]>(),
    offset: integer().notNull().default(0),
    line: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('imports_status').on(t.status, t.updatedAt),
    index('imports_tenant').on(t.tenantId, t.createdAt),
  ],
);

/**
 * The file, in order, until the import is over. Chunk n begins at byte n × {@link CHUNK}. Base64, because
 * D1 carries BLOBs as JSON arrays of numbers, which takes eight times as long.
 */
export const importChunks = sqliteTable(
  'import_chunks',
  {
    importId: text().notNull(),
    n: integer().notNull(),
    tenantId: integer().notNull(),
    base64: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.n] })],
);

/** Which products an import has met, so that one whose lines are apart is told, not written twice. */
export const importProducts = sqliteTable(
  'import_products',
  {
    importId: text().notNull(),
    slug: text().notNull(),
    tenantId: integer().notNull(),
    /** The line that its group begins on. */
    line: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.slug] })],
);

/** An import as it is on disk. */
export type ImportRow = typeof imports.$inferSelect;
