import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/core/money.ts';
import { presentCategory } from '../categories/present.ts';
import { column, type ProductDetail, type ProductRow, type VariantRow } from '../reads/rows.ts';
import { presentImages } from './image-list.ts';
import type { Product, ProductListItem } from './schemas.ts';

/** Returns a product as lists and search results contain it, priced in `currency`. */
export const presentListItem = (row: ProductRow, currency: string): ProductListItem => ({
  id: row.id,
  sku: row.sku,
  name: row.name,
  slug: row.slug,
  description: row.description,
  type: row.type,
  price: toNumber(column.prices(row.prices)[currency] ?? 0, currency),
  currency,
  stock: row.stock,
  images: column.strings(row.images),
  media: presentImages(
    { images: column.strings(row.images), imageAlts: column.texts(row.image_alts) },
    column.sizes(row.image_sizes),
  ),
  status: row.status,
  created_at: iso(row.created_at),
});

/** Returns the variants that have a price in `currency`. */
export const presentVariants = (rows: readonly VariantRow[], currency: string) =>
  rows.flatMap((row) => {
    const price = column.prices(row.prices)[currency];
    if (price === undefined) return [];
    return [
      {
        id: row.id,
        sku: row.sku,
        price: toNumber(price, currency),
        stock: row.stock,
        attributes: column.attributes(row.attributes),
        ...(row.barcode === null ? {} : { barcode: row.barcode }),
        ...(row.image === null ? {} : { image: row.image }),
      },
    ];
  });

/** For whom a product is presented. */
export interface ProductView {
  /** The currency of the prices, and the tenant's main one. */
  readonly currency: string;
  readonly mainCurrency: string;
  /** Whether the caller sees the product's metadata. */
  readonly withMetadata: boolean;
}

/** Returns the fields of a product that the caller may see, priced in `currency`. Download URLs are never included. */
export function presentProduct(
  detail: ProductDetail,
  { currency, mainCurrency, withMetadata }: ProductView,
): Product {
  const { product, variants, categories } = detail;
  const seo = column.seo(product.seo);
  return {
    ...presentListItem(product, currency),
    updated_at: iso(product.updated_at),
    tags: column.strings(product.tags),
    inventory_policy: product.policy,
    categories: categories.map((row) => presentCategory(row)),
    attributes: column.shownAttributes(product.attributes),
    variants: presentVariants(variants, currency),
    ...(withMetadata ? { metadata: column.texts(product.metadata) } : {}),
    ...(product.regular_price === null || currency !== mainCurrency
      ? {}
      : { regular_price: toNumber(product.regular_price, currency) }),
    ...(seo === null ? {} : { seo }),
    ...(product.barcode === null ? {} : { barcode: product.barcode }),
    ...(product.vendor === null ? {} : { vendor: product.vendor }),
    ...(product.tax_class === null ? {} : { tax_class: product.tax_class }),
    ...presentDetails(detail, currency),
  };
}

function presentDetails({ product, slots }: ProductDetail, currency: string): Partial<Product> {
  const { links, grouped, bundle_groups, timezone } = column.details(product.details);
  return {
    ...(links && {
      links: links.map(({ id, title, prices }) => {
        const price = prices[currency];
        return { id, title, ...(price === undefined ? {} : { price: toNumber(price, currency) }) };
      }),
    }),
    ...(grouped && { grouped: [...grouped] }),
    ...(bundle_groups && {
      bundle_groups: bundle_groups.map((group) => ({ ...group, items: [...group.items] })),
    }),
    ...(timezone && {
      booking: {
        timezone,
        slots: slots.map((slot) => ({
          id: slot.id,
          from: iso(slot.starts_at),
          to: iso(slot.ends_at),
          capacity: slot.capacity,
          available: slot.capacity - slot.reserved,
        })),
      },
    }),
  };
}
