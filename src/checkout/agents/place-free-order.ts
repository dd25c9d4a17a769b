import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { orderById, type StoredOrder } from '../../orders/index.ts';
import { buyerOf } from '../buyer.ts';
import { pay } from '../payments/pay.ts';
import type { Provider } from '../payments/provider.ts';
import { resolveProvider } from '../payments/resolve-provider.ts';
import { placeFromSession } from '../placing/place-order.ts';
import { type LoadedSession, loadSession } from '../sessions/load-session.ts';
import { deliveryOf, priceSession } from '../sessions/purchase.ts';
import { openTokenOf } from '../sessions/reuse.ts';
import { type AgentCheckout, openAgentCheckout } from './open-agent-checkout.ts';

/**
 * Places the order of an agent's cart whose total is 0, which nobody has to pay, and returns it as paid. A repeated
 * call returns the same order. Fails with `validation_error` by field of {@link BuyerDraft} while the buyer is
 * incomplete, with `price_changed` if the total is not 0, with `conflict` if the tenant has its own checkout, and as
 * starting the checkout and placing its order do.
 */
export async function placeFreeOrder(
  ctx: TenantContext,
  checkout: AgentCheckout,
): Promise<Result<StoredOrder>> {
  const { tenant, cartId } = checkout;
  const opened = await openAgentCheckout(ctx, checkout);
  if (opened.ok) return placeInSession(ctx, tenant, opened.value.token);
  const { code, details } = opened.failure;
  if (code !== 'cart_locked') return opened;
  const placed = typeof details?.order_id === 'string' ? await orderById(ctx, details.order_id) : null;
  if (placed?.ok) return placed;
  // The request that locked the cart was interrupted, or is still running. Its session makes no second order.
  const token = await openTokenOf(ctx, cartId);
  return token === null ? opened : placeInSession(ctx, tenant, token);
}

async function placeInSession(
  ctx: TenantContext,
  tenant: AgentCheckout['tenant'],
  token: string,
): Promise<Result<StoredOrder>> {
  const loaded = await loadSession(ctx.env, token);
  if (!loaded.ok) return loaded;
  const provider = await resolveProvider(ctx, tenant, loaded.value.session.provider);
  if (!provider.ok) return provider;
  return provider.value ? placeAndSettle(ctx, loaded.value, provider.value) : fail('conflict');
}

async function placeAndSettle(
  ctx: TenantContext,
  loaded: LoadedSession,
  provider: Provider,
): Promise<Result<StoredOrder>> {
  const { session } = loaded;
  if (!loaded.order) {
    const { grandTotal } = priceSession(session, deliveryOf(session, session.buyer)).totals;
    if (grandTotal !== 0) return fail('price_changed');
  }
  const placed = loaded.order ? ok(loaded.order) : await placeOnce(ctx, loaded, provider);
  if (!placed.ok) return placed;
  const orderId = placed.value.row.id;
  const returnUrls = { success: session.returnUrl, cancel: session.returnUrl };
  const paid = await pay(ctx, { orderId, provider, returnUrls, decline: false });
  if (!paid.ok) return paid;
  return paid.value.state === 'paid' ? ok(paid.value.order) : fail('conflict');
}

async function placeOnce(
  ctx: TenantContext,
  loaded: LoadedSession,
  { test, paymentWindowMs }: Provider,
): Promise<Result<StoredOrder>> {
  const { session } = loaded;
  const buyer = buyerOf(session.buyer, session.snapshot);
  if (!buyer.ok) return buyer;
  const options = {
    buyerOf: () => buyer.value,
    shippingMethod: null,
    test,
    paymentWindowMs,
    opensPayment: true,
  };
  return placeFromSession(ctx, loaded, options);
}
