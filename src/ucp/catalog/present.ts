import type { z } from '@hono/zod-openapi';
import type {
  Product as CatalogProduct,
  Variant as CatalogVariant,
  ProductListItem,
} from '../../catalog/index.ts';
import { htmlToText } from '../../kernel/text/html-text.ts';
import { firstOf } from '../../kernel/text/text.ts';
import { toMinor } from '../../kernel/values/money.ts';
import type { UcpTenant } from '../context.ts';
import { policyLinks, productUrl } from '../profile/links.ts';
import { productItemId, variantItemId } from './item-id.ts';
import type { Price, Product, Variant } from './schemas.ts';

/** A product of a list or a read, with its variants and categories. */
export type ShownProduct = z.output<typeof ProductListItem> &
  Partial<Pick<z.output<typeof CatalogProduct>, 'tags' | 'barcode'>>;
type ShownVariant = z.output<typeof CatalogVariant>;

/** The most variants of a product in search results: the rest is in `get_product`. */
export const MAX_LISTED_VARIANTS = 20;

/** Returns an amount of the catalogue's API in minor units. */
function priceOf(amount: number, currency: string): Price {
  const minor = toMinor(amount, currency);
  if (minor === null) throw new Error('A price has more decimals than its currency');
  return { amount: minor, currency };
}

/** A tag or a character reference of HTML. */
const MARKUP = /<[a-z!/]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,8});/i;

/** Returns a description as plain text, and as HTML if it has markup. One without any text is the title. */
function descriptionOf(text: string | null, title: string): Product['description'] {
  if (text === null) return { plain: title };
  return MARKUP.test(text)
    ? { plain: htmlToText(text) || title, html: text }
    : { plain: text.trim() === '' ? title : text };
}

/** The most characters of a description in a list: all of it is in `get_product`. */
const MAX_LISTED_DESCRIPTION = 5_000;

const isShort = (text = ''): boolean => text.length <= MAX_LISTED_DESCRIPTION;

/** Returns a description, of a long one the beginning of its plain text. */
const shortened = ({ plain, html }: Product['description']): Product['description'] =>
  isShort(plain) && isShort(html)
    ? { plain, ...(html !== undefined && { html }) }
    : { plain: isShort(plain) ? plain : `${firstOf(plain, MAX_LISTED_DESCRIPTION)}…` };

/** Returns a product as lists have it: without the rest of long descriptions, its variants' as well. */
export const inList = <Listed extends Product>(product: Listed): Listed => ({
  ...product,
  description: shortened(product.description),
  variants: product.variants.map((one) => ({ ...one, description: shortened(one.description) })),
});

const mediaOf = ({ media }: Pick<ShownProduct, 'media'>) =>
  media.map(({ url, alt, width, height }) => ({
    type: 'image' as const,
    url,
    ...(alt && { alt_text: alt }),
    ...(width && height && { width, height }),
  }));

/** What a shopper could pay before a reduction; nothing without one. */
const listPrice = (amount: number | null, price: number, currency: string) =>
  amount !== null && amount > price ? { list_price: priceOf(amount, currency) } : {};

const availabilityOf = (available: boolean): Variant['availability'] => ({
  available,
  status: available ? 'in_stock' : 'out_of_stock',
});

/** What a variant shows of its product and shop. */
function sharedFields(tenant: UcpTenant, { id, slug }: ShownProduct, variantId: number | null) {
  const url = productUrl(tenant, { id, slug, variantId });
  const links = policyLinks(tenant);
  return {
    ...(url !== undefined && { url }),
    ...(links.length > 0 && { seller: { name: tenant.name, links } }),
  };
}

const barcodes = (barcode: string | undefined) =>
  barcode ? { barcodes: [{ type: 'GTIN', value: barcode }] } : {};

/** Places of a product's options by their names. */
type Places = ReadonlyMap<string, number>;

/** Returns a variant of a configurable product. */
function presentVariant(
  tenant: UcpTenant,
  product: ShownProduct,
  { variant, places }: { readonly variant: ShownVariant; readonly places: Places },
): Variant {
  const { currency, name } = product;
  return {
    id: variantItemId(variant.id),
    sku: variant.sku,
    ...barcodes(variant.barcode),
    title: variant.name || name,
    description: { plain: [name, variant.name].filter(Boolean).join(', ') },
    ...sharedFields(tenant, product, variant.id),
    price: priceOf(variant.price, currency),
    ...listPrice(variant.regular_price, variant.price, currency),
    availability: availabilityOf(variant.in_stock),
    options: selectedOptions(variant.attributes, places),
    ...(variant.image !== null && { media: [{ type: 'image' as const, url: variant.image }] }),
  };
}

/** Returns a variant's values in the order of the product's options. */
const selectedOptions = (
  attributes: ShownVariant['attributes'],
  places: Places,
): { name: string; label: string }[] =>
  Object.entries(attributes)
    .flatMap(([name, label]) => {
      const place = places.get(name);
      return place === undefined ? [] : [{ place, value: { name, label } }];
    })
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

/** Returns the one variant of a product without variants. */
const presentOnlyVariant = (tenant: UcpTenant, product: ShownProduct): Variant => ({
  id: variantItemId(product.id),
  sku: product.sku,
  ...barcodes(product.barcode),
  title: product.name,
  description: descriptionOf(product.description, product.name),
  ...sharedFields(tenant, product, null),
  price: priceOf(product.price, product.currency),
  ...listPrice(product.regular_price, product.price, product.currency),
  availability: availabilityOf(product.in_stock),
});

/** Returns a product's variants: those that can be bought first. */
export function presentVariants(tenant: UcpTenant, product: ShownProduct): [Variant, ...Variant[]] {
  const places = new Map(product.options.map(({ name }, place) => [name, place]));
  const shown = (product.variants ?? []).map((variant) =>
    presentVariant(tenant, product, { variant, places }),
  );
  const [first, ...rest] = [
    ...shown.filter(({ availability }) => availability.available),
    ...shown.filter(({ availability }) => !availability.available),
  ];
  return first ? [first, ...rest] : [presentOnlyVariant(tenant, product)];
}

/** Returns a product with the given ones of its variants. */
export function presentProduct(
  tenant: UcpTenant,
  product: ShownProduct,
  variants: readonly Variant[],
): Product {
  const { id, slug, name, description, currency, options, categories = [], tags } = product;
  const url = productUrl(tenant, { id, slug });
  const media = mediaOf(product);
  const { min, max } = product.price_range;
  const reduced = variants.length === 1 && variants[0]?.list_price;
  return {
    id: productItemId(id),
    handle: slug,
    title: name,
    description: descriptionOf(description, name),
    ...(url !== undefined && { url }),
    ...(categories.length > 0 && {
      categories: categories.map((category) => ({ value: category.name, taxonomy: 'merchant' })),
    }),
    price_range: { min: priceOf(min, currency), max: priceOf(max, currency) },
    ...(reduced && { list_price_range: { min: reduced, max: reduced } }),
    ...(media.length > 0 && { media }),
    ...(options.length > 0 && {
      options: options.map((option) => ({
        name: option.name,
        values: option.values.map((label) => ({ label })),
      })),
    }),
    variants: [...variants],
    ...(tags && tags.length > 0 && { tags }),
    metadata: { product_type: product.type },
  };
}
