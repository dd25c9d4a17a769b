import { z } from '@hono/zod-openapi';
import { localOrHttpsUrl, type UrlField } from '../../kernel/text/local-url.ts';
import { isLoopback } from '../../kernel/text/public-url.ts';
import { type FeedSettings, localOrHttpsProductUrl } from './feeds.ts';
import { Host } from './host.ts';

const shopPage = localOrHttpsUrl((url) => isLoopback(new URL(url).hostname));
const page = (what: string) => shopPage.nullable().optional().openapi({ description: what });

/** The settings of the Universal Commerce Protocol, by which shopping agents find and buy products. */
export const UcpSettings = z.strictObject({
  enabled: z.boolean().openapi({
    description: "Whether agents may buy here: only then the tenant's profile and endpoints exist.",
  }),
  hosts: z.array(Host).max(10).optional().openapi({
    description:
      "Host names that lead to this service, such as the shop's own domain: `/.well-known/ucp` there responds with this tenant's profile. A host belongs to one tenant: 409 `host_taken`.",
  }),
  storefront_url: page(
    'The first page of the shop, where agents send shoppers when they can go no further, and where shoppers go back to after they paid. Default: the root of the site of `product_url`.',
  ),
  product_url: localOrHttpsProductUrl.nullable().optional().openapi({
    description:
      "A product's page in the shop, with the placeholders of `feeds.product_url`, which is used without it.",
  }),
  policies: z
    .strictObject({
      privacy: page('The privacy policy.'),
      terms: page('The terms of service.'),
      refunds: page('The refund policy.'),
    })
    .optional()
    .openapi({ description: 'Pages that agents show before a purchase.' }),
});

/** Returns the URLs of the settings for agents, by their fields. */
export const urlFieldsOf = (
  { storefront_url, product_url, policies = {} }: Partial<z.infer<typeof UcpSettings>>,
  settingsAt: string,
): UrlField[] =>
  Object.entries({
    storefront_url,
    product_url,
    ...Object.fromEntries(Object.entries(policies).map(([name, url]) => [`policies.${name}`, url])),
  }).map(([field, url]) => [`${settingsAt}ucp.${field}`, url]);

/** The settings that say where a tenant's own pages are. */
interface ShopPages {
  readonly ucp?: z.infer<typeof UcpSettings> | undefined;
  readonly feeds?: z.infer<typeof FeedSettings> | undefined;
}

/** Returns the address template of a product's page in the tenant's shop; undefined if it is not stated. */
export const productTemplate = ({ ucp, feeds }: ShopPages): string | undefined =>
  ucp?.product_url ?? feeds?.product_url ?? undefined;

/**
 * Returns the first page of the tenant's shop: the one that the settings state, else the root of the site that has the
 * product pages; undefined if neither is stated.
 */
export function storefrontUrl(settings: ShopPages): string | undefined {
  const template = productTemplate(settings);
  return settings.ucp?.storefront_url ?? (template && new URL('/', template).href);
}
