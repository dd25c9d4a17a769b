import { couponFor, explainTotals, type TotalsExplanation } from '../../pricing/index.ts';
import { couponOn, pricedLine, rulesOf } from './present.ts';
import type { CartState } from './state.ts';

/** Explains how the cart's totals come about at its current prices. */
export function explainCart(state: CartState, at: number): TotalsExplanation {
  const { head, lines } = state;
  const { coupon, currency, address } = head;
  const applied = coupon && couponOn(state, coupon, at);
  const reason = applied && 'refusal' in applied ? applied.refusal : null;
  // Terms that do not apply yet or any more must not reach the totals.
  const inTime = reason === null || reason === 'no_eligible_line' || reason === 'below_minimum_subtotal';
  return explainTotals({
    currency,
    country: address?.country ?? null,
    lines: lines.map((line) => ({ ...pricedLine(line), id: line.id })),
    rules: rulesOf(state),
    coupon: coupon && {
      code: coupon.code,
      terms: inTime ? couponFor(coupon.terms, currency) : null,
      reason,
    },
  });
}
