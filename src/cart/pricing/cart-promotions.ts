import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { fold } from '../../kernel/text/fold.ts';
import { toNumber } from '../../kernel/values/money.ts';
import {
  choosePromotions,
  type PricedLine,
  type PricingRules,
  type Promotion,
  type PromotionRefusal,
  promotionFor,
  promotionRefusal,
  requiredQuantity,
  rulesFor,
  type TracedTotals,
  traceTotals,
  type UnappliedReason,
} from '../../pricing/index.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import { type CartState, type Line, MAX_CODES } from '../object/state.ts';

/** Returns the pricing input of a line. */
export const pricedLine = ({ offer, quantity, unitPrice }: Line): PricedLine => ({
  productId: offer.productId,
  categoryIds: offer.categoryIds,
  unitPrice,
  quantity,
  ships: offer.ships,
  taxClass: offer.taxClass,
  weight: offer.weight,
});

/** Returns the rules for the cart's currency and country, with the shipping method that was chosen. */
export const rulesOf = ({ head, pricing }: CartState): PricingRules => ({
  ...rulesFor(pricing, head.currency, head.address?.country ?? null),
  chosenMethod: head.shippingMethod,
});

/** The reason why a promotion does not apply to a cart. */
type PromotionRejection = 'not_started' | 'ended' | 'currency' | PromotionRefusal;

/** Returns the promotion in the cart's currency, or the reason why it can't apply at `at` (ms). */
export function promotionOn(
  { head, lines }: CartState,
  promotion: CartPromotion,
  at: number,
): { readonly terms: Promotion } | ({ readonly refusal: PromotionRejection } & Minimum) {
  if (promotion.startsAt !== null && at < promotion.startsAt) return { refusal: 'not_started' };
  if (hasEnded(promotion, at)) return { refusal: 'ended' };
  const terms = promotionFor(promotion, head.currency);
  if (!terms) return { refusal: 'currency' };
  const refusal = promotionRefusal(terms, lines.map(pricedLine));
  return refusal ? { refusal, ...missedMinimum(terms, refusal, head.currency) } : { terms };
}

/** Returns whether a promotion is over at `at` (ms). */
export const hasEnded = ({ endsAt }: CartPromotion, at: number): boolean => endsAt !== null && at >= endsAt;

/** What a promotion requires of a cart that has less. The amount is a decimal number. */
export interface Minimum {
  readonly minimum_subtotal?: number;
  readonly minimum_quantity?: number;
}

/** Returns the minimum that the cart does not reach; empty if the promotion does not apply for another reason. */
export function missedMinimum(terms: Promotion, reason: UnappliedReason, currency: string): Minimum {
  if (reason === 'below_minimum_subtotal')
    return { minimum_subtotal: toNumber(terms.minimumSubtotal, currency) };
  return reason === 'below_minimum_quantity' ? { minimum_quantity: requiredQuantity(terms) } : {};
}

/** Returns the cart with the promotions whose time it is at `at` (ms); the same cart if they are the same. */
export function withRunning(state: CartState, at: number): CartState {
  const { head, automatic } = state;
  const running = [...head.codes, ...automatic]
    .filter(({ startsAt, endsAt }) => (startsAt ?? at) <= at && at < (endsAt ?? Number.POSITIVE_INFINITY))
    .map(({ id }) => id);
  const same = running.length === head.running.length && running.every((id, n) => id === head.running[n]);
  return same ? state : { ...state, head: { ...head, running } };
}

/** Returns the codes and automatic promotions that may apply: in their time, and not barred for the customer. */
export const promotionsInEffect = ({ head, automatic }: CartState): CartPromotion[] => [
  ...head.codes.filter(({ id }) => head.running.includes(id)),
  ...automatic.filter(({ id }) => head.running.includes(id) && !head.barred.includes(id)),
];

const tracedByState = new WeakMap<CartState, TracedTotals>();

/** Computes the totals of a cart at its current prices, with the promotions that apply. Once for each state. */
export function priceCart(state: CartState): TracedTotals {
  const known = tracedByState.get(state);
  if (known) return known;
  const { head } = state;
  const [lines, rules] = [state.lines.map(pricedLine), rulesOf(state)];
  const candidates = promotionsInEffect(state).flatMap((one) => promotionFor(one, head.currency) ?? []);
  const traced = traceTotals(lines, rules, choosePromotions(lines, rules, candidates));
  tracedByState.set(state, traced);
  return traced;
}

/**
 * Adds the promotion of a code to the cart's; which of them apply is decided by their prices. It replaces those that
 * have ended, and one that doesn't combine if it doesn't either. Fails with `coupon_not_applicable` if the conditions
 * of the promotion don't hold, or beyond {@link MAX_CODES}.
 */
export function applyCode(state: CartState, promotion: CartPromotion, at: number): Result<CartState> {
  const applied = promotionOn(state, promotion, at);
  if ('refusal' in applied) {
    const { refusal, ...minimum } = applied;
    return refused(refusal, minimum);
  }
  const { codes } = state.head;
  const others = codes.filter(
    (one) => one.id !== promotion.id && mayShareCart(one, promotion) && !hasEnded(one, at),
  );
  if (others.length >= MAX_CODES) return refused('too_many_codes');
  const known = codes.find(({ id }) => id === promotion.id);
  if (known && JSON.stringify(known) === JSON.stringify(promotion)) return ok(state);
  return ok({ ...state, head: { ...state.head, codes: [...others, promotion] } });
}

/** Returns whether a cart may hold both codes: unless neither combines with others. */
export const mayShareCart = (one: CartPromotion, other: CartPromotion): boolean =>
  one.combinable || other.combinable;

const refused = (reason: PromotionRejection | 'too_many_codes', minimum: Minimum = {}) =>
  fail('coupon_not_applicable', { details: { reason, ...minimum } });

/** Removes one code, compared without case and accents, or all of them; the same cart if it has none. */
export function dropCodes(state: CartState, code: string | null): CartState {
  const { codes } = state.head;
  const kept = code === null ? [] : codes.filter((one) => fold(one.code ?? '') !== fold(code.trim()));
  return kept.length === codes.length ? state : { ...state, head: { ...state.head, codes: kept } };
}
