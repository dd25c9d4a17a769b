import type { z } from '@hono/zod-openapi';
import { toNumber } from '../kernel/values/money.ts';
import { percentOf, type Rate } from './rules.ts';
import type { TaxLine } from './schemas.ts';
import type { LineTotals } from './totals.ts';

/** A sale as it was charged, in minor units of its currency. A null rate is not known. */
interface TaxedSale {
  readonly currency: string;
  readonly taxIncluded: boolean;
  readonly shipping: number;
  /** The lines' tax and that of shipping. */
  readonly tax: number;
  readonly shippingTaxRate: Rate | null;
}
type TaxedLine = Pick<LineTotals, 'subtotal' | 'discount' | 'tax'> & { readonly taxRate: Rate | null };

/** Returns the taxed parts of a sale: its lines, and shipping unless it is free. */
function taxedParts(sale: TaxedSale, lines: readonly TaxedLine[]) {
  const parts = lines.map(({ taxRate: rate, subtotal, discount, tax }) => ({
    rate,
    price: subtotal - discount,
    tax,
  }));
  if (sale.shipping === 0) return parts;
  const shippingTax = sale.tax - parts.reduce((sum, { tax }) => sum + tax, 0);
  return [...parts, { rate: sale.shippingTaxRate, price: sale.shipping, tax: shippingTax }];
}

/**
 * Returns the tax of a sale by rate, the highest first. Net amounts and taxes add up to its grand total. Empty if a
 * rate is not known.
 */
export function taxLines(sale: TaxedSale, lines: readonly TaxedLine[]): z.infer<typeof TaxLine>[] {
  const byRate = new Map<Rate, { readonly net: number; readonly tax: number }>();
  for (const { rate, price, tax } of taxedParts(sale, lines)) {
    if (rate === null) return [];
    const sum = byRate.get(rate) ?? { net: 0, tax: 0 };
    byRate.set(rate, { net: sum.net + price - (sale.taxIncluded ? tax : 0), tax: sum.tax + tax });
  }
  const amount = (minor: number) => toNumber(minor, sale.currency);
  return [...byRate]
    .sort(([a], [b]) => b - a)
    .map(([rate, { net, tax }]) => ({ rate_percent: percentOf(rate), net: amount(net), tax: amount(tax) }));
}
