import { type Coupon, isEligible } from './coupon.ts';
import { lineSubtotal, type PricedLine } from './line.ts';
import { share } from './rate.ts';

/**
 * Returns each line's share of the discount in minor units, in the lines' order. A fixed amount is capped at
 * the eligible lines' subtotal; a percentage of that subtotal is rounded half up.
 */
export function discounts(lines: readonly PricedLine[], coupon: Coupon | null): number[] {
  if (coupon === null) return lines.map(() => 0);
  const weights = lines.map((line) => (isEligible(coupon, line) ? lineSubtotal(line) : 0));
  const eligible = weights.reduce((sum, weight) => sum + weight, 0);
  return prorate(Math.min(amountOff(coupon, eligible), eligible), weights);
}

function amountOff({ benefit }: Coupon, eligible: number): number {
  switch (benefit.kind) {
    case 'percent':
      return share(eligible, benefit.rate);
    case 'fixed':
      return benefit.amount;
    case 'free_shipping':
      return 0;
  }
}

/**
 * Splits `total` in proportion to `weights` (integers, at least 0) by the largest-remainder method.
 * The parts sum to `total` exactly. No part exceeds its weight if `total` is at most the sum of the weights.
 * Of equal remainders, the earlier is rounded up.
 */
export function prorate(total: number, weights: readonly number[]): number[] {
  const sum = BigInt(weights.reduce((all, weight) => all + weight, 0));
  if (sum === 0n && total !== 0) throw new RangeError('nothing to prorate over');
  if (sum === 0n) return weights.map(() => 0);
  const products = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = products.map((product) => Number(product / sum));
  const left = total - parts.reduce((all, part) => all + part, 0);
  const up = products
    .map((product, index) => ({ index, rest: Number(product % sum) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
    .slice(0, left);
  const roundedUp = new Set(up.map(({ index }) => index));
  return parts.map((part, index) => (roundedUp.has(index) ? part + 1 : part));
}
