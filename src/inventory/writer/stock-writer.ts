import { DurableObject } from 'cloudflare:workers';
import type { BatchEvent } from '../../events/index.ts';
import { CallGroups, type GroupLimits } from '../../kernel/core/call-groups.ts';
import { fail, type Result } from '../../kernel/core/result.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import { type Adjustment, adjustAll } from '../adjustments/adjust.ts';
import type { AdjustmentCall } from '../adjustments/plan.ts';

/** A call's result, and the committed events that its caller relays. */
export interface Written<T> {
  readonly result: Result<T>;
  readonly events: readonly BatchEvent[];
}

/** A tenant's stock change. */
type StockCall = { readonly kind: 'adjust'; readonly tenantId: number; readonly call: AdjustmentCall };

const LIMITS: GroupLimits<StockCall> = {
  maxCalls: 200,
  // Items of all calls. One call may have 500.
  maxWork: 1_000,
  maxWaiting: 2_000,
  workOf: ({ call }) => call.items.length,
  kindOf: ({ kind }) => kind,
};

/**
 * Commits one tenant's stock changes in groups: what arrives while a batch is committed shares the next one. So
 * a SKU that everybody wants costs a batch for each group, and a tenant has one of them in the database at a
 * time. Stores nothing: a call is answered after its commit, and one that is lost with the object was either
 * committed or not begun, as with any batch. Named by the tenant's id.
 */
export class StockWriter extends DurableObject<Env> {
  private readonly groups = new CallGroups<StockCall, Written<Adjustment>>(LIMITS, (calls) =>
    this.commitGroup(calls),
  );

  /** Adjusts stock. `unavailable` when too many calls wait. */
  async adjust(tenantId: number, call: AdjustmentCall): Promise<Written<Adjustment>> {
    return (await this.groups.add({ kind: 'adjust', tenantId, call })) ?? REFUSED;
  }

  /** All calls are of one kind and, because of the object's name, of one tenant. */
  private async commitGroup(calls: readonly StockCall[]): Promise<Written<Adjustment>[]> {
    const [first] = calls;
    if (!first) return [];
    const recorded: BatchEvent[] = [];
    const ctx = { ...tenantContext({ env: this.env, ctx: this.ctx }, first.tenantId), recorded };
    const results = await adjustAll(
      ctx,
      calls.map(({ call }) => call),
    );
    return results.map((result, n) => ({ result, events: n === 0 ? recorded : [] }));
  }
}

const REFUSED = { result: fail('unavailable', { retryAfter: 1 }), events: [] };
