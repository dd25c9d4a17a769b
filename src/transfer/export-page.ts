import { dumpCarts } from '../cart/index.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { isFull, rowLimit } from './page-size.ts';
import { type ExportPosition, exportCursor, type TransferRecord } from './schemas.ts';
import { EXPORT_PARTS, TRANSFERRED_TABLES, type TransferredTable } from './transferred-tables.ts';

type Row = TransferRecord['row'];
type Key = ExportPosition[1];

/** The rows of a part behind a key, and whether there may be more. */
interface Part {
  readonly records: TransferRecord[];
  /** The key of the last one, if the part goes on. */
  readonly after: Key | null;
}

/**
 * Returns a page of a tenant's records behind a position, and the cursor of the next page; null at the end. Every
 * record comes once, but a cart that both sources know. The pages are no snapshot: suspend the tenant for one.
 */
export async function exportPage(
  ctx: TenantContext,
  position: ExportPosition | undefined,
): Promise<{ readonly data: TransferRecord[]; readonly next: string | null }> {
  if (!position) return { data: [await ownRecord(ctx)], next: exportCursor.encode([0, []]) };
  const [index, after] = position;
  const table = EXPORT_PARTS[index];
  if (!table) return { data: [], next: null };
  const part = await readPart(ctx, table, after);
  const data = index < TRANSFERRED_TABLES.length ? part.records : await cartsOf(ctx, part.records);
  const next = positionAfter(index, part);
  return { data, next: next && exportCursor.encode([next[0], [...next[1]]]) };
}

/** Returns the position after a page: in the same part if it goes on, else in the next one; null at the end. */
function positionAfter(index: number, { after }: Part): ExportPosition | null {
  if (after !== null) return [index, after];
  return index + 1 < EXPORT_PARTS.length ? [index + 1, []] : null;
}

async function ownRecord({ db, tenantId }: TenantContext): Promise<TransferRecord> {
  const tenant = db.$client.prepare('SELECT * FROM tenants WHERE id = ?').bind(tenantId);
  const row = await tenant.first<Row>();
  return { table: 'tenants', row: row ?? {} };
}

async function readPart(
  { env, db, tenantId }: TenantContext,
  table: TransferredTable,
  after: Key,
): Promise<Part> {
  const client = table.inDirectory ? env.DB : db.$client;
  const { results } = await client
    .prepare(pageQuery(table, after.length > 0))
    .bind(tenantId, ...after)
    .all<Row>();
  const last = isFull(table, results.length) ? results.at(-1) : undefined;
  return {
    records: results.map(({ tenant_id, ...row }) => ({ table: table.name, row })),
    after: last && table.key.length > 0 ? table.key.map((column) => last[column] ?? null) : null,
  };
}

/** Returns the query of a page; parameters: the tenant, then the key of the row before it. */
export function pageQuery(table: TransferredTable, continued: boolean): string {
  const { name, key, where, limit } = table;
  // Numbered: the size of the page repeats them.
  const values = key.map((_, n) => `?${n + 2}`).join(', ');
  const after = continued ? ` AND (${key.join(', ')}) > (${values})` : '';
  const order = key.length > 0 ? ` ORDER BY ${key.join(', ')}` : '';
  const only = where ? ` AND ${where}` : '';
  const from = `FROM ${name} WHERE tenant_id = ?1${after}${only}${order}`;
  return `SELECT * ${from} LIMIT ${rowLimit(table, { limit }, from)}`;
}

async function cartsOf(ctx: TenantContext, rows: readonly TransferRecord[]): Promise<TransferRecord[]> {
  const ids = [...new Set(rows.map(({ row }) => String(row.cart_id)))];
  const carts = await dumpCarts(ctx, ids);
  return carts.map(({ cartId, content }) => ({ table: 'carts' as const, row: { id: cartId, content } }));
}
