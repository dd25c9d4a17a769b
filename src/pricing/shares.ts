import { toNumber } from '../kernel/values/money.ts';
import { type AppliedPromotion, sum } from './discounts.ts';
import type { LineItem, ShownPromotion } from './schemas.ts';

/** A promotion that applied, as orders store it; the amount in minor units. */
export interface PromotionShare {
  readonly id: number;
  readonly name: string;
  readonly code: string | null;
  readonly amount: number;
}

/** What a promotion deducts from one line, in minor units. */
export interface LineShare {
  readonly promotionId: number;
  readonly amount: number;
}

/** Returns the promotions that apply with their amounts, in their order. */
export const promotionShares = (applied: readonly AppliedPromotion[]): PromotionShare[] =>
  applied.map(({ promotion: { id, name, code }, amounts }) => ({ id, name, code, amount: sum(amounts) }));

/** Returns what each promotion deducts from the line at this place, without those that deduct nothing. */
export const lineShares = (applied: readonly AppliedPromotion[], place: number): LineShare[] =>
  applied.flatMap(({ promotion, amounts }) => {
    const amount = amounts[place] ?? 0;
    return amount === 0 ? [] : [{ promotionId: promotion.id, amount }];
  });

/** Converts applied promotions to the API's form. */
export const presentPromotions = (shares: readonly PromotionShare[], currency: string): ShownPromotion[] =>
  shares.map(({ id, name, code, amount }) => ({ id, name, code, amount: toNumber(amount, currency) }));

/** Converts what promotions deduct from a line to the API's form. */
export const presentLineShares = (
  shares: readonly LineShare[],
  currency: string,
): (typeof LineItem)['_output']['discounts'] =>
  shares.map(({ promotionId, amount }) => ({
    promotion_id: promotionId,
    amount: toNumber(amount, currency),
  }));
