import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import type { ShownCurrency } from '../context.ts';
import { presentListItem } from '../products/present.ts';
import type { ProductListItem } from '../products/schemas.ts';
import { inStockIn } from '../sellable/in-stock.ts';
import { isSmall } from './page-rows.ts';
import { type ProductRow, productColumnsIn, tenantSellsIn } from './rows.ts';

/** The most traits of a product that are compared, its rarest ones, and of each kind the most that are read. */
const MAX_TRAITS = 8;
const MAX_CATEGORIES_READ = 5;
const MAX_TAGS_READ = 20;
const MAX_ATTRIBUTE_ROWS_READ = 60;
/** The most rows by which candidates are found: one for each trait that a candidate shares. */
const MAX_SHARED_READ = 64;
/** How many products with a trait are read on either side of the product by id: the most that {@link MAX_SHARED_READ} allows. */
const WIDTHS = [4, 6, 10, 20, MAX_SHARED_READ];
/** The candidates besides the `limit` of which all traits are compared. */
const FURTHER_COMPARED = 4;

/** The most rows that are passed over on a side: of products that are inactive, or have no price in the currency. */
const MAX_PASSED = 100;

/** A product, and how many that are related to it. */
export interface RelatedQuery extends ShownCurrency {
  readonly id: number;
  readonly limit: number;
}

/**
 * Reads the active products that share most traits (direct categories, tags, vendor, attribute values) with an
 * active product, and the version, in one batch. Its eight rarest traits count. The ranking is exact where at most 64
 * products have them, each counted once for each; else candidates are the products nearest by id that have one, so that
 * the cost does not grow with the catalogue. Sold-out products come last, then those that share less, then older ones.
 * Products of which `limit` would not fit into a response are left out.
 */
export async function relatedProducts(
  ctx: TenantDatabase,
  query: RelatedQuery,
): Promise<Filled<{ data: ProductListItem[] }>> {
  const { db } = ctx;
  const read = await namedBatch(db, {
    position: catalogPosition(ctx),
    subject: rows<{ found: 1 }>(db, sql`SELECT 1 AS found WHERE ${isListed(ctx, query)}`),
    products: rows<ProductRow>(db, mostSimilar(ctx, query)),
  });
  const answer =
    read.subject.length > 0
      ? ok({ data: read.products.map((row) => presentListItem(row, query)) })
      : fail('product_not_found');
  return { version: versionOf(read.position), answer };
}

/** Returns the condition that the product is active and has a price in the currency. */
const isListed = ({ tenantId }: TenantDatabase, { id, currency }: RelatedQuery): SQL => sql`EXISTS (
  SELECT 1 FROM product_listings WHERE tenant_id = ${tenantId} AND currency = ${currency} AND category_id = 0
    AND status = 'active' AND product_id = ${id}) AND ${tenantSellsIn(tenantId, currency)}`;

/** Selects the products in the order of the response. */
const mostSimilar = (ctx: TenantDatabase, query: RelatedQuery): SQL => sql`WITH ${traits(ctx, query)},
    ${nearest(ctx, query)},
    candidates AS (SELECT id, sum(evidence) AS evidence FROM nearest GROUP BY id),
    likely AS MATERIALIZED (
      SELECT c.id, ${inStockIn(query)} AS sellable FROM candidates c CROSS JOIN inventory_items i ON i.id = c.id
      ORDER BY sellable DESC, c.evidence DESC, c.id DESC LIMIT ${query.limit + FURTHER_COMPARED}),
    similar AS MATERIALIZED (
      SELECT c.id, ${sharedTraits(ctx)} AS shared, c.sellable FROM likely c
      ORDER BY c.sellable DESC, shared DESC, c.id DESC LIMIT ${query.limit})
  SELECT ${productColumnsIn(query)} FROM similar s CROSS JOIN products p ON p.id = s.id
    JOIN inventory_items i ON i.id = p.id WHERE ${isSmall(query.limit)}
    ORDER BY s.sellable DESC, s.shared DESC, s.id DESC`;

/** Common table `traits`: the product's rarest traits, and at most how many products have each. A category's value is its id. */
function traits({ tenantId }: TenantDatabase, { id, currency }: RelatedQuery): SQL {
  const own = sql`FROM item_facets WHERE tenant_id = ${tenantId} AND product_id = ${id}`;
  return sql`own(name, value) AS (
      SELECT * FROM (SELECT 'category', category_id FROM product_categories
        WHERE tenant_id = ${tenantId} AND product_id = ${id} ORDER BY position LIMIT ${MAX_CATEGORIES_READ})
      UNION ALL SELECT name, value ${own} AND name = 'vendor'
      UNION ALL SELECT * FROM (SELECT name, value ${own} AND name = 'tag' LIMIT ${MAX_TAGS_READ})
      UNION ALL SELECT name, value FROM (SELECT name, value, item_id ${own} AND name >= 'attr.' AND name < 'attr/'
        LIMIT ${MAX_ATTRIBUTE_ROWS_READ}) WHERE item_id = 0),
    traits AS MATERIALIZED (
      SELECT name, value, coalesce(total, 0) AS total FROM (SELECT name, value, CASE name
        WHEN 'category' THEN (SELECT total FROM listing_counts WHERE tenant_id = ${tenantId}
          AND currency = ${currency} AND category_id = own.value AND status = 'active')
        ELSE (SELECT total FROM facet_counts WHERE tenant_id = ${tenantId} AND status = 'active'
          AND name = own.name AND value = own.value) END AS total FROM own)
      ORDER BY total, name, value LIMIT ${MAX_TRAITS})`;
}

/**
 * Common table `nearest`: the active products next to the product by id that have each trait, once for each. How much more
 * than others it shares for having it is its `evidence`: 1 where all products with the trait are read, else less by the
 * part of the shop that has it, since what was not read may have it too.
 */
const nearest = (ctx: TenantDatabase, query: RelatedQuery): SQL =>
  sql`width AS MATERIALIZED (SELECT max(w.value) AS rows, (SELECT max(1, total) FROM listing_counts
        WHERE tenant_id = ${ctx.tenantId} AND currency = ${query.currency} AND category_id = 0 AND status = 'active') AS listed
      FROM json_each(${JSON.stringify(WIDTHS)}) w
      WHERE (SELECT coalesce(sum(min(t.value, 2 * w.value)), 0)
        FROM json_each((SELECT json_group_array(total) FROM traits)) t) <= ${MAX_SHARED_READ}),
    nearest AS (${oneSide(ctx, query, sql`> ${query.id} ORDER BY x.product_id`)}
      UNION ALL ${oneSide(ctx, query, sql`< ${query.id} ORDER BY x.product_id DESC`)})`;

/** Selects the products of one side; `beyond` compares their ids and orders them. */
function oneSide({ tenantId }: TenantDatabase, { currency, mainCurrency }: RelatedQuery, beyond: SQL): SQL {
  const width = sql`(SELECT rows FROM width)`;
  const withTrait = (table: SQL, limit: SQL) =>
    sql`(SELECT DISTINCT x.product_id FROM ${table} AND x.product_id ${beyond} LIMIT ${limit}) n`;
  const listed = (table: SQL) => sql`${withTrait(table, sql`${width} + ${MAX_PASSED}`)}
    CROSS JOIN product_listings l ON l.tenant_id = ${tenantId} AND l.currency = ${currency} AND l.category_id = 0
      AND l.status = 'active' AND l.product_id = n.product_id
    LIMIT ${width}`;
  const inCategory = sql`product_categories x INDEXED BY product_categories_category
    WHERE x.tenant_id = ${tenantId} AND x.category_id = t.value`;
  const withValue = sql`item_facets x
    WHERE x.tenant_id = ${tenantId} AND x.status = 'active' AND x.name = t.name AND x.value = t.value`;
  // In the main currency all active products are listed.
  const found = currency === mainCurrency ? withTrait(withValue, width) : listed(withValue);
  const ids = (products: SQL) =>
    sql`(SELECT json_group_array(product_id) FROM (SELECT n.product_id FROM ${products}))`;
  return sql`SELECT o.value AS id, 1 - iif(t.total > width.rows, min(1, 1.0 * t.total / width.listed), 0) AS evidence
    FROM width CROSS JOIN traits t
    CROSS JOIN json_each(CASE t.name WHEN 'category' THEN ${ids(listed(inCategory))} ELSE ${ids(found)} END) o`;
}

/** Returns the number of traits that the candidate `c` shares: an attribute's value also if only a variant of it has it. */
const sharedTraits = ({ tenantId }: TenantDatabase): SQL => sql`(SELECT count(*) FROM traits t
  WHERE CASE t.name
    WHEN 'category' THEN EXISTS (SELECT 1 FROM product_categories o
      WHERE o.tenant_id = ${tenantId} AND o.product_id = c.id AND o.category_id = t.value)
    ELSE EXISTS (SELECT 1 FROM item_facets o INDEXED BY item_facets_product
      WHERE o.tenant_id = ${tenantId} AND o.product_id = c.id AND o.name = t.name AND o.value = t.value) END)`;
