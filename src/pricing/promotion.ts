import { CODE_REFUSALS } from '../kernel/core/code-refusals.ts';
import { type Amount, amountIn } from '../kernel/values/money.ts';
import { lineSubtotal, type PricedLine, type Rate, rateOf } from './rules.ts';

/**
 * The conditions and the effect of a promotion, in the API's form. Dates, redemption limits and whose order it
 * is are checked elsewhere.
 */
export interface PromotionTerms {
  readonly kind: 'percent' | 'fixed' | 'free_shipping' | 'buy_x_get_y';
  /** A percentage (of the units to get, for `buy_x_get_y`) or an amount; ignored for `free_shipping`. */
  readonly value: Amount;
  /** For `buy_x_get_y`: after each `buy` units, the next `get` are reduced. */
  readonly buy?: number | null | undefined;
  readonly get?: number | null | undefined;
  readonly minimum_subtotal?: Amount | null | undefined;
  readonly minimum_quantity?: number | null | undefined;
  readonly product_ids?: readonly number[] | null | undefined;
  readonly category_ids?: readonly number[] | null | undefined;
}

/** A promotion as its tenant defined it, for any currency. */
export interface PromotionSource {
  readonly id: number;
  readonly name: string;
  /** Null for an automatic promotion. */
  readonly code: string | null;
  /** Promotions apply in the order of their priority, the lowest number first, ties by id. */
  readonly priority: number;
  readonly combinable: boolean;
  readonly terms: PromotionTerms;
}

type Benefit =
  | { readonly kind: 'percent'; readonly rate: Rate }
  | { readonly kind: 'fixed'; readonly amount: number }
  | { readonly kind: 'free_shipping' }
  | { readonly kind: 'buy_x_get_y'; readonly buy: number; readonly get: number; readonly rate: Rate };

/** A promotion in one currency, amounts in minor units. */
export interface Promotion extends Omit<PromotionSource, 'terms'> {
  readonly benefit: Benefit;
  /** Compared with the subtotal of the whole cart, before any discount. */
  readonly minimumSubtotal: number;
  /** Compared with the number of eligible units. */
  readonly minimumQuantity: number;
  /** The eligible products, beside `categoryIds`. If both are empty, every line is eligible. */
  readonly productIds: readonly number[];
  readonly categoryIds: readonly number[];
}

/** Converts a promotion to the cart's currency; returns null if an amount has no value in it. */
export function promotionFor({ terms, ...source }: PromotionSource, currency: string): Promotion | null {
  const benefit = benefitOf(terms, currency);
  const minimumSubtotal = amountIn(terms.minimum_subtotal ?? 0, currency);
  if (benefit === null || minimumSubtotal === null) return null;
  return {
    ...source,
    benefit,
    minimumSubtotal,
    minimumQuantity: terms.minimum_quantity ?? 0,
    productIds: terms.product_ids ?? [],
    categoryIds: terms.category_ids ?? [],
  };
}

function benefitOf({ kind, value, buy, get }: PromotionTerms, currency: string): Benefit | null {
  if (kind === 'free_shipping') return { kind };
  if (kind === 'fixed') {
    const amount = amountIn(value, currency);
    return amount === null ? null : { kind, amount };
  }
  if (typeof value !== 'number') return null;
  const rate = rateOf(value);
  return kind === 'percent' ? { kind, rate } : { kind, rate, buy: buy ?? 1, get: get ?? 1 };
}

/** The reasons why a promotion that a cart has does not apply. */
export const UNAPPLIED_REASONS = [
  ...CODE_REFUSALS,
  'not_combined',
  'nothing_to_reduce',
  'raises_total',
] as const;
export type UnappliedReason = (typeof UNAPPLIED_REASONS)[number];

/** The reason why a promotion does not apply to the lines. */
export type PromotionRefusal = 'no_eligible_line' | 'below_minimum_subtotal' | 'below_minimum_quantity';

/**
 * Returns why the promotion does not apply to these lines, or null if it applies. `buy_x_get_y` requires more
 * eligible units than it makes the shopper buy.
 */
export function promotionRefusal(
  promotion: Promotion,
  lines: readonly PricedLine[],
): PromotionRefusal | null {
  const eligible = lines.filter((line) => isEligible(promotion, line));
  if (eligible.length === 0) return 'no_eligible_line';
  const subtotal = lines.reduce((sum, line) => sum + lineSubtotal(line), 0);
  if (subtotal < promotion.minimumSubtotal) return 'below_minimum_subtotal';
  const units = eligible.reduce((sum, { quantity }) => sum + quantity, 0);
  return units < requiredQuantity(promotion) ? 'below_minimum_quantity' : null;
}

/** Returns how many eligible units a promotion requires. */
export const requiredQuantity = ({ benefit, minimumQuantity }: Promotion): number =>
  benefit.kind === 'buy_x_get_y' ? Math.max(minimumQuantity, benefit.buy + 1) : minimumQuantity;

/** Returns whether the line is eligible: by product, by category, or because the promotion names neither. */
export const isEligible = ({ productIds, categoryIds }: Promotion, line: PricedLine): boolean =>
  (productIds.length === 0 && categoryIds.length === 0) ||
  productIds.includes(line.productId) ||
  line.categoryIds.some((id) => categoryIds.includes(id));

/** Orders promotions as they apply: by priority, the lowest number first, then by id. */
export const byPriority = (a: Promotion, b: Promotion): number => a.priority - b.priority || a.id - b.id;
