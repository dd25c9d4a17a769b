import { z } from '@hono/zod-openapi';
import { isDistinct } from '../../kernel/core/lists.ts';
import { fold } from '../../kernel/text/fold.ts';
import { line, rawText } from '../../kernel/text/text.ts';
import {
  MAX_ATTRIBUTE_VALUE_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PRODUCT_ATTRIBUTE_NAME_LENGTH,
  MAX_PRODUCT_ATTRIBUTE_VALUES,
  MAX_PRODUCT_ATTRIBUTES,
  MAX_SEO_DESCRIPTION_LENGTH,
  MAX_SEO_TITLE_LENGTH,
  MAX_SLUG_LENGTH,
} from '../limits.ts';

/** The id of a product, variant or category. */
export const id = z.int().min(1);
/** The name of a product or category, not empty. */
export const name = line(MAX_NAME_LENGTH);
/** URL slug: lower-case words, which may have marks as vowels (Devanagari, Thai), joined by single hyphens. */
export const slug = rawText(MAX_SLUG_LENGTH, {
  least: 1,
  pattern: [
    /^[\p{Ll}\p{Lm}\p{Lo}\p{N}][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}]*(-[\p{Ll}\p{Lm}\p{Lo}\p{N}][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}]*)*$/u,
    'must contain only lower-case letters, digits and single "-"',
  ],
});

/** Metadata for search engines and social networks. */
export const Seo = z
  .strictObject({
    title: rawText(MAX_SEO_TITLE_LENGTH).optional(),
    description: rawText(MAX_SEO_DESCRIPTION_LENGTH).optional(),
    og_image: rawText(2048).optional().openapi({
      description: 'The image for social networks. It is returned exactly as it was sent.',
    }),
  })
  .openapi('Seo');

/** Returns whether no two keys differ only in case or accents, and the message if they do. */
export const DISTINCT_NAMES = [
  (map: object) => isDistinct(Object.keys(map).map(fold)),
  'must not have names that differ only in case or accents',
] as const;

const attributeValue = line(MAX_ATTRIBUTE_VALUE_LENGTH);

/** The attributes of a product in a request. Names are compared without case and accents. */
export const AttributesInput = z
  .record(
    line(MAX_PRODUCT_ATTRIBUTE_NAME_LENGTH),
    z.union([attributeValue, z.array(attributeValue).min(1).max(MAX_PRODUCT_ATTRIBUTE_VALUES)], {
      error: `must be a string of 1 to ${MAX_ATTRIBUTE_VALUE_LENGTH} characters, or a list of 1 to ${MAX_PRODUCT_ATTRIBUTE_VALUES}`,
    }),
  )
  .refine(
    (map) => Object.keys(map).length <= MAX_PRODUCT_ATTRIBUTES,
    `must have at most ${MAX_PRODUCT_ATTRIBUTES} names`,
  )
  .refine(...DISTINCT_NAMES)
  .openapi({
    maxProperties: MAX_PRODUCT_ATTRIBUTES,
    description: 'Properties of the product by name, such as its material. Public, and replaced as a whole.',
  });

/** The attributes of a product in a response. */
export const ShownAttributes = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
