import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ProviderRefund,
  type ProviderReport,
  refundsAfter,
} from '../../../src/orders/provider-reports/adopt.ts';
import type { ProviderDispute } from '../../../src/orders/provider-reports/disputes.ts';
import { newRefund } from '../../../src/orders/refunds/change.ts';
import { leftOf } from '../../../src/orders/refunds/refundable.ts';
import type { RefundRow } from '../../../src/orders/refunds/tables.ts';
import type { PaymentRow } from '../../../src/orders/tables.ts';

// Refunds that are requested here and made by hand at the provider, some of which fail, and disputes, in any order and
// with lost responses: never more than was paid, and in the end what the provider has. fast-check prints the seed.

const PAID = 100;
const payment: PaymentRow = {
  id: 'pay_1',
  tenantId: 1,
  orderId: 'ord_1',
  provider: 'stripe',
  reference: 'cs_1',
  charge: 'pi_1',
  state: 'paid',
  amount: PAID,
  currency: 'EUR',
  createdAt: 0,
  updatedAt: 0,
};

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A shop's refunds, and those at the provider. */
class Books {
  ours: readonly RefundRow[] = [];
  readonly made: Mutable<ProviderRefund>[] = [];
  readonly disputes: Mutable<ProviderDispute>[] = [];

  /** What the provider can still pay back. */
  left(): number {
    return this.made.reduce((left, { status, amount }) => left - (status === 'failed' ? 0 : amount), PAID);
  }

  /** The provider says all that it has. */
  report(): void {
    this.record({
      refunds: this.made.map((one) => ({ ...one })),
      disputes: this.disputes.map((one) => ({ ...one })),
    });
  }

  record(report: ProviderReport): void {
    this.ours = refundsAfter(this.ours, payment, report);
    expect(leftOf(payment, this.ours)).toBeGreaterThanOrEqual(0);
  }

  request(source: 'request' | 'cancellation', amount: number): void {
    const isPending = this.ours.some((one) => one.source === source && one.status === 'pending');
    const isRefused = amount === 0 || (source === 'cancellation' && isPending);
    if (isRefused || amount > leftOf(payment, this.ours)) return;
    this.ours = [...this.ours, newRefund({ payment, source, amount, requestedBy: { kind: 'system' } })];
  }

  /** Asks the provider for a refund that it doesn't have yet; the response may be lost. */
  attempt(nth: number, isLost: boolean): void {
    this.report();
    const open = this.ours.filter(({ status, reference }) => status === 'pending' && reference === null);
    const next = open[nth % Math.max(1, open.length)];
    const refused = this.disputes.some(({ status }) => status !== 'won');
    if (!next || refused || next.amount > this.left()) return;
    const made = this.make(next.amount, next.id);
    made.status = (['succeeded', 'pending', 'failed'] as const)[nth % 3] ?? 'pending';
    if (!isLost) this.record({ refunds: [{ ...made }], disputes: [] });
  }

  make(amount: number, refundId: string | null): Mutable<ProviderRefund> {
    const reference = `re_${this.made.length}`;
    const made = { reference, refundId, amount, status: 'succeeded' as const, failureReason: null };
    this.made.push(made);
    return made;
  }

  dispute(amount: number): void {
    const openedAt = this.disputes.length;
    this.disputes.push({ reference: `du_${openedAt}`, status: 'open', reason: 'general', amount, openedAt });
  }

  act({ what, nth, amount }: Act): void {
    const [refund, dispute] = [this.made[nth], this.disputes[nth]];
    if (what === 'request') this.request('request', amount);
    if (what === 'cancel') this.request('cancellation', leftOf(payment, this.ours));
    if (what === 'attempt' || what === 'lost') this.attempt(nth, what === 'lost');
    if (what === 'by hand' && amount <= this.left()) this.make(amount, null);
    if (what === 'settle' && refund?.status === 'pending') refund.status = 'succeeded';
    if (what === 'fail' && refund) refund.status = 'failed';
    if (what === 'dispute') this.dispute(amount);
    if (what === 'lose' && dispute) dispute.status = 'lost';
    if (what === 'win' && dispute?.status === 'open') dispute.status = 'won';
    if (what === 'report') this.report();
  }
}

const REFUNDING = ['request', 'cancel', 'attempt', 'lost', 'by hand', 'settle', 'fail', 'report'] as const;
const DISPUTING = [...REFUNDING, 'dispute', 'lose', 'win'] as const;
const acts = (what: readonly (typeof DISPUTING)[number][]) =>
  fc.array(
    fc.record({
      what: fc.constantFrom(...what),
      nth: fc.nat(5),
      amount: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: PAID })),
    }),
    { maxLength: 25 },
  );
type Act = ReturnType<typeof acts> extends fc.Arbitrary<(infer One)[]> ? One : never;

it('takes no more of a payment than was paid, whatever is refunded and disputed', () => {
  fc.assert(
    fc.property(acts(DISPUTING), (given) => {
      const books = new Books();
      for (const act of given) books.act(act);
      books.report();
      const { ours } = books;
      for (const { amount } of ours) expect(amount).toBeGreaterThan(0);
      books.report();
      expect(books.ours).toBe(ours);
    }),
    { numRuns: 1_000 },
  );
});

it('has each refund that the provider has, once', () => {
  fc.assert(
    fc.property(acts(REFUNDING), (given) => {
      const books = new Books();
      for (const act of given) books.act(act);
      books.report();
      const known = books.ours.filter(({ reference, status }) => reference !== null && status !== 'failed');
      const made = books.made.filter(({ status }) => status !== 'failed');
      const terms = (list: readonly { readonly reference: string | null; readonly amount: number }[]) =>
        list.map(({ reference, amount }) => `${reference} ${amount}`).sort();
      expect(terms(known)).toEqual(terms(made));
    }),
    { numRuns: 1_000 },
  );
});
