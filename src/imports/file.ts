import { and, between, eq, lt, type SQL, sql } from 'drizzle-orm';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { assertInBatch, batch, guardedBatch, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { isImport, loadImport, UNFINISHED } from './store.ts';
import {
  CHUNK_BYTES,
  type ImportRow,
  importChunks,
  importEffects,
  importErrors,
  importProducts,
  imports,
} from './tables.ts';

/** Returns the condition that selects the chunks of an import's file. */
export const chunksOf = (tenantId: number, id: string): SQL | undefined =>
  and(eq(importChunks.tenantId, tenantId), eq(importChunks.importId, id));

const productsOf = (tenantId: number, id: string) =>
  and(eq(importProducts.tenantId, tenantId), eq(importProducts.importId, id));

/**
 * Returns the statements that store chunk `n` of the file and extend the upload's lifetime. They abort the
 * batch if the import has been deleted, so that no orphaned chunk is stored.
 */
export const chunkStatements = (
  ctx: TenantDatabase,
  importId: string,
  { n, bytes }: { readonly n: number; readonly bytes: Buffer },
): Statement[] => [
  stillReceived(ctx, importId),
  ctx.db.update(imports).set({ updatedAt: now() }).where(isImport(ctx.tenantId, importId)),
  ctx.db
    .insert(importChunks)
    .values({ tenantId: ctx.tenantId, importId, n, base64: bytes.toString('base64') }),
];

/** Returns the statements that complete an upload of `size` bytes and about `rows` rows. They abort as a chunk's do. */
export const queuedStatements = (
  ctx: TenantDatabase,
  id: string,
  { size, rows }: { readonly size: number; readonly rows: number },
): Statement[] => [
  stillReceived(ctx, id),
  ctx.db
    .update(imports)
    .set({ status: 'queued', size, rows, updatedAt: now() })
    .where(isImport(ctx.tenantId, id)),
];

const stillReceived = ({ db, tenantId }: TenantDatabase, id: string): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${isImport(tenantId, id)} AND ${imports.status} = 'receiving')`,
  );

const effectsOf = (tenantId: number, id: string) =>
  and(eq(importEffects.tenantId, tenantId), eq(importEffects.importId, id));

/** Returns the statements that delete an import's file and what it recorded while it ran. */
export const deleteFile = ({ db, tenantId }: TenantDatabase, id: string): Statement[] => [
  db.delete(importChunks).where(chunksOf(tenantId, id)),
  db.delete(importProducts).where(productsOf(tenantId, id)),
  db.delete(importEffects).where(effectsOf(tenantId, id)),
];

/** The most files that a tenant keeps of imports that have failed and can be reopened. */
const MAX_FAILED_FILES = 20;

/** Returns the statements that delete the files of failed imports, but those of the last {@link MAX_FAILED_FILES}. */
export function deleteOldestFailed({ db, tenantId }: TenantDatabase): Statement[] {
  const oldest = sql`import_id IN (SELECT id FROM ${imports} WHERE tenant_id = ${tenantId} AND status = 'failed'
    AND EXISTS (SELECT 1 FROM ${importChunks} WHERE ${importChunks.importId} = ${imports.id})
    ORDER BY updated_at DESC, id DESC LIMIT -1 OFFSET ${MAX_FAILED_FILES})`;
  // The chunks last, as they tell which imports have a file.
  return [importProducts, importEffects, importChunks].map((table) =>
    db.delete(table).where(and(eq(table.tenantId, tenantId), oldest)),
  );
}

const discardStatements = (ctx: TenantDatabase, id: string): Statement[] => {
  const { db, tenantId } = ctx;
  return [
    db.delete(imports).where(isImport(tenantId, id)),
    db.delete(importErrors).where(and(eq(importErrors.tenantId, tenantId), eq(importErrors.importId, id))),
    ...deleteFile(ctx, id),
  ];
};

/** Deletes an import with its file. */
export async function discardImport(ctx: TenantDatabase, id: string): Promise<void> {
  await batch(ctx.db, discardStatements(ctx, id));
}

/**
 * An upload that stores no chunk for this long (ms) counts as broken off where another one needs its place. A slower
 * client could send at most 640 KiB before the deadline of a body.
 */
const STALLED_AFTER_MS = 2 * MINUTE;

/** Deletes the tenant's oldest upload that has broken off, with its file. Returns false if there is none. */
export async function discardStalled(ctx: TenantDatabase): Promise<boolean> {
  const { db, tenantId } = ctx;
  const stalled = and(
    eq(imports.tenantId, tenantId),
    eq(imports.status, 'receiving'),
    lt(imports.updatedAt, now() - STALLED_AFTER_MS),
  );
  const [oldest] = await db
    .select({ id: imports.id })
    .from(imports)
    .where(stalled)
    .orderBy(imports.updatedAt, imports.id)
    .limit(1);
  if (!oldest) return false;
  const isStill = sql`EXISTS (SELECT 1 FROM ${imports} WHERE ${and(stalled, eq(imports.id, oldest.id))})`;
  // Else it goes on, or another upload has its place.
  return guardedBatch(db, [assertInBatch(db, isStill), ...discardStatements(ctx, oldest.id)]);
}

/** Chunks that {@link readFile} reads at a time. */
export const CHUNKS_PER_QUERY = 8;

/** Reads an import's whole file; it ends early if the import does meanwhile. */
export async function* readFile(
  { db, tenantId }: TenantDatabase,
  { id, size }: ImportRow,
): AsyncGenerator<Uint8Array> {
  for (let n = 0; n * CHUNK_BYTES < size; n += CHUNKS_PER_QUERY) {
    const read = await db
      .select({ base64: importChunks.base64 })
      .from(importChunks)
      .where(and(chunksOf(tenantId, id), between(importChunks.n, n, n + CHUNKS_PER_QUERY - 1)))
      .orderBy(importChunks.n);
    for (const { base64 } of read) yield Buffer.from(base64, 'base64');
  }
}

/** Reads an import's file from byte `offset`, chunk by chunk; ends early if the import has been ended meanwhile. */
export async function* readChunks(
  ctx: TenantDatabase,
  { id, size }: ImportRow,
  offset: number,
): AsyncGenerator<Uint8Array> {
  const { db, tenantId } = ctx;
  for (let at = offset; at < size; at = (Math.floor(at / CHUNK_BYTES) + 1) * CHUNK_BYTES) {
    const n = Math.floor(at / CHUNK_BYTES);
    const [row] = await db
      .select({ base64: importChunks.base64 })
      .from(importChunks)
      .where(and(chunksOf(tenantId, id), eq(importChunks.n, n)));
    if (!row) {
      const current = await loadImport(ctx, id);
      if (!current || !UNFINISHED.includes(current.status)) return;
      throw new Error(`Chunk ${n} of import ${id} is missing`);
    }
    yield Buffer.from(row.base64, 'base64').subarray(at % CHUNK_BYTES);
  }
}
