import { z } from '@hono/zod-openapi';
import { UNAPPLIED_REASONS } from './promotion.ts';

/** A line item of a cart, checkout session or order. Amounts are decimal numbers. */
export const LineItem = z.object({
  id: z.int(),
  product_id: z.int(),
  variant_id: z.int().nullable(),
  sku: z.string(),
  name: z.string(),
  options: z.record(z.string(), z.unknown()),
  quantity: z.int(),
  unit_price: z.number(),
  total: z.number().openapi({ description: 'Unit price times quantity, before discount.' }),
  discounts: z
    .array(z.object({ promotion_id: z.int(), amount: z.number() }))
    .openapi({ description: "The item's part of each promotion that reduces it." }),
});

/** The tax of a line item of a cart or order. */
export const LineTax = z.number().openapi({
  description:
    "The tax of the line after its discount, in it if `totals.tax_included`, else on top. What `totals.tax` has beyond the items' is that of shipping.",
});

/** The choices of a line item, to show to people. */
export const Selected = z
  .array(
    z.object({
      name: z.string(),
      value: z.string(),
      timezone: z.string().optional().openapi({
        description:
          "Of a booking's times: the IANA time zone of its place, in which the time is to be shown.",
        example: 'Europe/Berlin',
      }),
    }),
  )
  .openapi({
    description:
      'The choices to show to the shopper: variant attributes, bundle items by group, the times of a booking (`From` and `To`, ISO 8601 in UTC, with their `timezone`), the titles of downloads.',
  });
/** One choice of the shopper: an attribute, a bundle item, a time, a file. */
export type Selection = Readonly<z.infer<typeof Selected>[number]>;

/** The totals of a cart, checkout session or order. Amounts are decimal numbers. */
export const Totals = z
  .object({
    subtotal: z.number().openapi({ description: 'The sum of the line totals, before discount.' }),
    subtotal_after_discount: z.number().openapi({ description: '`subtotal` less `discount`.' }),
    tax: z.number().openapi({
      description: 'The tax of all items and of shipping. It is part of the prices if `tax_included`.',
    }),
    shipping: z.number(),
    discount: z.number(),
    grand_total: z.number(),
    tax_included: z.boolean().openapi({ description: 'Whether prices include tax.' }),
  })
  .openapi('Totals');
export type Totals = z.output<typeof Totals>;

/** The tax of an order at one rate. Amounts are decimal numbers. */
export const TaxLine = z
  .object({
    rate_percent: z.number(),
    net: z
      .number()
      .openapi({ description: 'What is taxed: the items after discount and shipping, without tax.' }),
    tax: z.number(),
  })
  .openapi('TaxLine');

/** A code that a shopper entered. */
export const ShownCode = z
  .object({
    code: z.string(),
    applies: z.boolean(),
    reason: z.enum(UNAPPLIED_REASONS).optional().openapi({
      description:
        'Why it does not apply, to tell the shopper: as in `coupon_not_applicable`, or `not_combined`, `nothing_to_reduce` or `raises_total` of `GET /v1/cart/{cart_token}/explain`. Absent while it applies.',
    }),
    minimum_subtotal: z.number().optional().openapi({
      description:
        'With `below_minimum_subtotal`: the value of the goods from which it applies, in the currency of the cart.',
    }),
    minimum_quantity: z.int().optional().openapi({
      description: 'With `below_minimum_quantity`: how many of the goods that it is for must be in the cart.',
    }),
  })
  .openapi('CartCoupon', {
    description: 'A code that was entered; `applies` is false while it has no effect on the total.',
    example: {
      code: 'WELCOME10',
      applies: false,
      reason: 'below_minimum_subtotal',
      minimum_subtotal: 30,
    },
  });

/** A promotion that applies to a cart, checkout session or order. */
export const ShownPromotion = z
  .object({
    id: z.int(),
    name: z.string(),
    code: z.string().nullable().openapi({ description: 'Null for an automatic promotion.' }),
    amount: z.number().openapi({
      description:
        'What it deducts from the goods: 0 for free shipping. The amounts sum to `totals.discount`.',
    }),
  })
  .openapi('AppliedPromotion');
export type ShownPromotion = z.output<typeof ShownPromotion>;

/** The shipping method of a cart or checkout session, with what it costs there. */
export const ChosenShipping = z
  .object({
    id: z.string(),
    name: z.string(),
    price: z
      .number()
      .openapi({ description: "Before tax where prices don't include it: `totals.shipping`." }),
  })
  .openapi('ChosenShipping');
export type ChosenShipping = z.output<typeof ChosenShipping>;

/** A shipping method to choose from, with what it costs for the goods. */
export const ShippingMethodOption = z
  .object({
    id: z.string().openapi({ example: 'express' }),
    name: z.string(),
    description: z.string().nullable(),
    price: z.number(),
    min_days: z.int().nullable().openapi({ description: 'The delivery time in days.' }),
    max_days: z.int().nullable(),
    selected: z.boolean().openapi({
      description: 'Whether it applies: it was chosen, or it is the cheapest and no fitting one was chosen.',
    }),
  })
  .openapi('ShippingMethod');
export type ShippingMethodOption = z.output<typeof ShippingMethodOption>;
