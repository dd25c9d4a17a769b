import { expect } from 'vitest';
import { toMinor } from '../../../src/kernel/values/money.ts';

/** An amount of an explanation, with its rule and the numbers that it names. */
type Explained = { readonly amount: number; readonly rule: string } & Record<string, unknown>;

/** Rounds a fraction of whole numbers half up. */
const halfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

/** Percentages have at most six decimals. */
const SCALE = 1_000_000n;
const scaled = (percent: unknown): bigint => BigInt(Math.round(Number(percent) * 1_000_000));

/** Computes every amount of a cart's totals again from what the explanation says, and compares them. */
export function recompute(explained: Record<string, never>, totals: Record<string, number>): void {
  const {
    currency,
    items,
    discount,
    shipping,
    tax,
    grand_total: grand,
  } = explained as never as {
    readonly currency: string;
    readonly items: readonly Record<'total' | 'discount' | 'tax', Explained>[];
  } & Record<'discount' | 'shipping' | 'grand_total', Explained> & {
      readonly tax: Explained & { readonly shipping_tax: Explained };
    };
  const minor = (value: unknown): bigint => BigInt(toMinor(Number(value), currency) ?? Number.NaN);
  const sum = (parts: readonly bigint[]) => parts.reduce((all, part) => all + part, 0n);

  const lineTotals = items.map(({ total }) => minor(total.unit_price) * BigInt(Number(total.quantity)));
  const subtotal = sum(lineTotals);
  const eligible = discount.eligible_subtotal === null ? 0n : minor(discount.eligible_subtotal);
  const weights = items.map((item) => minor(item.discount.weight));
  weights.forEach((weight, n) => {
    expect([0n, lineTotals[n]]).toContain(weight);
  });
  expect(sum(weights)).toBe(eligible);
  const fixed = discount.fixed === null ? 0n : minor(discount.fixed);
  const byRule: Readonly<Record<string, bigint>> = {
    percent: halfUp(eligible * scaled(discount.percent), 100n * SCALE),
    fixed: fixed < eligible ? fixed : eligible,
  };
  const off = byRule[discount.rule] ?? 0n;
  const shares = weights.map((weight) => (eligible === 0n ? 0n : (off * weight) / eligible));
  const rest = weights.map((weight, n) => ({ n, rest: eligible === 0n ? 0n : (off * weight) % eligible }));
  const left = Number(off - sum(shares));
  for (const { n } of rest.toSorted((a, b) => Number(b.rest - a.rest) || a.n - b.n).slice(0, left)) {
    shares[n] = (shares[n] ?? 0n) + 1n;
  }
  const taxOn = (taxable: bigint, { rule, rate_percent }: Explained): bigint => {
    const rate = scaled(rate_percent);
    return rule === 'included'
      ? halfUp(taxable * rate, 100n * SCALE + rate)
      : halfUp(taxable * rate, 100n * SCALE);
  };
  const goods = subtotal - off;
  const freeOver = shipping.free_over === null ? null : minor(shipping.free_over);
  if (shipping.rule === 'free_over') expect(freeOver !== null && goods >= freeOver).toBe(true);
  const tier = shipping.tier as Record<'from_subtotal' | 'from_weight' | 'price', number | null> | null;
  const isCharged = ['flat_rate', 'subtotal_tier', 'weight_tier'].includes(shipping.rule);
  if (isCharged) expect(freeOver === null || goods < freeOver).toBe(true);
  if (shipping.rule === 'flat_rate') expect(tier).toBeNull();
  if (shipping.rule === 'subtotal_tier') expect(goods >= minor(tier?.from_subtotal)).toBe(true);
  if (shipping.rule === 'weight_tier') expect(shipping.weight).toBeGreaterThanOrEqual(tier?.from_weight ?? 0);
  expect(shipping.method === null).toBe(['nothing_shipped', 'no_method'].includes(shipping.rule));
  if (tier) expect(tier.price).toBe(shipping.flat_rate);
  const shippingCost = isCharged ? minor(shipping.flat_rate) : 0n;
  const taxes = items.map((item, n) => taxOn((lineTotals[n] ?? 0n) - (shares[n] ?? 0n), item.tax));
  const shippingTax = taxOn(shippingCost, tax.shipping_tax);
  const allTax = sum(taxes) + shippingTax;
  const included = grand.rule === 'goods_and_shipping';

  items.forEach((item, n) => {
    expect(minor(item.total.amount)).toBe(lineTotals[n]);
    expect(minor(item.discount.amount)).toBe(shares[n]);
    expect(minor(item.tax.taxable)).toBe((lineTotals[n] ?? 0n) - (shares[n] ?? 0n));
    expect(minor(item.tax.amount)).toBe(taxes[n]);
  });
  expect(minor(tax.shipping_tax.amount)).toBe(shippingTax);
  expect({
    subtotal: minor(totals.subtotal),
    discount: minor(totals.discount),
    subtotal_after_discount: minor(totals.subtotal_after_discount),
    shipping: minor(totals.shipping),
    tax: minor(totals.tax),
    grand_total: minor(totals.grand_total),
  }).toEqual({
    subtotal,
    discount: off,
    subtotal_after_discount: goods,
    shipping: shippingCost,
    tax: allTax,
    grand_total: goods + shippingCost + (included ? 0n : allTax),
  });
  for (const [name, part] of Object.entries({ ...explained })) {
    if (name in totals) expect((part as Explained).amount, name).toBe(totals[name]);
  }
}
