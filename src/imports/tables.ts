import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ImportError } from './csv/line-errors.ts';

/** Statuses of an import. `receiving`, until the whole file is stored, is internal. */
export type ImportStatus = 'receiving' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** Size of a stored chunk; the last one is smaller. */
export const CHUNK_BYTES = 128 * 1024;

/** One row for each uploaded file: its result and the reading position. */
export const imports = sqliteTable(
  'imports',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    status: text().$type<ImportStatus>().notNull(),
    /** Whether quantities are also written to existing products (`?stock=set`), or only to new ones. */
    setsStock: integer({ mode: 'boolean' }).notNull(),
    /** Whether the file is only checked (`?dry_run=true`): no product and no category is written. */
    dryRun: integer({ mode: 'boolean' }).notNull().default(false),
    /** Origin of the request, below which uploaded pictures are served; "" in imports of an earlier release. */
    origin: text().notNull().default(''),
    /** Size of the file in bytes. */
    size: integer().notNull().default(0),
    /** Rows below the header, and how many of them are processed. */
    rows: integer().notNull().default(0),
    processed: integer().notNull().default(0),
    /** Counts of products. */
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    /** Count of lines with an error; `errors` has the first ones, and `import_errors` more of them. */
    failed: integer().notNull().default(0),
    errors: text({ mode: 'json' }).$type<ImportError[]>().notNull().default([]),
    /** The header's cells, once read, and the byte offset and line where reading resumes. */
    header: text({ mode: 'json' }).$type<string[]>(),
    offset: integer().notNull().default(0),
    line: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    index('imports_status').on(t.status, t.updatedAt),
    index('imports_tenant').on(t.tenantId, t.createdAt),
    // The query of those in progress has the same text.
    index('imports_open').on(t.tenantId).where(sql`status IN ('receiving', 'queued', 'running')`),
  ],
);

/**
 * The file's chunks, kept until the import ends. Chunk n begins at byte n × {@link CHUNK_BYTES}. Base64,
 * because D1 transfers BLOBs as JSON arrays of numbers, which takes eight times as long.
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

/** Products that an import has read, so that non-contiguous lines of one are reported, not written twice. */
export const importProducts = sqliteTable(
  'import_products',
  {
    importId: text().notNull(),
    slug: text().notNull(),
    tenantId: integer().notNull(),
    /** The first line of its group. */
    line: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.slug] })],
);

/**
 * What the import of a dry run (`?dry_run=true`) would have written so far, as far as it decides about later lines:
 * - `sku`: `value` is the slug of the product that would have it, null if it would have become free.
 * - `category`: a category that would have been created. `key` is its id in the dry run, `value` the category.
 * - `items`: `value` is the number of products and variants that would have been added.
 */
export const importEffects = sqliteTable(
  'import_effects',
  {
    importId: text().notNull(),
    kind: text().$type<'sku' | 'category' | 'items'>().notNull(),
    key: text().notNull(),
    tenantId: integer().notNull(),
    value: text(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.kind, t.key] })],
);

/** The lines of an import that failed, in their order. Deleted with the import. */
export const importErrors = sqliteTable(
  'import_errors',
  {
    importId: text().notNull(),
    /** Counted from 0 within the import. */
    n: integer().notNull(),
    tenantId: integer().notNull(),
    line: integer().notNull(),
    sku: text(),
    field: text(),
    message: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.n] })],
);

/** A stored import. */
export type ImportRow = typeof imports.$inferSelect;
