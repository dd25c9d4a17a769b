import { type SQL, sql } from 'drizzle-orm';
import { type NamedResults, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { ShownCurrency } from '../context.ts';
import type { Include, StatusFilter } from '../products/query-schemas.ts';
import { categoriesOf, type ProductRow, productColumnsIn, tenantSellsIn, variantsOf } from './rows.ts';

/** The most bytes of a page's products before its last one: all of them are in memory at once. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The columns of a product that may be long. `media` has the URLs of `images` again. */
const LONG_COLUMNS = [
  'description',
  'images',
  'images',
  'image_alts',
  'attributes',
  'metadata',
  'details',
  'variant_summary',
];

/** Returns SQL for the bytes of some columns of a product `p`. */
export const bytesOf = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(p.${column}), 0)`).join(' + ');

const PRODUCT_BYTES = bytesOf(LONG_COLUMNS);
/** SQL for the bytes of what may be long in the variants of a product `p`. */
export const VARIANT_BYTES = `(SELECT coalesce(sum(octet_length(v.attributes) + coalesce(octet_length(v.image), 0)), 0)
  FROM variants v WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0)`;

/** Returns the condition that a product `p` is so small that `most` of them fit on a page. */
export const isSmall = (most: number): SQL =>
  sql.raw(`${PRODUCT_BYTES} <= ${Math.floor(MAX_PAGE_BYTES / most)}`);

/** The order of a page, and what is read with its products. */
interface FittingPage {
  readonly order: SQL;
  readonly include: readonly Include[];
}

/**
 * Selects the rows `l` of a page, each with its `product_id`, up to the one with which its products have more than
 * {@link MAX_PAGE_BYTES}. `follows` is the product of the next row, also of one that is left out. It reads each row
 * several times, so it is for pages with products that aren't small, or with variants.
 */
export const fittingPage = (page: SQL, { order, include }: FittingPage): SQL => sql`SELECT * FROM (
    SELECT l.*, lead(l.product_id) OVER earlier AS follows,
      coalesce(sum(${sql.raw(PRODUCT_BYTES)} + ${sql.raw(include.includes('variants') ? VARIANT_BYTES : '0')})
        OVER earlier, 0) AS bytes_before
    FROM (${page}) l CROSS JOIN products p ON p.id = l.product_id
    WINDOW earlier AS (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
  WHERE bytes_before <= ${MAX_PAGE_BYTES}`;

/** A row of {@link fittingPage}. */
export interface FittingRow {
  readonly follows: number | null;
}

/** Returns how many rows a page has, with one that was left out because the page would be too large. */
export const foundRows = (read: readonly FittingRow[]): number =>
  read.length + (read.at(-1)?.follows == null ? 0 : 1);

/** What the rows of a page depend on besides its products. */
export interface PageScope extends ShownCurrency {
  readonly include: readonly Include[];
  readonly status: StatusFilter;
}

/**
 * Returns the queries for the rows of products, in no order, with those of their includes. `page` selects the products'
 * ids and their order as `product_id` and `place`. Leaves the last ones out where they are too large together, and with
 * `most` all that aren't small.
 */
export function pageQueries(
  ctx: TenantDatabase,
  page: SQL,
  { include, currency, mainCurrency, status, most }: PageScope & { readonly most: number | null },
) {
  const { db, tenantId } = ctx;
  const isWhole = most !== null && !include.includes('variants');
  const shown = isWhole ? page : fittingPage(page, { order: sql`l.place`, include });
  const ids = sql`SELECT product_id FROM (${shown})`;
  const columns = productColumnsIn({ currency, mainCurrency });
  const idsFor = (one: Include) => (include.includes(one) ? ids : sql`NULL`);
  return {
    sells: rows<{ sells: 0 | 1 }>(db, sql`SELECT ${tenantSellsIn(tenantId, currency)} AS sells`),
    products: rows<ProductRow>(
      db,
      sql`WITH asked(id) AS (${ids}) SELECT ${columns} FROM asked CROSS JOIN products p ON p.id = asked.id
        JOIN inventory_items i ON i.id = p.id WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL
          AND ${isWhole ? isSmall(most) : sql`TRUE`}`,
    ),
    variants: variantsOf(ctx, idsFor('variants')),
    categories: categoriesOf(ctx, { ids: idsFor('categories'), hidden: status !== 'active' }),
  };
}

/** The rows of a page, or of more products. */
export type PageRows = NamedResults<ReturnType<typeof pageQueries>>;
