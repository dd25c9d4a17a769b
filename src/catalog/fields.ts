import { z } from '@hono/zod-openapi';

/** Fields that products and categories share. */
export const id = z.int().min(1);
export const name = z.string().trim().min(1).max(255);
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
