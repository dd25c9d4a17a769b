import { and, eq, inArray, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import {
  assertInBatch,
  batch,
  guardedBatch,
  jsonList,
  jsonLists,
  rows,
  run,
  type Statement,
} from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { type ImportError, MAX_ERRORS } from './csv/line-errors.ts';
import { chunksOf, deleteFile, deleteOldestFailed } from './file.ts';
import { MAX_LISTED_ERRORS } from './schemas.ts';
import { isImport, UNFINISHED } from './store.ts';
import { type ImportRow, importChunks, imports } from './tables.ts';

/**
 * Returns the statements that advance an import from `before` to `after`, for the batch that writes its
 * products. They abort the batch if a concurrent run has advanced it, so that every line counts once.
 */
export function progressStatements(ctx: TenantDatabase, before: ImportRow, after: ImportRow): Statement[] {
  const { header, offset, line, rows: lines, processed, created, updated, unchanged, failed, errors } = after;
  const counts = { rows: lines, processed, created, updated, unchanged, failed, errors };
  return [
    stillAt(ctx, before),
    ctx.db
      .update(imports)
      .set({ header, offset, line, ...counts, status: 'running', updatedAt: now() })
      .where(isImport(ctx.tenantId, before.id)),
  ];
}

const isUnfinished = (tenantId: number, id: string) =>
  and(isImport(tenantId, id), inArray(imports.status, [...UNFINISHED]));

/** Rolls the batch back when a concurrent run has advanced or ended the import. */
const stillAt = ({ db, tenantId }: TenantDatabase, { id, offset }: ImportRow): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${isUnfinished(tenantId, id)} AND ${imports.offset} = ${offset})`,
  );

/** Returns the statements that end an import at its position and delete its file. */
export const endStatements = (
  ctx: TenantDatabase,
  row: ImportRow,
  status: 'done' | 'failed',
): Statement[] => [...stopStatements(ctx, row, status), ...deleteFile(ctx, row.id)];

/** Ends an unfinished import where it is and deletes its file: a run of it writes nothing more. Ignores others. */
export async function cancelImport(ctx: TenantDatabase, id: string): Promise<void> {
  const { db, tenantId } = ctx;
  await guardedBatch(db, [
    assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${isUnfinished(tenantId, id)})`),
    db.update(imports).set({ status: 'cancelled', updatedAt: now() }).where(isImport(tenantId, id)),
    ...deleteFile(ctx, id),
  ]);
}

/** Returns the statements that fail an import but keep its file and the last such ones, so that they can be reopened. */
export const abandonStatements = (ctx: TenantDatabase, row: ImportRow): Statement[] => [
  ...stopStatements(ctx, row, 'failed'),
  ...deleteOldestFailed(ctx),
];

/** Reopens an abandoned import, that is, a failed one that still has its file; ignores others. */
export const reopenAbandoned = ({ db, tenantId }: TenantDatabase, importId: string) =>
  batch(db, [
    db
      .update(imports)
      .set({
        status: 'running',
        failed: sql`failed - 1`,
        // The last entry replaced a line with an error: list the first ones again.
        errors: sql`(SELECT json_group_array(json_object('line', line, 'sku', sku, 'field', field, 'message', message))
          FROM (SELECT line, sku, field, message FROM import_errors
            WHERE tenant_id = ${tenantId} AND import_id = ${importId} AND n < min(${MAX_LISTED_ERRORS}, ${imports.failed} - 1)
            ORDER BY n))`,
        updatedAt: now(),
      })
      .where(
        and(
          isImport(tenantId, importId),
          eq(imports.status, 'failed'),
          sql`EXISTS (SELECT 1 FROM ${importChunks} WHERE ${chunksOf(tenantId, importId)})`,
        ),
      ),
    // The error that it was abandoned with; there is none beyond the count otherwise.
    run(
      db,
      sql`DELETE FROM import_errors WHERE tenant_id = ${tenantId} AND import_id = ${importId}
        AND n >= (SELECT failed FROM ${imports} WHERE ${isImport(tenantId, importId)})`,
    ),
  ]);

const stopStatements = (ctx: TenantDatabase, row: ImportRow, status: 'done' | 'failed'): Statement[] => [
  stillAt(ctx, row),
  ctx.db
    .update(imports)
    // The upload's row count is an estimate; the end of the import knows the exact one.
    .set({
      status,
      rows: status === 'done' ? row.processed : row.rows,
      failed: row.failed,
      errors: row.errors,
      updatedAt: now(),
    })
    .where(isImport(ctx.tenantId, row.id)),
];

/** Returns the statements that store an import's errors up to {@link MAX_ERRORS}; `from` is the number before them. */
export const errorStatements = (
  { db, tenantId }: TenantDatabase,
  importId: string,
  { from, errors }: { readonly from: number; readonly errors: readonly ImportError[] },
): Statement[] =>
  jsonLists(
    errors.slice(0, Math.max(0, MAX_ERRORS - from)).map((error, i) => ({ n: from + i, ...error })),
  ).map((list) =>
    run(
      db,
      sql`INSERT INTO import_errors (import_id, n, tenant_id, line, sku, field, message)
          SELECT ${importId}, value ->> 'n', ${tenantId}, value ->> 'line', value ->> 'sku', value ->> 'field',
            value ->> 'message' FROM json_each(${list})`,
    ),
  );

/** Returns the first lines of products that the import has already read, by slug. */
export async function seenBefore(
  { db, tenantId }: TenantDatabase,
  importId: string,
  slugs: readonly string[],
): Promise<Map<string, number>> {
  const seen = await rows<{ slug: string; line: number }>(
    db,
    sql`SELECT slug, line FROM import_products WHERE tenant_id = ${tenantId} AND import_id = ${importId}
      AND slug IN (${jsonList(slugs)})`,
  );
  return new Map(seen.map(({ slug, line }) => [slug, line]));
}

/** Returns the statement that records products with their first lines. */
export const seenStatement = (
  { db, tenantId }: TenantDatabase,
  importId: string,
  seen: readonly { slug: string; line: number }[],
): Statement =>
  run(
    db,
    sql`INSERT INTO import_products (tenant_id, import_id, slug, line)
      SELECT ${tenantId}, ${importId}, value ->> 'slug', value ->> 'line' FROM json_each(${JSON.stringify(seen)})`,
  );
