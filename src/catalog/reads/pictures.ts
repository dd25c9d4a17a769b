import { type SQL, sql } from 'drizzle-orm';
import { ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';

/** What is sold: a product, or one of its variants. */
interface Sold {
  readonly product_id: number;
  readonly variant_id: number | null;
}

interface Picture extends Sold {
  readonly url: string;
}

/**
 * Reads the pictures of the products and variants that `sold` selects (columns `product_id`, `variant_id`). Returns
 * a function that finds the URL of one: the variant's own, else the product's first; null if it has none.
 */
export async function picturesOf(
  { db, tenantId }: TenantDatabase,
  sold: SQL,
): Promise<(one: Sold) => string | null> {
  const found = await rows<Picture>(
    db,
    sql`SELECT id AS product_id, NULL AS variant_id, images ->> '$[0]' AS url FROM products
        WHERE ${ofTenant('tenant_id', tenantId)} AND id IN (SELECT product_id FROM (${sold})) AND images <> '[]'
      UNION ALL SELECT product_id, id, image FROM variants
        WHERE ${ofTenant('tenant_id', tenantId)} AND id IN (SELECT variant_id FROM (${sold})) AND image IS NOT NULL`,
  );
  const urls = new Map(found.map(({ product_id, variant_id, url }) => [`${product_id}.${variant_id}`, url]));
  return ({ product_id, variant_id }) =>
    urls.get(`${product_id}.${variant_id}`) ?? urls.get(`${product_id}.${null}`) ?? null;
}
