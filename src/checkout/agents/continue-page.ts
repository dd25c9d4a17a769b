import type { Context } from 'hono';
import type { Failure } from '../../kernel/core/errors.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import type { App } from '../../kernel/http/context.ts';
import { statusOf } from '../../kernel/http/problem.ts';
import { orderById } from '../../orders/index.ts';
import { requireTenant } from '../../tenants/index.ts';
import { redirect } from '../pages/html.ts';
import { CHECKOUT_ENDED, NOT_AVAILABLE, plainNotice, SHOP_CLOSED } from '../pages/responses.tsx';
import { readContinueLink } from './continue-url.ts';
import { openAgentCheckout } from './open-agent-checkout.ts';
import { orderPageUrl } from './order-page.ts';

const NO_LINK = { title: 'Not found', text: 'This checkout link is not valid.', status: 404 } as const;

const IN_USE = 'This cart is being ordered or changed at the moment. Please try again in a few seconds.';

/** What the buyer reads when the checkout can't be opened. */
const REFUSALS: Partial<Record<Failure['code'], string>> = {
  cart_locked: IN_USE,
  conflict: IN_USE,
  cart_empty: 'There is nothing in this cart.',
  insufficient_stock: 'One of the items has sold out. Ask your assistant to change the cart.',
  slot_unavailable: 'The chosen time is no longer available. Ask your assistant to choose another one.',
  total_not_chargeable: "This total can't be paid here. Ask your assistant to change the cart.",
  rate_limited: 'The shop has too many checkouts at the moment. Please try again later.',
  shipping_unavailable: 'The shop does not deliver to this address. Ask your assistant to change it.',
};

/** Redirects a buyer to the checkout page of the cart that an agent filled, or to the page of its paid order. */
export async function continueCheckout(c: Context<App>): Promise<Response> {
  const link = readContinueLink(c.env, c.req.param('link') ?? '');
  if (!link) return plainNotice(c, NO_LINK);
  const { tenantId, cartId } = link;
  const ctx = tenantContext({ env: c.env, ctx: c.executionCtx }, tenantId, { kind: 'shopper' });
  const tenant = await requireTenant(ctx);
  if (tenant.status !== 'active') return plainNotice(c, SHOP_CLOSED);
  const { origin } = new URL(c.req.url);
  const opened = await openAgentCheckout(ctx, { tenant, cartId, origin });
  if (opened.ok) return redirect(c, opened.value.url);
  const orderPage = await pageOfOrder(ctx, opened.failure);
  return orderPage === null ? refuse(c, opened.failure) : redirect(c, orderPage);
}

/** Returns the page of the order that a cart is locked by; null for another failure. */
async function pageOfOrder(ctx: TenantContext, { code, details }: Failure): Promise<string | null> {
  if (code !== 'cart_locked' || typeof details?.order_id !== 'string') return null;
  const order = await orderById(ctx, details.order_id);
  return order.ok ? orderPageUrl(ctx.env, order.value.row) : null;
}

function refuse(c: Context<App>, { code }: Failure): Response {
  const isGone = code === 'cart_not_found' || code === 'cart_expired';
  if (isGone) return plainNotice(c, CHECKOUT_ENDED);
  const text = REFUSALS[code];
  if (text === undefined) return plainNotice(c, NOT_AVAILABLE);
  return plainNotice(c, { title: 'Your checkout can not be opened', text, status: statusOf(code) });
}
