import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { presentListItem } from '../products/present.ts';
import type { ProductListItem } from '../products/schemas.ts';
import type { ShownCurrency } from '../sales/present-sale.ts';
import { inStockIn } from '../sellable/in-stock.ts';
import { isSmall } from './page-rows.ts';
import { type ProductRow, productColumnsIn, tenantSellsIn } from './rows.ts';

/** The most traits of a product that are compared, its rarest ones, and of each kind the most that are read. */
const MAX_TRAITS = 8;
const MAX_CATEGORIES_READ = 5;
const MAX_TAGS_READ = 20;
const MAX_ATTRIBUTE_ROWS_READ = 60;
/** The most candidates on either side of the product by id, in equal parts for each trait: 12 to 24. */
const candidatesFor = (limit: number): number => 12 + Math.floor(limit / 2);

/** The most rows that a step passes over: of products that are inactive, or have no price in the currency. */
const MAX_PASSED = 100;

/** A product, and how many that are related to it. */
export interface RelatedQuery extends ShownCurrency {
  readonly id: number;
  readonly limit: number;
}

/**
 * Reads the active products that share most traits (direct categories, tags, vendor, attribute values) with an
 * active product, and the version, in one batch. Candidates are the active products nearest by id that have one of its
 * eight rarest traits, at most 48, so that the cost does not grow with the catalogue. Sold-out products come last, then
 * those that share less, then older ones. Products of which `limit` would not fit into a response are left out.
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
const mostSimilar = (
  ctx: TenantDatabase,
  query: RelatedQuery,
): SQL => sql`WITH RECURSIVE ${traits(ctx, query)},
    ${nearest(ctx, query)},
    candidates AS (SELECT product_id AS id FROM above WHERE step > 0 AND product_id IS NOT NULL
      UNION SELECT product_id FROM below WHERE step > 0 AND product_id IS NOT NULL),
    similar AS MATERIALIZED (
      SELECT c.id, ${sharedTraits(ctx)} AS shared, ${inStockIn(query)} AS sellable
      FROM candidates c CROSS JOIN inventory_items i ON i.id = c.id
      ORDER BY sellable DESC, shared DESC, c.id DESC LIMIT ${query.limit})
  SELECT ${productColumnsIn(query)} FROM similar s CROSS JOIN products p ON p.id = s.id
    JOIN inventory_items i ON i.id = p.id WHERE ${isSmall(query.limit)}
    ORDER BY s.sellable DESC, s.shared DESC, s.id DESC`;

/** Common table `traits`: the product's rarest traits. A category's value is its id. */
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
      SELECT name, value FROM (SELECT name, value, CASE name
        WHEN 'category' THEN (SELECT total FROM listing_counts WHERE tenant_id = ${tenantId}
          AND currency = ${currency} AND category_id = own.value AND status = 'active')
        ELSE (SELECT total FROM facet_counts WHERE tenant_id = ${tenantId} AND status = 'active'
          AND name = own.name AND value = own.value) END AS total FROM own)
      ORDER BY total, name, value LIMIT ${MAX_TRAITS})`;
}

/** Common tables `above` and `below`: steps from the product to the next ones with each trait, by id. */
const nearest = (ctx: TenantDatabase, query: RelatedQuery): SQL =>
  sql`${steps(ctx, query, { name: 'above', order: 'ASC', beyond: '>' })},
    ${steps(ctx, query, { name: 'below', order: 'DESC', beyond: '<' })}`;

/** A direction of steps: its common table, and which ids come next in it. */
interface Direction {
  readonly name: 'above' | 'below';
  readonly order: 'ASC' | 'DESC';
  readonly beyond: '>' | '<';
}

/** Returns the common table of the steps in a direction. */
function steps({ tenantId }: TenantDatabase, query: RelatedQuery, direction: Direction): SQL {
  const { id, limit, currency } = query;
  const [from, order] = [sql.raw(direction.name), sql.raw(direction.order)];
  const beyond = sql`t.product_id ${sql.raw(direction.beyond)} a.product_id`;
  const next = (rowsWithTrait: SQL) => sql`(SELECT n.product_id
    FROM (SELECT t.product_id FROM ${rowsWithTrait} AND ${beyond} ORDER BY t.product_id ${order} LIMIT ${MAX_PASSED}) n
    CROSS JOIN product_listings l ON l.tenant_id = ${tenantId} AND l.currency = ${currency} AND l.category_id = 0
      AND l.status = 'active' AND l.product_id = n.product_id
    LIMIT 1)`;
  return sql`${from}(name, value, step, product_id) AS (
    SELECT name, value, 0, ${id} FROM traits
    UNION ALL SELECT a.name, a.value, a.step + 1, CASE a.name
      WHEN 'category' THEN ${next(sql`product_categories t INDEXED BY product_categories_category
        WHERE t.tenant_id = ${tenantId} AND t.category_id = a.value`)}
      ELSE ${next(sql`item_facets t WHERE t.tenant_id = ${tenantId} AND t.status = 'active' AND t.name = a.name
        AND t.value = a.value`)} END
      FROM ${from} a WHERE a.step < ${candidatesFor(limit)} / (SELECT count(*) FROM traits) AND a.product_id IS NOT NULL)`;
}

/** Returns the number of traits that the candidate `c` shares: an attribute's value also if only a variant of it has it. */
const sharedTraits = ({ tenantId }: TenantDatabase): SQL => sql`(SELECT count(*) FROM traits t
  WHERE CASE t.name
    WHEN 'category' THEN EXISTS (SELECT 1 FROM product_categories o
      WHERE o.tenant_id = ${tenantId} AND o.product_id = c.id AND o.category_id = t.value)
    ELSE EXISTS (SELECT 1 FROM item_facets o INDEXED BY item_facets_product
      WHERE o.tenant_id = ${tenantId} AND o.product_id = c.id AND o.name = t.name AND o.value = t.value) END)`;
