import { sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { assertInBatch, guardFailed, type Statement, violation } from '../../kernel/data/database.ts';
import { markStatements } from '../../kernel/data/idempotency-keys.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { commitInRounds, type Outcomes } from '../rounds.ts';
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

/**
 * Adjusts stock for several calls: each call takes effect whole or not at all, whatever becomes of the others.
 * Those that agree on the reasons share a batch, with one movement and one event for each item. Returns the
 * results in the order of the calls; the stock in them is that after the batch.
 */
export const adjustAll = (
  ctx: TenantContext,
  calls: readonly AdjustmentCall[],
): Promise<Result<Adjustment>[]> =>
  commitInRounds(calls, {
    ctx,
    rounds: roundsByReason(calls),
    commit: (round) => adjustRound(ctx, round),
    maxAttempts: MAX_ATTEMPTS,
    refusal,
  });

async function adjustRound(
  ctx: TenantContext,
  calls: readonly AdjustmentCall[],
): Promise<Outcomes<AdjustmentCall, Adjustment>> {
  const plan = planAdjustments(calls, await itemsBySku(ctx, skusOf(calls)));
  if (plan.accepted.length === 0) return [...plan.refused];
  const { items, version } = await commitPlan(ctx, plan);
  const accepted = plan.accepted.map((call): [AdjustmentCall, Result<Adjustment>] => [
    call,
    ok({ items: inOrderOf(call, items), version }),
  ]);
  // A call is refused for what the accepted ones take, so only once they are committed.
  return [...accepted, ...plan.refused];
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
