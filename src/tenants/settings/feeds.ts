import { z } from '@hono/zod-openapi';
import { rawText } from '../../kernel/text/text.ts';

/** The placeholders of a product URL: what identifies a product or variant in the shop. */
const PLACEHOLDERS = ['{slug}', '{id}', '{variant_id}'] as const;
const NAMES = PLACEHOLDERS.join(', ');

/** Replaces the placeholders by a value that is valid wherever they are. */
const filled = (template: string): string =>
  PLACEHOLDERS.reduce((url, placeholder) => url.replaceAll(placeholder, 'x'), template);

/** Schema of the address of a product in the tenant's shop: an https URL with placeholders after its host. */
export const productUrl = rawText(1_000, { least: 1 })
  .refine((template) => !/[{}]/.test(filled(template)), `must have no placeholders but ${NAMES}`)
  .refine((template) => filled(template) !== template, `must have one of ${NAMES}`)
  .refine(
    (template) =>
      /^https:\/\/[^/?#{}@\s]+\.[^/?#{}@\s]+[/?#]\S*$/.test(template) && URL.canParse(filled(template)),
    'must be an https URL with its placeholders after the host',
  )
  .openapi({
    description: `A product's page in the shop, for \`link\` in product feeds. \`{slug}\` and \`{id}\` are the product's; \`{variant_id}\` is the variant's id, or the product's where it has no variants.`,
    example: 'https://shop.example.com/p/{slug}?variant={variant_id}',
  });

/** The settings of product feeds. */
export const FeedSettings = z.strictObject({ product_url: productUrl.nullable().optional() });
