import { z } from '@hono/zod-openapi';
import { toNumber } from '../kernel/core/money.ts';
import { type Coupon, type CouponRefusal, eligibleSubtotals } from './coupon.ts';
import { ExplainedShipping, explainShipping } from './explain-shipping.ts';
import { type PricedLine, type PricingRules, percentOf, type Rate } from './rules.ts';
import { type LineTotals, type TracedTotals, traceTotals } from './totals.ts';

const amount = z.number();
const optional = z.number().nullable();

/** A tax: `added` is `taxable` × rate, `included` is the part of `taxable` that is rate of the net. */
const ExplainedTax = z.object({
  amount,
  rule: z.enum(['added', 'included']),
  taxable: amount,
  rate_percent: z.number(),
});

const ExplainedItem = z.object({
  item_id: z.int(),
  total: z.object({
    amount,
    rule: z.literal('unit_price_times_quantity'),
    unit_price: amount,
    quantity: z.int(),
  }),
  discount: z.object({
    amount,
    rule: z.enum(['none', 'share']).openapi({
      description:
        "`share`: the cart's discount × `weight` ÷ `discount.eligible_subtotal`, by the largest-remainder method; of equal remainders the earlier item's is rounded up.",
    }),
    weight: amount.openapi({ description: "The item's total if it is eligible, else 0." }),
  }),
  tax: ExplainedTax.extend({ tax_class: z.string().nullable() }),
});

/** How each amount of a cart's totals comes about. Taxes and percentages are rounded half up. */
export const TotalsExplanation = z
  .object({
    currency: z.string(),
    country: z.string().nullable().openapi({ description: 'Determines tax and shipping.' }),
    items: z.array(ExplainedItem),
    subtotal: z.object({ amount, rule: z.literal('sum_of_item_totals') }),
    discount: z.object({
      amount,
      rule: z.enum(['none', 'percent', 'fixed', 'free_shipping', 'not_applicable']).openapi({
        description:
          '`percent`: `percent` of `eligible_subtotal`; `fixed`: `fixed`, at most `eligible_subtotal`; `not_applicable`: see `reason`.',
      }),
      code: z.string().nullable(),
      percent: optional,
      fixed: optional,
      eligible_subtotal: optional,
      minimum_subtotal: optional,
      reason: z.string().nullable(),
    }),
    subtotal_after_discount: z.object({ amount, rule: z.literal('subtotal_less_discount') }),
    shipping: ExplainedShipping,
    tax: z.object({
      amount,
      rule: z.literal('sum_of_item_taxes_and_shipping_tax'),
      shipping_tax: ExplainedTax,
    }),
    grand_total: z.object({
      amount,
      rule: z.enum(['goods_and_shipping_and_tax', 'goods_and_shipping']).openapi({
        description: '`goods_and_shipping` where prices include tax; goods are `subtotal_after_discount`.',
      }),
    }),
  })
  .openapi('TotalsExplanation');
export type TotalsExplanation = z.infer<typeof TotalsExplanation>;

/** What totals are computed from, with the names that an explanation uses. */
export interface ExplainedCart {
  readonly currency: string;
  readonly country: string | null;
  readonly lines: readonly (PricedLine & { readonly id: number })[];
  readonly rules: PricingRules;
  /** The cart's coupon: its terms in the cart's currency, or why it does not apply. */
  readonly coupon: {
    readonly code: string;
    readonly terms: Coupon | null;
    readonly reason: CouponRefusal | string | null;
  } | null;
}

/** Explains the totals that {@link traceTotals} computes: the rule of each amount, and the numbers it used. */
export function explainTotals(cart: ExplainedCart): TotalsExplanation {
  const { currency, country, lines, rules } = cart;
  const money = (minor: number) => toNumber(minor, currency);
  const traced = traceTotals(lines, rules, cart.coupon?.terms ?? null);
  const { totals, shippingRate } = traced;
  return {
    currency,
    country,
    items: itemsOf(cart, traced),
    subtotal: { amount: money(totals.subtotal), rule: 'sum_of_item_totals' },
    discount: discountOf(cart, traced),
    subtotal_after_discount: {
      amount: money(totals.subtotal - totals.discount),
      rule: 'subtotal_less_discount',
    },
    shipping: explainShipping(traced.shipping, currency),
    tax: {
      amount: money(totals.tax),
      rule: 'sum_of_item_taxes_and_shipping_tax',
      shipping_tax: taxOf(cart, { amount: totals.shippingTax, taxable: totals.shipping, rate: shippingRate }),
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

const NO_TOTALS: LineTotals = { subtotal: 0, discount: 0, tax: 0, gross: 0 };

function itemsOf(
  cart: ExplainedCart,
  { totals, lineRates, coupon }: TracedTotals,
): TotalsExplanation['items'] {
  const { lines, currency } = cart;
  const money = (minor: number) => toNumber(minor, currency);
  const weights = coupon ? eligibleSubtotals(lines, coupon) : [];
  return lines.map(({ id, unitPrice, quantity, taxClass }, n) => {
    const { subtotal, discount, tax } = totals.lines[n] ?? NO_TOTALS;
    const taxable = { amount: tax, taxable: subtotal - discount, rate: lineRates[n] ?? 0 };
    return {
      item_id: id,
      total: {
        ...{ amount: money(subtotal), rule: 'unit_price_times_quantity' as const },
        ...{ unit_price: money(unitPrice), quantity },
      },
      discount: {
        ...{ amount: money(discount), rule: coupon ? ('share' as const) : ('none' as const) },
        weight: money(weights[n] ?? 0),
      },
      tax: { ...taxOf(cart, taxable), tax_class: taxClass },
    };
  });
}

function discountOf(
  { coupon: given, currency, lines }: ExplainedCart,
  { totals, coupon }: TracedTotals,
): TotalsExplanation['discount'] {
  const money = (minor: number) => toNumber(minor, currency);
  const benefit = coupon?.benefit;
  const eligible = coupon && eligibleSubtotals(lines, coupon).reduce((sum, weight) => sum + weight, 0);
  return {
    amount: money(totals.discount),
    rule: benefit?.kind ?? (given ? 'not_applicable' : 'none'),
    code: given?.code ?? null,
    percent: benefit?.kind === 'percent' ? percentOf(benefit.rate) : null,
    fixed: benefit?.kind === 'fixed' ? money(benefit.amount) : null,
    eligible_subtotal: eligible === null ? null : money(eligible),
    minimum_subtotal: given?.terms ? money(given.terms.minimumSubtotal) : null,
    reason: given?.reason ?? null,
  };
}
