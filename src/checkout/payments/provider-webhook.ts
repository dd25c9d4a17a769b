import { Hono } from 'hono';
import type { Result } from '../../kernel/core/result.ts';
import { type Database, database } from '../../kernel/data/database.ts';
import { BODY_DEADLINE_MS, IncomingBody, isEncoded } from '../../kernel/http/body.ts';
import type { App, Runtime } from '../../kernel/http/context.ts';
import { methodNotAllowed, problem } from '../../kernel/http/problem.ts';
import { respond, setHeaders } from '../../kernel/http/response.ts';
import { cancelPending, noteRefunded, orderById } from '../../orders/index.ts';
import { tenantBySlug } from '../../tenants/index.ts';
import { notifyCart } from '../notify-cart.ts';
import { received } from './pay.ts';
import type { Provider, ProviderNotice } from './provider.ts';
import { providerOf, resolveProvider } from './resolve-provider.ts';

const LIMITS = { maxBytes: 512 * 1024, deadlineMs: BODY_DEADLINE_MS };

/**
 * What payment providers call: `POST /payments/{provider}/{tenant}`. Believed by its signature alone.
 * Answers 204 once it is written down; asked again, or late, or in another order, it does no harm.
 */
export const paymentCallbacks = new Hono<App>();

paymentCallbacks.post('/payments/:provider/:tenant', async (c) => {
  if (c.req.param('provider') !== 'stripe') return problem(c, { code: 'not_found' });
  if (isEncoded(c.req.raw.headers)) {
    setHeaders(c, { 'Accept-Encoding': 'identity' });
    return problem(c, { code: 'unsupported_media_type' });
  }
  // Tenant and secrets are read once the whole body is here: what changed while it arrived counts.
  const body = await new IncomingBody(c.req.raw, LIMITS).all();
  if (!body.ok) return problem(c, body.failure);
  const db = database(c.env);
  const runtime = { env: c.env, ctx: c.executionCtx };
  const tenant = await tenantBySlug(db, c.req.param('tenant'));
  if (!tenant.ok) return problem(c, { code: 'not_found' });
  const till = await resolveProvider(c.env, db, tenant.value);
  if (!till.ok) return problem(c, till.failure);
  const provider = await providerOf('stripe', tenant.value, till.value.secrets);
  if (!provider.ok) return problem(c, provider.failure);
  const notice = await provider.value.hear(new TextDecoder().decode(body.value), c.req.raw.headers);
  if (!notice) return problem(c, { code: 'invalid_signature' });
  if (notice.kind === 'other') return respond(c, null, 204);

  const noted = await heed(runtime, db, tenant.value.id, provider.value, notice);
  // What is known to be paid stays paid, and another service's orders are none of ours.
  const settled = noted.ok || ['order_not_found', 'order_not_cancellable'].includes(noted.failure.code);
  return settled ? respond(c, null, 204) : problem(c, noted.failure);
});

paymentCallbacks.all('/payments/:provider/:tenant', (c) => methodNotAllowed(c, ['POST']));

/** Does what a provider's word means. */
async function heed(
  runtime: Runtime,
  db: Database,
  tenantId: number,
  provider: Provider,
  { kind, orderId, payment }: Exclude<ProviderNotice, { kind: 'other' }>,
): Promise<Result<unknown>> {
  if (kind === 'paid') return received(runtime, db, { tenantId, orderId, provider }, payment);
  if (kind === 'over') {
    const order = await orderById(db, tenantId, orderId);
    // The word of a payment that the shopper was never sent to means nothing.
    if (!order.ok || !order.value.payments.some(({ reference }) => reference === payment.reference)) {
      return order;
    }
  }
  const noted =
    kind === 'refunded'
      ? await noteRefunded(runtime, db, tenantId, orderId, payment)
      : await cancelPending(runtime, db, tenantId, orderId, 'timeout');
  if (noted.ok) notifyCart(runtime, db, noted.value);
  return noted;
}
