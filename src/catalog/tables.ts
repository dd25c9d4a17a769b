import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Metadata } from '../kernel/values/metadata.ts';

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

/** A row's barcode without the spaces and hyphens that a GTIN may be printed with. The indexes have it. */
export const BARE_BARCODE = sql.raw("replace(replace(barcode, '-', ''), ' ', '')");

/** What shoppers choose of a configurable product, such as its colours. */
export interface ProductOption {
  readonly name: string;
  readonly values: string[];
}

/** What lists show of a product's variants, kept with the product so that a list reads no variants. */
export interface VariantSummary {
  /** The highest price in each currency, in minor units; the lowest is the product's own. */
  readonly highest: Prices;
  readonly options: readonly ProductOption[];
  /** The options in those currencies in which some variants have no price and are not shown. */
  readonly optionsIn: Readonly<Record<string, readonly ProductOption[]>>;
  /** When the sale of the lowest price ends (ms), in the currencies in which it does. */
  readonly saleEnds?: SaleEnds;
}

/** When running sales end that reduce a price (ms), by currency. */
export type SaleEnds = Readonly<Record<string, number>>;

/** A temporary price of a product or variant. Amounts in minor units by currency, instants in ms. */
export interface Sale {
  readonly prices: Prices;
  /** Null: begins at once, and never ends. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** Whether the stored prices are the sale's. Lags the instants until the switch is written. */
  readonly running: boolean;
}

/**
 * The price from which a product is reduced, by currency. Null: only a variant that isn't the cheapest is
 * reduced.
 */
export type ReducedFrom = Readonly<Record<string, number | null>>;

/** Metadata for search engines and social networks. */
export interface Seo {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly og_image?: string | undefined;
}

/** What a product is like, by name: one value or several, such as `{"material": "Wool"}`. */
export type Attributes = Readonly<Record<string, string | readonly string[]>>;

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
  /** The highest ids that links, groups and items of groups have had. */
  readonly lastIds?: { readonly links?: number; readonly groups?: number; readonly items?: number };
}

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
    /** Displayed price, a running sale's included; for a configurable product, the cheapest variant's. */
    prices: text({ mode: 'json' }).$type<Prices>().notNull(),
    regularPrice: integer(),
    /** The running or scheduled sale, and the ordinary prices while it runs. */
    sale: text({ mode: 'json' }).$type<Sale>(),
    ordinaryPrices: text({ mode: 'json' }).$type<Prices>(),
    /** Null when no displayed price is reduced, by a sale or below `regularPrice`. */
    reducedFrom: text({ mode: 'json' }).$type<ReducedFrom>(),
    /** The lowest displayed prices of the 30 days before the present reduction began. */
    lowestPrices: text({ mode: 'json' }).$type<Prices>(),
    /** When the next sale of the product or its variants begins or ends (ms), else null. */
    switchAt: integer(),
    description: text(),
    images: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** Alternative texts by image URL. */
    imageAlts: text({ mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
    seo: text({ mode: 'json' }).$type<Seo>(),
    barcode: text(),
    tags: text({ mode: 'json' }).$type<string[]>().notNull(),
    vendor: text(),
    taxClass: text(),
    /** Grams of one unit; null: not known. */
    weight: integer(),
    attributes: text({ mode: 'json' }).$type<Attributes>().notNull().default({}),
    /** Of a configurable product; null for any other. */
    variantSummary: text({ mode: 'json' }).$type<VariantSummary>(),
    /** Shown only to callers with `catalog:write`. */
    metadata: text({ mode: 'json' }).$type<Metadata>().notNull().default({}),
    details: text({ mode: 'json' }).$type<Details>().notNull(),
    /** Quantity sold in the last 30 days, updated every hour. */
    soldRecently: integer().notNull().default(0),
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
    index('products_switch').on(t.switchAt, t.tenantId).where(sql`switch_at IS NOT NULL`),
    index('products_tenant_switch').on(t.tenantId, t.switchAt).where(sql`switch_at IS NOT NULL`),
    index('products_made_of_others')
      .on(t.tenantId, t.id)
      .where(sql`type IN ('grouped', 'bundled') AND deleted_at IS NULL`),
    index('products_barcode')
      .on(t.tenantId, BARE_BARCODE)
      .where(sql`barcode IS NOT NULL AND deleted_at IS NULL`),
  ],
);

/** The kinds of things that a URL slug finds. */
export type SlugKind = 'product' | 'category';

/**
 * Slugs that products and categories had before: the 20 newest of each, until another one of the kind takes
 * the slug. Triggers write them.
 */
export const formerSlugs = sqliteTable(
  'former_slugs',
  {
    tenantId: integer().notNull(),
    kind: text().$type<SlugKind>().notNull(),
    slug: text().notNull(),
    /** The product or category. */
    ownerId: integer().notNull(),
    /** Increases with each slug that the owner gives up. */
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.kind, t.slug] }),
    index('former_slugs_owner').on(t.tenantId, t.kind, t.ownerId, t.position),
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
    /** The price to pay, a running sale's included. */
    prices: text({ mode: 'json' }).$type<Prices>().notNull(),
    sale: text({ mode: 'json' }).$type<Sale>(),
    ordinaryPrices: text({ mode: 'json' }).$type<Prices>(),
    /** In the main currency; null: none of its own. */
    regularPrice: integer(),
    lowestPrices: text({ mode: 'json' }).$type<Prices>(),
    attributes: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    barcode: text(),
    /** Grams of one unit; null: the product's. */
    weight: integer(),
    image: text(),
    position: integer().notNull(),
    deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('variants_product').on(t.tenantId, t.productId),
    index('variants_barcode').on(t.tenantId, BARE_BARCODE).where(sql`barcode IS NOT NULL AND deleted = 0`),
  ],
);

/** Direct categories of each product, in the product's order. Ancestors are in `category_ancestors`. */
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
