import type { UcpTenant } from '../context.ts';

/**
 * Returns the URI of the tenant's profile at an origin that was called: at the root of a host that its settings name,
 * else below the tenant's own path.
 */
export function profileUri({ slug, ucp }: Pick<UcpTenant, 'slug' | 'ucp'>, origin: string): string {
  const isOwnHost = ucp.hosts?.includes(new URL(origin).host) ?? false;
  return `${origin}${isOwnHost ? '' : `/ucp/${slug}`}/.well-known/ucp`;
}
