import { sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { mediaHashOf, usesOfMedia } from '../../media/index.ts';
import { column } from '../reads/rows.ts';
import { MAX_PICTURE_USES, type PictureUses } from './schemas.ts';

interface UseRow {
  /** Null if no product shows the image. */
  readonly id: number | null;
  readonly hash: string;
  readonly name: string;
  readonly images: string;
  readonly imageAlts: string;
}

/** Returns the first products that show an uploaded image, by id; null if there is no such image. */
export async function readPictureUses(
  { db, tenantId }: TenantDatabase,
  mediaId: string,
): Promise<PictureUses['data'] | null> {
  const found = await rows<UseRow>(
    db,
    sql`SELECT u.hash, p.id, p.name, p.images, p.image_alts AS imageAlts FROM (${usesOfMedia(tenantId, mediaId)}) u
      LEFT JOIN products p ON p.tenant_id = ${tenantId} AND p.id = u.product_id AND p.deleted_at IS NULL
      ORDER BY u.product_id LIMIT ${MAX_PICTURE_USES}`,
  );
  if (found.length === 0) return null;
  return found.flatMap(({ id, hash, name, images, imageAlts }) => {
    if (id === null) return [];
    const url = column.strings(images).find((one) => mediaHashOf(one) === hash);
    const alt = url === undefined ? null : (column.texts(imageAlts)[url] ?? null);
    return [{ id, name, in_images: url !== undefined, alt }];
  });
}
