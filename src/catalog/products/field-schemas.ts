import { z } from '@hono/zod-openapi';
import { rawText, text } from '../../kernel/text/text.ts';

/** The id of a product, variant or category. */
export const id = z.int().min(1);
/** The name of a product or category: 1 to 255 characters. */
export const name = text(255);
/** URL slug: lower-case words joined by single hyphens, at most 255 characters. */
export const slug = rawText(255, {
  least: 1,
  pattern: [
    /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u,
    'must contain only lower-case letters, digits and single "-"',
  ],
});

/** Metadata for search engines and social networks. */
export const Seo = z
  .strictObject({
    title: rawText(255).optional(),
    description: rawText(1000).optional(),
    og_image: rawText(2048).optional(),
  })
  .openapi('Seo');
