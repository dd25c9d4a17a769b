import { type SQL, sql } from 'drizzle-orm';
import { type Database, listed, rows } from '../kernel/database.ts';
import { presentListItem } from './present.ts';
import { column, PRODUCT_COLUMNS, type ProductRow } from './rows.ts';

/** A product with all that it can be found by, as it is now; deleted ones too (`live` is false). */
export interface Searchable {
  readonly tenantId: number;
  readonly productId: number;
  /** The tenant's clock at the product's last change, of stock too: rises with each. */
  readonly sequence: number;
  readonly live: boolean;
  readonly sku: string;
  readonly variantSkus: readonly string[];
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  /** Names of its categories and all above them. */
  readonly categories: readonly string[];
  readonly attributes: readonly string[];
  readonly tags: readonly string[];
  readonly vendor: string | null;
  /** The product as lists show it, in the tenant's currency, as JSON. */
  readonly item: string;
}

type Row = ProductRow & {
  readonly sequence: number;
  readonly deleted: 0 | 1;
  readonly currency: string;
  readonly variant_skus: string;
  readonly variant_attributes: string;
  readonly category_names: string;
};

/** The tenant's products with these ids: one round trip. */
export const searchablesById = (db: Database, tenantId: number, ids: readonly number[]) =>
  read(db, tenantId, sql`p.id IN (${listed(ids)})`, ids.length);

/** The tenant's products after an id, by rising id: one round trip. */
export const searchablesAfter = (db: Database, tenantId: number, after: number, limit: number) =>
  read(db, tenantId, sql`p.id > ${after} AND p.deleted_at IS NULL`, limit);

async function read(db: Database, tenantId: number, which: SQL, limit: number): Promise<Searchable[]> {
  const found = await rows<Row>(
    db,
    sql`SELECT ${PRODUCT_COLUMNS}, i.updated_at AS sequence, i.deleted, t.currency,
        (SELECT json_group_array(v.sku) FROM variants v
          WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0) AS variant_skus,
        (SELECT json_group_array(DISTINCT a.value) FROM variants v, json_each(v.attributes) a
          WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0) AS variant_attributes,
        (SELECT json_group_array(DISTINCT c.name) FROM product_categories pc
          JOIN category_ancestors a ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
          JOIN categories c ON c.id = a.ancestor_id
          WHERE pc.tenant_id = p.tenant_id AND pc.product_id = p.id) AS category_names
      FROM products p JOIN inventory_items i ON i.id = p.id JOIN tenants t ON t.id = p.tenant_id
      WHERE p.tenant_id = ${tenantId} AND ${which} ORDER BY p.id LIMIT ${limit}`,
  );
  return found.map((row) => searchable(tenantId, row));
}

const searchable = (tenantId: number, row: Row): Searchable => ({
  tenantId,
  productId: row.id,
  sequence: row.sequence,
  live: row.deleted === 0 && row.status === 'active',
  sku: row.sku,
  variantSkus: column.strings(row.variant_skus),
  name: row.name,
  slug: row.slug,
  description: row.description,
  categories: column.strings(row.category_names),
  attributes: column.strings(row.variant_attributes),
  tags: column.strings(row.tags),
  vendor: row.vendor,
  item: JSON.stringify(presentListItem(row, row.currency)),
});

/** What the search queue is told when names of categories changed: every product below may read otherwise. */
export interface CategoriesChanged {
  readonly tenantId: number;
  readonly categoriesChanged: true;
}

/** Tells search of changed categories. A message that is lost is made good by a rebuild. */
export const tellCategoriesChanged = (env: Env, tenantId: number): Promise<unknown> =>
  env.SEARCH_QUEUE.send({ tenantId, categoriesChanged: true } satisfies CategoriesChanged).catch(() =>
    console.warn(JSON.stringify({ event: 'search_not_told', tenant: tenantId })),
  );
