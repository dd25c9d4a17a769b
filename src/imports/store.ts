import { and, count, desc, eq, getTableColumns, inArray, lt, ne, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { offset, type Page } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import {
  assertInBatch,
  batch,
  type Database,
  guardFailed,
  jsonList,
  rows,
  run,
  type Statement,
} from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { ImportMessage } from './schemas.ts';
import {
  CHUNK_BYTES,
  type ImportRow,
  type ImportStatus,
  importChunks,
  importProducts,
  imports,
} from './tables.ts';

/** Statuses of an unfinished import. */
export const UNFINISHED: readonly ImportStatus[] = ['queued', 'running'];

const one = (tenantId: number, id: string) => and(eq(imports.tenantId, tenantId), eq(imports.id, id));
const chunksOf = (tenantId: number, id: string) =>
  and(eq(importChunks.tenantId, tenantId), eq(importChunks.importId, id));
const productsOf = (tenantId: number, id: string) =>
  and(eq(importProducts.tenantId, tenantId), eq(importProducts.importId, id));

/** Unfinished imports of a tenant, each of which stores a file. */
const MAX_OPEN_IMPORTS = 20;

/** Creates an import before its file arrives; `rate_limited` when the tenant has too many unfinished ones. */
export async function createImport(
  { tenantId, db }: TenantDatabase,
  id: string,
  setsStock: boolean,
): Promise<Result<void>> {
  const at = now();
  const open = sql`(SELECT count(*) FROM imports WHERE tenant_id = ${tenantId}
    AND status IN ('receiving', 'queued', 'running'))`;
  try {
    await batch(db, [
      assertInBatch(db, sql`${open} < ${MAX_OPEN_IMPORTS}`),
      db
        .insert(imports)
        .values({ id, tenantId, status: 'receiving', setsStock, createdAt: at, updatedAt: at }),
    ]);
    return ok(undefined);
  } catch (error) {
    if (!guardFailed(error)) throw error;
    const message = `At most ${MAX_OPEN_IMPORTS} imports can be in progress. Wait until one finishes.`;
    return fail('rate_limited', { message, retryAfter: 60 });
  }
}

/**
 * Returns the statements that store chunk `n` of the file and extend the upload's lifetime. They abort the
 * batch if the import has been deleted, so that no orphaned chunk is stored.
 */
export const chunkStatements = (
  ctx: TenantDatabase,
  importId: string,
  n: number,
  bytes: Buffer,
): Statement[] => [
  stillReceived(ctx, importId),
  ctx.db.update(imports).set({ updatedAt: now() }).where(one(ctx.tenantId, importId)),
  ctx.db
    .insert(importChunks)
    .values({ tenantId: ctx.tenantId, importId, n, base64: bytes.toString('base64') }),
];

/** Returns the statements that complete the upload. They abort like those of a chunk. */
export const queuedStatements = (
  ctx: TenantDatabase,
  id: string,
  size: number,
  lines: number,
): Statement[] => [
  stillReceived(ctx, id),
  ctx.db
    .update(imports)
    .set({ status: 'queued', size, rows: lines, updatedAt: now() })
    .where(one(ctx.tenantId, id)),
];

const stillReceived = ({ db, tenantId }: TenantDatabase, id: string): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${one(tenantId, id)} AND ${imports.status} = 'receiving')`,
  );

/** Returns the statements that delete an import's file and its record of products. */
const deleteFile = ({ db, tenantId }: TenantDatabase, id: string): Statement[] => [
  db.delete(importChunks).where(chunksOf(tenantId, id)),
  db.delete(importProducts).where(productsOf(tenantId, id)),
];

/** Deletes an import with its file. */
export async function discardImport(ctx: TenantDatabase, id: string): Promise<void> {
  const { db, tenantId } = ctx;
  await db.batch([db.delete(imports).where(one(tenantId, id)), ...deleteFile(ctx, id)]);
}

/** Returns the tenant's import, or null. */
export async function loadImport({ db, tenantId }: TenantDatabase, id: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(imports).where(one(tenantId, id));
  return row ?? null;
}

/** Returns a page of the tenant's fully uploaded imports, newest first and without errors, and the total. */
export async function listImports({ tenantId, db }: TenantDatabase, page: Page) {
  const mine = and(eq(imports.tenantId, tenantId), ne(imports.status, 'receiving'));
  const { errors: _, header: __, ...columns } = getTableColumns(imports);
  const [listed, [counted]] = await db.batch([
    db
      .select(columns)
      .from(imports)
      .where(mine)
      .orderBy(desc(imports.createdAt), desc(imports.id))
      .limit(page.limit)
      .offset(offset(page)),
    db.select({ total: count() }).from(imports).where(mine),
  ]);
  return { rows: listed, total: counted?.total ?? 0 };
}

/** Reads an import's file from byte `offset`, chunk by chunk. */
export async function* readChunks(
  db: Database,
  { tenantId, id, size }: ImportRow,
  offset: number,
): AsyncGenerator<Uint8Array> {
  for (let at = offset; at < size; at = (Math.floor(at / CHUNK_BYTES) + 1) * CHUNK_BYTES) {
    const n = Math.floor(at / CHUNK_BYTES);
    const [row] = await db
      .select({ base64: importChunks.base64 })
      .from(importChunks)
      .where(and(chunksOf(tenantId, id), eq(importChunks.n, n)));
    if (!row) throw new Error(`Chunk ${n} of import ${id} is missing`);
    yield Buffer.from(row.base64, 'base64').subarray(at % CHUNK_BYTES);
  }
}

/**
 * Returns the statements that advance an import from `before` to `after`, for the batch that writes its
 * products. They abort the batch if a concurrent run has advanced it, so that every line counts once.
 */
export function progressStatements(db: Database, before: ImportRow, after: ImportRow): Statement[] {
  const { header, offset, line, rows: lines, processed, created, updated, unchanged, failed, errors } = after;
  const counts = { rows: lines, processed, created, updated, unchanged, failed, errors };
  return [
    stillAt(db, before),
    db
      .update(imports)
      .set({ header, offset, line, ...counts, status: 'running', updatedAt: now() })
      .where(one(before.tenantId, before.id)),
  ];
}

const stillAt = (db: Database, { tenantId, id, offset }: ImportRow): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${one(tenantId, id)} AND ${imports.offset} = ${offset}
      AND ${inArray(imports.status, [...UNFINISHED])})`,
  );

/** Returns the statements that end an import at its position and delete its file. */
export const endStatements = (db: Database, row: ImportRow, status: 'done' | 'failed'): Statement[] => [
  ...stopStatements(db, row, status),
  ...deleteFile({ db, tenantId: row.tenantId }, row.id),
];

/** Returns the statements that fail an import but keep its file, so that it can be reopened. */
export const abandonStatements = (db: Database, row: ImportRow): Statement[] =>
  stopStatements(db, row, 'failed');

/** Reopens an abandoned import, that is, a failed one that still has its file; ignores others. */
export const reopenAbandoned = (db: Database, { tenantId, importId }: ImportMessage) =>
  db
    .update(imports)
    .set({
      status: 'running',
      failed: sql`failed - 1`,
      errors: sql`json_remove(errors, '$[#-1]')`,
      updatedAt: now(),
    })
    .where(
      and(
        one(tenantId, importId),
        eq(imports.status, 'failed'),
        sql`EXISTS (SELECT 1 FROM ${importChunks} WHERE ${chunksOf(tenantId, importId)})`,
      ),
    );

const stopStatements = (db: Database, row: ImportRow, status: 'done' | 'failed'): Statement[] => [
  stillAt(db, row),
  db
    .update(imports)
    // The upload's row count is an estimate; the end of the import knows the exact one.
    .set({
      status,
      rows: status === 'done' ? row.processed : row.rows,
      failed: row.failed,
      errors: row.errors,
      updatedAt: now(),
    })
    .where(one(row.tenantId, row.id)),
];

/** Returns the first lines of products that the import has already read, by slug. */
export async function seenBefore(
  db: Database,
  { tenantId, id }: ImportRow,
  slugs: readonly string[],
): Promise<Map<string, number>> {
  const seen = await rows<{ slug: string; line: number }>(
    db,
    sql`SELECT slug, line FROM import_products WHERE tenant_id = ${tenantId} AND import_id = ${id}
      AND slug IN (${jsonList(slugs)})`,
  );
  return new Map(seen.map(({ slug, line }) => [slug, line]));
}

/** Returns the statement that records products with their first lines. */
export const seenStatement = (
  db: Database,
  { tenantId, id }: ImportRow,
  seen: readonly { slug: string; line: number }[],
): Statement =>
  run(
    db,
    sql`INSERT INTO import_products (tenant_id, import_id, slug, line)
      SELECT ${tenantId}, ${id}, value ->> 'slug', value ->> 'line' FROM json_each(${JSON.stringify(seen)})`,
  );

/** Returns imports without progress for `idle` ms; marks them as updated, so that each is resumed once. */
export const takeIdle = (db: Database, idle: number, limit: number) =>
  db
    .update(imports)
    .set({ updatedAt: now() })
    .where(
      inArray(
        imports.id,
        db
          .select({ id: imports.id })
          .from(imports)
          .where(and(inArray(imports.status, [...UNFINISHED]), lt(imports.updatedAt, now() - idle)))
          .limit(limit),
      ),
    )
    .returning({ tenantId: imports.tenantId, importId: imports.id });

/** Lists aborted uploads and imports that ended long ago; the ages are in ms. */
export const listStale = (db: Database, receiving: number, over: number, limit: number) =>
  db
    .select({ tenantId: imports.tenantId, id: imports.id })
    .from(imports)
    .where(
      sql`(${imports.status} = 'receiving' AND ${imports.updatedAt} < ${now() - receiving})
        OR (${imports.status} IN ('done', 'failed') AND ${imports.updatedAt} < ${now() - over})`,
    )
    .limit(limit);
