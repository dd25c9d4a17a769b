import { z } from '@hono/zod-openapi';
import { listPages, PageMeta } from '../kernel/core/pagination.ts';
import { groupDigits, rawText, storedText } from '../kernel/text/text.ts';
import { WIDTHS } from './object-keys.ts';
import { IMAGE_TYPES, MAX_PIXELS, MAX_SIDE_PX } from './uploads/detect-image.ts';

/** Largest image, in bytes. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** Largest number of products that a response names for an image. */
export const MAX_USES = 10;

/** Path parameters with an image's id. */
export const MediaParams = z.object({ id: rawText(64, { least: 1 }) });

/** Pages and cursors of the list: newest first. */
export const mediaPages = listPages('media', z.tuple([z.int(), z.string()]));

/** The newest images that a search of the list looks at. */
export const MAX_SEARCHED = 2_000;

export const MediaListQuery = z.object({
  ...mediaPages.query,
  q: storedText(100)
    .optional()
    .openapi({
      description: `Beginnings of words of the alternative text that a product gives the image, or of the product's name, without case and accents; words within text of scripts without spaces (Japanese, Thai). Looks at the ${groupDigits(MAX_SEARCHED)} newest images and at most 8 MiB of texts; the names of files are not stored.`,
    }),
});

/** An uploaded image. */
export const Media = z
  .object({
    id: z.string().openapi({ example: 'med_3kTMd9XcB2LhVq0ZrWy7sFgP' }),
    url: z.url().openapi({
      description: `The image's public URL, for \`images\` of products. Its content never changes. \`?w=\` with ${WIDTHS.join(', ')} returns a copy of that width as WebP without metadata, or the original if that is no wider.`,
      example:
        'https://api.example.com/media/demo/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    width: z
      .int()
      .min(1)
      .max(MAX_SIDE_PX)
      .openapi({ description: `Pixels, as displayed. At most ${MAX_PIXELS / 1e6} megapixels in all.` }),
    height: z.int().min(1).max(MAX_SIDE_PX),
    bytes: z.int().min(1).max(MAX_IMAGE_BYTES),
    content_type: z.enum(IMAGE_TYPES),
    created_at: z.iso.datetime(),
    product_ids: z
      .array(z.int())
      .max(MAX_USES)
      .optional()
      .openapi({
        description: `At most ${MAX_USES} products that show the image. Not in the response to an upload.`,
      }),
  })
  .openapi('Media');
export type Media = z.infer<typeof Media>;

/** A page of images. */
export const MediaList = z.object({ data: z.array(Media), meta: PageMeta }).openapi('MediaList');
