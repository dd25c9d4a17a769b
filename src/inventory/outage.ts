import { errorName, log } from '../kernel/core/log.ts';
import { type Failed, fail } from '../kernel/core/result.ts';
import { isOutage } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';

/** Returns and logs the failure of a write that an outage of storage stopped; `null` for any other error. */
export function outageOf({ tenantId }: TenantDatabase, error: unknown): Failed | null {
  if (!isOutage(error)) return null;
  log('stock_not_written', { tenant: tenantId, name: errorName(error) });
  return fail('unavailable');
}
