import { z } from '@hono/zod-openapi';
import { toNumber } from '../kernel/core/money.ts';
import type { CartTotals } from './totals.ts';

/** One line as carts, checkout sessions and orders show it. Amounts are decimal numbers. */
export const LineItem = z.object({
  id: z.int(),
  product_id: z.int(),
  variant_id: z.int().nullable(),
  sku: z.string(),
  name: z.string(),
  options: z.record(z.string(), z.unknown()),
  quantity: z.int(),
  unit_price: z.number(),
  total: z.number().openapi({ description: 'Unit price times quantity, before any discount.' }),
});

/** What a cart, checkout session or order comes to. Amounts are decimal numbers. */
export const Totals = z
  .object({
    subtotal: z.number().openapi({ description: 'The sum of the lines.' }),
    tax: z.number(),
    shipping: z.number(),
    discount: z.number(),
    grand_total: z.number(),
    tax_included: z.boolean().openapi({ description: 'Whether the tax is inside the prices.' }),
  })
  .openapi('Totals');
export type Totals = z.output<typeof Totals>;

/** Totals in minor units as the wire shows them. */
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
