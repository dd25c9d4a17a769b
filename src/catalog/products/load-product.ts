import { type SQL, sql } from 'drizzle-orm';
import { slicesBySize } from '../../kernel/core/lists.ts';
import { jsonList, namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { bytesOf, MAX_PAGE_BYTES, VARIANT_BYTES } from '../reads/page-rows.ts';
import {
  column,
  ordinaryPrices,
  type ProductDetail,
  productDetailQueries,
  type VariantRow,
} from '../reads/rows.ts';
import { cheapestPrices } from '../sales/displayed-prices.ts';
import type { Prices } from '../tables.ts';
import type { ProductState, VariantState } from './product-state.ts';

/** A stored product, in the form that patches apply to. */
export interface StoredProduct {
  readonly id: number;
  readonly revision: number;
  readonly createdAt: number;
  readonly state: ProductState;
  /** The lowest prices before the running reductions, by id of product and variants. */
  readonly lowestPrices: ReadonlyMap<number, Prices>;
}

/** Returns the tenant's product, or null. */
export async function loadProduct(ctx: TenantDatabase, productId: number): Promise<StoredProduct | null> {
  const [product] = await loadProducts(ctx, sql`p.id = ${productId}`);
  return product ?? null;
}

/** Returns the tenant's products with these slugs, by slug, in one round trip. */
export async function loadBySlugs(
  ctx: TenantDatabase,
  slugs: readonly string[],
): Promise<Map<string, StoredProduct>> {
  const found = await loadProducts(ctx, sql`p.slug IN (${jsonList(slugs)})`);
  return new Map(found.map((one) => [one.state.slug, one]));
}

/** Returns which of these slugs are those of products of the tenant. */
export async function storedSlugs(ctx: TenantDatabase, slugs: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ slug: string }>(
    ctx.db,
    sql`SELECT slug FROM products
      WHERE tenant_id = ${ctx.tenantId} AND deleted_at IS NULL AND slug IN (${jsonList(slugs)})`,
  );
  return new Set(found.map(({ slug }) => slug));
}

/** SQL for the bytes of a stored product `p` with its variants, without the columns that are always short. */
export const STORED_BYTES = sql.raw(
  `${bytesOf(['description', 'images', 'image_alts', 'attributes', 'metadata', 'details'])} + ${VARIANT_BYTES}`,
);

/** The size of a stored product, in bytes. */
interface ProductSize {
  readonly id: number;
  readonly slug: string;
  readonly bytes: number;
}

/** Selects the sizes of the tenant's products `p` that `rest` (a condition, order and limit) selects. */
const sizesOf = ({ db, tenantId }: TenantDatabase, rest: SQL) =>
  rows<ProductSize>(
    db,
    sql`SELECT p.id, p.slug, ${STORED_BYTES} AS bytes FROM products p
      WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND ${rest}`,
  );

/** Returns how many of the first products, of these sizes, are in memory at once: at least one. */
const fitting = (bytes: readonly number[]): number =>
  slicesBySize(bytes, MAX_PAGE_BYTES, (size) => size)[0]?.length ?? 0;

/** This many of the largest products always fit into memory. */
const ALWAYS_FITTING = 4;

/** Returns how many of the first products with these ids fit into memory at once. Missing ones count nothing. */
export async function fittingIds(ctx: TenantDatabase, ids: readonly number[]): Promise<number> {
  if (ids.length <= ALWAYS_FITTING) return ids.length;
  const sizes = await sizesOf(ctx, sql`p.id IN (${jsonList(ids)})`);
  const bytes = new Map(sizes.map((one) => [one.id, one.bytes]));
  return fitting(ids.map((id) => bytes.get(id) ?? 0));
}

/** Returns how many of the first products with these slugs fit into memory at once, like {@link fittingIds}. */
export async function fittingSlugs(ctx: TenantDatabase, slugs: readonly string[]): Promise<number> {
  if (slugs.length <= ALWAYS_FITTING) return slugs.length;
  const sizes = await sizesOf(ctx, sql`p.slug IN (${jsonList(slugs)})`);
  const bytes = new Map(sizes.map((one) => [one.slug, one.bytes]));
  return fitting(slugs.map((slug) => bytes.get(slug) ?? 0));
}

/** A page of products by id, and the id behind which the next page begins; null at the end. */
interface ProductPage {
  readonly products: readonly StoredProduct[];
  readonly next: number | null;
}

/**
 * Returns at most `limit` of the tenant's products behind the id `after`, by id, in two round trips. A page of large
 * products has fewer: all of them are in memory at once.
 */
export async function loadProductsAfter(
  ctx: TenantDatabase,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ProductPage> {
  const sizes = await sizesOf(ctx, sql`p.id > ${after} ORDER BY p.id LIMIT ${limit + 1}`);
  const shown = sizes.slice(0, limit);
  const ids = shown.slice(0, fitting(shown.map(({ bytes }) => bytes))).map(({ id }) => id);
  const found = ids.length > 0 ? await loadProducts(ctx, sql`p.id IN (${jsonList(ids)})`) : [];
  const next = ids.length < sizes.length ? (ids.at(-1) ?? null) : null;
  return { products: found.toSorted((a, b) => a.id - b.id), next };
}

/** Returns the tenant's products that match `condition` (on products `p`) in one round trip. */
export async function loadProducts(ctx: TenantDatabase, condition: SQL): Promise<StoredProduct[]> {
  const { products, variants, categories, slots } = await namedBatch(
    ctx.db,
    productDetailQueries(ctx, condition),
  );
  const ofProduct = <T extends { product_id: number }>(list: readonly T[], id: number) =>
    list.filter((row) => row.product_id === id);
  return products.map((product) =>
    toStoredProduct({
      product,
      variants: ofProduct(variants, product.id),
      categories: ofProduct(categories, product.id),
      slots: ofProduct(slots, product.id),
    }),
  );
}

function toStoredProduct({ product, variants, categories, slots }: ProductDetail): StoredProduct {
  const state: ProductState = {
    type: product.type,
    status: product.status,
    sku: product.sku,
    name: product.name,
    slug: product.slug,
    prices:
      product.type === 'configurable'
        ? cheapestPrices(variants.map(ordinaryPrices))
        : ordinaryPrices(product),
    sale: column.sale(product.sale),
    regularPrice: product.regular_price,
    description: product.description,
    images: column.strings(product.images),
    imageAlts: column.texts(product.image_alts),
    seo: column.seo(product.seo),
    barcode: product.barcode,
    tags: column.strings(product.tags),
    vendor: product.vendor,
    taxClass: product.tax_class,
    weight: product.weight,
    attributes: column.shownAttributes(product.attributes),
    metadata: column.texts(product.metadata),
    policy: product.policy,
    stock: product.balance,
    categoryIds: categories.map(({ id }) => id),
    variants: variants.map(variantState),
    details: column.details(product.details),
    slots: slots.map(({ id, starts_at: startsAt, ends_at: endsAt, capacity }) => ({
      id,
      startsAt,
      endsAt,
      capacity,
    })),
  };
  const lowestPrices = new Map([product, ...variants].flatMap(lowestOf));
  return { id: product.id, revision: product.revision, createdAt: product.created_at, state, lowestPrices };
}

const variantState = (row: VariantRow): VariantState => ({
  id: row.id,
  sku: row.sku,
  prices: ordinaryPrices(row),
  sale: column.sale(row.sale),
  regularPrice: row.regular_price,
  stock: row.balance,
  attributes: column.attributes(row.attributes),
  barcode: row.barcode,
  weight: row.weight,
  image: row.image,
});

/** Returns the entry of a product or variant in `lowestPrices`, if it has one. */
function lowestOf({ id, lowest_prices }: Pick<VariantRow, 'id' | 'lowest_prices'>) {
  const prices = column.optionalPrices(lowest_prices);
  return prices ? [[id, prices] as const] : [];
}
