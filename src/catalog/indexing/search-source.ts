import { type SQL, sql } from 'drizzle-orm';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { presentListItem } from '../products/present.ts';
import { isSmall } from '../reads/page-rows.ts';
import { column, isHidden, PRODUCT_COLUMNS, type ProductRow } from '../reads/rows.ts';

/** A product with all its searchable text. A deleted or inactive one has `live` false. */
export interface SearchSource {
  readonly tenantId: number;
  readonly productId: number;
  /** Catalogue version of the read; `sequence` is the tenant's clock at the last change, stock included. */
  readonly version: number;
  readonly sequence: number;
  readonly live: boolean;
  readonly sku: string;
  readonly variantSkus: readonly string[];
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  /** Names of its categories and their ancestors that are not hidden. */
  readonly categories: readonly string[];
  /** Values of its own attributes and its variants'. */
  readonly attributes: readonly string[];
  readonly tags: readonly string[];
  readonly vendor: string | null;
  /** JSON of the list item, in the tenant's main currency. */
  readonly item: string;
}

/** A row of {@link searchSources}. */
export type SearchableRow = ProductRow & {
  readonly version: number;
  readonly sequence: number;
  readonly deleted: 0 | 1;
  readonly currency: string;
  readonly variant_skus: string;
  readonly attribute_values: string;
  readonly category_names: string;
};

/** The most products that are read at once whatever their size. */
export const MAX_LARGE_PRODUCTS = 5;

/**
 * Reads the tenant's products after an id, ordered by id, in one round trip. Returns null for more than
 * {@link MAX_LARGE_PRODUCTS} of which one isn't small: they might not fit into memory.
 */
export async function searchSourcesAfter(
  ctx: TenantDatabase,
  after: number,
  limit: number,
): Promise<SearchSource[] | null> {
  const { tenantId, db } = ctx;
  const fits = limit > MAX_LARGE_PRODUCTS ? isSmall(limit) : sql`TRUE`;
  const next = sql`p.id IN (SELECT n.id FROM products n WHERE n.tenant_id = ${tenantId} AND n.id > ${after}
    AND n.deleted_at IS NULL ORDER BY n.id LIMIT ${limit})`;
  const { large, found } = await namedBatch(db, {
    large: rows<{ id: number }>(db, sql`SELECT p.id FROM products p WHERE ${next} AND NOT (${fits}) LIMIT 1`),
    found: searchSources(ctx, sql`${next} AND ${fits}`, limit),
  });
  return large.length > 0 ? null : found.map((row) => searchSource(tenantId, row));
}

/**
 * Returns the query for products that match `condition` (on products `p`), deleted ones included, ordered by
 * id.
 */
export const searchSources = ({ db, tenantId }: TenantDatabase, condition: SQL, limit: number) =>
  rows<SearchableRow>(
    db,
    sql`SELECT ${PRODUCT_COLUMNS}, i.updated_at AS sequence, i.deleted, t.currency, t.catalog_version AS version,
        (SELECT json_group_array(v.sku) FROM variants v
          WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0) AS variant_skus,
        (SELECT json_group_array(value) FROM (
          SELECT a.value FROM variants v, json_each(v.attributes) a
            WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0
          UNION SELECT atom FROM json_tree(p.attributes) WHERE atom IS NOT NULL)) AS attribute_values,
        (SELECT json_group_array(DISTINCT c.name) FROM product_categories pc
          -- CROSS JOIN, because SQLite would else read all of the tenant's categories for each product.
          CROSS JOIN category_ancestors a ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
          CROSS JOIN categories c ON c.id = a.ancestor_id
          WHERE pc.tenant_id = p.tenant_id AND pc.product_id = p.id AND NOT ${isHidden(tenantId, sql`c.id`)}) AS category_names
      FROM products p JOIN inventory_items i ON i.id = p.id JOIN tenants t ON t.id = p.tenant_id
      WHERE p.tenant_id = ${tenantId} AND ${condition} ORDER BY p.id LIMIT ${limit}`,
  );

/** Converts a row to a search source. */
export const searchSource = (tenantId: number, row: SearchableRow): SearchSource => ({
  tenantId,
  productId: row.id,
  version: row.version,
  sequence: row.sequence,
  live: row.deleted === 0 && row.status === 'active',
  sku: row.sku,
  variantSkus: column.strings(row.variant_skus),
  name: row.name,
  slug: row.slug,
  description: row.description,
  categories: column.strings(row.category_names),
  attributes: column.strings(row.attribute_values),
  tags: column.strings(row.tags),
  vendor: row.vendor,
  item: JSON.stringify(presentListItem(row, { currency: row.currency, mainCurrency: row.currency })),
});
