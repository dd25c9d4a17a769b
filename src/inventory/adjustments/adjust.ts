import { sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { assertInBatch, guardFailed, type Statement, violation } from '../../kernel/data/database.ts';
import { markStatements } from '../../kernel/data/idempotency-keys.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { outageOf } from '../outage.ts';
import { MAX_STOCK } from '../schemas.ts';
import { moveStock, newCause, type StockMove } from '../stock-moves.ts';
import { itemsBySku, type StockItem } from './items.ts';
import { type AdjustmentCall, type AdjustmentPlan, planAdjustments, roundsByReason } from './plan.ts';

/** Items after an adjustment, in the order of the request, and the catalogue version. */
export interface Adjustment {
  readonly items: readonly StockItem[];
  readonly version: number;
}

/** Largest number of attempts of one call under concurrent writes. */
const MAX_ATTEMPTS = 3;

type Outcomes = Map<AdjustmentCall, Result<Adjustment>>;

/** The outcomes of the calls so far, and how often a single one was tried. */
interface Progress {
  readonly outcomes: Outcomes;
  readonly attempt?: number;
}

/**
 * Adjusts stock for several calls: each call takes effect whole or not at all, whatever becomes of the others.
 * Those that agree on the reasons share a batch, with one movement and one event for each item. Returns the
 * results in the order of the calls; the stock in them is that after the batch.
 */
export async function adjustAll(
  ctx: TenantContext,
  calls: readonly AdjustmentCall[],
): Promise<Result<Adjustment>[]> {
  const outcomes: Outcomes = new Map();
  for (const round of roundsByReason(calls)) await adjustRound(ctx, round, { outcomes });
  return calls.map((call) => outcomes.get(call) ?? fail('conflict'));
}

/** Commits calls in one batch. When that is rolled back, reads again and retries each half on its own. */
async function adjustRound(
  ctx: TenantContext,
  calls: readonly AdjustmentCall[],
  { outcomes, attempt = 1 }: Progress,
): Promise<void> {
  try {
    const plan = planAdjustments(calls, await itemsBySku(ctx, skusOf(calls)));
    const committed = plan.accepted.length > 0 ? await commitPlan(ctx, plan) : null;
    // A call is refused for what the accepted ones take, so only once they are committed.
    for (const [call, failure] of plan.refused) outcomes.set(call, failure);
    if (!committed) return;
    const { items, version } = committed;
    for (const call of plan.accepted) outcomes.set(call, ok({ items: inOrderOf(call, items), version }));
  } catch (error) {
    const outage = outageOf(ctx, error);
    if (outage) return settle(calls, outcomes, outage);
    if (!violation(error)) throw error;
    const [only] = calls;
    if (calls.length === 1 && only) {
      if (attempt < MAX_ATTEMPTS) return adjustRound(ctx, calls, { outcomes, attempt: attempt + 1 });
      return settle(calls, outcomes, refusal(only, error));
    }
    const half = Math.ceil(calls.length / 2);
    await adjustRound(ctx, calls.slice(0, half), { outcomes });
    await adjustRound(ctx, calls.slice(half), { outcomes });
  }
}

/** Gives the calls this outcome. */
function settle(calls: readonly AdjustmentCall[], outcomes: Outcomes, outcome: Failed): void {
  for (const call of calls) outcomes.set(call, outcome);
}

/** Returns the failure of a call that was rolled back again and again though its plan was valid. */
function refusal({ key }: AdjustmentCall, error: unknown): Failed {
  if (violation(error)?.name === 'stock_never_oversold') return fail('insufficient_stock');
  // Its key's guard failed: another run with the key took over.
  if (key && guardFailed(error)) return fail('idempotency_in_progress', { retryAfter: 1 });
  return fail('conflict');
}

const skusOf = (calls: readonly AdjustmentCall[]): string[] => [
  ...new Set(calls.flatMap(({ items }) => items.map(({ sku }) => sku))),
];

const inOrderOf = ({ items }: AdjustmentCall, found: ReadonlyMap<string, StockItem>): StockItem[] =>
  items.flatMap(({ sku }) => found.get(sku) ?? []);

async function commitPlan(
  ctx: TenantContext,
  { accepted, moves }: AdjustmentPlan,
): Promise<{ items: ReadonlyMap<string, StockItem>; version: number }> {
  const cause = newCause(ctx, 'adjustment');
  const { version, read } = await commit(ctx, {
    batches: [cause.batch],
    statements: [
      ...accepted.flatMap(({ key }) => mark(ctx, key, cause.batch)),
      ...moveStock(ctx, cause, { moves }),
      assertWithinMaxStock(ctx, moves),
    ],
    reads: { items: itemsBySku(ctx, skusOf(accepted)) },
  });
  return { items: new Map(read.items.map((item) => [item.sku, item])), version };
}

const mark = ({ db }: TenantContext, key: AdjustmentCall['key'], ref: string): Statement[] =>
  key ? markStatements({ db, claim: key.claim }, ref, key.fingerprint) : [];

/** Rolls the batch back if an item whose stock is raised has more than {@link MAX_STOCK} after it. */
const assertWithinMaxStock = ({ db, tenantId }: TenantDatabase, moves: readonly StockMove[]): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(moves)}) m
      CROSS JOIN inventory_items i ON i.id = m.value ->> 'itemId'
      WHERE i.tenant_id = ${tenantId} AND m.value ->> 'delta' > 0 AND i.on_hand - i.reserved > ${MAX_STOCK})`,
  );
