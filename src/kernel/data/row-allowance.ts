/** What a tenant's lists may read of its database, which other tenants of the shard wait for meanwhile. */
import type { Failed } from '../core/result.ts';
import { Allowance } from './allowance.ts';
import { meterDatabase } from './metered-databases.ts';
import type { TenantDatabase } from './tenant-context.ts';

/** The rows that a tenant's lists read: hardly a tenth of what a database can. */
const allowance = new Allowance({
  atOnce: 20_000_000,
  aSecond: 1_000_000,
  message: 'The lists of this shop have read too many rows; narrow the filters or ask less often.',
});

/** Returns `rate_limited` while a tenant's lists have read too many rows, else null. */
export const rowsRefusal = (tenantId: number): Failed | null => allowance.refusal(tenantId);

/** Counts rows that a list has read. */
export const countRows = (tenantId: number, read: number): void => allowance.count(tenantId, read);

/** Runs a list's read of a tenant's database and counts its rows; returns {@link rowsRefusal} instead if there is one. */
export async function withinRows<T>(
  ctx: TenantDatabase,
  read: (metered: TenantDatabase) => Promise<T>,
): Promise<T | Failed> {
  const refusal = rowsRefusal(ctx.tenantId);
  if (refusal) return refusal;
  const meter = meterDatabase(ctx);
  try {
    return await read(meter.ctx);
  } finally {
    countRows(ctx.tenantId, meter.take().rows);
  }
}
