import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { type ListPage, MAX_IDS, pageMeta, rowsBefore } from '../../kernel/core/pagination.ts';
import { invalid, ok } from '../../kernel/core/result.ts';
import { jsonList, namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { productPages, type SortKey } from '../products/query-schemas.ts';
import type { ProductList } from '../products/schemas.ts';
import { BARE_BARCODE } from '../tables.ts';
import { type ListQuery, presentWithIncludes, STATUSES } from './list-products.ts';
import { type FittingRow, fittingPage, foundRows } from './page-rows.ts';
import { categoriesOf, type ProductRow, productColumnsIn, tenantSellsIn, variantsOf } from './rows.ts';

/** Which products: by ids, by ids of variants, by SKUs, by a barcode, or those that a grouped or bundled product contains. */
export type Asked =
  | { readonly by: 'ids' | 'variantIds'; readonly values: readonly number[] }
  | { readonly by: 'skus'; readonly values: readonly string[] }
  | { readonly by: 'barcode'; readonly barcode: string }
  | { readonly by: 'memberOf'; readonly id: number };

/** Returns whether the products have pages: how many have a barcode or belong to a group is not known before. */
export const isPaged = (asked: Asked): asked is Extract<Asked, { readonly by: 'barcode' | 'memberOf' }> =>
  asked.by === 'barcode' || asked.by === 'memberOf';

/** At most 100 products, and how they are shown. Of those without pages ({@link isPaged}), `limit` is at least all. */
interface IdsQuery
  extends Pick<ListQuery, 'include' | 'currency' | 'mainCurrency' | 'status'>,
    ListPage<SortKey> {
  readonly asked: Asked;
}

/** A product with its place among those asked for. */
type PlacedRow = ProductRow & FittingRow & { readonly place: number };

/** The query parameter of each way to ask for products. */
export const PARAMETERS = {
  ids: 'ids',
  variantIds: 'variant_ids',
  skus: 'skus',
  barcode: 'barcode',
  memberOf: 'member_of',
} as const;

/**
 * Reads the products asked for, in the order asked for, and the version in one batch. Leaves out what is not there.
 * Fails with 422 if ids are too large together: they have no next page.
 */
export async function listByIds(ctx: TenantDatabase, query: IdsQuery): Promise<Filled<ProductList>> {
  const { db } = ctx;
  const { include, asked } = query;
  const shown = fittingPage(pageOfShown(ctx, query), { order: sql`l.place`, include });
  const idsFor = (one: IdsQuery['include'][number]) =>
    include.includes(one) ? sql`SELECT product_id FROM (${shown})` : sql`NULL`;
  const read = await namedBatch(db, {
    position: catalogPosition(ctx),
    counted: rows<{ total: number }>(
      db,
      isPaged(asked)
        ? sql`SELECT count(*) AS total FROM (${shownProducts(ctx, query)})`
        : sql`SELECT 0 AS total`,
    ),
    products: rows<PlacedRow>(
      db,
      sql`SELECT ${productColumnsIn(query)}, l.place, l.follows FROM (${shown}) l CROSS JOIN products p ON p.id = l.product_id
        JOIN inventory_items i ON i.id = p.id ORDER BY l.place`,
    ),
    variants: variantsOf(ctx, idsFor('variants')),
    categories: categoriesOf(ctx, { ids: idsFor('categories'), hidden: query.status !== 'active' }),
  });
  const version = versionOf(read.position);
  const page = isPaged(asked)
    ? productPages.cut(read.products, query, {
        total: read.counted[0]?.total ?? 0,
        found: foundRows(read.products),
        key: ({ place, id }) => ({ sort: 'newest', value: place, id }),
      })
    : { rows: read.products, meta: pageMeta(query, read.products.length) };
  if (!isPaged(asked) && read.products.at(-1)?.follows != null)
    return {
      version,
      answer: invalid(PARAMETERS[asked.by], 'names products that are too large for one response'),
    };
  const data = page.rows.map((row) => presentWithIncludes(row, read, query));
  return { version, answer: ok({ data, meta: page.meta }) };
}

/** Selects the page of the products asked for, and one more where there are pages. */
function pageOfShown(ctx: TenantDatabase, query: IdsQuery): SQL {
  const shown = shownProducts(ctx, query);
  if (!isPaged(query.asked)) return shown;
  const { after, limit } = query;
  // The group may have lost members since: the last one shown may be at another place.
  const last =
    after &&
    sql`coalesce((SELECT key FROM ${productIds(ctx, query)} WHERE value = ${after.id}), ${after.value})`;
  return sql`SELECT * FROM (${shown}) WHERE ${last ? sql`place > ${last}` : sql`TRUE`}
    ORDER BY place LIMIT ${limit + 1} OFFSET ${rowsBefore(query)}`;
}

/** The numbers of digits of a GTIN: GTIN-8, UPC-12, EAN-13, GTIN-14. */
const GTIN_LENGTHS = [8, 12, 13, 14];

/**
 * Returns the condition that a row has a barcode. A GTIN stays the same with zeros in front of it, and with spaces and
 * hyphens, as an ISBN is printed; any other barcode is compared exactly.
 */
function isBarcode(barcode: string): SQL {
  const bare = barcode.replace(/[ -]/g, '');
  if (!/^\d+$/.test(bare) || !GTIN_LENGTHS.includes(bare.length))
    return sql`barcode = ${barcode} AND ${BARE_BARCODE} = ${bare}`;
  const digits = bare.replace(/^0+/, '');
  const spellings = GTIN_LENGTHS.filter((length) => length >= digits.length).map(
    (length) => sql`${digits.padStart(length, '0')}`,
  );
  return sql`barcode IS NOT NULL AND ${BARE_BARCODE} IN (${sql.join(spellings, sql`, `)})`;
}

/** The most products and the most variants that are read by a barcode. A product has up to 500 variants; deleted ones stay for 90 days. */
const MAX_ROWS_READ = 2_000;

/**
 * Selects the products with a barcode, their own or a variant's, that the query's status and currency include, by id.
 * Bounded, as any number of products may have the same barcode.
 */
function havingBarcode({ tenantId }: TenantDatabase, query: IdsQuery, barcode: string): SQL {
  const having = sql`tenant_id = ${tenantId} AND ${isBarcode(barcode)}`;
  const shownOf = (found: SQL) => sql`SELECT * FROM (SELECT DISTINCT p.id
    FROM (${found} LIMIT ${MAX_ROWS_READ}) found CROSS JOIN products p ON p.id = found.id
    WHERE ${isShown(tenantId, query)} LIMIT ${MAX_IDS})`;
  return sql`(SELECT id AS value, id AS key FROM (
      ${shownOf(sql`SELECT id FROM products WHERE ${having} AND deleted_at IS NULL`)}
      UNION ${shownOf(sql`SELECT product_id AS id FROM variants WHERE ${having} AND deleted = 0`)})
    ORDER BY id LIMIT ${MAX_IDS})`;
}

/** Returns a subquery of `(value, key)`: the ids of the products asked for, and their order. */
function productIds(ctx: TenantDatabase, query: IdsQuery): SQL {
  const { tenantId } = ctx;
  const { asked, status } = query;
  switch (asked.by) {
    case 'ids':
      return sql`json_each(${JSON.stringify(asked.values)})`;
    case 'variantIds':
      return sql`(SELECT v.product_id AS value, min(wanted.key) AS key
        FROM json_each(${JSON.stringify(asked.values)}) wanted CROSS JOIN variants v ON v.id = wanted.value
        WHERE v.tenant_id = ${tenantId} AND v.deleted = 0 GROUP BY v.product_id)`;
    case 'skus':
      return sql`(SELECT s.product_id AS value, min(wanted.key) AS key
        FROM json_each(${JSON.stringify(asked.values)}) wanted
        CROSS JOIN inventory_items s ON s.tenant_id = ${tenantId} AND s.sku = wanted.value AND s.deleted = 0
        GROUP BY s.product_id)`;
    case 'barcode':
      return havingBarcode(ctx, query, asked.barcode);
    case 'memberOf':
      return sql`(SELECT m.value, min(m.id) AS key FROM products g, json_tree(g.details) m
        WHERE g.tenant_id = ${tenantId} AND g.id = ${asked.id} AND g.deleted_at IS NULL
          AND ${status === 'active' ? sql`g.status = 'active'` : sql`TRUE`} AND m.key = 'product_id'
        GROUP BY m.value ORDER BY 2 LIMIT ${MAX_IDS})`;
  }
}

/** Returns the condition that the query shows a product `p`. */
const isShown = (tenantId: number, { currency, status }: IdsQuery): SQL =>
  sql`p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.status IN (${jsonList(STATUSES[status])})
      AND ${tenantSellsIn(tenantId, currency)} AND p.prices ->> ${currency} IS NOT NULL`;

/** Selects the products asked for that the query shows, as `product_id` and `place`. */
const shownProducts = (ctx: TenantDatabase, query: IdsQuery): SQL =>
  sql`SELECT p.id AS product_id, asked.key AS place
    FROM ${productIds(ctx, query)} asked CROSS JOIN products p ON p.id = asked.value
    WHERE ${isShown(ctx.tenantId, query)}`;
