import { DurableObject } from 'cloudflare:workers';
import { GatheredRelay } from '../../events/index.ts';
import { CallGroups, type GroupLimits } from '../../kernel/async/call-groups.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import { type Adjustment, adjustAll } from '../adjustments/adjust.ts';
import type { AdjustmentCall } from '../adjustments/plan.ts';
import { releaseCarts } from '../reservations/release.ts';
import { reserveAll } from '../reservations/reserve.ts';
import type { StockClaim } from '../reservations/shortage.ts';
import type { CartVersion } from '../reservations/status-change.ts';
import { failureOf } from '../rounds.ts';
import type { Reservation } from '../tables.ts';

// A call may name 500 items, or more for a cart of bundles; work is counted in items. Those that wait are in memory.
const LIMITS: Omit<GroupLimits<unknown>, 'workOf'> = {
  maxCalls: 200,
  maxWork: 1_000,
  maxWaiting: 2_000,
  maxWaitingWork: 20_000,
};

const REFUSED = fail('unavailable', { retryAfter: 1 });

/** A call of a tenant: an object serves the one that it is named by. */
interface OfTenant<Call> {
  readonly tenantId: number;
  readonly call: Call;
}

/**
 * Commits one tenant's stock changes in groups: what arrives while a batch is committed shares the next one. So
 * a SKU that everybody wants costs a batch for each group, and a tenant has at most one batch of each kind of
 * change in the database at a time. Stores nothing: a call is answered after its commit, and one that is lost with
 * the object was either committed or not begun, as with any batch. Relays the events of its groups together. Named by
 * the tenant's id.
 */
export class StockWriter extends DurableObject<Env> {
  private readonly relay = new GatheredRelay();
  private readonly adjustments = this.grouped(({ items }: AdjustmentCall) => items.length, adjustAll);
  private readonly claims = this.grouped(({ demands }: StockClaim) => demands.length, reserveAll);
  private readonly releases = this.grouped((_: CartVersion) => 1, releaseAll);

  /** Adjusts stock as `adjustAll` does. Each of these is `unavailable` when too many calls or items wait. */
  async adjust(tenantId: number, call: AdjustmentCall): Promise<Result<Adjustment>> {
    return (await this.adjustments.add({ tenantId, call })) ?? REFUSED;
  }

  /** Reserves stock as `reserveAll` does. */
  async reserve(tenantId: number, call: StockClaim): Promise<Result<Reservation>> {
    return (await this.claims.add({ tenantId, call })) ?? REFUSED;
  }

  /** Releases stock as `releaseCarts` does. */
  async release(tenantId: number, call: CartVersion): Promise<Result<void>> {
    return (await this.releases.add({ tenantId, call })) ?? REFUSED;
  }

  /** Returns the groups of one kind of call. */
  private grouped<Call, T>(
    workOf: (call: Call) => number,
    commit: (ctx: TenantContext, calls: readonly Call[]) => Promise<readonly Result<T>[]>,
  ): CallGroups<OfTenant<Call>, Result<T>> {
    const limits = { ...LIMITS, workOf: ({ call }: OfTenant<Call>) => workOf(call) };
    return new CallGroups<OfTenant<Call>, Result<T>>(limits, async (group) => {
      const [first] = group;
      if (!first) return [];
      const ctx = { ...tenantContext({ env: this.env, ctx: this.ctx }, first.tenantId), relay: this.relay };
      return commit(
        ctx,
        group.map(({ call }) => call),
      );
    });
  }
}

async function releaseAll(ctx: TenantContext, carts: readonly CartVersion[]): Promise<Result<void>[]> {
  const failed = await releaseCarts(ctx, carts).catch((error: unknown) => failureOf(ctx, error));
  return carts.map(() => failed ?? ok(undefined));
}
