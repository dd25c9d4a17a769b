import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** What a product can be; the type decides what is bought and what its stock means. */
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

/** What search engines and social networks are told; each part is optional. */
export interface Seo {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly og_image?: string | undefined;
}

/** What belongs to one type alone. Ids are unique within the product. */
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

/** Hands out ids, so that a product and a variant never share one. */
export const sequences = sqliteTable('sequences', {
  name: text().primaryKey(),
  value: integer().notNull(),
});

/** Products of every type; what was deleted stays for the feed. Instants in ms, amounts in minor units. */
export const products = sqliteTable(
  'products',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    sku: text().notNull(),
    name: text().notNull(),
    /** The folded name, for sorting. */
    sortName: text().notNull(),
    slug: text().notNull(),
    type: text().$type<ProductType>().notNull(),
    status: text().$type<'active' | 'inactive'>().notNull(),
    /** The price shown; of a configurable product the cheapest variant's. */
    prices: text({ mode: 'json' }).$type<Prices>().notNull(),
    regularPrice: integer(),
    description: text(),
    images: text({ mode: 'json' }).$type<string[]>().notNull(),
    seo: text({ mode: 'json' }).$type<Seo>(),
    barcode: text(),
    tags: text({ mode: 'json' }).$type<string[]>().notNull(),
    vendor: text(),
    taxClass: text(),
    details: text({ mode: 'json' }).$type<Details>().notNull(),
    /** Counts the changes: a write that began from an older one is refused. */
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

/** Variants of configurable products, in the order of `position`; their stock is in inventory's items. */
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

/** Categories, each below its parent or at the top. */
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
    /** Counts the changes of the category itself. */
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('categories_slug').on(t.tenantId, t.slug),
    index('categories_sibling').on(t.tenantId, t.parentId, sql`name COLLATE NOCASE`),
  ],
);

/** Each category with itself (distance 0) and everything above it. */
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

/** Which categories a product was put into, in its own order; those above them are in {@link categoryAncestors}. */
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
 * What lists are read from: one row for each currency and category (0: all) that shows the product, with
 * an index for each sort, so that a page costs the same in a small and in a large catalogue.
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

/** How many listings there are: kept by triggers, so that no list has to count. */
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
 * Categories that were moved or deleted and whose products' listings are still to be brought up to date, in order
 * of product id, some hundred in a batch. While one of a tenant is open, lists of the categories in `shelves` are
 * read from the tree in place of {@link productListings}. All rows of a tenant go once the last one is done.
 */
export const relistings = sqliteTable(
  'relistings',
  {
    tenantId: integer().notNull(),
    /** The category whose listings name the products: it may be deleted already. */
    categoryId: integer().notNull(),
    /** The categories whose lists may differ from the tree: those above the category, before and after. */
    shelves: text({ mode: 'json' }).$type<number[]>().notNull(),
    /** Products up to this id are done; those up to `upto` belong to the chunk that is being written. */
    cursor: integer().notNull().default(0),
    upto: integer().notNull().default(0),
    done: integer({ mode: 'boolean' }).notNull().default(false),
    /** When a chunk was last written (ms). */
    updatedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.categoryId] })],
);

/** The folded words of name, SKUs and slug, for `q` on lists. */
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
 * What search has to look at again beside products that changed themselves: what is directly in a category whose
 * name or place changed (`categoryId`), or a product that a category left (`productId`; the other one is 0). At
 * most one row for each category and product; gone once it is indexed.
 */
export const searchChanges = sqliteTable(
  'search_changes',
  {
    tenantId: integer().notNull(),
    categoryId: integer().notNull(),
    productId: integer().notNull(),
    /** Of a category: its products up to this id are done. */
    after: integer().notNull(),
    /** The catalogue version that made it. */
    version: integer().notNull(),
    /** When search is asked again should this row still be there (ms). */
    wakeAt: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.categoryId, t.productId] }),
    index('search_changes_wake').on(t.wakeAt, t.tenantId),
  ],
);
