import { type Failed, fail } from '../../kernel/core/result.ts';
import type { ClaimedKey } from '../../kernel/data/idempotency-keys.ts';
import { type AdjustmentsCreate, MAX_STOCK } from '../schemas.ts';
import type { StockMove } from '../stock-moves.ts';
import type { StockItem } from './items.ts';

/** One call's adjustments, and its Idempotency-Key. */
export interface AdjustmentCall {
  readonly items: AdjustmentsCreate['items'];
  readonly key: ClaimedKey | null;
}

/** Calls to commit together, the stock moves of all of them, and why the others are refused. */
export interface AdjustmentPlan {
  readonly accepted: readonly AdjustmentCall[];
  readonly moves: readonly StockMove[];
  readonly refused: ReadonlyMap<AdjustmentCall, Failed>;
}

/** An item while calls are planned: its stock after the earlier ones, and the move that leads there. */
interface PlannedItem extends StockItem {
  readonly move: StockMove | null;
}

/**
 * Decides on calls in their order, each on the stock that the earlier ones leave: 422 for unknown SKUs, derived
 * stock and sums above {@link MAX_STOCK}, 409 for a shortage. A refused call changes nothing.
 */
export function planAdjustments(
  calls: readonly AdjustmentCall[],
  found: readonly StockItem[],
): AdjustmentPlan {
  const items = new Map<string, PlannedItem>(found.map((item) => [item.sku, { ...item, move: null }]));
  const accepted: AdjustmentCall[] = [];
  const refused = new Map<AdjustmentCall, Failed>();
  for (const call of calls) {
    const failure = validate(call, items) ?? shortageOf(call, items);
    if (failure) refused.set(call, failure);
    else {
      accepted.push(call);
      for (const adjustment of call.items) apply(items, adjustment);
    }
  }
  return { accepted, moves: [...items.values()].flatMap(({ move }) => move ?? []), refused };
}

type Items = ReadonlyMap<string, PlannedItem>;

function validate(call: AdjustmentCall, found: Items): Failed | null {
  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  call.items.forEach(({ sku, delta = 0 }, n) => {
    const item = found.get(sku);
    if (!item) errors[`items.${n}.sku`] = ['must be a SKU of this catalogue'];
    else if (item.derived !== 'none') errors[`items.${n}.sku`] = ['must not be a SKU whose stock is derived'];
    else if (seen.has(sku)) errors[`items.${n}.sku`] = ['must not be repeated'];
    else if (delta > 0 && item.stock + delta > MAX_STOCK)
      errors[`items.${n}.delta`] = [`must not raise the stock above ${MAX_STOCK}`];
    seen.add(sku);
  });
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : null;
}

/** Returns the failure that names the first SKU that is short, or `null`. */
function shortageOf(call: AdjustmentCall, found: Items): Failed | null {
  for (const { sku, delta = 0 } of call.items) {
    const item = found.get(sku);
    if (item?.policy !== 'deny' || item.stock + delta >= 0) continue;
    const { id, product_id, stock } = item;
    const variant_id = id === product_id ? null : id;
    const details = { sku, product_id, variant_id, requested: -delta, in_cart: 0, available: stock };
    return fail('insufficient_stock', { details });
  }
  return null;
}

/** Adds one adjustment to its item: deltas add up, and those after a set quantity change that quantity. */
function apply(
  items: Map<string, PlannedItem>,
  { sku, delta = 0, stock, reason }: AdjustmentCall['items'][number],
): void {
  const item = items.get(sku);
  if (!item) return;
  const { id: itemId, move } = item;
  const set = stock ?? (move?.stock === undefined ? undefined : move.stock + delta);
  const next = set === undefined ? { delta: (move?.delta ?? 0) + delta } : { stock: set };
  items.set(sku, { ...item, stock: stock ?? item.stock + delta, move: { itemId, reason, ...next } });
}

/**
 * Splits calls into rounds in which each SKU has one reason, because a batch records one movement of an item.
 */
export function roundsByReason(calls: readonly AdjustmentCall[]): AdjustmentCall[][] {
  const rounds: { readonly calls: AdjustmentCall[]; readonly reasons: Map<string, string> }[] = [];
  for (const call of calls) {
    const agrees = ({ reasons }: (typeof rounds)[number]) =>
      call.items.every(({ sku, reason }) => (reasons.get(sku) ?? reason) === reason);
    let round = rounds.find(agrees);
    if (!round) {
      round = { calls: [], reasons: new Map() };
      rounds.push(round);
    }
    round.calls.push(call);
    for (const { sku, reason } of call.items) round.reasons.set(sku, reason);
  }
  return rounds.map((round) => round.calls);
}
