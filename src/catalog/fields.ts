import { z } from '@hono/zod-openapi';

/** The id of a product, variant or category. */
export const id = z.int().min(1);
/** The name of a product or category: 1 to 255 characters. */
export const name = z.string().trim().min(1).max(255);
/** The last part of a page's address: words in lower case, at most 255 characters. */
export const slug = z
  .string()
  .max(255)
  .regex(
    /^[\p{Ll}\p{Lo}\p{N}]+(-[\p{Ll}\p{Lo}\p{N}]+)*$/u,
    'may have lower-case letters, digits and single "-"',
  );

/** Search engine texts of a page. */
export const Seo = z
  .strictObject({
    title: z.string().max(255).optional(),
    description: z.string().max(1000).optional(),
    og_image: z.string().max(2048).optional(),
  })
  .openapi('Seo');
