import { z } from '@hono/zod-openapi';
import { isLoopback } from '../../kernel/text/public-url.ts';
import { rawText } from '../../kernel/text/text.ts';

/** The placeholders of a product URL: what identifies a product or variant in the shop. */
const PLACEHOLDERS = ['{slug}', '{id}', '{variant_id}'] as const;
const NAMES = PLACEHOLDERS.join(', ');

/** Replaces the placeholders by a value that is valid wherever they are. */
const filled = (template: string): string =>
  PLACEHOLDERS.reduce((url, placeholder) => url.replaceAll(placeholder, 'x'), template);

function isHttps(template: string): boolean {
  const [, host = ''] = /^https:\/\/([^/?#{}@\s]+)[/?#]\S*$/.exec(template) ?? [];
  // Not in the pattern, which would follow each of many dots to the end.
  return host.slice(1, -1).includes('.') && URL.canParse(filled(template));
}

const isLocal = (template: string): boolean =>
  /^http:\/\/[^/?#{}@\s]+[/?#]\S*$/.test(template) &&
  URL.canParse(filled(template)) &&
  isLoopback(new URL(filled(template)).hostname);

const templateOf = (isAllowed: (template: string) => boolean) =>
  rawText(1_000, { least: 1 })
    .refine((template) => !/[{}]/.test(filled(template)), `must have no placeholders but ${NAMES}`)
    .refine((template) => filled(template) !== template, `must have one of ${NAMES}`)
    .refine(isAllowed, 'must be an https URL with its placeholders after the host')
    .openapi({
      description: `A product's page in the shop, for \`link\` in product feeds. \`{slug}\` and \`{id}\` are the product's; \`{variant_id}\` is the variant's id, or the product's where it has no variants.`,
      example: 'https://shop.example.com/p/{slug}?variant={variant_id}',
    });

/** Schema of the address of a product in the tenant's shop: an https URL with placeholders after its host. */
const productUrl = templateOf(isHttps);

/** Schema of such an address that may also be http on this machine: see `refuseLocalUrls`. */
export const localOrHttpsProductUrl = templateOf((template) => isHttps(template) || isLocal(template));

/** The settings of product feeds. */
export const FeedSettings = z.strictObject({ product_url: productUrl.nullable().optional() });
