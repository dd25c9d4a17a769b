import Stripe from 'stripe';
import { now } from '../../kernel/core/clock.ts';
import { exponent } from '../../kernel/core/money.ts';
import type { PaymentName, PaymentRow, StoredOrder } from '../../orders/index.ts';
import type { Begun, Places, Provider, ProviderNotice, Standing } from './provider.ts';

/** Stripe ends a Checkout Session no earlier than half an hour after it was made; one minute for the way (ms). */
const SESSION = 31 * 60_000;
/** How old a callback may be (s). */
const TOLERANCE = 300;
/** Currencies that Stripe counts in other units than ISO 4217 does: decimals. */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/**
 * An amount in the units that Stripe takes, or `null` where it can't take this very amount: fractions of
 * ISK, UGX and MGA, and of three-decimal currencies the last digit must be 0.
 */
export function stripeAmount(minor: number, currency: string): number | null {
  const ours = exponent(currency);
  const amount = minor * 10 ** ((DECIMALS[currency] ?? ours) - ours);
  const step = ours === 3 ? 10 : 1;
  return Number.isSafeInteger(amount) && amount % step === 0 ? amount : null;
}

/** What a provider of Stripe needs of a tenant. */
export interface StripeKeys {
  readonly secretKey: string;
  /** Of the endpoint that calls `/payments/stripe/<tenant>`; without one, callbacks are refused. */
  readonly webhookSecret: string | undefined;
  /** The tenant's slug, for Stripe's own records. */
  readonly tenant: string;
}

/** The provider `stripe`: the shopper pays on a Checkout Session of Stripe's. */
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
    patience: SESSION + 60_000,
    accepts: (amount, currency) => stripeAmount(amount, currency) !== null,
    begin: (order, payment, places) => begin(stripe, tenant, order, payment, places),
    settle: (payment, end) => settle(stripe, payment, end),
    refund: (payment) => refund(stripe, payment),
    hear: (body, headers) => hear(stripe, webhookSecret, body, headers),
  };
}

async function begin(
  stripe: Stripe,
  tenant: string,
  order: StoredOrder,
  payment: PaymentRow,
  places: Places,
): Promise<Begun> {
  if (payment.reference !== null) {
    const session = await retrieve(stripe, payment.reference);
    const standing = standingOf(session);
    if (standing.state === 'paid' || standing.state === 'waiting') return standing;
    const { id: reference, url, expires_at } = session;
    return standing.state === 'open' && url
      ? { state: 'redirect', url, reference, until: expires_at * 1000 }
      : { state: 'over' };
  }
  const session = await stripe.checkout.sessions.create(sessionOf(tenant, order, payment, places));
  if (!session.url) throw new Error('Stripe made a Checkout Session without a URL');
  return {
    state: 'redirect',
    url: session.url,
    reference: session.id,
    until: session.expires_at * 1000,
  };
}

function sessionOf(
  tenant: string,
  { row }: StoredOrder,
  payment: PaymentRow,
  { done, back }: Places,
): Stripe.Checkout.SessionCreateParams {
  const amount = stripeAmount(payment.amount, payment.currency);
  if (amount === null) throw new Error('An amount that Stripe does not take');
  // What a customer can't set: a payment link takes a client_reference_id from its URL.
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
    success_url: done,
    cancel_url: back,
    expires_at: Math.floor((now() + SESSION) / 1000),
  };
}

/** The session with its payment intent, which tells of a payment that failed after the session was complete. */
const retrieve = (stripe: Stripe, reference: string) =>
  stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent'] });

async function settle(stripe: Stripe, payment: PaymentRow, end: boolean): Promise<Standing> {
  // Without a name the shopper was never given a URL to pay at.
  if (payment.reference === null) return { state: end ? 'over' : 'open' };
  const standing = standingOf(await retrieve(stripe, payment.reference));
  if (!end || standing.state !== 'open') return standing;
  try {
    return standingOf(await stripe.checkout.sessions.expire(payment.reference));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // It ended, or was paid, in between.
    return standingOf(await retrieve(stripe, payment.reference));
  }
}

const nameOf = (session: Stripe.Checkout.Session): PaymentName => {
  const { payment_intent: intent } = session;
  const charge = typeof intent === 'string' ? intent : (intent?.id ?? null);
  return { provider: 'stripe', reference: session.id, charge };
};

function standingOf(session: Stripe.Checkout.Session): Standing {
  if (session.status === 'open') return { state: 'open' };
  if (session.status === 'expired') return { state: 'over' };
  const { payment_status: status, payment_intent: intent } = session;
  const step = typeof intent === 'string' ? undefined : intent?.status;
  if (status !== 'unpaid' || step === 'succeeded') return { state: 'paid', payment: nameOf(session) };
  // A slow method that failed leaves the session complete and unpaid for good.
  return step === 'requires_payment_method' || step === 'canceled'
    ? { state: 'over' }
    : { state: 'waiting', payment: nameOf(session) };
}

async function refund(stripe: Stripe, payment: PaymentRow): Promise<boolean> {
  const charge = payment.charge ?? (await chargeOf(stripe, payment));
  if (charge === null) return true;
  try {
    const made = await stripe.refunds.create(
      { payment_intent: charge, reason: 'requested_by_customer' },
      // Stripe keeps a failure under its key as well, so that each attempt has its own.
      { idempotencyKey: `refund-${payment.id}-${payment.tries}` },
    );
    return made.status !== 'failed' && made.status !== 'canceled';
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      return error.code === 'charge_already_refunded';
    }
    throw error;
  }
}

/** The payment intent of a Checkout Session; none where nothing had to be paid. */
async function chargeOf(stripe: Stripe, { reference }: PaymentRow): Promise<string | null> {
  if (reference === null) return null;
  return nameOf(await stripe.checkout.sessions.retrieve(reference)).charge ?? null;
}

async function hear(
  stripe: Stripe,
  secret: string | undefined,
  body: string,
  headers: Headers,
): Promise<ProviderNotice | null> {
  const signature = headers.get('stripe-signature');
  if (!secret || !signature) return null;
  try {
    const crypto = Stripe.createSubtleCryptoProvider();
    const event = await stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      TOLERANCE,
      crypto,
      now(),
    );
    return noticeOf(event);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

function noticeOf(event: Stripe.Event): ProviderNotice {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return aboutSession(event.data.object, standingOf(event.data.object).state);
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return aboutSession(event.data.object, 'over');
    case 'charge.refunded': {
      const { refunded, payment_intent: intent, metadata } = event.data.object;
      const charge = typeof intent === 'string' ? intent : (intent?.id ?? null);
      const orderId = metadata.order_id;
      if (!refunded || charge === null || !orderId) return { kind: 'other' };
      return { kind: 'refunded', orderId, payment: { provider: 'stripe', reference: charge, charge } };
    }
    default:
      return { kind: 'other' };
  }
}

function aboutSession(session: Stripe.Checkout.Session, state: Standing['state']): ProviderNotice {
  const orderId = session.metadata?.order_id;
  if (!orderId || (state !== 'paid' && state !== 'over')) return { kind: 'other' };
  return { kind: state, orderId, payment: nameOf(session) };
}
