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
import { catalogPosition } from '../tenants/index.ts';
import type { ImportMessage } from './schemas.ts';
import { CHUNK, type ImportRow, type ImportStatus, importChunks, importProducts, imports } from './tables.ts';

/** Statuses of an import that isn't over. */
export const OPEN: readonly ImportStatus[] = ['queued', 'running'];

const one = (tenantId: number, id: string) => and(eq(imports.tenantId, tenantId), eq(imports.id, id));
const chunksOf = (tenantId: number, id: string) =>
  and(eq(importChunks.tenantId, tenantId), eq(importChunks.importId, id));
const productsOf = (tenantId: number, id: string) =>
  and(eq(importProducts.tenantId, tenantId), eq(importProducts.importId, id));

/** A tenant may have this many imports that are not over, each with a file. */
const MAX_OPEN_IMPORTS = 20;

/** Makes an import whose file is still to come; `rate_limited` while too many of the tenant are not over. */
export async function beginImport(
  db: Database,
  tenantId: number,
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
    const message = `At most ${MAX_OPEN_IMPORTS} imports can be under way. Please wait until one is over.`;
    return fail('rate_limited', { message, retryAfter: 60 });
  }
}

/**
 * Returns the statements that keep chunk `n` of the file, and note that it is still being received. They
 * abort the batch when the import was given up meanwhile, so that nothing is kept of a file that nobody will
 * read.
 */
export const chunkStatements = (
  db: Database,
  tenantId: number,
  importId: string,
  n: number,
  bytes: Buffer,
): Statement[] => [
  stillReceived(db, tenantId, importId),
  db.update(imports).set({ updatedAt: now() }).where(one(tenantId, importId)),
  db.insert(importChunks).values({ tenantId, importId, n, base64: bytes.toString('base64') }),
];

/**
 * Returns the statements that say the whole file is here: `size` bytes, `rows` lines. They abort as those of
 * a chunk.
 */
export const queuedStatements = (
  db: Database,
  tenantId: number,
  id: string,
  size: number,
  lines: number,
): Statement[] => [
  stillReceived(db, tenantId, id),
  db.update(imports).set({ status: 'queued', size, rows: lines, updatedAt: now() }).where(one(tenantId, id)),
];

const stillReceived = (db: Database, tenantId: number, id: string): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${one(tenantId, id)} AND ${imports.status} = 'receiving')`,
  );

/** The statements that forget the file of an import, and what was noted while it was read. */
const forgetFile = (db: Database, tenantId: number, id: string): Statement[] => [
  db.delete(importChunks).where(chunksOf(tenantId, id)),
  db.delete(importProducts).where(productsOf(tenantId, id)),
];

/** Forgets an import with all that belongs to it. */
export async function discardImport(db: Database, tenantId: number, id: string): Promise<void> {
  await db.batch([db.delete(imports).where(one(tenantId, id)), ...forgetFile(db, tenantId, id)]);
}

/** The tenant's import, or null. */
export async function loadImport(db: Database, tenantId: number, id: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(imports).where(one(tenantId, id));
  return row ?? null;
}

/**
 * A page of the tenant's imports whose file has come, newest first, without their errors; and how many there
 * are.
 */
export async function listImports(db: Database, tenantId: number, page: Page) {
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

/** The bytes of an import's file from `offset` on, chunk by chunk. */
export async function* readChunks(
  db: Database,
  { tenantId, id, size }: ImportRow,
  offset: number,
): AsyncGenerator<Uint8Array> {
  for (let at = offset; at < size; at = (Math.floor(at / CHUNK) + 1) * CHUNK) {
    const n = Math.floor(at / CHUNK);
    const [row] = await db
      .select({ base64: importChunks.base64 })
      .from(importChunks)
      .where(and(chunksOf(tenantId, id), eq(importChunks.n, n)));
    if (!row) throw new Error(`Chunk ${n} of import ${id} is gone`);
    yield Buffer.from(row.base64, 'base64').subarray(at % CHUNK);
  }
}

/**
 * The statements that move an import on from `before` to `after`, for the batch of what was written on the
 * way. They abort the batch when somebody else has moved it on, so that every line counts once.
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
      AND ${inArray(imports.status, [...OPEN])})`,
  );

/** The statements that end an import where it stands, and forget its file. */
export const endStatements = (db: Database, row: ImportRow, status: 'done' | 'failed'): Statement[] => [
  ...stopStatements(db, row, status),
  ...forgetFile(db, row.tenantId, row.id),
];

/** The statements that fail an import, whose last error says why, but keep its file: it can be reopened. */
export const abandonStatements = (db: Database, row: ImportRow): Statement[] =>
  stopStatements(db, row, 'failed');

/** Reopens an import that was abandoned: one that failed and still has its file. Others stay as they are. */
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
    // The lines were counted before they were read; now it is known how many there are.
    .set({
      status,
      rows: status === 'done' ? row.processed : row.rows,
      failed: row.failed,
      errors: row.errors,
      updatedAt: now(),
    })
    .where(one(row.tenantId, row.id)),
];

/** The lines that the import's earlier groups of these slugs begin on, by slug. */
export async function metBefore(
  db: Database,
  { tenantId, id }: ImportRow,
  slugs: readonly string[],
): Promise<Map<string, number>> {
  const met = await rows<{ slug: string; line: number }>(
    db,
    sql`SELECT slug, line FROM import_products WHERE tenant_id = ${tenantId} AND import_id = ${id}
      AND slug IN (${jsonList(slugs)})`,
  );
  return new Map(met.map(({ slug, line }) => [slug, line]));
}

/** The statement that notes which products were met, and on which line. */
export const metStatement = (
  db: Database,
  { tenantId, id }: ImportRow,
  met: readonly { slug: string; line: number }[],
): Statement =>
  run(
    db,
    sql`INSERT INTO import_products (tenant_id, import_id, slug, line)
      SELECT ${tenantId}, ${id}, value ->> 'slug', value ->> 'line' FROM json_each(${JSON.stringify(met)})`,
  );

/**
 * The two statements that end the batch of a round, for `tellOfStock`: what `outcome` is to a single write.
 */
export const toldStatements = (db: Database, tenantId: number, batches: readonly string[]): Statement[] => [
  rows<{ id: string }>(
    db,
    sql`SELECT id FROM outbox WHERE tenant_id = ${tenantId}
      AND batch IN (${jsonList(batches)})`,
  ),
  catalogPosition(db, tenantId),
];

/** Imports that nothing has moved for `idle` ms, marked as moved now: for who starts them again. */
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
          .where(and(inArray(imports.status, [...OPEN]), lt(imports.updatedAt, now() - idle)))
          .limit(limit),
      ),
    )
    .returning({ tenantId: imports.tenantId, importId: imports.id });

/** Imports whose upload broke off, and those that were over long ago. */
export const listStale = (db: Database, receiving: number, over: number, limit: number) =>
  db
    .select({ tenantId: imports.tenantId, id: imports.id })
    .from(imports)
    .where(
      sql`(${imports.status} = 'receiving' AND ${imports.updatedAt} < ${now() - receiving})
        OR (${imports.status} IN ('done', 'failed') AND ${imports.updatedAt} < ${now() - over})`,
    )
    .limit(limit);
