import { sql } from 'drizzle-orm';
import {
  componentStatements,
  deriveStock,
  type ItemFields,
  itemStatements,
  moveStock,
  slotStatements,
  type WriteCause,
} from '../../inventory/index.ts';
import { assertInBatch, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { fold } from '../../kernel/text/fold.ts';
import { firstOf } from '../../kernel/text/text.ts';
import { mediaUseStatements } from '../../media/index.ts';
import { advanceClock, clockTick, withinQuota } from '../../tenants/index.ts';
import { facetStatements } from '../indexing/facet-index.ts';
import { indexTermsStatements, listProductStatements } from '../indexing/listing-index.ts';
import type { StoredProduct } from '../products/load-product.ts';
import { membersOf } from '../products/members.ts';
import { derivedOf, type ProductState, type VariantState } from '../products/product-state.ts';
import { nextSwitch } from '../sales/displayed-prices.ts';
import { type PriceColumns, priceColumns } from '../sales/price-columns.ts';
import { priceHistoryStatements } from '../sales/price-history.ts';
import { removedVariants, stockMoves } from './diff.ts';
import { preconditions } from './preconditions.ts';
import { productEvent } from './product-event.ts';

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

/** Returns all statements of a product write, its event included. The catalogue version must advance too. */
export function productStatements(ctx: TenantDatabase, cause: WriteCause, write: ProductWrite): Statement[] {
  const { db, tenantId } = ctx;
  const { id: productId, before, after } = write;
  const variantSkus = after.variants.map(({ sku }) => sku);
  const items = itemsOf(write);
  const prices = priceColumns(write);
  const hasSlots = after.type === 'booking' || Boolean(before?.state.slots.length);
  return [
    ...(before ? [unchangedSince(ctx, before)] : []),
    ...preconditions(ctx, before, after),
    advanceClock({ db, tenantId }, items.length),
    productRow(ctx, write, prices),
    ...variantRows(ctx, write, prices),
    ...priceHistoryStatements(ctx, prices),
    ...itemStatements(ctx, { productId, isNew: !before, policy: after.policy, items }),
    ...categoryRows(ctx, productId, after.categoryIds),
    ...mediaUseStatements(ctx, { productId, urls: imageUrlsOf(after) }),
    ...componentStatements(ctx, { productId, components: membersOf(after) }),
    ...(hasSlots ? slotStatements(ctx, { productId, slots: after.slots }) : []),
    ...listProductStatements(ctx, sql`SELECT ${productId}`),
    ...facetStatements(ctx, write),
    ...indexTermsStatements(ctx, productId, [after.name, after.sku, after.slug, ...variantSkus]),
    ...stockRows(ctx, cause, write),
    productEvent(ctx, cause, write),
    ...(createsItems(write) ? [withinQuota(ctx, 'products')] : []),
  ];
}

/** Returns the URLs of all images that a product shows. */
const imageUrlsOf = ({ images, variants }: ProductWrite['after']): string[] => [
  ...images,
  ...variants.flatMap(({ image }) => image ?? []),
];

/** Returns whether a write increases the number of products and variants, which the quota limits. */
const createsItems = ({ before, after }: ProductWrite): boolean =>
  !before || after.variants.length > before.state.variants.length;

/** Rolls the batch back when the product changed after it was read. */
export const unchangedSince = (
  { db, tenantId }: TenantDatabase,
  { id, revision }: StoredProduct,
): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM products WHERE tenant_id = ${tenantId} AND id = ${id}
      AND revision = ${revision} AND deleted_at IS NULL)`,
  );

function productRow(
  { tenantId, db }: TenantDatabase,
  { id, after, createdAt }: ProductWrite,
  [own]: readonly PriceColumns[],
): Statement {
  const instant = clockTick(tenantId, 1, 0);
  const columns = sql`(${id}, ${tenantId}, ${after.sku}, ${after.name}, ${sortName(after.name)}, ${after.slug},
    ${after.type}, ${after.status}, ${json(own?.prices)}, ${after.regularPrice},
    ${json(own?.sale)}, ${json(own?.ordinaryPrices)}, ${json(own?.reducedFrom)}, ${json(own?.lowestPrices)},
    ${nextSwitch(after)}, ${after.description},
    ${JSON.stringify(after.images)}, ${JSON.stringify(after.imageAlts)}, ${after.seo && JSON.stringify(after.seo)}, ${after.barcode},
    ${JSON.stringify(after.tags)}, ${after.vendor}, ${after.taxClass}, ${after.weight}, ${JSON.stringify(after.attributes)},
    ${JSON.stringify(after.metadata)}, ${json(own?.variantSummary)}, ${JSON.stringify(after.details)},
    ${createdAt}, ${instant})`;
  return run(
    db,
    sql`INSERT INTO products (id, tenant_id, sku, name, sort_name, slug, type, status, prices, regular_price,
        sale, ordinary_prices, reduced_from, lowest_prices, switch_at,
        description, images, image_alts, seo, barcode, tags, vendor, tax_class, weight, attributes, metadata,
        variant_summary, details,
        created_at, updated_at)
      VALUES ${columns} ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, name = excluded.name,
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
  );
}

/** Returns the JSON of a column, or null. */
const json = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);

/** Longest sort key of a name, in characters, which keeps the index small. */
const MAX_SORT_NAME_LENGTH = 80;

/** Returns the sort key of a name: case-folded, without accents. */
const sortName = (name: string): string => firstOf(fold(name), MAX_SORT_NAME_LENGTH);

function variantRows(
  { db, tenantId }: TenantDatabase,
  { id, before, after }: ProductWrite,
  [, ...columns]: readonly PriceColumns[],
): Statement[] {
  if (after.variants.length === 0 && !before?.state.variants.length) return [];
  const given = JSON.stringify(after.variants.map((variant, n) => ({ ...variant, ...columns[n] })));
  return [
    run(
      db,
      sql`UPDATE variants SET deleted = 1 WHERE tenant_id = ${tenantId} AND product_id = ${id}
        AND id NOT IN (SELECT value ->> 'id' FROM json_each(${given}))`,
    ),
    run(
      db,
      sql`INSERT INTO variants (id, tenant_id, product_id, sku, prices, sale, ordinary_prices,
          lowest_prices, attributes, barcode, weight, image, position)
        SELECT value ->> 'id', ${tenantId}, ${id}, value ->> 'sku', value -> 'prices',
          nullif(value -> 'sale', 'null'), nullif(value -> 'ordinaryPrices', 'null'),
          nullif(value -> 'lowestPrices', 'null'), value -> 'attributes',
          value ->> 'barcode', value ->> 'weight', value ->> 'image', key FROM json_each(${given}) WHERE true
        ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, prices = excluded.prices, deleted = 0,
          sale = excluded.sale, ordinary_prices = excluded.ordinary_prices,
          lowest_prices = excluded.lowest_prices,
          attributes = excluded.attributes, barcode = excluded.barcode, weight = excluded.weight,
          image = excluded.image,
          position = excluded.position`,
    ),
  ];
}

/**
 * Returns the items of the product, its variants and its removed variants. A null `stock` leaves it
 * unchanged.
 */
function itemsOf({ id, before, after }: ProductWrite): ItemFields[] {
  const shown = after.status === 'active' ? 'live' : 'hidden';
  const derived = derivedOf(after);
  const feed = derived === 'configurable' || derived === 'grouped' ? 'hidden' : shown;
  const product: ItemFields = { id, sku: after.sku, stock: after.stock, derived, feed, deleted: 0 };
  const variants = after.variants.map(
    ({ id: variantId, sku, stock }): ItemFields => ({
      ...{ id: variantId, sku, stock },
      ...{ derived: 'none', feed: shown, deleted: 0 },
    }),
  );
  // A stored variant has an id.
  const removed = removedVariants(before, after).map(
    ({ id: variantId, sku }): ItemFields => ({
      ...{ id: variantId ?? 0, sku, stock: 0 },
      ...{ derived: 'none', feed: 'hidden', deleted: 1 },
    }),
  );
  return [product, ...variants, ...removed];
}

/**
 * Returns the statements that move stock. A new product's stock is reported in its `product.updated` event.
 */
function stockRows(
  ctx: TenantDatabase,
  cause: WriteCause,
  { id, before, after, changed }: ProductWrite,
): Statement[] {
  const follows = derivedOf(after) !== 'none';
  if (!before) return follows ? [deriveStock(ctx, id)] : [];
  const follow = follows || changed.includes('inventory_policy') ? [id] : [];
  return moveStock(ctx, cause, { moves: stockMoves(before, after), follow });
}

const categoryRows = ({ db, tenantId }: TenantDatabase, id: number, ids: readonly number[]): Statement[] => [
  run(db, sql`DELETE FROM product_categories WHERE tenant_id = ${tenantId} AND product_id = ${id}`),
  run(
    db,
    sql`INSERT INTO product_categories (tenant_id, product_id, category_id, position)
      SELECT ${tenantId}, ${id}, value, key FROM json_each(${JSON.stringify(ids)})`,
  ),
];
