import { type SQL, sql } from 'drizzle-orm';
import { ofTenant, rows } from '../../../kernel/data/database.ts';
import type { TenantDatabase } from '../../../kernel/data/tenant-context.ts';
import { stripHtml } from '../../../kernel/text/html-text.ts';
import { MAX_LOW_STOCK } from '../../../tenants/index.ts';
import { ATTRIBUTE_PREFIX } from '../../filters/filter-query.ts';
import { nameLength, searchWords } from '../../indexing/search-words.ts';
import { IN_STOCK, sellsIn } from '../../sellable/in-stock.ts';
import type { Prices } from '../../tables.ts';

/** A value of a name that products are filtered by, as `item_facets` holds it; `itemId` 0 is the whole product. */
export type DocumentFacet = readonly [name: string, value: string, itemId: number, label: string];

/** Something of a product that can be chosen: a variant, or the product itself. */
export interface DocumentItem {
  readonly id: number;
  readonly inStock: boolean;
  /** In minor units by currency. */
  readonly prices: Prices;
}

/** All that lists filter, sort and count a product by. */
export interface ProductDocument {
  readonly id: number;
  readonly active: boolean;
  /** Folded, as lists sort by it. */
  readonly name: string;
  /** The quantity sold in the last 30 days. */
  readonly sold: number;
  /**
   * Available units of a product that needs stock, 0 if none can be sold; null if it needs none, or has more than any
   * threshold of low stock.
   */
  readonly unitsLeft: number | null;
  /** The displayed prices, in minor units by currency: the cheapest item's. */
  readonly prices: Prices;
  /** Its direct categories, without their ancestors. */
  readonly categoryIds: readonly number[];
  /** Ordered by id. */
  readonly items: readonly DocumentItem[];
  readonly facets: readonly DocumentFacet[];
  readonly text: DocumentText;
}

/** Where a product has a word: elsewhere, in its SKUs or slug, or in its name. A word counts where it ranks highest. */
export const WORD_FIELDS = ['other', 'listed', 'name'] as const;
export type WordField = (typeof WORD_FIELDS)[number];

/** What texts are matched with. Without the names of its categories, which change independently of it. */
export interface DocumentText {
  readonly words: readonly (readonly [word: string, field: WordField])[];
  /** Whole SKUs, its variants' included, and the entire name, each as one word. */
  readonly skus: readonly string[];
  readonly entireName: string;
  /** The number of words in the name, as searches rank by it. */
  readonly nameLength: number;
}

/** A product as {@link documentRows} reads it. JSON columns are text. */
export interface DocumentRow {
  readonly id: number;
  readonly deleted: 0 | 1;
  readonly status: 'active' | 'inactive';
  readonly name: string;
  readonly full_name: string;
  readonly sku: string;
  readonly slug: string;
  readonly description: string | null;
  readonly variant_skus: string;
  readonly sold: number;
  readonly units_left: number | null;
  readonly in_stock: 0 | 1;
  readonly prices: string;
  readonly category_ids: string;
  readonly items: string;
  readonly facets: string;
}

/**
 * Returns the query for the documents of products `p` that match `condition`, deleted ones included, ordered by id.
 * It reads what the lists' own statements read, so that both agree.
 */
export const documentRows = ({ db, tenantId }: TenantDatabase, condition: SQL, limit: number) =>
  rows<DocumentRow>(
    db,
    sql`SELECT p.id, p.deleted_at IS NOT NULL AS deleted, p.status, p.sort_name AS name, p.name AS full_name, p.sku,
        p.slug, p.description, p.sold_recently AS sold,
        CASE WHEN i.policy = 'deny' AND i.on_hand - i.reserved BETWEEN 1 AND ${sql.raw(String(MAX_LOW_STOCK))}
          THEN i.on_hand - i.reserved END AS units_left,
        ${sql.raw(IN_STOCK)} AS in_stock, p.prices,
        (SELECT json_group_array(v.sku) FROM variants v
          WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0) AS variant_skus,
        (SELECT json_group_array(pc.category_id) FROM product_categories pc
          WHERE pc.tenant_id = p.tenant_id AND pc.product_id = p.id) AS category_ids,
        (SELECT json_group_array(json_array(u.item_id, u.currency, u.price, (SELECT ${sellsIn(sql`u.currency`)}
            FROM inventory_items i WHERE i.id = u.item_id)))
          FROM item_prices u WHERE u.tenant_id = p.tenant_id AND u.product_id = p.id) AS items,
        (SELECT json_group_array(json_array(x.name, x.value, x.item_id, x.label))
          FROM item_facets x INDEXED BY item_facets_product
          WHERE x.tenant_id = p.tenant_id AND x.product_id = p.id) AS facets
      FROM products p JOIN inventory_items i ON i.id = p.id
      WHERE p.tenant_id = ${tenantId} AND ${condition} ORDER BY p.id LIMIT ${limit}`,
  );

/** The most bytes of the documents of one read before its last one: all of them are in memory at once. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** About the bytes of the document of a product `p`: its facets repeat each attribute, and its items each price. */
const DOCUMENT_BYTES = sql.raw(`(coalesce(octet_length(p.description), 0)
  + 4 * (octet_length(p.attributes) + octet_length(p.tags)) + (SELECT
    coalesce(sum(4 * octet_length(v.attributes) + 2 * octet_length(v.prices)), 0)
    FROM variants v WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0))`);

/** Returns the condition that the documents of these products of a tenant (a query of ids) fit into one read. */
export const fitOneRead = (tenantId: number, productIds: SQL): SQL =>
  sql`(SELECT coalesce(sum(${DOCUMENT_BYTES}), 0) FROM products p
    WHERE ${ofTenant('p.tenant_id', tenantId)} AND p.id IN (${productIds})) <= ${MAX_READ_BYTES}`;

/**
 * Reads the documents of the tenant's next products after an id, ordered by id: at most `limit`, and fewer where they are
 * large. None are left after an empty list.
 */
export const nextDocuments = (ctx: TenantDatabase, after: number, limit: number): Promise<DocumentRow[]> => {
  const next = sql`SELECT p.id, ${DOCUMENT_BYTES} AS bytes FROM products p
    WHERE p.tenant_id = ${ctx.tenantId} AND p.id > ${after} AND p.deleted_at IS NULL ORDER BY p.id LIMIT ${limit}`;
  const fitting = sql`SELECT id FROM (SELECT id, coalesce(sum(bytes) OVER (
      ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before FROM (${next}))
    WHERE bytes_before <= ${MAX_READ_BYTES}`;
  return documentRows(ctx, sql`p.id IN (${fitting})`, limit);
};

/** An item's price in one currency, as {@link documentRows} reads it. */
type ItemRow = readonly [id: number, currency: string, price: number, inStock: 0 | 1];

/** Returns the document of a product that is not deleted. The query wrote the JSON. */
export function documentOf(row: DocumentRow): ProductDocument {
  const facets = JSON.parse(row.facets) as DocumentFacet[];
  return {
    id: row.id,
    active: row.status === 'active',
    name: row.name,
    sold: row.sold,
    unitsLeft: row.in_stock === 0 ? 0 : row.units_left,
    prices: JSON.parse(row.prices) as Prices,
    categoryIds: JSON.parse(row.category_ids) as number[],
    items: itemsOf(JSON.parse(row.items) as ItemRow[]),
    facets,
    text: textOf(row, facets),
  };
}

/** Facets whose values are searched. */
const isSearched = ([name]: DocumentFacet): boolean =>
  name === 'vendor' || name === 'tag' || name.startsWith(ATTRIBUTE_PREFIX);

function textOf(row: DocumentRow, facets: readonly DocumentFacet[]): DocumentText {
  const { full_name: name, sku, slug, description, variant_skus } = row;
  const skus = [sku, ...(JSON.parse(variant_skus) as string[])];
  const values = new Set(facets.filter(isSearched).map(([, , , label]) => label));
  const found = searchWords({ name, skus, slug, others: [...values, stripHtml(description ?? '')] });
  const words = new Map<string, WordField>();
  for (const word of [...found.described, ...found.further]) words.set(word, 'other');
  for (const word of [...found.ofSlug, ...found.ofSkus]) words.set(word, 'listed');
  for (const word of [...found.name, ...found.furtherOfName]) words.set(word, 'name');
  const { skus: wholeSkus, entireName } = found;
  return { words: [...words], skus: wholeSkus, entireName, nameLength: nameLength(found.name) };
}

/** Returns the items of a document. One that can be sold in some of its currencies only is there twice. */
function itemsOf(prices: readonly ItemRow[]): DocumentItem[] {
  const byStock = Map.groupBy(prices, ([id, , , inStock]) => `${id} ${inStock}`);
  return [...byStock.values()]
    .map((own) => ({
      id: own[0]?.[0] ?? 0,
      inStock: own[0]?.[3] === 1,
      prices: Object.fromEntries(own.map(([, currency, price]) => [currency, price])),
    }))
    .sort((a, b) => a.id - b.id);
}
