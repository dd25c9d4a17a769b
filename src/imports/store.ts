import { and, count, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { assertInBatch, type Database, guardedBatch, namedBatch } from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { type ImportRow, type ImportStatus, importErrors, imports } from './tables.ts';

/** Statuses of an unfinished import. */
export const UNFINISHED: readonly ImportStatus[] = ['queued', 'running'];

/** Returns the condition that selects an import of the tenant. */
export const isImport = (tenantId: number, id: string): SQL | undefined =>
  and(eq(imports.tenantId, tenantId), eq(imports.id, id));

/** Largest number of unfinished imports of a tenant, each of which stores a file. */
const MAX_OPEN_IMPORTS = 20;
/** When a tenant with too many may try again (seconds). */
const RETRY_AFTER_S = 60;

/** How an import writes. */
export interface ImportOptions {
  /** Whether quantities are also written to existing products. */
  readonly setsStock: boolean;
  /** Whether the file is only checked. */
  readonly dryRun: boolean;
  /** The service's origin, below which the URLs of uploaded pictures are. */
  readonly origin: string;
}

/** Creates an import before its file arrives; `rate_limited` when the tenant has too many unfinished ones. */
export async function createImport(
  { tenantId, db }: TenantDatabase,
  id: string,
  options: ImportOptions,
): Promise<Result<void>> {
  const at = now();
  const open = sql`(SELECT count(*) FROM imports WHERE tenant_id = ${tenantId}
    AND status IN ('receiving', 'queued', 'running'))`;
  const isCreated = await guardedBatch(db, [
    assertInBatch(db, sql`${open} < ${MAX_OPEN_IMPORTS}`),
    db
      .insert(imports)
      .values({ id, tenantId, status: 'receiving', ...options, createdAt: at, updatedAt: at }),
  ]);
  if (isCreated) return ok(undefined);
  const message = `At most ${MAX_OPEN_IMPORTS} imports can be in progress. Wait until one finishes.`;
  return fail('rate_limited', { message, retryAfter: RETRY_AFTER_S });
}

/** Returns the tenant's import, or null. */
export async function loadImport({ db, tenantId }: TenantDatabase, id: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(imports).where(isImport(tenantId, id));
  return row ?? null;
}

/** Returns a page of the tenant's fully uploaded imports, newest first and without errors, and the total. */
export async function listImports(
  { tenantId, db }: TenantDatabase,
  page: ListPage<[createdAt: number, id: string]>,
) {
  const uploaded = and(eq(imports.tenantId, tenantId), ne(imports.status, 'receiving'));
  const { errors: _, header: __, ...columns } = getTableColumns(imports);
  const { listed, counted } = await namedBatch(db, {
    listed: db
      .select(columns)
      .from(imports)
      .where(
        and(
          uploaded,
          page.after === null
            ? undefined
            : sql`(${imports.createdAt}, ${imports.id}) < (${page.after[0]}, ${page.after[1]})`,
        ),
      )
      .orderBy(desc(imports.createdAt), desc(imports.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    ...unlessCounted(page, db.select({ total: count() }).from(imports).where(uploaded)),
  });
  return { rows: listed, total: totalIn(page, counted) };
}

/** Returns an import's errors after the first `after`, at most `limit`, in the order of their lines. */
export const listErrors = (
  { db, tenantId }: TenantDatabase,
  importId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
) =>
  db
    .select()
    .from(importErrors)
    .where(
      and(
        eq(importErrors.tenantId, tenantId),
        eq(importErrors.importId, importId),
        gte(importErrors.n, after),
      ),
    )
    .orderBy(importErrors.n)
    .limit(limit);

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
          .where(
            and(inArray(imports.status, [...UNFINISHED]), lt(imports.updatedAt, now() - idle), settled()),
          )
          .limit(limit),
      ),
    )
    .returning({ tenantId: imports.tenantId, importId: imports.id });

/** When an import may be deleted (ms): after its last received chunk, and after its end. */
interface Retention {
  readonly aborted: number;
  readonly ended: number;
}

/** Lists aborted uploads and ended imports of all tenants that are older than their retention. */
export const listStale = (db: Database, { aborted, ended }: Retention, limit: number) =>
  db
    .select({ tenantId: imports.tenantId, id: imports.id })
    .from(imports)
    .where(
      sql`((${imports.status} = 'receiving' AND ${imports.updatedAt} < ${now() - aborted})
        OR (${imports.status} IN ('done', 'failed', 'cancelled') AND ${imports.updatedAt} < ${now() - ended})) AND ${settled()}`,
    )
    .limit(limit);
