import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMinor } from '../../src/kernel/values/money.ts';
import { percentOf, rulesFor, taxLines, traceTotals } from '../../src/pricing/index.ts';
import { cart } from './cart-arbitrary.ts';
import { couponFor } from './priced-cart.ts';

it('has the tax of any sale by rate, to the minor unit', () => {
  fc.assert(
    fc.property(cart, ({ code, country, lines, settings, terms }) => {
      const coupons = terms ? [couponFor(terms, code)] : [];
      const { totals } = traceTotals(
        lines,
        rulesFor(settings, code, country),
        coupons.flatMap((one) => one ?? []),
      );
      const byRate = taxLines({ ...totals, currency: code }, totals.lines);
      const sum = (part: 'net' | 'tax') =>
        byRate.reduce((all, line) => all + (toMinor(line[part], code) ?? Number.NaN), 0);
      expect(sum('tax')).toBe(totals.tax);
      expect(sum('net') + sum('tax')).toBe(totals.grandTotal);
      // Free shipping is taxed at no rate.
      const charged = totals.shipping > 0 ? [totals.shippingTaxRate] : [];
      const rates = new Set([...totals.lines.map(({ taxRate }) => taxRate), ...charged].map(percentOf));
      expect(byRate.map(({ rate_percent }) => rate_percent)).toEqual([...rates].sort((a, b) => b - a));
    }),
    { numRuns: 1_000 },
  );
});
