import { z } from '@hono/zod-openapi';
import { rawText } from '../../kernel/text/text.ts';

/** Largest number of products that the list of a picture has. */
export const MAX_PICTURE_USES = 10;

/** The path parameter that names the uploaded image. */
export const PictureParams = z.object({ id: rawText(64, { least: 1 }) });

/** The products that show an uploaded image. */
export const PictureUses = z
  .object({
    data: z
      .array(
        z.object({
          id: z.int(),
          name: z.string(),
          in_images: z.boolean().openapi({
            description:
              'Whether it is one of `images`; else only variants of the product or its `seo.og_image` show it.',
          }),
          alt: z.string().nullable().openapi({ description: 'Its alternative text in this product.' }),
        }),
      )
      .max(MAX_PICTURE_USES),
  })
  .openapi('PictureUses');
export type PictureUses = z.infer<typeof PictureUses>;
