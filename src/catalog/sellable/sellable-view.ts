import { type SQL, sql } from 'drizzle-orm';
import type { Policy } from '../../inventory/index.ts';
import { cachedValue } from '../../kernel/cache/versioned-cache.ts';
import { now } from '../../kernel/core/clock.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { jsonList, namedBatch, ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { memberIds } from '../products/members.ts';
import { column, type VariantRow, variantsOf } from '../reads/rows.ts';
import { variantReductions } from '../sales/present-sale.ts';
import type { Details, Prices, ProductType, ReducedFrom } from '../tables.ts';

/** The fields of a product that selling it requires; amounts in minor units by currency. */
export interface SellableProduct {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly slug: string;
  /** The URL of its first image. */
  readonly image: string | null;
  readonly type: ProductType;
  readonly status: 'active' | 'inactive';
  readonly prices: Prices;
  /** What `prices` are reduced from, in the currencies in which they are. */
  readonly reducedFrom: Prices;
  readonly taxClass: string | null;
  /** Grams; null: not known. */
  readonly weight: number | null;
  /** Its categories with all their ancestors; none of a bundle's member, whose promotions are the bundle's. */
  readonly categoryIds: readonly number[];
  readonly policy: Policy;
  readonly stock: number;
}

/** The fields of a variant that selling it requires; amounts in minor units by currency. */
interface SellableVariant {
  readonly id: number;
  readonly sku: string;
  readonly prices: Prices;
  /** What `prices` are reduced from, in the currencies in which they are. */
  readonly reducedFrom: Prices;
  readonly attributes: Readonly<Record<string, string>>;
  /** Grams; null: the product's. */
  readonly weight: number | null;
  /** The URL of its own image. */
  readonly image: string | null;
  readonly stock: number;
}

/** A slot that had not begun when it was read. Instants in ms; `free` is the number of places left. */
interface SellableSlot {
  readonly id: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly free: number;
}

/** All that a cart needs to sell one product. */
export interface SellableView {
  readonly product: SellableProduct;
  readonly variants: readonly SellableVariant[];
  readonly details: Omit<Details, 'lastIds'>;
  readonly slots: readonly SellableSlot[];
  /** Members of a grouped or bundled product; deleted ones are absent. */
  readonly members: readonly SellableProduct[];
}

/** Views of several products, and the catalogue version at which they were read. */
export interface SellableViews {
  readonly version: number;
  readonly views: ReadonlyMap<number, SellableView>;
}

/** The cache key of the cart's view of a product. */
export const viewKey = (productId: number): string => `/cart-view/${productId}`;

/**
 * Returns the cart's view of a product at `version` or newer, through the catalogue cache. Its stock may lag
 * like that of any cached read. Fails with `product_not_found`.
 */
export const sellableView = (call: CatalogReader, productId: number, version: number) =>
  cachedValue<SellableView>(
    call,
    {
      key: viewKey(productId),
      fill: async (from) => {
        const read = await readSellableViews(from, { productIds: [productId] });
        const view = read.views.get(productId);
        return { version: read.version, answer: view ? ok(view) : fail('product_not_found') };
      },
    },
    version,
  );

/** A product as {@link viewQueries} reads it. JSON columns are text. */
interface SellableRow extends Omit<SellableProduct, 'prices' | 'reducedFrom' | 'taxClass' | 'categoryIds'> {
  readonly prices: string;
  readonly reduced_from: string | null;
  readonly tax_class: string | null;
  readonly details: string;
}

/** The products whose views are read. */
interface ViewSelection {
  readonly productIds: readonly number[];
  /** Variants that stand for their products. */
  readonly variantIds?: readonly number[];
  /** The only variants that the views have, so that many products with many variants fit into memory; by default all. */
  readonly onlyVariants?: readonly number[];
}

/** Returns the queries for the views of these products, for use in a batch. */
function viewQueries(ctx: TenantDatabase, ids: SQL, { onlyVariants }: ViewSelection) {
  const { tenantId, db } = ctx;
  const all = withMembers(tenantId, ids);
  return {
    position: catalogPosition(ctx),
    // Products keep prices in currencies that the tenant no longer sells in.
    sold: rows<{ currency: string; main: string }>(
      db,
      sql`SELECT c.value AS currency, t.currency AS main FROM tenants t, json_each(t.currencies) c WHERE t.id = ${tenantId}`,
    ),
    products: rows<SellableRow>(
      db,
      sql`SELECT p.id, p.sku, p.name, p.slug, p.images ->> 0 AS image, p.type, p.status, p.prices, p.reduced_from,
          p.tax_class, p.weight, p.details, i.policy, max(0, i.on_hand - i.reserved) AS stock
        FROM products p JOIN inventory_items i ON i.id = p.id
        WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.id IN (${all})`,
    ),
    variants: variantsOf(ctx, ids, onlyVariants && sql`v.id IN (${jsonList(onlyVariants)})`),
    slots: rows<SellableSlot & { product_id: number }>(
      db,
      sql`SELECT product_id, id, starts_at AS startsAt, ends_at AS endsAt, capacity - reserved AS free
        FROM slots WHERE tenant_id = ${tenantId} AND product_id IN (${ids}) AND starts_at > ${now()}`,
    ),
    categories: rows<{ product_id: number; category_id: number }>(
      db,
      sql`SELECT DISTINCT pc.product_id, a.ancestor_id AS category_id FROM product_categories pc
        JOIN category_ancestors a ON a.tenant_id = pc.tenant_id AND a.category_id = pc.category_id
        WHERE pc.tenant_id = ${tenantId} AND pc.product_id IN (${withGrouped(tenantId, ids)})`,
    ),
  };
}

/** Reads the views of products from the database, any number of them in one batch. */
export async function readSellableViews(
  ctx: TenantDatabase,
  selection: ViewSelection,
): Promise<SellableViews> {
  const { productIds, variantIds = [] } = selection;
  const ids = sql`${jsonList(productIds)}${variantIds.length > 0 ? ownersOf(ctx, variantIds) : sql``}`;
  const { position, sold, products, variants, slots, categories } = await namedBatch(
    ctx.db,
    viewQueries(ctx, ids, selection),
  );
  const currencies = sold.map(({ currency }) => currency);
  const mainCurrency = sold[0]?.main ?? '';
  // A bundle may have 5,000 members: the rows of each are not looked for among all.
  const byProduct = <Row extends { product_id: number }>(all: readonly Row[]) =>
    Map.groupBy(all, (one) => one.product_id);
  const [variantsBy, slotsBy] = [byProduct(variants), byProduct(slots)];
  const context = { categories: byProduct(categories), currencies };
  const known = new Map(products.map((row) => [row.id, toSellableProduct(row, context)]));
  const views = new Map<number, SellableView>();
  for (const row of products) {
    const product = known.get(row.id);
    const own = variantsBy.get(row.id) ?? [];
    const byVariant = own.some(({ id }) => variantIds.includes(id));
    if (!product || !(byVariant || productIds.includes(row.id))) continue;
    const { lastIds: _, ...details } = column.details(row.details);
    views.set(row.id, {
      product,
      details,
      variants: own.map((one) => toSellableVariant(one, { currencies, mainCurrency })),
      slots: (slotsBy.get(row.id) ?? []).map(toSellableSlot),
      members: memberIds(details).flatMap((id) => known.get(id) ?? []),
    });
  }
  return { version: versionOf(position), views };
}

/** Continues a list of product ids with the products of these variants. */
const ownersOf = ({ tenantId }: TenantDatabase, variantIds: readonly number[]): SQL => sql`
  UNION SELECT v.product_id FROM variants v
    WHERE ${ofTenant('v.tenant_id', tenantId)} AND v.deleted = 0 AND v.id IN (${jsonList(variantIds)})`;

/** Selects the products in `ids` and the members of groups. */
const withGrouped = (tenantId: number, ids: SQL): SQL => sql`${ids}
  UNION SELECT g.value ->> 'product_id' FROM products p, json_each(p.details, '$.grouped') g
    WHERE p.tenant_id = ${tenantId} AND p.id IN (${ids})`;

/** Selects the products in `ids` and their members. */
const withMembers = (tenantId: number, ids: SQL): SQL => sql`${withGrouped(tenantId, ids)}
  UNION SELECT i.value ->> 'product_id' FROM products p, json_each(p.details, '$.bundle_groups') g,
    json_each(g.value, '$.items') i WHERE p.tenant_id = ${tenantId} AND p.id IN (${ids})`;

/** Returns the prices in these currencies. */
const pricesIn = (currencies: readonly string[], prices: ReducedFrom): Prices =>
  Object.fromEntries(
    Object.entries(prices).flatMap(([currency, price]) =>
      price !== null && currencies.includes(currency) ? [[currency, price]] : [],
    ),
  );

/** What the products of a batch have in common. */
interface SellableContext {
  readonly categories: ReadonlyMap<number, readonly { readonly category_id: number }[]>;
  /** Those that the tenant sells in. */
  readonly currencies: readonly string[];
}

/** What the variants of a batch have in common. */
interface VariantContext extends Pick<SellableContext, 'currencies'> {
  readonly mainCurrency: string;
}

const toSellableProduct = (
  row: SellableRow,
  { categories, currencies }: SellableContext,
): SellableProduct => ({
  id: row.id,
  sku: row.sku,
  name: row.name,
  slug: row.slug,
  image: row.image,
  type: row.type,
  status: row.status,
  prices: pricesIn(currencies, column.prices(row.prices)),
  reducedFrom: pricesIn(currencies, column.reducedFrom(row.reduced_from)),
  taxClass: row.tax_class,
  weight: row.weight,
  categoryIds: (categories.get(row.id) ?? []).map((one) => one.category_id),
  policy: row.policy,
  stock: row.stock,
});

const toSellableVariant = (
  row: VariantRow,
  { currencies, mainCurrency }: VariantContext,
): SellableVariant => ({
  id: row.id,
  sku: row.sku,
  prices: pricesIn(currencies, column.prices(row.prices)),
  reducedFrom: pricesIn(currencies, variantReductions(row, mainCurrency)),
  attributes: column.attributes(row.attributes),
  weight: row.weight,
  image: row.image,
  stock: row.stock,
});

const toSellableSlot = ({ id, startsAt, endsAt, free }: SellableSlot): SellableSlot => ({
  id,
  startsAt,
  endsAt,
  free,
});
