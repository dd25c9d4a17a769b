import { productTemplate } from '../../tenants/index.ts';
import type { UcpTenant } from '../context.ts';

/** A link to one of a shop's policies, by the protocol's well-known types. */
export interface PolicyLink {
  readonly type: 'privacy_policy' | 'terms_of_service' | 'refund_policy';
  readonly url: string;
}

/** Returns the links to the policies that the shop has stated. */
export function policyLinks({ ucp: { policies = {} } }: Pick<UcpTenant, 'ucp'>): PolicyLink[] {
  const { privacy, terms, refunds } = policies;
  const links = [
    { type: 'privacy_policy', url: privacy },
    { type: 'terms_of_service', url: terms },
    { type: 'refund_policy', url: refunds },
  ] as const;
  return links.flatMap(({ type, url }) => (url ? [{ type, url }] : []));
}

/** What a product's page is found by. */
export interface ProductNames {
  readonly id: number;
  readonly slug: string;
  readonly variantId?: number | null;
}

/** Returns the address of a product's page in the shop; undefined if the shop has not stated where it is. */
export function productUrl(
  { settings }: Pick<UcpTenant, 'settings'>,
  { id, slug, variantId }: ProductNames,
): string | undefined {
  return productTemplate(settings)
    ?.replaceAll('{slug}', encodeURIComponent(slug))
    .replaceAll('{id}', String(id))
    .replaceAll('{variant_id}', String(variantId ?? id));
}
