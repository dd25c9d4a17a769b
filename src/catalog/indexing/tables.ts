import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
    /** Quantity sold in the last 30 days, updated every hour. */
    sold: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.currency, t.categoryId, t.status, t.productId] }),
    index('listings_sold').on(t.tenantId, t.currency, t.categoryId, t.status, t.sold, t.productId),
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
 * What products can be filtered and counted by: one row for each value of a name (`type`, `vendor`, `tag`,
 * `on_sale`, `attr.<attribute>`). `itemId` is the variant that has the value, or 0 when it holds for the
 * product and all of its variants.
 */
export const itemFacets = sqliteTable(
  'item_facets',
  {
    tenantId: integer().notNull(),
    status: text().notNull(),
    name: text().notNull(),
    /** The value, case-folded and without accents. */
    value: text().notNull(),
    productId: integer().notNull(),
    itemId: integer().notNull(),
    /** The value as it is spelled in this product. */
    label: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.status, t.name, t.value, t.productId, t.itemId] }),
    index('item_facets_product').on(t.tenantId, t.productId, t.name, t.value, t.itemId),
  ],
);

/** Number of products with each value, maintained by triggers. */
export const facetCounts = sqliteTable(
  'facet_counts',
  {
    tenantId: integer().notNull(),
    status: text().notNull(),
    name: text().notNull(),
    value: text().notNull(),
    total: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.status, t.name, t.value] })],
);

/**
 * The price of everything that can be chosen of a product, in each currency: its variants, or the product
 * itself (`itemId` is its id). In minor units.
 */
export const itemPrices = sqliteTable(
  'item_prices',
  {
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    currency: text().notNull(),
    itemId: integer().notNull(),
    status: text().notNull(),
    price: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.productId, t.currency, t.itemId] }),
    index('item_prices_price').on(t.tenantId, t.currency, t.status, t.price),
  ],
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

/** Case-folded words of name, SKUs and slug, and further terms of the name, which `q` on lists matches. */
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
