/** Compares an order's refunds with those at its provider. Pure: no storage. */
import { now } from '../../kernel/core/clock.ts';
import { ended, newRefund } from '../refunds/change.ts';
import { leftOf, spendFrom } from '../refunds/refundable.ts';
import type { RefundRow, RefundStatus } from '../refunds/tables.ts';
import type { PaymentRow } from '../tables.ts';
import type { ProviderDispute } from './disputes.ts';

/** A refund as its provider reports it. */
export interface ProviderRefund {
  /** The provider's id of the refund. */
  readonly reference: string;
  /** The id of our refund that asked for it; null if it was made at the provider. */
  readonly refundId: string | null;
  readonly status: RefundStatus;
  /** In minor units of the payment's currency. */
  readonly amount: number;
  readonly failureReason: string | null;
}

/** What a provider reports of a payment: all of its refunds, oldest first, and its disputes if they were read. */
export interface ProviderReport {
  readonly refunds: readonly ProviderRefund[];
  readonly disputes: readonly ProviderDispute[];
}

/** The failure reason of a refund that was not made because its money had already been paid back. */
const ALREADY_REFUNDED = 'already_refunded';
const DISPUTE_WON = 'dispute_won';

/** Returns whether a refund is retried until the provider accepts it. */
const isRetried = ({ source }: RefundRow): boolean => source === 'cancellation' || source === 'surplus';

/** Returns the refund of ours that a provider's refund belongs to. */
function oursOf(list: readonly RefundRow[], reported: ProviderRefund): RefundRow | undefined {
  const open = list.filter(({ reference }) => reference === null);
  return (
    list.find(({ reference }) => reference === reported.reference) ??
    open.find(({ id }) => id === reported.refundId) ??
    // Somebody made by hand what is still to be made: all that is left of the payment.
    open.find(
      (one) =>
        reported.refundId === null &&
        reported.status !== 'failed' &&
        one.status === 'pending' &&
        isRetried(one) &&
        one.amount === reported.amount,
    )
  );
}

/** Returns a refund of ours with the status that the provider reports. */
function follow(refund: RefundRow, { reference, status, failureReason }: ProviderRefund): RefundRow {
  if (refund.reference === reference && refund.status === status) return refund;
  // An attempt that failed at once: the next one is another refund at the provider.
  if (status === 'failed' && refund.reference === null && isRetried(refund)) return refund;
  if (status !== 'pending') return { ...ended(refund, status, failureReason), reference };
  // A refund doesn't become pending again; the provider's list may be older than its callback.
  return refund.status === 'pending' ? { ...refund, reference } : refund;
}

/** Returns a refund of all that is left, of which `amount` is left now. The provider gets a new request. */
function shrunk(refund: RefundRow, amount: number): RefundRow {
  const spend = spendFrom(amount);
  const items = refund.items.map((item) => ({ ...item, amount: spend(item.amount) }));
  const shipping = spend(refund.shipping);
  return { ...refund, amount, items, shipping, generation: refund.generation + 1, updatedAt: now() };
}

/** Returns the list with one refund replaced; the same list if it is unchanged. */
const replaced = (list: readonly RefundRow[], before: RefundRow, after: RefundRow): readonly RefundRow[] =>
  after === before ? list : list.map((one) => (one === before ? after : one));

/**
 * Frees `amount` of a payment by reducing its refunds that the provider has not received. The refund of a cancellation,
 * of which there is at most one, becomes smaller. If it is too small, the other refunds fail first, latest first, so
 * that the cancellation can still complete.
 */
function makeRoom(list: readonly RefundRow[], payment: PaymentRow, amount: number): readonly RefundRow[] {
  let made = list;
  const short = (): number => amount - leftOf(payment, made);
  const open = list.filter(
    ({ paymentId, status, reference }) =>
      paymentId === payment.id && status === 'pending' && reference === null,
  );
  const rest = open.find(isRetried);
  for (const one of open.filter((each) => each !== rest).reverse()) {
    if (short() <= 0 || (rest && rest.amount > short())) break;
    made = replaced(made, one, ended(one, 'failed', ALREADY_REFUNDED));
  }
  if (!rest || short() <= 0) return made;
  const left = rest.amount - short();
  return replaced(made, rest, left > 0 ? shrunk(rest, left) : ended(rest, 'failed', ALREADY_REFUNDED));
}

/**
 * Adds a refund that was made at the provider; never more than is left of the payment. Returns the same list if
 * nothing is left.
 */
function adopt(
  list: readonly RefundRow[],
  payment: PaymentRow,
  {
    source,
    status,
    amount,
    reference,
  }: Pick<RefundRow, 'source' | 'status' | 'amount'> & { reference: string },
): readonly RefundRow[] {
  const roomy = makeRoom(list, payment, amount);
  const adopted = Math.min(amount, leftOf(payment, roomy));
  if (adopted <= 0) return list;
  const requestedBy = { kind: 'provider', id: payment.provider } as const;
  const refund = newRefund({ payment, source, status, amount: adopted, reference, requestedBy });
  return [...roomy, refund];
}

/** Counts the refund of a dispute that was won as made again; never more than is left of the payment. */
function lostAgain(
  list: readonly RefundRow[],
  payment: PaymentRow,
  { refund, amount }: { readonly refund: RefundRow; readonly amount: number },
): readonly RefundRow[] {
  const roomy = makeRoom(list, payment, amount);
  const taken = Math.min(amount, leftOf(payment, roomy));
  return taken <= 0 ? list : replaced(roomy, refund, { ...ended(refund, 'succeeded'), amount: taken });
}

function applyDispute(
  list: readonly RefundRow[],
  payment: PaymentRow,
  { reference, status, amount }: ProviderDispute,
): readonly RefundRow[] {
  const known = list.find((one) => one.source === 'dispute' && one.reference === reference);
  if (status === 'lost') {
    if (known) return known.status === 'failed' ? lostAgain(list, payment, { refund: known, amount }) : list;
    return adopt(list, payment, { source: 'dispute', status: 'succeeded', amount, reference });
  }
  // An appeal opens it again, while the shopper has the money: only winning it brings the money back.
  const isWonBack = status === 'won' && known?.status === 'succeeded';
  return isWonBack ? replaced(list, known, ended(known, 'failed', DISPUTE_WON)) : list;
}

/**
 * Returns an order's refunds as they are after what the provider reports of a payment: its refunds with their
 * status, those that were made there, and lost disputes as refunds. Returns unchanged refunds as they are, and
 * the same list if all of them are.
 */
export function refundsAfter(
  before: readonly RefundRow[],
  payment: PaymentRow,
  { refunds, disputes }: ProviderReport,
): readonly RefundRow[] {
  let list = before;
  for (const reported of refunds) {
    const ours = oursOf(
      list.filter(({ paymentId }) => paymentId === payment.id),
      reported,
    );
    if (ours) {
      list = replaced(list, ours, follow(ours, reported));
    } else if (reported.status !== 'failed') {
      list = adopt(list, payment, { ...reported, source: 'provider' });
    }
  }
  for (const dispute of disputes) list = applyDispute(list, payment, dispute);
  return list;
}
