import { type CartNaming, cartName, readCartName } from '../../cart/index.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';

const LINK_PATTERN = /^([1-9]\d{0,14})-(\w+)$/;

const naming = (tenantId: number): CartNaming => ({
  prefix: 'lk',
  purpose: 'checkout-link',
  scope: String(tenantId),
});

/**
 * Returns the URL with which a buyer continues the checkout of a cart that an agent filled. It stays the same while
 * the cart lasts: each visit reprices the cart, reserves its stock and redirects to the checkout page. Whoever has
 * it sees what the agent gathered.
 */
export const continueUrl = (
  { env, tenantId }: Pick<TenantContext, 'env' | 'tenantId'>,
  origin: string,
  cartId: string,
): string => `${origin}/checkout/continue/${tenantId}-${cartName(env, naming(tenantId), { cartId })}`;

/** Returns the tenant and the cart of such a URL's last segment, or null if it is not valid. No I/O. */
export function readContinueLink(
  env: object,
  link: string,
): { readonly tenantId: number; readonly cartId: string } | null {
  const [, tenant, name] = LINK_PATTERN.exec(link) ?? [];
  if (tenant === undefined || name === undefined) return null;
  const tenantId = Number(tenant);
  const cartId = readCartName(env, naming(tenantId), name);
  return cartId === null ? null : { tenantId, cartId };
}
