import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/values/money.ts';
import { presentProductCategory } from '../categories/present.ts';
import type { ShownCurrency } from '../context.ts';
import {
  column,
  ordinaryPrices,
  type ProductDetail,
  type ProductRow,
  type VariantRow,
} from '../reads/rows.ts';
import { presentPrice, presentSale, presentVariantPrice } from '../sales/present-sale.ts';
import type { Prices } from '../tables.ts';
import { presentImages } from './image-list.ts';
import { isFreeLink } from './links.ts';
import type { Product, ProductListItem, Variant } from './schemas.ts';
import { optionsOf, variantNames } from './variant-options.ts';

/** Returns a product as lists and search results contain it, priced in the currency shown. */
export function presentListItem(row: ProductRow, shown: ShownCurrency): ProductListItem {
  const { currency } = shown;
  const images = column.strings(row.images);
  const summary = column.summary(row.variant_summary);
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    slug: row.slug,
    description: row.description,
    type: row.type,
    ...presentPrice(row, shown),
    currency,
    stock: row.stock,
    in_stock: row.in_stock === 1,
    options: [...(summary?.optionsIn[currency] ?? summary?.options ?? [])],
    image: images[0] ?? null,
    images,
    media: presentImages({ images, imageAlts: column.texts(row.image_alts) }, column.sizes(row.image_sizes)),
    status: row.status,
    created_at: iso(row.created_at),
  };
}

/** Returns the variants that have a price in the currency shown. */
export function presentVariants(rows: readonly VariantRow[], currencies: ShownCurrency): Variant[] {
  const { currency } = currencies;
  const shown = rows.flatMap((row) => {
    const isPriced = column.prices(row.prices)[currency] !== undefined;
    return isPriced ? [{ row, attributes: column.attributes(row.attributes) }] : [];
  });
  const nameOf = variantNames(optionsOf(shown.map(({ attributes }) => attributes)));
  return shown.map(({ row, attributes }) => ({
    id: row.id,
    sku: row.sku,
    name: nameOf(attributes),
    ...presentVariantPrice(row, currencies),
    stock: row.stock,
    in_stock: row.in_stock === 1,
    attributes,
    weight: row.weight,
    ...(row.barcode === null ? {} : { barcode: row.barcode }),
    image: row.image,
  }));
}

/** For whom a product is presented. */
export interface ProductView extends ShownCurrency {
  /** Whether the caller has `catalog:write`, and sees the product's metadata and the terms of its sales. */
  readonly forEditor: boolean;
}

/** Returns the fields of a product that the caller may see, priced in `currency`. Download URLs are never included. */
export function presentProduct(detail: ProductDetail, { forEditor, ...shown }: ProductView): Product {
  const { product, variants, categories } = detail;
  const seo = column.seo(product.seo);
  const { mainCurrency } = shown;
  const sold = presentVariants(variants, shown);
  const editable = new Map(
    variants.map((row) => [
      row.id,
      { ...presentOtherPrices(ordinaryPrices(row), mainCurrency), sale: presentSale(row.sale, mainCurrency) },
    ]),
  );
  return {
    ...presentListItem(product, shown),
    ...(product.type === 'configurable' && { in_stock: sold.some((variant) => variant.in_stock) }),
    updated_at: iso(product.updated_at),
    tags: column.strings(product.tags),
    inventory_policy: product.policy,
    weight: product.weight,
    categories: categories.map(presentProductCategory),
    attributes: column.shownAttributes(product.attributes),
    variants: sold.map((variant) => ({
      ...variant,
      ...(forEditor ? editable.get(variant.id) : {}),
    })),
    ...(forEditor
      ? {
          metadata: column.texts(product.metadata),
          sale: presentSale(product.sale, mainCurrency),
          // A configurable product has the prices of its variants.
          ...(product.type !== 'configurable' && presentOtherPrices(ordinaryPrices(product), mainCurrency)),
        }
      : {}),
    ...(seo === null ? {} : { seo }),
    ...(product.barcode === null ? {} : { barcode: product.barcode }),
    ...(product.vendor === null ? {} : { vendor: product.vendor }),
    ...(product.tax_class === null ? {} : { tax_class: product.tax_class }),
    ...presentDetails(detail, { forEditor, ...shown }),
  };
}

/** Returns the prices in the currencies besides the main one, if there are any. */
function presentOtherPrices(prices: Prices, mainCurrency: string): { prices?: Record<string, number> } {
  const others = Object.entries(prices).filter(([currency]) => currency !== mainCurrency);
  const shown = others.map(([currency, price]) => [currency, toNumber(price, currency)] as const);
  return shown.length > 0 ? { prices: Object.fromEntries(shown) } : {};
}

function presentDetails(
  { product, slots }: ProductDetail,
  { currency, mainCurrency, forEditor }: ProductView,
): Partial<Product> {
  const { links, grouped, bundle_groups, timezone } = column.details(product.details);
  return {
    ...(links && {
      links: links.map((link) => {
        const { id, title, prices } = link;
        const price = isFreeLink(link) ? 0 : prices[currency];
        return {
          id,
          title,
          ...(price === undefined ? {} : { price: toNumber(price, currency) }),
          ...(forEditor && presentOtherPrices(prices, mainCurrency)),
        };
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
