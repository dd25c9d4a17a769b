import { type SQL, sql } from 'drizzle-orm';
import type { Policy } from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Metadata } from '../../kernel/values/metadata.ts';
import { imageSizes } from '../../media/index.ts';
import type { ShownCurrency } from '../context.ts';
import { IN_STOCK, inStockIn } from '../sellable/in-stock.ts';
import type { Details, Prices, ProductType, ReducedFrom, Sale, Seo, VariantSummary } from '../tables.ts';

/** A product row with its stock. JSON columns are text. */
export interface ProductRow {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly slug: string;
  readonly type: ProductType;
  readonly status: 'active' | 'inactive';
  readonly prices: string;
  readonly regular_price: number | null;
  readonly sale: string | null;
  readonly ordinary_prices: string | null;
  readonly reduced_from: string | null;
  readonly lowest_prices: string | null;
  readonly description: string | null;
  readonly images: string;
  /** Alternative texts by URL, and sizes of uploaded images by hash. */
  readonly image_alts: string;
  readonly image_sizes: string;
  readonly seo: string | null;
  readonly barcode: string | null;
  readonly tags: string;
  readonly vendor: string | null;
  readonly tax_class: string | null;
  readonly weight: number | null;
  readonly attributes: string;
  readonly metadata: string;
  readonly variant_summary: string | null;
  readonly details: string;
  readonly revision: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly policy: Policy;
  readonly stock: number;
  /** Like `stock`, but negative after backorders. */
  readonly balance: number;
  /** Whether it can be sold: there is stock, or it is sold without. */
  readonly in_stock: 0 | 1;
}

/** A variant that is not deleted, with its stock. JSON columns are text. */
export interface VariantRow {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly prices: string;
  readonly sale: string | null;
  readonly ordinary_prices: string | null;
  readonly regular_price: number | null;
  readonly lowest_prices: string | null;
  readonly attributes: string;
  readonly barcode: string | null;
  readonly weight: number | null;
  readonly image: string | null;
  readonly stock: number;
  /** Like `stock`, but negative after backorders. */
  readonly balance: number;
  readonly in_stock: 0 | 1;
}

/** A category as products show it; `seo` is JSON text. */
export interface CategoryRow {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly slug: string;
  readonly image_url: string | null;
  readonly seo: string | null;
  readonly revision: number;
}

/** A whole category; `seo` and `metadata` are JSON text, `updated_at` is in ms. */
export interface CategoryDetailRow extends CategoryRow {
  readonly description: string | null;
  readonly hidden: 0 | 1;
  readonly position: number;
  readonly metadata: string;
  readonly updated_at: number;
  /** Active products of the category and its descendants. */
  readonly product_count: number;
}

/** A slot of a booking product. Instants in ms. */
export interface SlotRow {
  readonly id: number;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly capacity: number;
  readonly reserved: number;
}

/** The columns of {@link ProductRow} but `in_stock`, from products `p` and inventory items `i`. */
const OTHER_PRODUCT_COLUMNS = sql`${sql.raw(`p.id, p.sku, p.name, p.slug, p.type, p.status, p.prices,
  p.regular_price, p.sale, p.reduced_from, p.ordinary_prices, p.lowest_prices, p.description, p.images,
  p.image_alts, p.seo, p.barcode, p.tags, p.vendor, p.tax_class, p.weight, p.attributes, p.metadata, p.variant_summary,
  p.details,
  p.revision, p.created_at, p.updated_at, i.policy, max(0, i.on_hand - i.reserved) AS stock,
  i.on_hand - i.reserved AS balance`)}, ${imageSizes('p')} AS image_sizes`;

/** The columns of {@link ProductRow} in the main currency. */
export const PRODUCT_COLUMNS = sql`${OTHER_PRODUCT_COLUMNS}, ${sql.raw(IN_STOCK)} AS in_stock`;

/** Returns the columns of {@link ProductRow} in the currency shown. */
export const productColumnsIn = (shown: ShownCurrency): SQL =>
  sql`${OTHER_PRODUCT_COLUMNS}, ${inStockIn(shown)} AS in_stock`;

/** The columns of {@link CategoryRow}, from categories `c`. */
const CATEGORY_COLUMNS = sql.raw('c.id, c.parent_id, c.name, c.slug, c.image_url, c.seo, c.revision');

/** The columns of {@link CategoryDetailRow}, from categories `c`. Every product has a price in the main currency. */
export const CATEGORY_DETAIL_COLUMNS = sql`${CATEGORY_COLUMNS}, c.description, c.hidden, c.position, c.metadata, c.updated_at,
  coalesce((SELECT n.total FROM listing_counts n WHERE n.tenant_id = c.tenant_id AND n.category_id = c.id
    AND n.status = 'active' AND n.currency = (SELECT t.currency FROM tenants t WHERE t.id = c.tenant_id)), 0)
    AS product_count`;

/** Returns the condition that a category (its id, an SQL expression) or an ancestor of it is hidden. */
export const isHidden = (tenantId: number, categoryId: SQL): SQL => sql`EXISTS (SELECT 1
  FROM category_ancestors up JOIN categories above ON above.id = up.ancestor_id
  WHERE up.tenant_id = ${tenantId} AND up.category_id = ${categoryId} AND above.hidden = 1)`;

/** Returns the query for the variants of the products in `ids`, ordered by position. */
export const variantsOf = ({ db, tenantId }: TenantDatabase, ids: SQL, only = sql`TRUE`) =>
  rows<VariantRow>(
    db,
    sql`SELECT v.id, v.product_id, v.sku, v.prices, v.sale, v.ordinary_prices, v.regular_price, v.lowest_prices,
        v.attributes, v.barcode, v.weight, v.image, max(0, i.on_hand - i.reserved) AS stock, i.on_hand - i.reserved AS balance,
        ${sql.raw(IN_STOCK)} AS in_stock
      FROM variants v JOIN inventory_items i ON i.id = v.id
      WHERE v.tenant_id = ${tenantId} AND v.deleted = 0 AND v.product_id IN (${ids}) AND ${only} ORDER BY v.position`,
  );

/** The products whose categories are read, and whether the hidden ones belong to them. */
interface CategorySelection {
  readonly ids: SQL;
  readonly hidden: boolean;
}

/** Returns the query for the categories of products, in each product's order. */
export const categoriesOf = ({ db, tenantId }: TenantDatabase, { ids, hidden }: CategorySelection) =>
  rows<CategoryRow & { product_id: number }>(
    db,
    sql`SELECT pc.product_id, ${CATEGORY_COLUMNS}
      FROM product_categories pc JOIN categories c ON c.id = pc.category_id
      WHERE pc.tenant_id = ${tenantId} AND pc.product_id IN (${ids})
        ${hidden ? sql`` : sql`AND NOT ${isHidden(tenantId, sql`pc.category_id`)}`} ORDER BY pc.position`,
  );

/**
 * How products are read in detail: with their hidden categories and the slots that have begun, and `in_stock` of a currency
 * (else the main one).
 */
interface DetailScope {
  readonly hidden: boolean;
  readonly begunSlots: boolean;
  readonly shown?: ShownCurrency;
}

/** Returns the queries for the products that match a condition, and for their variants, categories and slots. */
export function productDetailQueries(
  ctx: TenantDatabase,
  condition: SQL,
  { hidden, begunSlots, shown }: DetailScope = { hidden: true, begunSlots: true },
) {
  const { tenantId, db } = ctx;
  const matching = sql`p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND ${condition}`;
  const ids = sql`SELECT p.id FROM products p WHERE ${matching}`;
  // By this clock and by that which took their places off the stock.
  const open = begunSlots ? sql`` : sql`AND s.begun = 0 AND s.starts_at > ${now()}`;
  return {
    products: rows<ProductRow>(
      db,
      sql`SELECT ${shown ? productColumnsIn(shown) : PRODUCT_COLUMNS}
        FROM products p JOIN inventory_items i ON i.id = p.id WHERE ${matching}`,
    ),
    variants: variantsOf(ctx, ids),
    categories: categoriesOf(ctx, { ids, hidden }),
    slots: rows<SlotRow & { product_id: number }>(
      db,
      sql`SELECT s.product_id, s.id, s.starts_at, s.ends_at, s.capacity, s.reserved FROM slots s
        WHERE s.tenant_id = ${tenantId} AND s.product_id IN (${ids}) ${open} ORDER BY s.starts_at, s.id`,
    ),
  };
}

/** The rows of one product: its own, and those of its variants, categories and slots. */
export interface ProductDetail {
  readonly product: ProductRow;
  readonly variants: readonly VariantRow[];
  readonly categories: readonly CategoryRow[];
  readonly slots: readonly SlotRow[];
}

/** Excludes prices in currencies that the tenant no longer sells in; products keep those prices. */
export const tenantSellsIn = (tenantId: number, currency: string): SQL => sql`${currency} IN (
  SELECT c.value FROM tenants t, json_each(t.currencies) c WHERE t.id = ${tenantId})`;

/** Parsers of JSON columns. Only validated values are stored, so that no check is needed. */
export const column = {
  prices: (text: string) => JSON.parse(text) as Prices,
  optionalPrices: (text: string | null) => (text === null ? null : (JSON.parse(text) as Prices)),
  reducedFrom: (text: string | null) => (text === null ? {} : (JSON.parse(text) as ReducedFrom)),
  sale: (text: string | null) => (text === null ? null : (JSON.parse(text) as Sale)),
  strings: (text: string) => JSON.parse(text) as string[],
  attributes: (text: string) => JSON.parse(text) as Record<string, string>,
  shownAttributes: (text: string) => JSON.parse(text) as Record<string, string | string[]>,
  texts: (text: string) => JSON.parse(text) as Record<string, string>,
  sizes: (text: string) => JSON.parse(text) as Record<string, [number, number]>,
  summary: (text: string | null) => (text === null ? null : (JSON.parse(text) as VariantSummary)),
  details: (text: string) => JSON.parse(text) as Details,
  metadata: (text: string) => JSON.parse(text) as Metadata,
  seo: (text: string | null) => (text === null ? null : (JSON.parse(text) as Seo | null)),
};

/** Returns the prices of a product or variant without a running sale. */
export const ordinaryPrices = (row: Pick<ProductRow, 'prices' | 'ordinary_prices'>): Prices =>
  column.prices(row.ordinary_prices ?? row.prices);
