import { type SQL, sql } from 'drizzle-orm';
import { jsonList, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { media, mediaUses } from './tables.ts';

/** The end of an image's public URL, with or without the width of a copy. */
const MEDIA_URL = /\/media\/[a-z0-9-]+\/([0-9a-f]{64})(?:\?w=\d+)?$/;

/** Returns the hash that an image's public URL names, on whichever host; null for any other URL. */
export const mediaHashOf = (url: string): string | null => MEDIA_URL.exec(url)?.[1] ?? null;

/** A product, and the URLs of all images that it shows. */
export interface ShownImages {
  readonly productId: number;
  readonly urls: readonly string[];
}

/**
 * Returns the statements that record which images a product shows, for the batch of its write. An image that is
 * not there (yet) is recorded too, so that it can't be deleted once it is.
 */
export function mediaUseStatements(
  { db, tenantId }: TenantDatabase,
  { productId, urls }: ShownImages,
): Statement[] {
  const hashes = [...new Set(urls.flatMap((url) => mediaHashOf(url) ?? []))];
  const clear = run(
    db,
    sql`DELETE FROM ${mediaUses} WHERE tenant_id = ${tenantId} AND product_id = ${productId}
      AND hash NOT IN (${jsonList(hashes)})`,
  );
  if (hashes.length === 0) return [clear];
  const insert = sql`INSERT OR IGNORE INTO ${mediaUses} (tenant_id, product_id, hash)
    SELECT ${tenantId}, ${productId}, value FROM (${jsonList(hashes)})`;
  return [clear, run(db, insert)];
}

/**
 * Returns the expression for the sizes of the images that a product shows: JSON of `[width, height]` by hash.
 * `product` is the alias of a table with `id` and `tenant_id`.
 */
export const imageSizes = (product: string): SQL => {
  const alias = sql.raw(product);
  return sql`(SELECT json_group_object(m.hash, json_array(m.width, m.height)) FROM ${mediaUses} u
    JOIN ${media} m ON m.tenant_id = u.tenant_id AND m.hash = u.hash AND m.state = 'stored'
    WHERE u.tenant_id = ${alias}.tenant_id AND u.product_id = ${alias}.id)`;
};
