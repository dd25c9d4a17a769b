import { byPriority, isEligible, type Promotion } from './promotion.ts';
import { lineSubtotal, type PricedLine, share } from './rules.ts';

/** A promotion with what it deducts; amounts in minor units, in the order of the lines. */
export interface AppliedPromotion {
  readonly promotion: Promotion;
  /** What it was computed from: the part of each line that earlier promotions left and that is eligible. */
  readonly weights: readonly number[];
  readonly amounts: readonly number[];
}

/** Returns the sum of integers. */
export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/**
 * Applies promotions one after the other in the order of their priority, each to what the ones before it left
 * of the lines, so that the deductions never exceed the goods. Skips a promotion on goods that has nothing to
 * deduct, so that no order redeems it. Neither the order of `promotions` nor that of `lines` matters to the
 * result. The conditions are not checked.
 */
export function applyPromotions(
  lines: readonly PricedLine[],
  promotions: readonly Promotion[],
): AppliedPromotion[] {
  if (promotions.length === 0) return [];
  // Which of several lines gets an odd minor unit must not depend on the lines' order: it changes what tax rounds to.
  const order = canonicalOrder(lines);
  const sorted = order.flatMap((index) => lines[index] ?? []);
  const restored = (values: readonly number[]): number[] => {
    const byLine = new Map(order.map((line, place) => [line, values[place] ?? 0]));
    return lines.map((_, index) => byLine.get(index) ?? 0);
  };
  let left = sorted.map(lineSubtotal);
  const applied: AppliedPromotion[] = [];
  for (const promotion of promotions.toSorted(byPriority)) {
    const weights = weightsOf(promotion, sorted, left);
    const amounts = deductions(promotion, weights);
    const isVoid = promotion.benefit.kind !== 'free_shipping' && sum(amounts) === 0;
    if (isVoid) continue;
    left = left.map((rest, n) => rest - (amounts[n] ?? 0));
    applied.push({ promotion, weights: restored(weights), amounts: restored(amounts) });
  }
  return applied;
}

/** Returns the places of the lines in an order that depends on the lines alone; equal lines are interchangeable. */
function canonicalOrder(lines: readonly PricedLine[]): number[] {
  const keys = lines.map(({ productId, unitPrice, quantity, ...rest }) => ({
    numbers: [productId, unitPrice, quantity],
    rest: JSON.stringify([rest.taxClass, rest.ships, rest.categoryIds]),
  }));
  return lines
    .map((_, index) => index)
    .sort((a, b) => {
      const [one, other] = [keys[a], keys[b]];
      const places = [0, 1, 2].map((n) => (one?.numbers[n] ?? 0) - (other?.numbers[n] ?? 0));
      return places.find((difference) => difference !== 0) ?? compareText(one?.rest, other?.rest);
    });
}

function compareText(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Returns the part of each line that the promotion's amount is computed from and split over: what is left of
 * an eligible line, or of its units to get.
 */
function weightsOf(
  promotion: Promotion,
  lines: readonly PricedLine[],
  left: readonly number[],
): readonly number[] {
  const eligible = lines.map((line) => isEligible(promotion, line));
  const { benefit } = promotion;
  if (benefit.kind !== 'buy_x_get_y') return left.map((rest, n) => (eligible[n] ? rest : 0));
  const units = lines.map(({ quantity }, n) => (eligible[n] ? quantity : 0));
  const reduced = unitsToGet(benefit, units, left);
  return left.map((rest, n) => {
    const line = BigInt(units[n] ?? 0);
    return line === 0n ? 0 : Number((BigInt(rest) * BigInt(reduced[n] ?? 0)) / line);
  });
}

/**
 * Returns how many units of each line are reduced: all units are lined up from the dearest to the cheapest and
 * cut into sets of `buy` + `get`, and the cheapest `get` of each set are reduced, in a last incomplete set those
 * beyond `buy`. So another unit never lowers the deduction, whatever it costs.
 */
function unitsToGet(
  { buy, get }: { readonly buy: number; readonly get: number },
  units: readonly number[],
  left: readonly number[],
): number[] {
  const reducedOf = (count: number): number =>
    Math.floor(count / (buy + get)) * get + Math.max(0, (count % (buy + get)) - buy);
  const dearer = (a: number, b: number): number => {
    const [one, other] = [
      BigInt(left[a] ?? 0) * BigInt(units[b] ?? 0),
      BigInt(left[b] ?? 0) * BigInt(units[a] ?? 0),
    ];
    if (one === other) return a - b;
    return one > other ? -1 : 1;
  };
  const eligible = units.flatMap((quantity, n) => (quantity > 0 ? [n] : []));
  const result = units.map(() => 0);
  let before = 0;
  for (const line of eligible.sort(dearer)) {
    const after = before + (units[line] ?? 0);
    result[line] = reducedOf(after) - reducedOf(before);
    before = after;
  }
  return result;
}

/**
 * Returns each line's share of a promotion in minor units. A fixed amount is capped at what is left of the
 * eligible lines; a percentage is rounded half up.
 */
function deductions({ benefit }: Promotion, weights: readonly number[]): number[] {
  const base = sum(weights);
  switch (benefit.kind) {
    case 'percent':
    case 'buy_x_get_y':
      return prorate(share(base, benefit.rate), weights);
    case 'fixed':
      return prorate(Math.min(benefit.amount, base), weights);
    case 'free_shipping':
      return weights.map(() => 0);
  }
}

/**
 * Splits `total` in proportion to `weights` (integers, at least 0) by the largest-remainder method.
 * The parts sum to `total` exactly. No part exceeds its weight if `total` is at most the sum of the weights.
 * Of equal remainders, the earlier is rounded up.
 */
export function prorate(total: number, weights: readonly number[]): number[] {
  const all = BigInt(sum(weights));
  if (all === 0n && total !== 0) throw new RangeError('nothing to prorate over');
  if (all === 0n) return weights.map(() => 0);
  const products = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = products.map((product) => Number(product / all));
  const left = total - sum(parts);
  const up = products
    .map((product, index) => ({ index, rest: Number(product % all) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
    .slice(0, left);
  const roundedUp = new Set(up.map(({ index }) => index));
  return parts.map((part, index) => (roundedUp.has(index) ? part + 1 : part));
}
