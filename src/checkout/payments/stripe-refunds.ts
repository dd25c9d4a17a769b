import Stripe from 'stripe';
import type {
  PaymentRow,
  ProviderDispute,
  ProviderRefund,
  ProviderReport,
  RefundRow,
} from '../../orders/index.ts';
import type { RefundResult } from './provider.ts';
import { minorAmount, stripeAmount } from './stripe-amount.ts';

/** The most refunds and disputes of a payment that are read: Stripe's largest page. */
const MAX_LISTED = 100;

/** Returns the id of an object that Stripe sends as its id or as a whole. */
export const idOf = (object: string | { readonly id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

/** Returns the payment intent of a payment; null if nothing had to be paid. */
async function intentOf(stripe: Stripe, { charge, reference }: PaymentRow): Promise<string | null> {
  if (charge !== null || reference === null) return charge;
  return idOf((await stripe.checkout.sessions.retrieve(reference)).payment_intent);
}

/** Returns a payment's refunds and disputes at Stripe, oldest first. */
export async function reportOf(stripe: Stripe, payment: PaymentRow): Promise<ProviderReport> {
  const intent = await intentOf(stripe, payment);
  if (intent === null) return { refunds: [], disputes: [] };
  const page = { payment_intent: intent, limit: MAX_LISTED };
  const [refunds, disputes] = await Promise.all([stripe.refunds.list(page), stripe.disputes.list(page)]);
  return {
    refunds: refunds.data.map((refund) => refundFrom(refund, payment)).reverse(),
    disputes: disputes.data.map((dispute) => disputeFrom(dispute, payment)).reverse(),
  };
}

const REFUND_STATUSES: Readonly<Record<string, ProviderRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** Converts a refund of Stripe. `requires_action` (the shopper has to name an account) is pending as well. */
function refundFrom(refund: Stripe.Refund, { currency }: PaymentRow): ProviderRefund {
  const status = REFUND_STATUSES[refund.status ?? ''] ?? 'pending';
  return {
    reference: refund.id,
    refundId: refund.metadata?.refund_id ?? null,
    status,
    amount: minorAmount(refund.amount, currency),
    failureReason: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
  };
}

const DISPUTE_STATUSES: Readonly<Record<string, ProviderDispute['status']>> = {
  won: 'won',
  warning_closed: 'won',
  lost: 'lost',
};

/** Returns a dispute's status. A prevented one is lost if its network paid the shopper back, without a refund. */
function disputeStatus({ status, balance_transactions: moved }: Stripe.Dispute): ProviderDispute['status'] {
  if (status !== 'prevented') return DISPUTE_STATUSES[status] ?? 'open';
  return moved.reduce((sum, { amount }) => sum + amount, 0) < 0 ? 'lost' : 'won';
}

function disputeFrom(dispute: Stripe.Dispute, { currency, amount }: PaymentRow): ProviderDispute {
  const same = dispute.currency.toUpperCase() === currency;
  return {
    reference: dispute.id,
    status: disputeStatus(dispute),
    reason: dispute.reason,
    // A dispute in the shopper's currency is taken for the whole payment.
    amount: same ? Math.min(amount, minorAmount(dispute.amount, currency)) : amount,
    openedAt: dispute.created * 1000,
  };
}

/** A refund to make, and the tenant's slug for Stripe's metadata. */
interface RefundToMake {
  readonly tenant: string;
  readonly payment: PaymentRow;
  readonly refund: RefundRow;
}

/**
 * Makes a refund at Stripe. Stripe repeats its response to the same key for 24 hours, a failure as well, so each
 * generation of a refund has a key of its own. Throws when Stripe's response doesn't say what it did.
 */
export async function makeRefund(
  stripe: Stripe,
  { tenant, payment, refund }: RefundToMake,
): Promise<RefundResult> {
  const intent = await intentOf(stripe, payment);
  const amount = stripeAmount(refund.amount, refund.currency);
  if (intent === null || amount === null) return { state: 'refused', reason: 'amount_not_supported' };
  try {
    const made = await stripe.refunds.create(
      {
        payment_intent: intent,
        amount,
        reason: 'requested_by_customer',
        metadata: { tenant, order_id: refund.orderId, refund_id: refund.id },
      },
      { idempotencyKey: `refund-${refund.id}-${refund.generation}` },
    );
    return { state: 'made', refund: refundFrom(made, payment) };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return { state: 'refused', reason: error.code ?? 'refused' };
  }
}
