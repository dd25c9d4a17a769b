import {
  type ExplainedCandidate,
  explainTotals,
  promotionFor,
  type TotalsExplanation,
  type TracedTotals,
  type UnappliedReason,
} from '../../pricing/index.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import type { CartState } from '../object/state.ts';
import { type Minimum, missedMinimum, pricedLine, promotionOn, rulesOf } from './cart-promotions.ts';

/**
 * Explains how the cart's totals come about at its current prices. An automatic promotion is left out before it begins:
 * shoppers don't learn of the shop's plans.
 */
export function explainCart(state: CartState, at: number): TotalsExplanation {
  const { head, lines } = state;
  const automatic = state.automatic.filter(({ startsAt }) => startsAt === null || startsAt <= at);
  const { currency, address } = head;
  return explainTotals({
    currency,
    country: address?.country ?? null,
    lines: lines.map((line) => ({ ...pricedLine(line), id: line.id })),
    rules: rulesOf(state),
    candidates: [...head.codes, ...automatic].map((promotion) => candidateOf(state, promotion, at)),
  });
}

/** Why a code has no effect, and the minimum that the cart does not reach. */
type UnappliedCode = { readonly reason: UnappliedReason } & Minimum;

/** Returns why codes of the cart have no effect on the totals, by the ids of their promotions. */
export function unappliedCodes(
  state: CartState,
  { applied }: TracedTotals,
  at: number,
): ReadonlyMap<number, UnappliedCode> {
  const { codes, currency } = state.head;
  const idle = codes.filter(({ id }) => !applied.some(({ promotion }) => promotion.id === id));
  if (idle.length === 0) return new Map();
  const { promotions } = explainCart(state, at);
  const unapplied = idle.flatMap((promotion): [number, UnappliedCode][] => {
    const reason = promotions.find(({ id }) => id === promotion.id)?.reason;
    if (!reason) return [];
    const terms = promotionFor(promotion, currency);
    return [[promotion.id, { reason, ...(terms && missedMinimum(terms, reason, currency)) }]];
  });
  return new Map(unapplied);
}

/**
 * Returns why a promotion that fits the cart is not applied to it: it is to start, or the customer has used it up or
 * has had their first order.
 */
function reasonUnapplied({ head }: CartState, { id, firstOrder }: CartPromotion): UnappliedReason | null {
  if (!head.running.includes(id)) return 'not_started';
  if (!head.barred.includes(id)) return null;
  return firstOrder ? 'not_first_order' : 'used_up_by_customer';
}

function candidateOf(state: CartState, promotion: CartPromotion, at: number): ExplainedCandidate {
  // An ordered cart keeps the promotions that it was priced with, whether their time is over or others' has come.
  const isRunning = state.head.running.includes(promotion.id);
  const found = promotionOn(
    state,
    isRunning ? { ...promotion, startsAt: null, endsAt: null } : promotion,
    at,
  );
  return {
    ...promotion,
    reason: 'refusal' in found ? found.refusal : reasonUnapplied(state, promotion),
    terms: promotionFor(promotion, state.head.currency),
  };
}
