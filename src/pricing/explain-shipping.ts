import { z } from '@hono/zod-openapi';
import { toNumber } from '../kernel/values/money.ts';
import type { PricedShipping } from './shipping.ts';

const amount = z.number();
const optional = z.number().nullable();

/** How the shipping of a cart comes about. */
export const ExplainedShipping = z.object({
  amount,
  rule: z
    .enum([
      'nothing_shipped',
      'no_method',
      'free_shipping_coupon',
      'free_shipping_promotion',
      'free_over',
      'flat_rate',
      'subtotal_tier',
      'weight_tier',
    ])
    .openapi({
      description:
        '`no_method`: no method delivers to the country; `flat_rate`: `flat_rate` is charged; `subtotal_tier`, `weight_tier`: the price of `tier`.',
    }),
  method: z.object({ id: z.string(), name: z.string() }).nullable().openapi({
    description: 'The chosen method, or else the cheapest. Null if nothing is shipped, or if none fits.',
  }),
  flat_rate: amount.openapi({ description: "The method's price before `free_over` and coupons." }),
  free_over: optional.openapi({
    description: 'Shipping is free from this `subtotal_after_discount` on.',
  }),
  tier: z
    .object({ from_subtotal: optional, from_weight: z.int().nullable(), price: amount })
    .nullable()
    .openapi({
      description:
        'The last tier of the method that `subtotal_after_discount` or `weight` reaches; null for a method with one price.',
    }),
  weight: z.int().openapi({ description: 'Grams of the items that are shipped.' }),
});
export type ExplainedShipping = z.infer<typeof ExplainedShipping>;

/** Explains the shipping of a cart in its currency. */
export function explainShipping(shipping: PricedShipping, currency: string): ExplainedShipping {
  const { rule, selected, weight } = shipping;
  const money = (minor: number) => toNumber(minor, currency);
  const { basis, freeOver = null, id, name } = selected?.method ?? {};
  const price = money(selected?.tier.price ?? 0);
  const from = selected?.tier.from ?? 0;
  const isTiered = basis === 'subtotal' || basis === 'weight';
  return {
    amount: money(shipping.amount),
    rule,
    method: id === undefined || name === undefined || rule === 'nothing_shipped' ? null : { id, name },
    flat_rate: price,
    free_over: freeOver === null ? null : money(freeOver),
    tier: isTiered
      ? {
          from_subtotal: basis === 'subtotal' ? money(from) : null,
          from_weight: basis === 'weight' ? from : null,
          price,
        }
      : null,
    weight,
  };
}
