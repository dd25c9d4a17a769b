import { type Columns, type CopyContext, type Row, valuesOf } from './shard-rows.ts';

/**
 * The audit log. Changes to a tenant's people write their entries in the directory, whose database may be the shard
 * that the tenant moves to, or has left: these are then forwarded to the tenant's shard (`forwardAudit`).
 */
export const AUDIT_LOG = 'audit_log';

/**
 * Returns entries to the tenant that were written at the directory while it moves there: rows of the target that the
 * source lacks. One that the source has deleted is noted as changed, and stays out.
 */
export async function returnEntries(
  { source, tenantId }: CopyContext,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.all.map((name) => `"${name}"`).join(', ');
  const values = columns.all.map(() => '?').join(', ');
  const insert = `INSERT INTO ${AUDIT_LOG} (${names}) SELECT ${values} WHERE NOT EXISTS (
      SELECT 1 FROM move_changes WHERE tenant_id = ? AND name = '${AUDIT_LOG}' AND key = ?) ON CONFLICT DO NOTHING`;
  const keyOf = (row: Row) => JSON.stringify(valuesOf(row, columns.primary));
  await source.batch(
    rows.map((row) => source.prepare(insert).bind(...valuesOf(row, columns.all), tenantId, keyOf(row))),
  );
}
