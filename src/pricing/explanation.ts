import { z } from '@hono/zod-openapi';
import { ExplainedShipping } from './explain-shipping.ts';
import { UNAPPLIED_REASONS } from './promotion.ts';

const amount = z.number();
const optional = z.number().nullable();

/** A tax: `added` is `taxable` × rate, `included` is the part of `taxable` that is rate of the net. */
export const ExplainedTax = z.object({
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
    rule: z.enum(['none', 'share', 'sum_of_shares']).openapi({
      description:
        "`share`: the cart's discount × `weight` ÷ `discount.eligible_subtotal`, by the largest-remainder method; of equal remainders that of the lowest product id is rounded up. `sum_of_shares`: of several promotions.",
    }),
    weight: amount.openapi({
      description: "The item's total if it is eligible, else 0. 0 where several promotions apply.",
    }),
    shares: z
      .array(z.object({ promotion_id: z.int(), amount, weight: amount }))
      .openapi({ description: "The item's part of each promotion: `amount` × `weight` ÷ `eligible`." }),
  }),
  tax: ExplainedTax.extend({ tax_class: z.string().nullable() }),
});

const unappliedReason = z.enum(UNAPPLIED_REASONS).nullable();

/** A promotion that could apply: what it deducts and from what, or why it deducts nothing. */
export const ExplainedPromotion = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string().nullable(),
  amount,
  rule: z.enum(['percent', 'fixed', 'free_shipping', 'buy_x_get_y', 'not_applicable']).openapi({
    description:
      '`percent`: `percent` of `eligible`; `fixed`: `fixed`, at most `eligible`; `buy_x_get_y`: `percent` of `eligible`, the cheapest `get` of each `buy` + `get` units from the dearest down; `not_applicable`: see `reason`.',
  }),
  priority: z.int(),
  combinable: z.boolean(),
  percent: optional,
  fixed: optional,
  buy: z.int().nullable(),
  get: z.int().nullable(),
  eligible: optional.openapi({
    description: 'The amount of the eligible goods that earlier promotions have not yet deducted.',
  }),
  minimum_subtotal: optional,
  minimum_quantity: z.int().nullable(),
  reason: unappliedReason.openapi({
    description:
      'Such as `below_minimum_subtotal`, `not_started`, `not_combined`: others that it does not combine with are better for the shopper or apply before it, `nothing_to_reduce`: it takes nothing off, as of free goods, or `raises_total`: it would cost the shopper more than it takes off, such as free shipping.',
  }),
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
      rule: z
        .enum([
          'none',
          'percent',
          'fixed',
          'free_shipping',
          'buy_x_get_y',
          'sum_of_promotions',
          'not_applicable',
        ])
        .openapi({
          description:
            '`percent`: `percent` of `eligible_subtotal`; `fixed`: `fixed`, at most `eligible_subtotal`; `sum_of_promotions`, `buy_x_get_y`: see `promotions`; `not_applicable`: see `reason`.',
        }),
      code: z.string().nullable(),
      percent: optional,
      fixed: optional,
      eligible_subtotal: optional,
      minimum_subtotal: optional,
      reason: unappliedReason,
    }),
    promotions: z.array(ExplainedPromotion).openapi({
      description:
        'Promotions that apply come first, in their order, then those that do not. All promotions that combine apply together, or the one that does not combine if the grand total is lower with it; beside none that combine, unless it is higher.',
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
