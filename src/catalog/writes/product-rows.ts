import { type SQL, sql } from 'drizzle-orm';
import { forgetVariantStock, forgottenVariants } from '../../inventory/index.ts';
import { jsonList, jsonLists, ofTenant, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { fold } from '../../kernel/text/fold.ts';
import { firstOf } from '../../kernel/text/text.ts';
import { clockTick } from '../../tenants/index.ts';
import type { StoredProduct } from '../products/load-product.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';
import { nextSwitch } from '../sales/displayed-prices.ts';
import type { PriceColumns } from '../sales/price-columns.ts';
import { removedVariants } from './diff.ts';

/** A product write. The product and all its variants have ids. */
export interface ProductWrite {
  readonly id: number;
  readonly before: StoredProduct | null;
  readonly after: Omit<ProductState, 'variants'> & {
    readonly variants: readonly (VariantState & { readonly id: number })[];
  };
  /** When the product was created (ms). */
  readonly createdAt: number;
  /** Wire names of changed fields; `["created"]` for a new product. */
  readonly changed: readonly string[];
  readonly currency: string;
}

/** A product write with the price columns of the product and, after it, of its variants. */
export interface PricedWrite extends ProductWrite {
  readonly prices: readonly [PriceColumns, ...PriceColumns[]];
}

/** A product to write, and how many ticks before the tenant's clock the instant of its write is. */
interface TimedWrite extends PricedWrite {
  readonly ticksAgo: number;
}

/** Returns the statements that write products' rows. */
export const productRows = ({ tenantId, db }: TenantDatabase, writes: readonly TimedWrite[]): Statement[] =>
  jsonLists(writes.map(productRow)).map((list) =>
    run(
      db,
      sql`INSERT INTO products (id, tenant_id, sku, name, sort_name, slug, type, status, prices, regular_price,
          sale, ordinary_prices, reduced_from, lowest_prices, switch_at,
          description, images, image_alts, seo, barcode, tags, vendor, tax_class, weight, attributes, metadata,
          variant_summary, details,
          created_at, updated_at)
        SELECT value ->> 'id', ${tenantId}, value ->> 'sku', value ->> 'name', value ->> 'sortName', value ->> 'slug',
          value ->> 'type', value ->> 'status', value -> 'prices', value ->> 'regularPrice',
          ${jsonColumn('sale')}, ${jsonColumn('ordinaryPrices')}, ${jsonColumn('reducedFrom')}, ${jsonColumn('lowestPrices')},
          value ->> 'switchAt', value ->> 'description',
          value -> 'images', value -> 'imageAlts', ${jsonColumn('seo')}, value ->> 'barcode',
          value -> 'tags', value ->> 'vendor', value ->> 'taxClass', value ->> 'weight', value -> 'attributes',
          value -> 'metadata', ${jsonColumn('variantSummary')}, value -> 'details',
          value ->> 'createdAt', ${clockTick(tenantId, 1, 0)} - (value ->> 'ticksAgo') FROM json_each(${list}) WHERE true
        ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, name = excluded.name,
          sort_name = excluded.sort_name, slug = excluded.slug, type = excluded.type, status = excluded.status,
          prices = excluded.prices, regular_price = excluded.regular_price,
          sale = excluded.sale, ordinary_prices = excluded.ordinary_prices, reduced_from = excluded.reduced_from,
          lowest_prices = excluded.lowest_prices, switch_at = excluded.switch_at, description = excluded.description,
          images = excluded.images, image_alts = excluded.image_alts, seo = excluded.seo,
          barcode = excluded.barcode, tags = excluded.tags, vendor = excluded.vendor,
          tax_class = excluded.tax_class, weight = excluded.weight, attributes = excluded.attributes,
          metadata = excluded.metadata,
          variant_summary = excluded.variant_summary,
          details = excluded.details,
          updated_at = excluded.updated_at, revision = revision + 1`,
    ),
  );

/** Returns the SQL of a column in a JSON object `value`; JSON null becomes NULL. */
export const jsonColumn = (name: string): SQL => sql.raw(`nullif(value -> '${name}', 'null')`);

/** Returns the values of a product's row. */
const productRow = ({ id, after, createdAt, prices: [own], ticksAgo }: TimedWrite) => ({
  id,
  createdAt,
  ticksAgo,
  switchAt: nextSwitch(after),
  sortName: sortName(after.name),
  sku: after.sku,
  name: after.name,
  slug: after.slug,
  type: after.type,
  status: after.status,
  prices: own.prices,
  sale: own.sale,
  ordinaryPrices: own.ordinaryPrices,
  regularPrice: after.regularPrice,
  reducedFrom: own.reducedFrom,
  lowestPrices: own.lowestPrices,
  variantSummary: own.variantSummary,
  description: after.description,
  images: after.images,
  imageAlts: after.imageAlts,
  seo: after.seo,
  barcode: after.barcode,
  tags: after.tags,
  vendor: after.vendor,
  taxClass: after.taxClass,
  weight: after.weight,
  attributes: after.attributes,
  metadata: after.metadata,
  details: after.details,
});

/** Longest sort key of a name, in characters, which keeps the index small. */
const MAX_SORT_NAME_LENGTH = 80;

/** Returns the sort key of a name: case-folded, without accents. */
const sortName = (name: string): string => firstOf(fold(name), MAX_SORT_NAME_LENGTH);

/** Returns the statements that write the rows of the products' variants, and mark those that are left out. */
export function variantRows({ db, tenantId }: TenantDatabase, writes: readonly PricedWrite[]): Statement[] {
  const stored = writes.filter(({ before }) => before && before.state.variants.length > 0);
  const kept = stored.flatMap(({ after }) => after.variants.map(({ id }) => id));
  const variants = writes.flatMap(({ id: productId, after, prices: [, ...columns] }) =>
    after.variants.map((variant, position) => ({ ...variant, ...columns[position], productId, position })),
  );
  return [
    ...(stored.length > 0
      ? [
          run(
            db,
            sql`UPDATE variants SET deleted = 1 WHERE tenant_id = ${tenantId} AND deleted = 0
              AND product_id IN (${jsonList(stored.map(({ id }) => id))}) AND id NOT IN (${jsonList(kept)})`,
          ),
        ]
      : []),
    ...jsonLists(variants).map((list) =>
      run(
        db,
        sql`INSERT INTO variants (id, tenant_id, product_id, sku, prices, sale, ordinary_prices,
            regular_price, lowest_prices, attributes, barcode, weight, image, position)
          SELECT value ->> 'id', ${tenantId}, value ->> 'productId', value ->> 'sku', value -> 'prices',
            ${jsonColumn('sale')}, ${jsonColumn('ordinaryPrices')}, value ->> 'regularPrice', ${jsonColumn('lowestPrices')},
            value -> 'attributes', value ->> 'barcode', value ->> 'weight', value ->> 'image', value ->> 'position' FROM json_each(${list}) WHERE true
          ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, prices = excluded.prices, deleted = 0,
            sale = excluded.sale, ordinary_prices = excluded.ordinary_prices,
            regular_price = excluded.regular_price, lowest_prices = excluded.lowest_prices,
            attributes = excluded.attributes, barcode = excluded.barcode, weight = excluded.weight,
            image = excluded.image, position = excluded.position`,
      ),
    ),
  ];
}

/** Returns the statements that delete the rows of long removed variants, of products that lose others. */
export function forgetVariants(ctx: TenantDatabase, writes: readonly ProductWrite[]): Statement[] {
  const { db, tenantId } = ctx;
  const ids = writes.flatMap(({ id, before, after }) =>
    removedVariants(before, after).length > 0 ? id : [],
  );
  if (ids.length === 0) return [];
  const rows = run(
    db,
    sql`DELETE FROM variants
      WHERE ${ofTenant('tenant_id', tenantId)} AND id IN (${forgottenVariants(tenantId, ids)})`,
  );
  return [rows, forgetVariantStock(ctx, ids)];
}

/** Returns the statements that replace the products' categories. */
export function categoryRows({ db, tenantId }: TenantDatabase, writes: readonly ProductWrite[]): Statement[] {
  const stored = writes.flatMap(({ id, before }) => (before ? id : []));
  const rows = writes.flatMap(({ id, after }) =>
    after.categoryIds.map((categoryId, position) => [id, categoryId, position]),
  );
  const clear = sql`DELETE FROM product_categories
    WHERE tenant_id = ${tenantId} AND product_id IN (${jsonList(stored)})`;
  return [
    ...(stored.length > 0 ? [run(db, clear)] : []),
    ...jsonLists(rows).map((list) =>
      run(
        db,
        sql`INSERT INTO product_categories (tenant_id, product_id, category_id, position)
          SELECT ${tenantId}, value ->> 0, value ->> 1, value ->> 2 FROM json_each(${list})`,
      ),
    ),
  ];
}
