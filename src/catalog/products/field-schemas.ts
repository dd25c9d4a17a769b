import { z } from '@hono/zod-openapi';
import { rawText, text } from '../../kernel/text/text.ts';
import {
  MAX_NAME_LENGTH,
  MAX_SEO_DESCRIPTION_LENGTH,
  MAX_SEO_TITLE_LENGTH,
  MAX_SLUG_LENGTH,
} from '../limits.ts';

/** The id of a product, variant or category. */
export const id = z.int().min(1);
/** The name of a product or category, not empty. */
export const name = text(MAX_NAME_LENGTH);
/** URL slug: lower-case words joined by single hyphens. */
export const slug = rawText(MAX_SLUG_LENGTH, {
  least: 1,
  pattern: [
    /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u,
    'must contain only lower-case letters, digits and single "-"',
  ],
});

/** Metadata for search engines and social networks. */
export const Seo = z
  .strictObject({
    title: rawText(MAX_SEO_TITLE_LENGTH).optional(),
    description: rawText(MAX_SEO_DESCRIPTION_LENGTH).optional(),
    og_image: rawText(2048).optional(),
  })
  .openapi('Seo');
