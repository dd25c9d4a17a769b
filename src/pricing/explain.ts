import type { z } from '@hono/zod-openapi';
import { toNumber } from '../kernel/values/money.ts';
import { type AppliedPromotion, sum } from './discounts.ts';
import { explainShipping } from './explain-shipping.ts';
import type { ExplainedPromotion, ExplainedTax, TotalsExplanation } from './explanation.ts';
import type { Promotion, PromotionSource, UnappliedReason } from './promotion.ts';
import { type PricedLine, type PricingRules, percentOf, type Rate } from './rules.ts';
import { choosePromotions, type LineTotals, type TracedTotals, traceTotals } from './totals.ts';

/** A promotion that a cart has: its terms in the cart's currency, or why they do not apply at all. */
export interface ExplainedCandidate extends Omit<PromotionSource, 'terms'> {
  readonly terms: Promotion | null;
  readonly reason: UnappliedReason | null;
}

/** What totals are computed from, with the names that an explanation uses. */
interface ExplainedCart {
  readonly currency: string;
  readonly country: string | null;
  readonly lines: readonly (PricedLine & { readonly id: number })[];
  readonly rules: PricingRules;
  /** The cart's codes and the automatic promotions. */
  readonly candidates: readonly ExplainedCandidate[];
}

/** Explains the totals that {@link traceTotals} computes: the rule of each amount, and the numbers it used. */
export function explainTotals(cart: ExplainedCart): TotalsExplanation {
  const { currency, country, lines, rules } = cart;
  const money = (minor: number) => toNumber(minor, currency);
  const possible = cart.candidates.flatMap(({ terms, reason }) => (terms && reason === null ? [terms] : []));
  const chosen = choosePromotions(lines, rules, possible);
  const traced = traceTotals(lines, rules, chosen);
  const { totals } = traced;
  const shippingTax = {
    amount: totals.shippingTax,
    taxable: totals.shipping,
    rate: totals.shippingTaxRate,
  };
  const whyUnused = unusedReason(traced, chosen);
  return {
    currency,
    country,
    items: itemsOf(cart, traced),
    subtotal: { amount: money(totals.subtotal), rule: 'sum_of_item_totals' },
    discount: discountOf(cart, traced, whyUnused),
    promotions: promotionsOf(cart, traced, whyUnused),
    subtotal_after_discount: {
      amount: money(totals.subtotal - totals.discount),
      rule: 'subtotal_less_discount',
    },
    shipping: explainShipping(traced.shipping, currency),
    tax: {
      amount: money(totals.tax),
      rule: 'sum_of_item_taxes_and_shipping_tax',
      shipping_tax: taxOf(cart, shippingTax),
    },
    grand_total: {
      amount: money(totals.grandTotal),
      rule: totals.taxIncluded ? 'goods_and_shipping' : 'goods_and_shipping_and_tax',
    },
  };
}

/** A tax in minor units. */
interface TaxAmount {
  readonly amount: number;
  readonly taxable: number;
  readonly rate: Rate;
}

const taxOf = ({ currency, rules }: ExplainedCart, tax: TaxAmount): z.infer<typeof ExplainedTax> => ({
  amount: toNumber(tax.amount, currency),
  rule: rules.taxIncluded ? 'included' : 'added',
  taxable: toNumber(tax.taxable, currency),
  rate_percent: percentOf(tax.rate),
});

const NO_TOTALS: LineTotals = { subtotal: 0, discount: 0, tax: 0, taxRate: 0 };

function itemsOf(cart: ExplainedCart, { totals, applied }: TracedTotals): TotalsExplanation['items'] {
  const { lines, currency } = cart;
  const money = (minor: number) => toNumber(minor, currency);
  const [single] = applied.length === 1 ? applied : [];
  const several = applied.length > 1 ? ('sum_of_shares' as const) : 'none';
  const rule = single ? ('share' as const) : several;
  return lines.map(({ id, unitPrice, quantity, taxClass }, n) => {
    const { subtotal, discount, tax, taxRate } = totals.lines[n] ?? NO_TOTALS;
    const taxable = { amount: tax, taxable: subtotal - discount, rate: taxRate };
    return {
      item_id: id,
      total: {
        amount: money(subtotal),
        rule: 'unit_price_times_quantity' as const,
        unit_price: money(unitPrice),
        quantity,
      },
      discount: {
        amount: money(discount),
        rule,
        weight: money(single?.weights[n] ?? 0),
        shares: applied.map(({ promotion, amounts, weights }) => ({
          promotion_id: promotion.id,
          amount: money(amounts[n] ?? 0),
          weight: money(weights[n] ?? 0),
        })),
      },
      tax: { ...taxOf(cart, taxable), tax_class: taxClass },
    };
  });
}

/** Describes the discount: of the one promotion that applies, or else why the cart's code does not. */
function discountOf(
  { candidates, currency }: ExplainedCart,
  { totals, applied }: TracedTotals,
  whyUnused: UnusedReason,
): TotalsExplanation['discount'] {
  const money = (minor: number) => toNumber(minor, currency);
  const [single] = applied.length === 1 ? applied : [];
  const given = candidates.find(({ id, code }) => (single ? id === single.promotion.id : code !== null));
  const benefit = single?.promotion.benefit;
  const several = applied.length > 1;
  const none = given ? ('not_applicable' as const) : ('none' as const);
  return {
    amount: money(totals.discount),
    rule: several ? 'sum_of_promotions' : (benefit?.kind ?? none),
    code: several ? null : (given?.code ?? null),
    percent: benefit && 'rate' in benefit ? percentOf(benefit.rate) : null,
    fixed: benefit?.kind === 'fixed' ? money(benefit.amount) : null,
    eligible_subtotal: single ? money(sum(single.weights)) : null,
    minimum_subtotal: given?.terms && !several ? money(given.terms.minimumSubtotal) : null,
    reason: several || single || !given ? null : (given.reason ?? whyUnused(given)),
  };
}

/** Returns why a promotion that could apply does not. */
type UnusedReason = (promotion: Pick<ExplainedCandidate, 'id'>) => UnappliedReason;

/** Returns why promotions do not apply: others are better or come before them, or they lower nothing. */
const unusedReason =
  ({ applied }: TracedTotals, chosen: readonly Promotion[]): UnusedReason =>
  ({ id }) => {
    if (chosen.some((one) => one.id === id)) return 'nothing_to_reduce';
    return applied.length > 0 ? 'not_combined' : 'raises_total';
  };

function promotionsOf(
  { candidates, currency }: ExplainedCart,
  { applied }: TracedTotals,
  whyUnused: UnusedReason,
) {
  const ofCandidate = new Map(candidates.map((one) => [one.id, one]));
  const used = applied.flatMap((one) => ofCandidate.get(one.promotion.id) ?? []);
  const unused = candidates.filter(({ id }) => !applied.some(({ promotion }) => promotion.id === id));
  return [...used, ...unused].map((one) => {
    const share = applied.find(({ promotion }) => promotion.id === one.id) ?? null;
    return explainedPromotion({ ...one, reason: one.reason ?? whyUnused(one) }, share, currency);
  });
}

function explainedPromotion(
  { terms, reason, id, name, code, priority, combinable }: ExplainedCandidate,
  share: AppliedPromotion | null,
  currency: string,
): z.infer<typeof ExplainedPromotion> {
  const money = (minor: number) => toNumber(minor, currency);
  const benefit = terms?.benefit;
  const sets = benefit?.kind === 'buy_x_get_y' ? benefit : null;
  return {
    id,
    name,
    code,
    priority,
    combinable,
    amount: money(share ? sum(share.amounts) : 0),
    rule: share && benefit ? benefit.kind : 'not_applicable',
    percent: benefit && 'rate' in benefit ? percentOf(benefit.rate) : null,
    fixed: benefit?.kind === 'fixed' ? money(benefit.amount) : null,
    buy: sets?.buy ?? null,
    get: sets?.get ?? null,
    eligible: share ? money(sum(share.weights)) : null,
    minimum_subtotal: terms?.minimumSubtotal ? money(terms.minimumSubtotal) : null,
    minimum_quantity: terms?.minimumQuantity || null,
    reason: share ? null : reason,
  };
}
