import { TENANT } from './index.ts';
import type { DemoProduct } from './products/product.ts';

/** Returns the body of `POST /v1/products`; `categories` are ids by name, `ids` those of products by SKU. */
export function productBody(
  product: DemoProduct,
  categories: ReadonlyMap<string, number>,
  ids: ReadonlyMap<string, number>,
) {
  const { in: category, variants, grouped, bundle, slots, links, ...plain } = product;
  return {
    ...plain,
    prices: prices(product.price),
    category_ids: [known(categories, category)],
    barcode: barcode(product.sku),
    seo: {
      title: `${product.name} · ${TENANT.name}`,
      description: product.description.replace(/<[^>]+>/g, ''),
    },
    ...(variants && {
      variants: variants.map(([attributes, price, stock]) => {
        const sku = [product.sku, ...Object.values(attributes)]
          .join('-')
          .replace(/[^A-Za-z0-9]+/g, '-')
          .toUpperCase();
        return { sku, price, prices: prices(price), stock, attributes, barcode: barcode(sku) };
      }),
    }),
    ...(links && { links: links.map((link) => ({ ...link, prices: prices(link.price) })) }),
    ...(grouped && {
      grouped: Object.entries(grouped).map(([sku, count]) => ({
        product_id: known(ids, sku),
        default_quantity: count,
      })),
    }),
    ...(bundle && {
      bundle_groups: bundle.map(({ items, ...group }) => ({
        ...group,
        items: items.map((sku) => ({ product_id: known(ids, sku), quantity: 1, default: group.required })),
      })),
    }),
    ...(slots && { booking: { timezone: 'Europe/Berlin', slots: comingSlots(slots) } }),
  };
}

/** Returns rounded prices in the other currencies. */
const prices = (eur: number) => ({
  USD: Math.ceil(eur * 1.1),
  GBP: Math.ceil(eur * 0.86 * 2) / 2,
  JPY: Math.ceil((eur * 162) / 100) * 100,
});

/** Returns an EAN-13 for in-store use (GS1 prefix 2), derived from the SKU. */
function barcode(sku: string): string {
  let hash = 7;
  for (const letter of sku) hash = (hash * 31 + letter.charCodeAt(0)) % 100_000_000_000;
  const digits = `2${String(hash).padStart(11, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

/** Returns the next eight dates of a weekly slot; hours are in UTC. */
function comingSlots({ weekday, from, to, capacity }: NonNullable<DemoProduct['slots']>) {
  const day = new Date();
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCDate(day.getUTCDate() + 1 + ((weekday - day.getUTCDay() + 6) % 7));
  return Array.from({ length: 8 }, (_, week) => {
    const at = (hour: number) => new Date(day.getTime() + (week * 7 * 24 + hour) * 3_600_000).toISOString();
    return { from: at(from), to: at(to), capacity };
  });
}

const known = (ids: ReadonlyMap<string, number>, key: string): number => {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo shop refers to ${key}, which it has not created.`);
  return id;
};
