import { type SQL, sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { categoryPath } from '../category-path.ts';
import { ITEM_IN_STOCK } from '../item-in-stock.ts';

/**
 * The most rows of a page, and the most bytes of their products before its last one: an isolate holds the page. A file of
 * a million SKUs, the most of a plan, takes half of the 1,000 queries that D1 allows in an invocation.
 */
export const ROWS_PER_PAGE = 2_000;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** The HTML characters that are read of a description; Google takes 5,000 characters of text. */
const MAX_HTML = 20_000;
/** The images that are read of a product: the first one and 10 more. */
const MAX_IMAGES = 11;
/** The most bytes that these take of a row: of a character 4, and of an image's URL 2,048. */
const MAX_HTML_BYTES = 4 * MAX_HTML;
const MAX_IMAGES_BYTES = MAX_IMAGES * 2_100;

/** A sellable SKU as read, or a grouped product. JSON columns are text. */
export interface ProductRow {
  readonly id: number;
  /** How many rows the page would have without its limit of bytes. */
  readonly found: number;
  readonly product_id: number;
  /** Null for a product without variants. */
  readonly variant_id: number | null;
  readonly sku: string;
  readonly type: string;
  readonly name: string;
  readonly slug: string;
  readonly vendor: string | null;
  readonly description: string | null;
  readonly images: string;
  readonly image: string | null;
  readonly prices: string;
  readonly ordinary_prices: string | null;
  readonly regular_price: number | null;
  readonly sale: string | null;
  /** The cheapest file of a download, one of which a cart takes, in minor units of the main currency. */
  readonly least_file_price: number | null;
  /** The least that a cart charges for a bundle, likewise; null for other types. */
  readonly least_bundle_price: number | null;
  readonly barcode: string | null;
  readonly in_stock: 0 | 1;
  /** When price or stock last changed (ms). */
  readonly updated_at: number;
  /** The options of a variant, by name. */
  readonly options: string | null;
  /** `color`, `colour`, `size` and `mpn` of the product's attributes, by name in lower case. */
  readonly attributes: string;
  readonly category_path: string | null;
  /** In grams. */
  readonly weight: number | null;
}

/** Returns the value of a JSON column. The catalogue validates these before it writes them. */
export const parsed = <Value>(json: string): Value => JSON.parse(json) as Value;

/**
 * Returns the next page of a tenant's sellable SKUs and grouped products after an id, ordered by id; what has
 * been sold or changed meanwhile keeps its place. A page of large products has fewer rows than `most`. One query.
 */
export const productRows = (
  { db, tenantId }: TenantDatabase,
  after: number,
  most = ROWS_PER_PAGE,
): Promise<ProductRow[]> => rows<ProductRow>(db, page(tenantId, after, most));

/** Returns about how many characters a page takes in memory. */
export const lengthOf = (page: readonly ProductRow[]): number =>
  page.reduce((sum, { description, images }) => sum + (description?.length ?? 0) + images.length, 0);

/** Returns whether no rows follow a page that was read with {@link ROWS_PER_PAGE}. */
export const isLastPage = (page: readonly ProductRow[]): boolean =>
  page.length < ROWS_PER_PAGE && page.length === (page[0]?.found ?? 0);

/** SQL for the most bytes that the long columns of a row take. */
const ROW_BYTES = sql.raw(`min(coalesce(octet_length(p.description), 0), ${MAX_HTML_BYTES})
  + min(octet_length(p.images), ${MAX_IMAGES_BYTES}) + octet_length(p.attributes)
  + coalesce(octet_length(v.attributes), 0)`);

/** Selects the first of these rows whose products together fit into a page; at least one. */
const withinBytes = (some: SQL): SQL => sql`SELECT id, found FROM (
    SELECT f.id, count(*) OVER () AS found,
      coalesce(sum(${ROW_BYTES}) OVER (ORDER BY f.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM (${some}) f JOIN inventory_items i ON i.id = f.id JOIN products p ON p.id = i.product_id
    LEFT JOIN variants v ON v.id = i.id)
  WHERE bytes_before <= ${MAX_PAGE_BYTES}`;

/**
 * SQL for the price of a bundle `p` in a currency: of each group that must be chosen from, the cheapest member that
 * there is enough of; where there is of none, the cheapest one.
 */
const leastBundlePrice = (tenantId: number, currency: SQL): SQL => sql`(SELECT sum(least) FROM (
  SELECT coalesce(min(iif(m.policy <> 'deny' OR m.on_hand - m.reserved >= c.quantity, c.quantity * (o.prices ->> ${currency}), NULL)),
      min(c.quantity * (o.prices ->> ${currency}))) AS least
    FROM stock_components c JOIN inventory_items m ON m.id = c.member_id AND m.deleted = 0 AND m.feed = 'live'
    JOIN products o ON o.id = c.member_id
    WHERE c.tenant_id = ${tenantId} AND c.parent_id = p.id GROUP BY c.group_id))`;

function page(tenantId: number, after: number, most: number): SQL {
  // The two types are a condition of the index `products_made_of_others`.
  const some = sql`SELECT id FROM (
    SELECT id FROM (SELECT id FROM inventory_items WHERE tenant_id = ${tenantId} AND id > ${after} AND feed = 'live'
      ORDER BY id LIMIT ${most})
    UNION ALL SELECT id FROM (SELECT id FROM products WHERE tenant_id = ${tenantId} AND id > ${after}
      AND type IN ('grouped', 'bundled') AND deleted_at IS NULL AND type = 'grouped' AND status = 'active'
      ORDER BY id LIMIT ${most})) ORDER BY id LIMIT ${most}`;
  const currency = sql`(SELECT currency FROM tenants WHERE id = ${tenantId})`;
  const own = (column: string) => sql.raw(`iif(v.id IS NULL, p.${column}, v.${column}) AS ${column}`);
  return sql`SELECT i.id, f.found, i.product_id, v.id AS variant_id, i.sku, i.updated_at,
      ${ITEM_IN_STOCK} AS in_stock,
      p.type, p.name, p.slug, p.vendor, substr(p.description, 1, ${MAX_HTML}) AS description,
      (SELECT json_group_array(value) FROM (SELECT value FROM json_each(p.images) LIMIT ${MAX_IMAGES})) AS images,
      v.image, v.attributes AS options, ${own('prices')}, ${own('ordinary_prices')}, ${own('regular_price')},
      ${own('sale')},
      iif(p.type = 'downloadable', (SELECT min(value -> 'prices' ->> ${currency}) FROM json_each(p.details, '$.links')), NULL)
        AS least_file_price,
      iif(p.type = 'bundled', ${leastBundlePrice(tenantId, currency)}, NULL) AS least_bundle_price,
      ${own('barcode')},
      (SELECT json_group_object(lower(key), json(iif(type = 'array', value, json_quote(value))))
        FROM json_each(p.attributes) WHERE lower(key) IN ('color', 'colour', 'size', 'mpn')) AS attributes,
      ${categoryPath(tenantId)} AS category_path, coalesce(v.weight, p.weight) AS weight
    FROM (${withinBytes(some)}) f JOIN inventory_items i ON i.id = f.id JOIN products p ON p.id = i.product_id
    LEFT JOIN variants v ON v.id = i.id
    ORDER BY f.id`;
}
