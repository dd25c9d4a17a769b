import { z } from '@hono/zod-openapi';
import { toNumber } from '../kernel/core/money.ts';
import type { CartTotals } from './totals.ts';

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
});

/** The totals of a cart, checkout session or order. Amounts are decimal numbers. */
export const Totals = z
  .object({
    subtotal: z.number().openapi({ description: 'The sum of the line totals, before discount.' }),
    tax: z.number(),
    shipping: z.number(),
    discount: z.number(),
    grand_total: z.number(),
    tax_included: z.boolean().openapi({ description: 'Whether prices include tax.' }),
  })
  .openapi('Totals');
export type Totals = z.output<typeof Totals>;

/** Converts totals from minor units to the API's decimal numbers. */
export function presentTotals(totals: Omit<CartTotals, 'lines' | 'shippingTax'>, currency: string): Totals {
  const amount = (minor: number) => toNumber(minor, currency);
  return {
    subtotal: amount(totals.subtotal),
    tax: amount(totals.tax),
    shipping: amount(totals.shipping),
    discount: amount(totals.discount),
    grand_total: amount(totals.grandTotal),
    tax_included: totals.taxIncluded,
  };
}
