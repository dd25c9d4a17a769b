import type { Coupon } from './coupon.ts';
import type { PricedLine } from './line.ts';
import type { PricingRules } from './rules.ts';

/**
 * What shipping costs, in minor units: the flat amount, unless nothing ships, `goods` (the subtotal less
 * the discount) reaches the tenant's free-shipping amount, or an applicable coupon makes it free.
 */
export function shippingOf(
  lines: readonly PricedLine[],
  goods: number,
  rules: PricingRules,
  coupon: Coupon | null,
): number {
  const free = rules.freeOver !== null && goods >= rules.freeOver;
  const ships = lines.some((line) => line.ships);
  return !ships || free || coupon?.benefit.kind === 'free_shipping' ? 0 : rules.shippingFlat;
}
