import { z } from 'zod';
import { iso } from '../kernel/core/clock.ts';
import { type MediaPlace, mediaPath } from './object-keys.ts';
import type { Media } from './schemas.ts';
import type { UsedMedia } from './store.ts';
import type { MediaRow } from './tables.ts';

/** Returns an image as the API shows it. */
export const presentMedia = (row: MediaRow & Partial<UsedMedia>, { origin, slug }: MediaPlace): Media => ({
  id: row.id,
  url: `${origin}${mediaPath(slug, row.hash)}`,
  width: row.width,
  height: row.height,
  bytes: row.bytes,
  content_type: row.contentType,
  created_at: iso(row.createdAt),
  ...(row.productIds !== undefined && { product_ids: z.array(z.int()).parse(JSON.parse(row.productIds)) }),
});

/** Returns an uploaded image, without the products that show it: the same bytes again get the same response. */
export function presentUpload(row: MediaRow, place: MediaPlace): Media {
  const { product_ids: _, ...image } = presentMedia(row, place);
  return image;
}
