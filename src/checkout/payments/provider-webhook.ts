import { type Context, Hono } from 'hono';
import { toItsEnd } from '../../kernel/async/to-its-end.ts';
import { BoundedMap } from '../../kernel/core/bounded-map.ts';
import { errorName, log } from '../../kernel/core/log.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import { connectingNetwork } from '../../kernel/http/client-ip.ts';
import type { App } from '../../kernel/http/context.ts';
import { ANONYMOUS_LOOKUPS, NetworkThrottle, networkKey } from '../../kernel/http/network-throttle.ts';
import { methodNotAllowed, problem } from '../../kernel/http/problem.ts';
import { respond, setHeaders } from '../../kernel/http/response.ts';
import { BODY_DEADLINE_MS, IncomingBody, isEncoded } from '../../kernel/input/body.ts';
import { HeldBytes, NOBODY } from '../../kernel/input/held-bytes.ts';
import { cancelPending, orderById, orderOfCharge } from '../../orders/index.ts';
import { tenantBySlug } from '../../tenants/index.ts';
import { notifyCart } from '../placing/notify-cart.ts';
import { recordPaid, syncPayment } from './pay.ts';
import type { Provider, ProviderNotice } from './provider.ts';
import { syncReport } from './refund.ts';
import { createProvider, type PaymentTenant, readCheckoutSecrets } from './resolve-provider.ts';

const BODY_LIMITS = { maxBytes: 512 * 1024, deadlineMs: BODY_DEADLINE_MS };

/** The most shops that an isolate remembers; the oldest are evicted. */
const MAX_SHOPS = 10_000;
/** Shops that exist. A network that names invented ones still reaches them. */
const shops = new BoundedMap<string, true>(MAX_SHOPS);
/**
 * Callbacks to invented shops by network, and those without a valid signature, or to a shop without the provider, by
 * network and shop: a provider sends the callbacks of all shops from one network. Each reads D1.
 */
const inventedShops = new NetworkThrottle(ANONYMOUS_LOOKUPS);
const unsigned = new NetworkThrottle(ANONYMOUS_LOOKUPS);

/** Returns how long (s) a network must wait before its next callback to this shop; 0 if it need not. */
function delayOf(network: string, slug: string): number {
  const unknown = shops.get(slug) ? 0 : inventedShops.retryAfter(network);
  return Math.max(unknown, unsigned.retryAfter(networkKey(network, slug)));
}

/**
 * The callback endpoint of payment providers, `POST /payments/{provider}/{tenant}`, authenticated only by
 * signature. Responds with 204 once the event is recorded. Repeated, late and reordered events are harmless.
 */
export const paymentCallbacks = new Hono<App>();

paymentCallbacks.post('/payments/:provider/:tenant', async (c) => {
  if (c.req.param('provider') !== 'stripe') return problem(c, { code: 'not_found' });
  if (isEncoded(c.req.raw.headers)) {
    setHeaders(c, { 'Accept-Encoding': 'identity' });
    return problem(c, { code: 'unsupported_media_type' });
  }
  const network = connectingNetwork(c);
  const slug = c.req.param('tenant');
  const retryAfter = delayOf(network, slug);
  if (retryAfter > 0) return problem(c, { code: 'rate_limited', retryAfter });
  // Tenant and secrets are read after the body has arrived, so that changes during the upload apply.
  const body = await receiveBody(c);
  if (!body.ok) return problem(c, body.failure);
  const tenant = await tenantBySlug(c.env, slug);
  if (!tenant.ok) {
    inventedShops.record(network);
    return problem(c, { code: 'not_found' });
  }
  shops.set(slug, true);
  c.set('tenantId', tenant.value.id);
  const ctx = tenantContext({ env: c.env, ctx: c.executionCtx }, tenant.value.id, {
    kind: 'provider',
    id: 'stripe',
  });
  const read = await readCallback(ctx, tenant.value, { body: body.value, headers: c.req.raw.headers });
  if (!read.ok) {
    unsigned.record(networkKey(network, slug));
    return problem(c, read.failure);
  }
  const { provider, notice } = read.value;
  if (notice.kind === 'other') return respond(c, null, { status: 204 });

  const applied = await applyNotice(ctx, provider, notice);
  // A paid order stays paid. Orders of other systems on the same Stripe account are ignored.
  const settled = applied.ok || ['order_not_found', 'order_not_cancellable'].includes(applied.failure.code);
  return settled ? respond(c, null, { status: 204 }) : problem(c, applied.failure);
});

paymentCallbacks.all('/payments/:provider/:tenant', (c) => methodNotAllowed(c, ['POST']));

/** Returns a callback's body, once it has arrived. */
function receiveBody(c: Context<App>): Promise<Result<Uint8Array>> {
  const held = new HeldBytes(NOBODY);
  const limits = { ...BODY_LIMITS, hold: (bytes: number) => held.takeBody(bytes) };
  const received = new IncomingBody(c.req.raw, limits).all().finally(() => held.release());
  return toItsEnd(c.executionCtx, received);
}

/** A callback whose signature was verified. */
interface VerifiedCallback {
  readonly provider: Provider;
  readonly notice: ProviderNotice;
}

/** Verifies a callback to a shop: `invalid_signature`, or `unavailable` if the shop doesn't have the provider. */
async function readCallback(
  ctx: TenantContext,
  tenant: PaymentTenant,
  { body, headers }: { readonly body: Uint8Array; readonly headers: Headers },
): Promise<Result<VerifiedCallback>> {
  const secrets = await readCheckoutSecrets(ctx, tenant);
  if (!secrets.ok) return secrets;
  const provider = createProvider('stripe', tenant, secrets.value.secrets);
  if (!provider.ok) return provider;
  const notice = await provider.value.parseCallback(new TextDecoder().decode(body), headers);
  return notice ? ok({ provider: provider.value, notice }) : fail('invalid_signature');
}

/** Applies a verified notice to its order. Ignores orders that are paid elsewhere. */
async function applyNotice(
  ctx: TenantContext,
  provider: Provider,
  notice: Exclude<ProviderNotice, { kind: 'other' }>,
): Promise<Result<unknown>> {
  if (notice.kind === 'reversal') return applyReversal(ctx, provider, notice);
  const { kind, orderId, payment } = notice;
  const order = await orderById(ctx, orderId);
  // A tenant's own checkout may name its orders at the same account, and reports their payments itself.
  if (!order.ok || order.value.row.provider !== provider.name) return order;
  if (kind === 'paid') return recordPaid(ctx, { orderId, provider }, payment);
  // Ignores the end of a payment that was never recorded for the order: no shopper was sent to it.
  if (!order.value.payments.some(({ reference }) => reference === payment.reference)) return order;
  return notifyCart(ctx, await cancelPending(ctx, orderId, { reason: 'timeout' }));
}

/**
 * Records the refunds and disputes of a charge. Fails with `unavailable` if the provider doesn't say which they
 * are: it repeats the callback.
 */
async function applyReversal(
  ctx: TenantContext,
  provider: Provider,
  { orderId: named, charge }: Extract<ProviderNotice, { kind: 'reversal' }>,
): Promise<Result<unknown>> {
  const orderId = (await orderOfCharge(ctx, provider.name, charge)) ?? named;
  if (orderId === null) return ok(null);
  try {
    // The callback of the payment itself may be lost, or still on its way.
    const paid = await syncPayment(ctx, { orderId, provider, end: false });
    return paid.ok ? await syncReport(ctx, { orderId, provider }, charge) : paid;
  } catch (error) {
    const where = { tenant: ctx.tenantId, order: orderId, provider: provider.name };
    log('refund_failed', { ...where, name: errorName(error) });
    return fail('unavailable');
  }
}
