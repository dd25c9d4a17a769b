import { ownEntry } from '../kernel/core/records.ts';
import { toNumber } from '../kernel/values/money.ts';
import { type AppliedPromotion, applyPromotions, sum } from './discounts.ts';
import { type Promotion, promotionRefusal } from './promotion.ts';
import {
  includedShare,
  lineSubtotal,
  type PricedLine,
  type PricingRules,
  type Rate,
  share,
} from './rules.ts';
import type { Totals } from './schemas.ts';
import { type PricedShipping, priceShipping } from './shipping.ts';

/** The totals of one line, in minor units. */
export interface LineTotals {
  /** Unit price times quantity, before discount: the API's `items.total`. */
  readonly subtotal: number;
  readonly discount: number;
  /** Added to subtotal − discount, or included in it if prices include tax. */
  readonly tax: number;
  readonly taxRate: Rate;
}

/** The totals of a cart, in minor units. */
export interface CartTotals {
  /** In the order of the input lines. */
  readonly lines: readonly LineTotals[];
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  /** The sum of the lines' tax and `shippingTax`. */
  readonly tax: number;
  readonly shippingTax: number;
  /** 0 if shipping is not taxed. */
  readonly shippingTaxRate: Rate;
  /** Subtotal − discount + shipping, plus tax unless prices include it. */
  readonly grandTotal: number;
  readonly taxIncluded: boolean;
}

/** Totals with the rules that were applied to get them. */
export interface TracedTotals {
  readonly totals: CartTotals;
  /** The promotions that apply, in their order. Their amounts sum to the discount, in total and by line. */
  readonly applied: readonly AppliedPromotion[];
  readonly shipping: PricedShipping;
}

/**
 * Computes the totals of a cart. Pure and exact: the parts sum to the totals. Applies all of the given promotions
 * whose conditions the lines meet ({@link promotionRefusal}), each to what the ones before it left. Tax is rounded
 * half up per line after its discount, then summed. Throws a RangeError beyond 2^53, which the limits on amounts,
 * quantities and lines rule out.
 */
export const computeTotals = (
  lines: readonly PricedLine[],
  rules: PricingRules,
  promotions: readonly Promotion[] = [],
): CartTotals => traceTotals(lines, rules, promotions).totals;

/** Returns whether a shopper entered a code for the promotion, or every cart gets it. */
const sourceOf = ({ code }: Promotion): 'coupon' | 'promotion' => (code === null ? 'promotion' : 'coupon');

/** Computes totals as {@link computeTotals} does, and returns the applied rules with them. */
export function traceTotals(
  lines: readonly PricedLine[],
  rules: PricingRules,
  promotions: readonly Promotion[] = [],
): TracedTotals {
  const { taxIncluded } = rules;
  const applied = applyPromotions(
    lines,
    promotions.filter((promotion) => promotionRefusal(promotion, lines) === null),
  );
  const priced = lines.map((line, index) => {
    const off = sum(applied.map(({ amounts }) => amounts[index] ?? 0));
    return lineTotals(line, off, rules);
  });
  const [subtotal, discount] = [sumOf(priced, 'subtotal'), sumOf(priced, 'discount')];
  const free = applied.find(({ promotion }) => promotion.benefit.kind === 'free_shipping');
  const freeBy = free ? sourceOf(free.promotion) : null;
  const delivery = priceShipping(rules, { lines, goods: subtotal - discount, freeBy });
  const { amount: shipping } = delivery;
  const shippingTaxRate = rules.shippingTaxed ? rules.standardRate : 0;
  const shippingTax = taxOf(shipping, shippingTaxRate, taxIncluded);
  const tax = sumOf(priced, 'tax') + shippingTax;
  const grandTotal = subtotal - discount + shipping + (taxIncluded ? 0 : tax);
  if (!Number.isSafeInteger(subtotal + shipping + tax)) throw new RangeError('The cart total exceeds 2^53');
  return {
    totals: {
      lines: priced,
      subtotal,
      discount,
      shipping,
      tax,
      shippingTax,
      shippingTaxRate,
      grandTotal,
      taxIncluded,
    },
    applied,
    shipping: delivery,
  };
}

/**
 * Returns which of these promotions apply to a cart: all that combine, or the one that does not combine if the
 * grand total is lower with it. Of several such ones the lowest total wins, ties by id. Where none combine, one
 * applies unless the grand total is higher with it. Depends on nothing but its arguments, and not on their order.
 */
export function choosePromotions(
  lines: readonly PricedLine[],
  rules: PricingRules,
  candidates: readonly Promotion[],
): readonly Promotion[] {
  const met = candidates.filter((promotion) => promotionRefusal(promotion, lines) === null);
  let best: readonly Promotion[] = met.filter(({ combinable }) => combinable);
  const single = met.filter(({ combinable }) => !combinable).sort((a, b) => a.id - b.id);
  if (single.length === 0) return best;
  const totalWith = (promotions: readonly Promotion[]) => computeTotals(lines, rules, promotions).grandTotal;
  // A code without effect on the total, such as of free shipping for files, counts as applied.
  let lowest = totalWith(best) + (best.length > 0 ? 0 : 1);
  for (const promotion of single) {
    const total = totalWith([promotion]);
    if (total < lowest) [best, lowest] = [[promotion], total];
  }
  return best;
}

function lineTotals(line: PricedLine, discount: number, rules: PricingRules): LineTotals {
  const subtotal = lineSubtotal(line);
  const price = subtotal - discount;
  const taxRate = rateOfClass(rules, line.taxClass);
  const tax = taxOf(price, taxRate, rules.taxIncluded);
  return { subtotal, discount, tax, taxRate };
}

const sumOf = (lines: readonly LineTotals[], part: 'subtotal' | 'discount' | 'tax'): number =>
  lines.reduce((sum, line) => sum + line[part], 0);

/** Returns the rate of a tax class, or the standard rate if the class has none. */
const rateOfClass = (rules: PricingRules, taxClass: string | null): Rate =>
  ownEntry(rules.ratesByClass, taxClass) ?? rules.standardRate;

/** Returns the tax on an amount, or in it if prices include tax. Minor units, rounded half up. */
const taxOf = (amount: number, rate: Rate, included: boolean): number =>
  included ? includedShare(amount, rate) : share(amount, rate);

/** The totals of a whole cart, checkout session or order, as they are shown. */
export type ShownTotals = Omit<CartTotals, 'lines' | 'shippingTax' | 'shippingTaxRate'>;

/** Returns of a cart's totals what is shown. */
export function shownTotals(totals: CartTotals): ShownTotals {
  const { lines: _, shippingTax: __, shippingTaxRate: ___, ...shown } = totals;
  return shown;
}

/** Converts totals from minor units to the API's decimal numbers. */
export function presentTotals(totals: ShownTotals, currency: string): Totals {
  const amount = (minor: number) => toNumber(minor, currency);
  return {
    subtotal: amount(totals.subtotal),
    subtotal_after_discount: amount(totals.subtotal - totals.discount),
    tax: amount(totals.tax),
    shipping: amount(totals.shipping),
    discount: amount(totals.discount),
    grand_total: amount(totals.grandTotal),
    tax_included: totals.taxIncluded,
  };
}
