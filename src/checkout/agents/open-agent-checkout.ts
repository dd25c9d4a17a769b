import type { Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { storefrontUrl, type TenantRow } from '../../tenants/index.ts';
import { type OpenedCheckout, openCheckout } from '../start.ts';
import { continueUrl } from './continue-url.ts';

/** A cart that an agent filled, of a tenant, and the origin of the checkout page. */
export interface AgentCheckout {
  readonly tenant: TenantRow;
  readonly cartId: string;
  readonly origin: string;
}

/**
 * Opens the checkout of an agent's cart, or the one that leads to paying its pending order. A total that rose since
 * the agent saw it does not fail: the buyer sees it on the page before paying.
 */
export async function openAgentCheckout(
  ctx: TenantContext,
  { tenant, cartId, origin }: AgentCheckout,
): Promise<Result<OpenedCheckout>> {
  const returnUrl = new URL(continueUrl(ctx, origin, cartId));
  const shop = storefrontUrl(tenant.settings);
  const cancelUrl = shop ? new URL(shop) : null;
  const wanted = { tenant, cartId, origin, customerId: null, returnUrl, cancelUrl };
  const opened = await openCheckout(ctx, wanted);
  const isDearer = !opened.ok && opened.failure.code === 'price_changed';
  return isDearer ? openCheckout(ctx, wanted) : opened;
}
