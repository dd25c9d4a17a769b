import Stripe from 'stripe';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import type { PaymentReference, PaymentRow } from '../../orders/index.ts';
import type {
  BeginResult,
  PaymentStart,
  Provider,
  ProviderNotice,
  ProviderPaymentStatus,
} from './provider.ts';
import { stripeAmount } from './stripe-amount.ts';
import { idOf, makeRefund, reportOf } from './stripe-refunds.ts';

/**
 * The lifetime of a Checkout Session (ms): the minimum that Stripe allows, 30 minutes, plus one for latency.
 */
const SESSION_LIFETIME_MS = 31 * MINUTE;
/** The maximum age of a callback (s). */
const MAX_CALLBACK_AGE_S = 300;
/** A tenant's Stripe credentials. */
interface StripeKeys {
  readonly secretKey: string;
  /** The secret of the endpoint `/payments/stripe/<tenant>`; without it, callbacks are rejected. */
  readonly webhookSecret: string | undefined;
  /** The tenant's slug, stored in Stripe's metadata. */
  readonly tenant: string;
}

/** The provider `stripe`: the shopper pays in a Stripe Checkout Session. */
export function stripeProvider({ secretKey, webhookSecret, tenant }: StripeKeys): Provider {
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient((input, init) => fetch(input, init)),
    maxNetworkRetries: 1,
    timeout: 10_000,
    telemetry: false,
  });
  return {
    name: 'stripe',
    test: /^[rs]k_test_/.test(secretKey),
    paymentWindowMs: SESSION_LIFETIME_MS + MINUTE,
    accepts: (amount, currency) => stripeAmount(amount, currency) !== null,
    begin: (start) => begin(stripe, tenant, start),
    checkStatus: (payment, end) => checkStatus(stripe, payment, end),
    reportOf: (payment) => reportOf(stripe, payment),
    refund: (payment, refund) => makeRefund(stripe, { tenant, payment, refund }),
    parseCallback: (body, headers) =>
      webhookSecret ? parseCallback(stripe, webhookSecret, { body, headers }) : Promise.resolve(null),
  };
}

async function begin(stripe: Stripe, tenant: string, start: PaymentStart): Promise<BeginResult> {
  const { payment } = start;
  if (payment.reference !== null) {
    const session = await retrieve(stripe, payment.reference);
    const status = statusOf(session);
    if (status.state === 'paid' || status.state === 'processing') return status;
    const { id: reference, url, expires_at } = session;
    return status.state === 'open' && url
      ? { state: 'redirect', url, reference, until: expires_at * 1000 }
      : { state: 'ended' };
  }
  const session = await createSession(stripe, sessionParams(tenant, start));
  if (!session) return { state: 'refused' };
  if (!session.url) throw new Error('Stripe created a Checkout Session without a URL');
  return {
    state: 'redirect',
    url: session.url,
    reference: session.id,
    until: session.expires_at * 1000,
  };
}

/** Stripe's error codes for a total outside its limits, which depend on the currency and the account. */
const AMOUNT_REFUSALS: readonly unknown[] = ['amount_too_small', 'amount_too_large'];

/**
 * Creates a Checkout Session; null if Stripe never charges its amount. Where Stripe doesn't take the buyer's e-mail
 * address, which only prefills its page, the buyer enters one there.
 */
async function createSession(
  stripe: Stripe,
  { customer_email, ...params }: Stripe.Checkout.SessionCreateParams,
): Promise<Stripe.Checkout.Session | null> {
  try {
    return await stripe.checkout.sessions.create({ ...params, ...(customer_email && { customer_email }) });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    if (AMOUNT_REFUSALS.includes(error.code)) return null;
    if (error.code === 'email_invalid' && customer_email) return createSession(stripe, params);
    throw error;
  }
}

function sessionParams(
  tenant: string,
  { order: { row }, payment, returnUrls }: PaymentStart,
): Stripe.Checkout.SessionCreateParams {
  const amount = stripeAmount(payment.amount, payment.currency);
  if (amount === null) throw new Error('Stripe does not support this amount');
  // Metadata identifies the order: a shopper can set client_reference_id in a payment link's URL.
  const metadata = { tenant, order_id: row.id, payment_id: payment.id };
  return {
    mode: 'payment',
    client_reference_id: row.id,
    metadata,
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: payment.currency.toLowerCase(),
          unit_amount: amount,
          product_data: { name: `Order ${row.number}` },
        },
      },
    ],
    ...(row.email === null ? {} : { customer_email: row.email }),
    success_url: returnUrls.success,
    cancel_url: returnUrls.cancel,
    expires_at: Math.floor((now() + SESSION_LIFETIME_MS) / 1000),
  };
}

/**
 * Retrieves the session with its payment intent, which shows a payment that failed after the session
 * completed.
 */
const retrieve = (stripe: Stripe, reference: string) =>
  stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] });

async function checkStatus(
  stripe: Stripe,
  payment: PaymentRow,
  end: boolean,
): Promise<ProviderPaymentStatus> {
  // Without a reference, the shopper never received a URL to pay at.
  if (payment.reference === null) return { state: end ? 'ended' : 'open' };
  const status = statusOf(await retrieve(stripe, payment.reference));
  if (!end || status.state !== 'open') return status;
  try {
    return statusOf(await stripe.checkout.sessions.expire(payment.reference));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // The session expired or was paid concurrently.
    return statusOf(await retrieve(stripe, payment.reference));
  }
}

const referenceOf = (session: Stripe.Checkout.Session): PaymentReference => ({
  provider: 'stripe',
  reference: session.id,
  charge: idOf(session.payment_intent),
});

function statusOf(session: Stripe.Checkout.Session): ProviderPaymentStatus {
  if (session.status === 'open') return { state: 'open' };
  if (session.status === 'expired') return { state: 'ended' };
  const { payment_status: status, payment_intent: intent } = session;
  const step = typeof intent === 'string' ? undefined : intent?.status;
  if (status !== 'unpaid' || step === 'succeeded') return { state: 'paid', payment: referenceOf(session) };
  // An asynchronous payment that failed leaves the session complete and unpaid.
  return step === 'requires_payment_method' || step === 'canceled'
    ? { state: 'ended' }
    : { state: 'processing', payment: referenceOf(session) };
}

async function parseCallback(
  stripe: Stripe,
  secret: string,
  { body, headers }: { readonly body: string; readonly headers: Headers },
): Promise<ProviderNotice | null> {
  const signature = headers.get('stripe-signature');
  if (!signature) return null;
  try {
    const crypto = Stripe.createSubtleCryptoProvider();
    const event = await stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      MAX_CALLBACK_AGE_S,
      crypto,
      now(),
    );
    return noticeFrom(event);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

function noticeFrom(event: Stripe.Event): ProviderNotice {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return sessionNotice(event.data.object, statusOf(event.data.object).state);
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return sessionNotice(event.data.object, 'ended');
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.funds_withdrawn':
      return reversalNotice(event.data.object);
    default:
      return { kind: 'other' };
  }
}

/** Returns the notice of a charge, refund or dispute. The object may be older than what Stripe knows now. */
function reversalNotice({
  payment_intent: intent,
  metadata,
}: Stripe.Charge | Stripe.Refund | Stripe.Dispute): ProviderNotice {
  const charge = idOf(intent);
  return charge === null
    ? { kind: 'other' }
    : { kind: 'reversal', orderId: metadata?.order_id ?? null, charge };
}

function sessionNotice(
  session: Stripe.Checkout.Session,
  state: ProviderPaymentStatus['state'],
): ProviderNotice {
  const orderId = session.metadata?.order_id;
  if (!orderId || (state !== 'paid' && state !== 'ended')) return { kind: 'other' };
  return { kind: state, orderId, payment: referenceOf(session) };
}
