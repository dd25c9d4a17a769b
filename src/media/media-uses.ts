import { type SQL, sql } from 'drizzle-orm';
import { jsonList, jsonLists, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { media, mediaUses } from './tables.ts';

/** The end of an image's public URL, with or without the width of a copy and a fragment. */
const MEDIA_URL = /\/media\/[a-z0-9-]+\/([0-9a-f]{64})(?:\?w=\d+)?(?:#.*)?$/;

/** Returns the hash that an image's public URL names, on whichever host; null for any other URL. */
export const mediaHashOf = (url: string): string | null => MEDIA_URL.exec(url)?.[1] ?? null;

/** A product, and the URLs of all images that it shows. */
interface ShownImages {
  readonly productId: number;
  /** Whether the product showed none before. */
  readonly isNew: boolean;
  readonly urls: readonly string[];
}

/**
 * Returns the statements that record which images products show, for the batch of their write. An image that is
 * not there (yet) is recorded too, so that it can't be deleted once it is.
 */
export function mediaUseStatements(
  { db, tenantId }: TenantDatabase,
  products: readonly ShownImages[],
): Statement[] {
  const hashesOf = ({ urls }: ShownImages) => [...new Set(urls.flatMap((url) => mediaHashOf(url) ?? []))];
  const clear = products
    .filter(({ isNew }) => !isNew)
    .map((product) =>
      run(
        db,
        sql`DELETE FROM ${mediaUses} WHERE tenant_id = ${tenantId} AND product_id = ${product.productId}
          AND hash NOT IN (${jsonList(hashesOf(product))})`,
      ),
    );
  const uses = products.flatMap((product) => hashesOf(product).map((hash) => [product.productId, hash]));
  const insert = jsonLists(uses).map((list) =>
    run(
      db,
      sql`INSERT OR IGNORE INTO ${mediaUses} (tenant_id, product_id, hash)
        SELECT ${tenantId}, value ->> 0, value ->> 1 FROM json_each(${list})`,
    ),
  );
  return [...clear, ...insert];
}

/** Returns the query for a stored image's uses: its hash and each `product_id` or null; no row if it isn't stored. */
export const usesOfMedia = (tenantId: number, mediaId: string): SQL => sql`SELECT m.hash, u.product_id
  FROM ${media} m LEFT JOIN ${mediaUses} u ON u.tenant_id = m.tenant_id AND u.hash = m.hash
  WHERE m.tenant_id = ${tenantId} AND m.id = ${mediaId} AND m.state = 'stored'`;

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
