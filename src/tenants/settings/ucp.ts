import { z } from '@hono/zod-openapi';
import { httpsUrl } from '../../kernel/text/uri.ts';
import { productUrl } from './feeds.ts';
import { Host } from './host.ts';

const page = (what: string) => httpsUrl.nullable().optional().openapi({ description: what });

/** The settings of the Universal Commerce Protocol, by which shopping agents find and buy products. */
export const UcpSettings = z.strictObject({
  enabled: z.boolean().openapi({
    description: "Whether agents may buy here: only then the tenant's profile and endpoints exist.",
  }),
  hosts: z.array(Host).max(10).optional().openapi({
    description:
      "Host names that lead to this service, such as the shop's own domain: `/.well-known/ucp` there responds with this tenant's profile. A host belongs to one tenant: 409 `host_taken`.",
  }),
  storefront_url: page('The first page of the shop, where agents send shoppers when they can go no further.'),
  product_url: productUrl.nullable().optional().openapi({
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
