import type { Coupon } from './coupon.ts';
import type { PricedLine } from './line.ts';
import type { PricingRules } from './rules.ts';

/**
 * Returns the shipping cost in minor units: the flat amount, or 0 if no line ships, `goods` (subtotal less
 * discount) reaches the free-shipping amount, or the coupon grants free shipping.
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
