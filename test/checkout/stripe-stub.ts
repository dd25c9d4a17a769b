import { createHmac } from 'node:crypto';
import { vi } from 'vitest';
import { now } from '../../src/kernel/core/clock.ts';

/** The keys of the shops that sell through the stub. */
export const SECRET_KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
export const WEBHOOK_SECRET = 'whsec_stubstubstubstubstubstub';

interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  payment_intent: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  amount_total: number;
  currency: string;
  expires_at: number;
  url: string | null;
}

type Through = (name: string, call: () => Promise<Response>) => Promise<Response>;

/** How Stripe answers a mistake (https://docs.stripe.com/api/errors). */
const refusal = (status: number, message: string, code?: string): Response =>
  Response.json({ error: { type: 'invalid_request_error', message, ...(code && { code }) } }, { status });

/**
 * Answers as Stripe's API reference documents Checkout Sessions and Refunds, in the place of `fetch` for
 * api.stripe.com. What a shopper does on Stripe's page is done by {@link finish}.
 */
export class StripeStub {
  readonly sessions = new Map<string, Session>();
  readonly refunds: { charge: string; status: string }[] = [];
  /** Statuses of payment intents, by id, where they are not what their session's payment status says. */
  readonly intents = new Map<string, 'processing' | 'requires_payment_method' | 'canceled' | 'succeeded'>();
  /** Requests so far, as `POST /v1/refunds`. */
  readonly requests: string[] = [];
  /** Until this is emptied, requests fail: network errors, or what is answered instead. */
  down: boolean | (() => Response) = false;
  /** What a refund comes to. */
  refundStatus: 'succeeded' | 'pending' | 'failed' = 'succeeded';
  private count = 0;
  private readonly before = globalThis.fetch;

  /** Takes the place of `fetch`; `through` may come between the service and each request to Stripe. */
  install(through: Through = (_, call) => call()): void {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      if (new URL(request.url).host !== 'api.stripe.com') return this.before(request);
      return through(`STRIPE ${request.method}`, () => this.answer(request));
    });
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const expanded = searchParams.get('expand[0]') === 'payment_intent';
    this.requests.push(`${request.method} ${pathname}`);
    if (this.down === true) throw new TypeError('network error');
    if (this.down) return this.down();
    if (request.headers.get('authorization') !== `Bearer ${SECRET_KEY}`)
      return refusal(401, 'Invalid API Key');
    const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
    const [, name, action] = /^\/v1\/checkout\/sessions(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (pathname === '/v1/refunds') return this.refund(form);
    if (!name) return this.create(form);
    const session = this.sessions.get(name);
    if (!session) return refusal(404, 'No such checkout.session', 'resource_missing');
    if (action !== 'expire') return Response.json(expanded ? this.withIntent(session) : session);
    if (session.status !== 'open')
      return refusal(400, 'Only Checkout Sessions with a status open can be expired');
    this.end(session);
    return Response.json(session);
  }

  /** The session with its payment intent in the place of the intent's id. */
  private withIntent(session: Session): object {
    const { payment_intent: id } = session;
    if (id === null) return session;
    const status = this.intents.get(id) ?? (session.payment_status === 'paid' ? 'succeeded' : 'processing');
    return { ...session, payment_intent: { id, object: 'payment_intent', status } };
  }

  private create(form: URLSearchParams): Response {
    const expiresAt = Number(form.get('expires_at'));
    if (expiresAt * 1000 < now() + 30 * 60_000)
      return refusal(400, 'expires_at is less than 30 minutes from now');
    for (const needed of ['mode', 'success_url', 'line_items[0][price_data][product_data][name]']) {
      if (!form.get(needed)) return refusal(400, `Missing required param: ${needed}.`, 'parameter_missing');
    }
    const amount = form.get('line_items[0][price_data][unit_amount]') ?? '';
    if (!/^\d+$/.test(amount)) return refusal(400, 'Invalid integer', 'parameter_invalid_integer');
    this.count += 1;
    const id = `cs_test_${this.count}`;
    const metadata = Object.fromEntries(
      [...form].flatMap(([key, value]) => {
        const named = /^metadata\[(\w+)\]$/.exec(key)?.[1];
        return named ? [[named, value]] : [];
      }),
    );
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      client_reference_id: form.get('client_reference_id'),
      metadata,
      amount_total: Number(amount),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      expires_at: expiresAt,
      url: `https://checkout.stripe.com/c/pay/${id}`,
    };
    this.sessions.set(id, session);
    return Response.json(session);
  }

  private refund(form: URLSearchParams): Response {
    const charge = form.get('payment_intent') ?? '';
    if (this.refunds.some((one) => one.charge === charge && one.status !== 'failed')) {
      return refusal(400, 'Charge has already been refunded.', 'charge_already_refunded');
    }
    this.refunds.push({ charge, status: this.refundStatus });
    return Response.json({ id: `re_${this.refunds.length}`, object: 'refund', status: this.refundStatus });
  }

  /** The shopper pays (or, with a slow method, orders the bank to) on Stripe's page. */
  finish(session: Session, paid = true): void {
    session.status = 'complete';
    session.payment_status = paid ? 'paid' : 'unpaid';
    session.payment_intent = `pi_${session.id}`;
    session.url = null;
  }

  /** The bank refuses what {@link finish} ordered it to pay: the session stays complete and unpaid. */
  fail(session: Session, status: 'requires_payment_method' | 'canceled' = 'requires_payment_method'): void {
    this.intents.set(`pi_${session.id}`, status);
  }

  /** The session ends without payment. */
  end(session: Session): void {
    session.status = 'expired';
    session.url = null;
  }

  /** The one session that a redirect leads to. */
  sessionAt(url: string | null): Session {
    const session = [...this.sessions.values()].find((one) => one.url === url);
    if (!session) throw new Error(`No session at ${url}`);
    return session;
  }
}

/** An event's body and its `Stripe-Signature` (https://docs.stripe.com/webhooks#verify-manually). */
export function event(type: string, object: object, { secret = WEBHOOK_SECRET, age = 0 } = {}) {
  const body = JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    api_version: '2026-10-28.acacia',
    created: Math.floor(now() / 1000),
    type,
    data: { object },
  });
  const t = Math.floor(now() / 1000) - age;
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { body, signature: `t=${t},v1=${v1}` };
}
