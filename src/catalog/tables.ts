import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Product types. The type decides what a line item contains and how stock is computed. */
export const PRODUCT_TYPES = [
  'simple',
  'configurable',
  'virtual',
  'downloadable',
  'grouped',
  'bundled',
  'booking',
] as const;
/** One of {@link PRODUCT_TYPES}. */
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** Amounts in minor units by currency. */
export type Prices = Readonly<Record<string, number>>;

/** Metadata for search engines and social networks. */
export interface Seo {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly og_image?: string | undefined;
}

/** Fields of a single product type. Ids are unique within the product. */
export interface Details {
  readonly links?: readonly { id: number; title: string; prices: Prices; url: string }[];
  readonly grouped?: readonly { product_id: number; default_quantity: number }[];
  readonly bundle_groups?: readonly {
    id: number;
    title: string;
    required: boolean;
    multiple: boolean;
    items: readonly { id: number; product_id: number; quantity: number; default: boolean }[];
  }[];
  readonly timezone?: string;
}

/** Id sequences. One sequence serves products and variants, so that they never share an id. */
export const sequences = sqliteTable('sequences', {
  name: text().primaryKey(),
  value: integer().notNull(),
});

/** Products of every type. Deleted rows stay for the feed. Instants in ms, amounts in minor units. */
export const products = sqliteTable(
  'products',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    sku: text().notNull(),
    name: text().notNull(),
    /** Case-folded name without accents, for sorting. */
    sortName: text().notNull(),
    slug: text().notNull(),
    type: text().$type<ProductType>().notNull(),
    status: text().$type<'active' | 'inactive'>().notNull(),
    /** Displayed price; for a configurable product, the cheapest variant's. */
    prices: text({ mode: 'json' }).$type<Prices>().notNull(),
    regularPrice: integer(),
    description: text(),
    images: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** Alternative texts by image URL. */
    imageAlts: text({ mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
    seo: text({ mode: 'json' }).$type<Seo>(),
    barcode: text(),
    tags: text({ mode: 'json' }).$type<string[]>().notNull(),
    vendor: text(),
    taxClass: text(),
    details: text({ mode: 'json' }).$type<Details>().notNull(),
    /** Incremented by each change; a write based on an older revision is rolled back. */
    revision: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    deletedAt: integer(),
  },
  (t) => [
    uniqueIndex('products_slug').on(t.tenantId, t.slug).where(sql`deleted_at IS NULL`),
    index('products_tenant').on(t.tenantId, t.id),
    index('products_deleted').on(t.deletedAt).where(sql`deleted_at IS NOT NULL`),
    index('products_made_of_others')
      .on(t.tenantId, t.id)
      .where(sql`type IN ('grouped', 'bundled') AND deleted_at IS NULL`),
  ],
);

/** Variants of configurable products, ordered by `position`. Their stock is in `inventory_items`. */
export const variants = sqliteTable(
  'variants',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    sku: text().notNull(),
    prices: text({ mode: 'json' }).$type<Prices>().notNull(),
    attributes: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    barcode: text(),
    image: text(),
    position: integer().notNull(),
    deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [index('variants_product').on(t.tenantId, t.productId)],
);

/** Categories; `parentId` is null for a root category. */
export const categories = sqliteTable(
  'categories',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    parentId: integer(),
    name: text().notNull(),
    slug: text().notNull(),
    imageUrl: text(),
    seo: text({ mode: 'json' }).$type<Seo>(),
    /** Incremented by each change of the category itself. */
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('categories_slug').on(t.tenantId, t.slug),
    index('categories_sibling').on(t.tenantId, t.parentId, sql`name COLLATE NOCASE`),
  ],
);

/** Closure table: each category with itself (distance 0) and each of its ancestors. */
export const categoryAncestors = sqliteTable(
  'category_ancestors',
  {
    tenantId: integer().notNull(),
    categoryId: integer().notNull(),
    ancestorId: integer().notNull(),
    distance: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.categoryId, t.ancestorId] }),
    index('category_descendants').on(t.tenantId, t.ancestorId, t.categoryId),
  ],
);

/** Direct categories of each product, in the product's order. Ancestors are in {@link categoryAncestors}. */
export const productCategories = sqliteTable(
  'product_categories',
  {
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    categoryId: integer().notNull(),
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.productId, t.categoryId] }),
    index('product_categories_category').on(t.tenantId, t.categoryId, t.productId),
  ],
);

/**
 * Denormalized product lists: one row for each currency and category (0: all) that lists the product. Each
 * sort order has an index, so that the cost of a page does not grow with the catalogue.
 */
export const productListings = sqliteTable(
  'product_listings',
  {
    tenantId: integer().notNull(),
    currency: text().notNull(),
    categoryId: integer().notNull(),
    status: text().notNull(),
    productId: integer().notNull(),
    price: integer().notNull(),
    name: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.currency, t.categoryId, t.status, t.productId] }),
    index('listings_price').on(t.tenantId, t.currency, t.categoryId, t.status, t.price, t.productId),
    index('listings_name').on(t.tenantId, t.currency, t.categoryId, t.status, t.name, t.productId),
    index('listings_product').on(t.tenantId, t.productId),
  ],
);

/** Number of rows in each list, maintained by triggers so that no list has to count. */
export const listingCounts = sqliteTable(
  'listing_counts',
  {
    tenantId: integer().notNull(),
    currency: text().notNull(),
    categoryId: integer().notNull(),
    status: text().notNull(),
    total: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.currency, t.categoryId, t.status] })],
);

/**
 * Moved or deleted categories whose products' listings are being updated, in chunks ordered by product id.
 * While a tenant has an open row, lists of the categories in `shelves` are read from the tree and not from
 * {@link productListings}. A tenant's rows are deleted once all are done.
 */
export const relistings = sqliteTable(
  'relistings',
  {
    tenantId: integer().notNull(),
    /** The moved or deleted category. Its listings name the products to update. */
    categoryId: integer().notNull(),
    /** Categories whose lists may differ from the tree: the ancestors before and after the change. */
    shelves: text({ mode: 'json' }).$type<number[]>().notNull(),
    /** Products up to this id are done; those up to `upto` belong to the current chunk. */
    cursor: integer().notNull().default(0),
    upto: integer().notNull().default(0),
    done: integer({ mode: 'boolean' }).notNull().default(false),
    /** When the last chunk was written (ms). */
    updatedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.categoryId] })],
);

/** Case-folded words of name, SKUs and slug, which `q` on lists matches. */
export const productTerms = sqliteTable(
  'product_terms',
  {
    tenantId: integer().notNull(),
    term: text().notNull(),
    productId: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.term, t.productId] }),
    index('product_terms_product').on(t.tenantId, t.productId),
  ],
);

/**
 * Products to reindex because of a category change: the direct products of a renamed or moved category
 * (`categoryId`), or a product whose category was deleted (`productId`); the other column is 0. A row is
 * deleted once it is indexed.
 */
export const searchChanges = sqliteTable(
  'search_changes',
  {
    tenantId: integer().notNull(),
    categoryId: integer().notNull(),
    productId: integer().notNull(),
    /** Products of the category up to this id are indexed. */
    after: integer().notNull(),
    /** The catalogue version of the change. */
    version: integer().notNull(),
    /** When the indexer is notified again if this row still exists (ms). */
    wakeAt: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.categoryId, t.productId] }),
    index('search_changes_wake').on(t.wakeAt, t.tenantId),
  ],
);
