import { log } from '../../kernel/core/log.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import { meterDatabases } from '../../kernel/data/metered-databases.ts';
import { type Runtime, type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import { backgroundShare, MAX_PAUSE_MS } from './background-budget.ts';

/** Background work of one tenant, whose database time the tenant's budget limits. */
export interface BackgroundWork {
  /** The context to work with: its bindings measure the database time. */
  readonly ctx: TenantContext;
  /** Charges the database time since the last charge. Returns the pause (ms) before more work. Never fails. */
  charge(): Promise<number>;
  /** Charges as {@link charge} does, and pauses. */
  pause(): Promise<void>;
}

/**
 * Begins background work of a tenant: imports, exports, files of feeds, moves, rebuilds. All shares one budget of
 * database time, kept by the tenant's object, so that calls of other tenants find the database free.
 */
export function backgroundWork({ env, ctx }: Runtime, tenantId: number): BackgroundWork {
  const meter = meterDatabases(env);
  const charge = () => chargeBackground(env, tenantId, meter.take().ms);
  return {
    ctx: tenantContext({ env: meter.env, ctx }, tenantId),
    charge,
    pause: async () => {
      const ms = await charge();
      if (ms > 0) await scheduler.wait(ms);
    },
  };
}

/** Charges database time; while the tenant's object can't be reached, the work pauses for its own time only. */
async function chargeBackground(env: Env, tenantId: number, usedMs: number): Promise<number> {
  try {
    return await tenantObject(env.TENANT, { tenantId }).chargeBackground(usedMs);
  } catch {
    log('background_not_charged', { tenant: tenantId });
    return Math.min(MAX_PAUSE_MS, Math.ceil(usedMs / backgroundShare(env) - usedMs));
  }
}
