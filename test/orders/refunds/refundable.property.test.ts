import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toNumber } from '../../../src/kernel/values/money.ts';
import { ended, newRefund, paymentStatusWith } from '../../../src/orders/refunds/change.ts';
import { planRefund } from '../../../src/orders/refunds/plan-refund.ts';
import { refundableOf } from '../../../src/orders/refunds/refundable.ts';
import { taxOfRefunds } from '../../../src/orders/refunds/refunded-tax.ts';
import type { RefundRow } from '../../../src/orders/refunds/tables.ts';
import type { OrderWithPayments } from '../../../src/orders/store.ts';
import { type PricedLine, rulesFor } from '../../../src/pricing/index.ts';
import { computeTotals } from '../../../src/pricing/totals.ts';
import { couponFor } from '../../pricing/priced-cart.ts';

// Any order, refunded in any parts, some of which fail: the parts sum to what was paid, to the minor unit.
// fast-check prints the seed of a failure.

const CURRENCIES = ['JPY', 'EUR', 'KWD'] as const;

const line: fc.Arbitrary<PricedLine> = fc.record({
  productId: fc.integer({ min: 1, max: 5 }),
  categoryIds: fc.constant([]),
  unitPrice: fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(1_000_000_000)),
  quantity: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9_999 })),
  ships: fc.boolean(),
  taxClass: fc.constant(null),
});

const anOrder = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom('inclusive' as const, 'exclusive' as const),
    rate: fc.constantFrom(0, 7, 8.875, 19, 20),
    shippingTaxed: fc.boolean(),
    shipping: fc.nat(5_000),
    coupon: fc.option(
      fc.constantFrom({ kind: 'percent', value: 33.3 }, { kind: 'fixed', value: 7 } as const),
    ),
  })
  .map(({ currency, lines, mode, rate, shippingTaxed, shipping, coupon }): OrderWithPayments => {
    const rules = rulesFor(
      {
        tax: { mode, rate_percent: rate, shipping_taxed: shippingTaxed },
        shipping: { flat: toNumber(shipping, currency), free_over: null },
      },
      currency,
      null,
    );
    const terms = coupon && { ...coupon, minimum_subtotal: null, product_ids: [], category_ids: [] };
    const promotion = terms && couponFor(terms, currency);
    const totals = computeTotals(lines, rules, promotion ? [promotion] : []);
    const row = { ...totals, currency, tenantId: 1, id: 'ord_1', status: 'paid' as const };
    const orderLines = lines.map((one, n) => ({ ...one, ...totals.lines[n], id: n + 1 }));
    const payment = {
      id: 'pay_1',
      tenantId: 1,
      orderId: 'ord_1',
      provider: 'sandbox',
      reference: 'x',
      charge: null,
      state: 'paid' as const,
      amount: totals.grandTotal,
      currency,
      createdAt: 0,
      updatedAt: 0,
    };
    // The fields that refunds are computed from.
    return { row, lines: orderLines, refunds: [], payments: [payment] } as unknown as OrderWithPayments;
  });

/** Picks among what is left: a line and a share of its units, shipping, an amount; and whether the refund fails. */
const anAct = fc.record({
  line: fc.nat(3),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  shipping: fc.boolean(),
  amount: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(50) }),
  fails: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
type Act = typeof anAct extends fc.Arbitrary<infer Value> ? Value : never;

const total = (refunds: readonly RefundRow[]) =>
  refunds.reduce((sum, { status, amount }) => sum + (status === 'failed' ? 0 : amount), 0);

/** Requests a refund; adds it to the order if it is planned. */
function apply(order: OrderWithPayments, body: Parameters<typeof planRefund>[1], fails = false) {
  const plan = planRefund(order, body);
  if (!plan.ok) return { order, code: plan.failure.code };
  const { amount, items, shipping } = plan.value;
  expect(items.reduce((sum, item) => sum + item.amount, shipping)).toBeLessThanOrEqual(amount);
  const made = newRefund({ ...plan.value, source: 'request', requestedBy: { kind: 'system' } });
  const refund = ended(made, fails ? 'failed' : 'succeeded');
  return { order: { ...order, refunds: [...order.refunds, refund] }, code: null };
}

function act(order: OrderWithPayments, { line: n, share, shipping, amount, fails }: Act): OrderWithPayments {
  const { currency } = order.row;
  const lineId = (n % order.lines.length) + 1;
  const left = refundableOf(order).lines.get(lineId)?.quantity ?? 0;
  const quantity = Math.ceil(left * share);
  const body = {
    ...(quantity > 0 && { items: [{ line_id: lineId, quantity, restock: false, shipped: false }] }),
    ...(shipping && { shipping }),
    ...(amount > 0 && { amount: toNumber(amount, currency) }),
  };
  return Object.keys(body).length === 0 ? order : apply(order, body, fails).order;
}

/** Expects that the refunds of all of an order have its tax, and none of them more than its amount. */
function expectTaxOf(order: OrderWithPayments): void {
  const taxes = taxOfRefunds(order);
  const made = order.refunds.filter(({ status }) => status === 'succeeded');
  if (made.length > 0)
    expect(made.reduce((sum, { id }) => sum + (taxes.get(id) ?? 0), 0)).toBe(order.row.tax);
  for (const { id, amount } of made) {
    expect(taxes.get(id)).toBeGreaterThanOrEqual(0);
    expect(taxes.get(id)).toBeLessThanOrEqual(amount);
  }
}

it('refunds a line and shipping in parts that sum to what was paid for them', () => {
  fc.assert(
    fc.property(anOrder, fc.array(anAct, { maxLength: 12 }), (start, acts) => {
      let order = start;
      for (const one of acts) {
        const before = total(order.refunds);
        order = act(order, { ...one, amount: 0 });
        expect(total(order.refunds)).toBeGreaterThanOrEqual(before);
      }
      // What is left, line by line and unit by unit where there are few.
      for (const { id, quantity } of order.lines) {
        const units = () => refundableOf(order).lines.get(id)?.quantity ?? 0;
        const each = quantity <= 7 ? 1 : units();
        while (units() > 0) {
          const body = {
            items: [{ line_id: id, quantity: Math.min(each, units()), restock: false, shipped: false }],
          };
          const next = apply(order, body);
          expect(next.code).toBeNull();
          order = next.order;
        }
      }
      if (refundableOf(order).shipping > 0) order = apply(order, { shipping: true }).order;
      expect(total(order.refunds)).toBe(order.row.grandTotal);
      const items = order.refunds.filter(({ status }) => status === 'succeeded').flatMap((one) => one.items);
      for (const { id, subtotal, discount, tax } of order.lines) {
        const gross = subtotal - discount + (order.row.taxIncluded ? 0 : tax);
        const mine = items.filter(({ lineId }) => lineId === id);
        expect(mine.reduce((sum, { amount }) => sum + amount, 0)).toBe(gross);
        for (const { amount } of mine) expect(amount).toBeGreaterThanOrEqual(0);
      }
      expectTaxOf(order);
    }),
    { numRuns: 300 },
  );
});

it('never refunds more than was paid, and ends at nothing left', () => {
  fc.assert(
    fc.property(anOrder, fc.array(anAct, { maxLength: 12 }), (start, acts) => {
      let order = start;
      for (const one of acts) {
        order = act(order, one);
        expect(total(order.refunds)).toBeLessThanOrEqual(order.row.grandTotal);
        const { lines, shipping } = refundableOf(order);
        expect(shipping).toBeGreaterThanOrEqual(0);
        for (const { quantity, amount } of lines.values()) {
          expect(Math.min(quantity, amount)).toBeGreaterThanOrEqual(0);
        }
      }
      const rest = apply(order, {});
      const left = order.row.grandTotal - total(order.refunds);
      const units = [...refundableOf(order).lines.values()].some(({ quantity }) => quantity > 0);
      const isOver = left === 0 && (order.row.grandTotal > 0 || !units);
      expect(rest.code).toBe(isOver ? 'order_not_refundable' : null);
      expect(total(rest.order.refunds)).toBe(order.row.grandTotal);
      expect(paymentStatusWith(order, order.payments, rest.order.refunds)).toBe('refunded');
      expectTaxOf(rest.order);
      // Where nothing was paid, units tell.
      const isKept = left > 0 || (order.row.grandTotal === 0 && units);
      const status = paymentStatusWith(order, order.payments, order.refunds);
      expect(status === 'refunded').toBe(!isKept);
    }),
    { numRuns: 300 },
  );
});
