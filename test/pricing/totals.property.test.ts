import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMinor, toNumber } from '../../src/kernel/values/money.ts';
import type { PricedLine } from '../../src/pricing/index.ts';
import { type CartTotals, rulesFor } from '../../src/pricing/index.ts';
import { rateOf } from '../../src/pricing/rules.ts';
import { computeTotals } from '../../src/pricing/totals.ts';
import { type Cart, COUNTRIES, cart } from './cart-arbitrary.ts';
import { couponFor } from './priced-cart.ts';

// Any cart of any shop: what must hold whatever the figures are. fast-check prints the seed of a failure.

const RUNS = { numRuns: 1_000 };

const totalsOf = ({ code, country, lines, settings, terms }: Cart): CartTotals =>
  computeTotals(
    lines,
    rulesFor(settings, code, country),
    [terms && couponFor(terms, code)].flatMap((one) => one ?? []),
  );

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The tax on `net`, or the tax in it if it is included, in exact fractions from the decimal digits of the rate. */
function portionByHand(net: number, rate: number, included: boolean): number {
  const millionths = BigInt(rate.toFixed(6).replace('.', ''));
  const over = included ? 100_000_000n + millionths : 100_000_000n;
  const [product, rest] = [BigInt(net) * millionths, (BigInt(net) * millionths) % over];
  return Number((product - rest) / over) + (2n * rest >= over ? 1 : 0);
}

function rateByHand({ settings: { tax }, country }: Cart, taxClass: string | null): number {
  const rates = (taxClass === 'books' && tax.rates_by_class?.books) || tax;
  return rates.rates_by_country?.[country ?? ''] ?? rates.rate_percent;
}

describe('any cart', () => {
  it('has parts that sum to the whole', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const totals = totalsOf(given);
        const all = (part: 'subtotal' | 'discount' | 'tax') => sum(totals.lines.map((one) => one[part]));
        expect(totals.lines).toHaveLength(given.lines.length);
        expect(totals.subtotal).toBe(sum(given.lines.map(({ unitPrice, quantity }) => unitPrice * quantity)));
        expect(all('subtotal')).toBe(totals.subtotal);
        expect(all('discount')).toBe(totals.discount);
        expect(all('tax') + totals.shippingTax).toBe(totals.tax);
        const { subtotal, discount, shipping, tax, taxIncluded, grandTotal } = totals;
        expect(grandTotal).toBe(subtotal - discount + shipping + (taxIncluded ? 0 : tax));
      }),
      RUNS,
    );
  });

  it('has non-negative whole minor units, no discount above its base, and no tax above its base', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { lines, taxIncluded: _, ...figures } = totalsOf(given);
        const every = [...Object.values(figures), ...lines.flatMap((one) => Object.values(one))];
        expect(every.every((figure) => Number.isSafeInteger(figure) && figure >= 0)).toBe(true);
        expect(figures.discount).toBeLessThanOrEqual(figures.subtotal);
        for (const { subtotal, discount, tax } of lines) {
          expect(discount).toBeLessThanOrEqual(subtotal);
          expect(tax).toBeLessThanOrEqual(subtotal - discount);
        }
      }),
      RUNS,
    );
  });

  it('has the tax of exact fractions, per line and on the shipping', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const totals = totalsOf(given);
        const { tax } = given.settings;
        const included = tax.mode === 'inclusive';
        const byHand = totals.lines.map(({ subtotal, discount }, index) =>
          portionByHand(
            subtotal - discount,
            rateByHand(given, given.lines[index]?.taxClass ?? null),
            included,
          ),
        );
        expect(totals.lines.map((one) => one.tax)).toEqual(byHand);
        const onShipping = portionByHand(totals.shipping, rateByHand(given, null), included);
        expect(totals.shippingTax).toBe(tax.shipping_taxed ? onShipping : 0);
      }),
      RUNS,
    );
  });

  it('survives the conversion to JSON numbers unchanged', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { lines, taxIncluded: _, ...figures } = totalsOf(given);
        for (const figure of [...Object.values(figures), ...lines.flatMap((one) => Object.values(one))]) {
          const read = JSON.parse(JSON.stringify(toNumber(figure, given.code)));
          expect(toMinor(read, given.code)).toBe(figure);
        }
      }),
      RUNS,
    );
  });

  it('costs the same in every country if prices include tax and shipping is equal', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const tax = { ...given.settings.tax, mode: 'inclusive' as const };
        const settings = { tax, shipping: { ...given.settings.shipping, by_country: {} } };
        const totals = [null, ...COUNTRIES].map(
          (where) => totalsOf({ ...given, settings, country: where }).grandTotal,
        );
        expect(new Set(totals).size).toBe(1);
      }),
      RUNS,
    );
  });

  it('costs without an address what it costs in a country without special rates', () => {
    fc.assert(
      fc.property(cart, (given) => {
        expect(totalsOf({ ...given, country: null })).toEqual(totalsOf({ ...given, country: 'ZZ' }));
      }),
    );
  });

  it('does not depend on the order of its lines', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { lines: _, ...straight } = totalsOf(given);
        expect(totalsOf({ ...given, lines: given.lines.toReversed() })).toMatchObject(straight);
      }),
    );
  });
});

describe('any coupon', () => {
  it('deducts its value from the eligible lines, and nothing if it does not apply', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const { lines, terms, code } = given;
        fc.pre(terms !== null);
        const { product_ids = [], category_ids = [], kind, value } = terms;
        const isFor = (one: PricedLine | undefined) =>
          (product_ids?.length === 0 && category_ids?.length === 0) ||
          product_ids?.includes(one?.productId ?? 0) ||
          one?.categoryIds.some((id) => category_ids?.includes(id));
        const totals = totalsOf(given);
        const minimum = toMinor(Number(terms.minimum_subtotal ?? 0), code) ?? 0;
        if (!lines.some(isFor) || totals.subtotal < minimum) {
          expect(totals).toEqual(totalsOf({ ...given, terms: null }));
          return;
        }
        const eligible = totals.lines.filter((_, index) => isFor(lines[index]));
        const base = sum(eligible.map(({ subtotal }) => subtotal));
        const worth = {
          percent: portionByHand(base, Number(value), false),
          fixed: Math.min(toMinor(Number(value), code) ?? 0, base),
          free_shipping: 0,
        };
        expect(totals.discount).toBe(worth[kind]);
        expect(sum(eligible.map(({ discount }) => discount))).toBe(totals.discount);
        if (kind === 'free_shipping') expect(totals.shipping).toBe(0);
      }),
      RUNS,
    );
  });

  it('never raises the total, unless by losing free shipping', () => {
    fc.assert(
      fc.property(cart, (given) => {
        const shipping = { ...given.settings.shipping, free_over: null, by_country: {} };
        const settings = { ...given.settings, shipping };
        const full = totalsOf({ ...given, settings, terms: null }).grandTotal;
        expect(totalsOf({ ...given, settings }).grandTotal).toBeLessThanOrEqual(full);
      }),
      RUNS,
    );
  });
});

describe('a rate', () => {
  it('is exact for every percentage of up to six decimals', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (millionths) => {
        expect(rateOf(Number(`${millionths}e-6`))).toBe(millionths);
      }),
      RUNS,
    );
  });
});
