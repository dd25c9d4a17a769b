import { retry } from '../../kernel/async/retry.ts';
import { log } from '../../kernel/core/log.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';

/**
 * Makes the tenant's SaleSchedule object switch prices at `at` (ms) at the latest; null does nothing. Never
 * fails: the chore `resumeSales` repeats what is lost.
 */
export async function wakeSaleSchedule(
  { env, tenantId }: Pick<TenantContext, 'env' | 'tenantId'>,
  at: number | null,
): Promise<void> {
  if (at === null) return;
  const woken = await retry(() => tenantObject(env.SALE_SCHEDULE, { tenantId }).wake(tenantId, at));
  if (!woken) log('sale_schedule_not_woken', { tenant: tenantId });
}
